package plain

import (
	"regexp"
	"runtime"
	"strings"
	"unicode/utf8"
)

// Shell returns words as a command line, each quoted where the shell would
// see more in it than a word. After [Clean] each is still one word, itself or
// its escaped form: what was pasted never does anything else.
//
// A word that begins with a dash is still a flag to the command: a path that
// may begin so has to be given as ./-path.
//
// On Unix the quotes are those of the POSIX shell, and any word without a NUL
// comes through. Windows has two shells that disagree. There the quotes are
// double, and what cmd or PowerShell would see in them becomes a dot: a regular
// expression still matches, a path is not found.
func Shell(words ...string) string { return shell(runtime.GOOS, words) }

func shell(goos string, words []string) string {
	quote := posix
	if goos == "windows" {
		quote = windows
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = quote(w)
	}
	return strings.Join(quoted, " ")
}

var (
	bare = regexp.MustCompile(`^[\w@%+:,./-][\w@%+=:,./-]*$`) // =ls is a path in zsh
	flag = regexp.MustCompile(`^-[\w.-]+=`)
)

// posix quotes for sh. Of -flag=value it quotes the value, which reads better.
func posix(w string) string {
	if bare.MatchString(w) {
		return w
	}
	name := flag.FindString(w)
	return name + "'" + strings.ReplaceAll(w[len(name):], "'", `'\''`) + "'"
}

var (
	bareWindows = regexp.MustCompile(`^(-\w+|[\w+./\\][\w+=:./\\-]*)$`) // a,b is a list in PowerShell, -a.b two words
	// special is what a shell sees within double quotes: cmd % and !, PowerShell
	// the backquote, the quotes of typography, and $ before a variable.
	special = regexp.MustCompile("[\"%!`\u201c\u201d\u201e]|\\$[\\w{(?$^:]")
)

// windows quotes for cmd and PowerShell at once.
func windows(w string) string {
	if bareWindows.MatchString(w) {
		return w
	}
	for {
		at := special.FindStringIndex(w)
		if at == nil {
			return `"` + w + `"`
		}
		_, size := utf8.DecodeRuneInString(w[at[0]:]) // of $x the x stays
		w = w[:at[0]] + "." + w[at[0]+size:]
	}
}
