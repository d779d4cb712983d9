package rewrite

import (
	"cmp"
	"go/ast"
	"regexp"
	"slices"
	"strings"
)

// ofGoroutines are words for what goroutines are, what they do and how they talk.
const ofGoroutines = `goroutines?|concurrent|concurrency|parallel(ism)?|workers?|pipelined?|channels?|processors?|cores?|cpus?|gomaxprocs|async|semaphore|errgroup|fans?|pools?`

var (
	aboutCallers  = regexp.MustCompile(`(?i)\b(safe for|concurrent (use|calls|callers)|(called|used) (by|from))\b`)
	adverb        = regexp.MustCompile(`(?i),? (in parallel|concurrently|simultaneously|at the same time|at once|side by side|in the background|asynchronously)\b`)
	aside         = regexp.MustCompile(`, (but|so|the|each|every|all|[a-z]+ing) | (with|while|as) `)
	betweenPhrase = regexp.MustCompile(`, | (with|by|on|in|using|across|at|over|through|via|as|while) `)
	endOfPhrase   = regexp.MustCompile(`, (which|each|one) .*|, |; | and [a-z]+s\b|$`)
	verb          = regexp.MustCompile(` (is|are|was|were|has|have|which|that|before|after) `)
	sentenceEnd   = regexp.MustCompile(`[.!?](\s+|$)`)
)

// Directive reports whether a comment is for a tool, like go:noinline.
func Directive(c *ast.Comment) bool {
	_, ok := ast.ParseDirective(c.Pos(), c.Text)
	return ok
}

// Serially is the comment of a function without what it says of goroutines, or of what
// has one of the names. It ends phrases and sentences early, and leaves what it says of
// those that call the function. It puts first in the place of a first sentence that goes;
// where first is "", that stays. It is "" where nothing is said of goroutines, or a part
// is for a tool.
func Serially(decl *ast.FuncDecl, first string, names ...string) string {
	if decl.Doc == nil || slices.ContainsFunc(decl.Doc.List, func(c *ast.Comment) bool { return Directive(c) || strings.HasPrefix(c.Text, "/*") }) {
		return ""
	}
	words := ofGoroutines
	for _, name := range names {
		words += "|" + regexp.QuoteMeta(name)
	}
	said := regexp.MustCompile(`(?i)\b(` + words + `)\b`)
	text := decl.Doc.Text()
	paragraphs := strings.Split(strings.TrimSpace(text), "\n\n")
	var left []string
	changed := false
	for i, p := range paragraphs {
		if strings.Contains("\n"+p, "\n\t") || strings.Contains("\n"+p, "\n#") || strings.Contains("\n"+p, "\n  ") { // code, a heading or a list
			left = append(left, p)
			continue
		}
		var sentences []string
		whole := strings.Join(strings.Fields(p), " ")
		for n := 0; whole != ""; n++ {
			s, rest := whole, ""
			if at := sentenceEnd.FindStringIndex(whole); at != nil {
				s, rest = whole[:at[0]+1], whole[at[1]:]
			}
			whole = rest
			name := 0
			if i == 0 && n == 0 && strings.HasPrefix(s, decl.Name.Name+" ") {
				name = len(decl.Name.Name)
			}
			is := serially(said, s[name:])
			if is != "" {
				is = s[:name] + is
			} else if i == 0 && n == 0 {
				is = cmp.Or(first, s)
			}
			changed = changed || is != s
			if is != "" {
				sentences = append(sentences, is)
			}
		}
		if len(sentences) > 0 {
			left = append(left, wrap(strings.Join(sentences, " ")))
		}
	}
	if !changed || len(left) == 0 {
		return ""
	}
	return "// " + strings.ReplaceAll(strings.ReplaceAll(strings.Join(left, "\n\n"), "\n", "\n// "), "// \n", "//\n")
}

// serially is a sentence without the phrases that have a word, "" where nothing is before
// them.
func serially(said *regexp.Regexp, s string) string {
	if aboutCallers.MatchString(s) {
		return s
	}
	for at := adverb.FindStringIndex(s); at != nil; at = adverb.FindStringIndex(s) {
		s = s[:begin(s, at[0])] + s[at[1]:]
	}
	for at := said.FindStringIndex(s); at != nil; at = said.FindStringIndex(s) {
		all := betweenPhrase.FindAllStringIndex(s[:at[0]], -1)
		if all == nil {
			return ""
		}
		from := all[len(all)-1][0]
		if i := strings.LastIndex(s[:from], ","); i >= 0 && strings.Count(s[i:from], " ") < 2 { // "each", or nothing, is between
			from = i
		}
		body := strings.TrimRight(s, ".!?")
		to := len(body)
		for _, end := range endOfPhrase.FindAllStringIndex(body[at[1]:], -1) {
			next := body[at[1]+end[0] : at[1]+end[1]]
			if !said.MatchString(next) && !strings.HasPrefix(next, ", ") || next == ", " {
				to = at[1] + end[0]
			}
			if to < len(body) || next != ", " && strings.HasPrefix(next, ", ") {
				break
			}
		}
		from = begin(s, from)
		if strings.HasPrefix(s[from:], ", ") && strings.HasPrefix(s[to:], ", ") {
			to++
		}
		if strings.TrimSpace(s[:from]) == "" || verb.MatchString(s[from:at[0]]) {
			return ""
		}
		s = s[:from] + s[to:]
	}
	return s
}

// begin is where what a sentence says besides begins, if that goes on until at; else it is at.
func begin(s string, at int) int {
	all := aside.FindAllStringIndex(s[:at], -1)
	if all == nil {
		return at
	}
	last := all[len(all)-1]
	if strings.ContainsAny(s[last[1]:at], ",;") || strings.Contains(s[last[1]:at], " and ") {
		return at
	}
	return last[0]
}

// wrap breaks a paragraph into lines as long as those of comments are.
func wrap(s string) string {
	var b strings.Builder
	n := 0
	for i, w := range strings.Fields(s) {
		switch {
		case i == 0:
		case n+1+len(w) > 77:
			b.WriteByte('\n')
			n = 0
		default:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(w)
		n += len(w)
	}
	return b.String()
}
