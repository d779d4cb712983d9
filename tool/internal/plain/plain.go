// Package plain makes text of others fit to be shown: names and output of
// benchmarks, messages of the compiler, paths. On a terminal such text can
// move the cursor, set the title or hide what follows; pasted within a command
// it can be a command of its own.
//
// Data is kept as it is. [Clean] stands where text goes to a terminal, [Shell]
// where a command is made that somebody may paste.
package plain

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Clean returns s as one line that a terminal only shows: what cannot be
// printed by [strconv.IsPrint], which includes every control character, what
// changes the direction of writing and what has no width, is escaped as in Go
// source, and so are bytes that are no UTF-8. It is escaped rather than left
// out, so that different names stay different and nobody wonders about a hole.
// Package testing does the same with names.
//
// Where text may be read by a system that runs payoff, like GitHub's runner, what it
// would take for a command is escaped as well: ::name at the start of a word, and
// ##[name].
//
// The escapes are printable: Clean changes nothing that it returned.
func Clean(s string) string { return clean(s, "") }

// Lines is [Clean] for text of several lines: line feeds, with or without a
// carriage return before them, and tabs stay.
func Lines(s string) string { return clean(strings.ReplaceAll(s, "\r\n", "\n"), "\n\t") }

// clean escapes what cannot be printed and is not in keep.
func clean(s, keep string) string {
	var b strings.Builder
	done := 0 // s[:done] is in b
	for i, r := range s {
		size := utf8.RuneLen(r)
		escaped := ""
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)):
			size = 1
			escaped = fmt.Sprintf(`\x%02x`, s[i])
		case strconv.IsPrint(r) || strings.ContainsRune(keep, r):
			continue
		default:
			quoted := strconv.QuoteRune(r)
			escaped = quoted[1 : len(quoted)-1]
		}
		b.WriteString(s[done:i])
		b.WriteString(escaped)
		done = i + size
	}
	if done > 0 {
		b.WriteString(s[done:])
		s = b.String()
	}
	if strings.Contains(s, "::") || strings.Contains(s, "##") {
		s = agent.ReplaceAllString(runner.ReplaceAllString(s, `${1}\x3a${2}`), `#\x23${1}`)
	}
	return s
}

// The commands of GitHub's runner and of Azure's agent. Those of the runner begin a line,
// after blanks; a text that is wrapped begins one at any word.
var (
	runner = regexp.MustCompile(`(?m)(^|[ \t]):(:[A-Za-z])`)
	agent  = regexp.MustCompile(`##([A-Za-z]*\[)`)
)
