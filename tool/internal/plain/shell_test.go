package plain

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

func TestShell(t *testing.T) {
	for _, test := range []struct{ word, posix, windows string }{
		{"payoff", "payoff", "payoff"},
		{"-json", "-json", "-json"},
		{"./...", "./...", "./..."},
		{"example.com/m-x", "example.com/m-x", "example.com/m-x"},
		{`C:\a`, `'C:\a'`, `C:\a`},
		{"", "''", `""`},
		{"1,2,4", "1,2,4", `"1,2,4"`},
		{"two words", "'two words'", `"two words"`},
		{"-run=^$", "-run='^$'", `"-run=^$"`},
		{"-run=Sum", "-run=Sum", `"-run=Sum"`},
		{"=ls", "'=ls'", `"=ls"`},
		{"~/x", "'~/x'", `"~/x"`},
		{"^A$/^b$", "'^A$/^b$'", `"^A$/^b$"`},
		{"^A$|^B$", "'^A$|^B$'", `"^A$|^B$"`},
		{"it's", `'it'\''s'`, `"it's"`},
		{"$(touch x)", "'$(touch x)'", `".(touch x)"`},
		{"$HOME%PATH%`x`", "'$HOME%PATH%`x`'", `".HOME.PATH..x."`},
		{`a" & calc & "`, `'a" & calc & "'`, `"a. & calc & ."`},
		{"a\u201d; calc", "'a\u201d; calc'", `"a.; calc"`},
		{"$$x", "'$$x'", `"..x"`},
		{"é", "'é'", `"é"`},
	} {
		if got := shell("linux", []string{test.word}); got != test.posix {
			t.Errorf("%q on Unix: %s, want %s", test.word, got, test.posix)
		}
		if got := shell("windows", []string{test.word}); got != test.windows {
			t.Errorf("%q on Windows: %s, want %s", test.word, got, test.windows)
		}
	}
	if got, want := shell("linux", []string{"go", "test", "-run=^$", "-bench=^A$/^it's$", "."}), `go test -run='^$' -bench='^A$/^it'\''s$' .`; got != want {
		t.Errorf("several words: %s, want %s", got, want)
	}
}

// What the shell makes of quoted words are these words; once cleaned they are
// still as many, each in its cleaned form.
func FuzzShell(f *testing.F) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		f.Skip(err)
	}
	for _, s := range []string{"'; touch /tmp/x; '", "$(id)`id`", "\x1b]0;x\x07'", "-run='^$'", "--x=\\", "a\nb", "!!", "~", "*?[a-z]{a,b}#", ""} {
		f.Add(s, "second")
		f.Add("first", s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if strings.Contains(a+b, "\x00") {
			t.Skip("no argument of a process holds a NUL")
		}
		for _, test := range []struct{ line, want string }{
			{shell("linux", []string{a, b}), a + "\x00" + b + "\x00"},
			{Clean(shell("linux", []string{a, b})), Clean(a) + "\x00" + Clean(b) + "\x00"},
		} {
			got, err := exec.Command(sh, "-c", `printf '%s\0' `+test.line).Output()
			if err != nil || string(got) != test.want {
				t.Errorf("%q and %q as %s: the shell has %q (%v), want %q", a, b, test.line, got, err, test.want)
			}
		}
	})
}

// On Windows a quoted word holds nothing that ends the quotes or means more
// within them.
func FuzzShellWindows(f *testing.F) {
	alive := regexp.MustCompile("[\"%!`\u201c\u201d\u201e]|\\$[a-zA-Z0-9_{(?$^:]")
	for _, s := range []string{`" & calc & "`, "$(calc)", "$$$$(", "%PATH%", "\u201e", "\xff\"", `\"`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		got := shell("windows", []string{s})
		inner, quoted := strings.CutPrefix(got, `"`)
		if !quoted {
			if got != s || strings.ContainsAny(s, " \t\r\n\"'`$%&|<>^!;,()@#{}*?~") {
				t.Errorf("%q becomes %s, without quotes", s, got)
			}
			return
		}
		inner, ok := strings.CutSuffix(inner, `"`)
		if !ok || alive.MatchString(inner) {
			t.Errorf("%q becomes %s", s, got)
		}
	})
}
