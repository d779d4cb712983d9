package topic

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// A Dialect is a set of rules for subjects and patterns.
type Dialect uint8

const (
	// NATS subjects are tokens with dots between them. In a pattern the token * stands
	// for any one token, and > at the end for one or more. White space and the zero
	// byte are in none, as the rules for NATS's names have it. The server lets a zero
	// byte pass in most places.
	NATS Dialect = iota

	// MQTT topics are levels, here called tokens as well, with slashes between
	// them, and a token may be empty. In a pattern + stands for any one token, and
	// # at the end for any number, none included: sport/# matches sport. A
	// wildcard as the first token matches no subject that begins with $.
	MQTT
)

// MaxTokens is how many tokens a pattern may have, a wildcard at the end
// included. Subjects may have more.
const MaxTokens = 64

// A grammar is what a Dialect says, for code that is the same in all.
type grammar struct {
	name            string
	sep, star, tail byte

	empty   bool // a token may be empty
	parent  bool // the tail stands for no token too
	dollar  bool // a first wildcard stands for no token that begins with $
	byTopic bool // a group is of one pattern; else a group's members share what any of their patterns match
}

var grammars = [...]grammar{
	NATS: {name: "NATS", sep: '.', star: '*', tail: '>'},
	MQTT: {name: "MQTT", sep: '/', star: '+', tail: '#', empty: true, parent: true, dollar: true, byTopic: true},
}

// String returns "NATS" or "MQTT".
func (d Dialect) String() string {
	if int(d) >= len(grammars) {
		return fmt.Sprintf("Dialect(%d)", uint8(d))
	}
	return grammars[d].name
}

func (d Dialect) grammar() *grammar {
	if int(d) >= len(grammars) {
		panic(fmt.Sprintf("topic: no dialect %d", uint8(d)))
	}
	return &grammars[d]
}

// An Error says why a text is not a pattern, a subject or the name of a group.
type Error struct {
	Kind   string // "pattern", "subject" or "group"
	Text   string // as it was passed
	Token  int    // the token at fault, the first being 1, or 0 if it is none of them
	Reason string // such as "is empty"
}

// Error names the text, the token at fault, and the reason.
func (e *Error) Error() string {
	if e.Token == 0 {
		return fmt.Sprintf("topic: %s %q %s", e.Kind, e.Text, e.Reason)
	}
	return fmt.Sprintf("topic: %s %q: token %d %s", e.Kind, e.Text, e.Token, e.Reason)
}

// CheckPattern returns nil if Subscribe takes the pattern, and otherwise an
// [*Error] that names the token at fault.
func (d Dialect) CheckPattern(pattern string) error {
	return d.check("pattern", pattern)
}

// CheckSubject returns nil if the subject may be published to, and otherwise an
// [*Error] that names the token at fault.
func (d Dialect) CheckSubject(subject string) error {
	return d.check("subject", subject)
}

func (d Dialect) check(kind, text string) error {
	g := d.grammar()
	pattern := kind == "pattern"
	if g.plain(text, pattern) {
		return nil
	}
	if why := g.refuse(text); why != "" {
		return &Error{kind, text, 0, why}
	}
	n := 0
	for rest, more := text, true; more; {
		var token string
		token, rest, more = strings.Cut(rest, string(g.sep))
		n++
		why := g.refuseToken(token)
		switch {
		case why != "":
		case token == string(g.star) && !pattern, token == string(g.tail) && !pattern:
			why = fmt.Sprintf("is the wildcard %s", token)
		case token == string(g.tail) && more:
			why = fmt.Sprintf("is %s, which must be the last", token)
		case n > MaxTokens && pattern:
			why = fmt.Sprintf("is one more than %d", MaxTokens)
		}
		if why != "" {
			return &Error{kind, text, n, why}
		}
	}
	return nil
}

// plain reports whether a text needs no closer look: it is made of printable ASCII,
// no token is empty, there are not too many, and wildcards are where they may be.
func (g *grammar) plain(text string, pattern bool) bool {
	if len(text) >= 1<<16 {
		return false
	}
	last, n := g.sep, 1
	for i := range len(text) {
		c := text[i]
		switch {
		case c <= ' ' || c >= 0x7f:
			return false
		case c == g.sep:
			if n++; last == g.sep {
				return false
			}
		case c == g.star || c == g.tail:
			end := i+1 == len(text)
			if !pattern || last != g.sep || !end && (c == g.tail || text[i+1] != g.sep) {
				return false
			}
		}
		last = c
	}
	return last != g.sep && n <= MaxTokens
}

// refuse returns why a text is no subject and no pattern, whatever its tokens are.
func (g *grammar) refuse(text string) string {
	switch {
	case text == "":
		return "is empty"
	case len(text) > math.MaxInt32:
		return fmt.Sprintf("has %d bytes, more than %d", len(text), math.MaxInt32)
	case !g.empty:
		return ""
	case len(text) > 1<<16-1:
		return fmt.Sprintf("has %d bytes, more than MQTT's 65535", len(text))
	case !utf8.ValidString(text):
		return "is not UTF-8"
	}
	return ""
}

// refuseToken returns why a token may be in no subject and no pattern.
func (g *grammar) refuseToken(token string) string {
	switch {
	case token == "" && !g.empty:
		return "is empty"
	case strings.IndexByte(token, 0) >= 0:
		return fmt.Sprintf("(%q) has a zero byte", token)
	case !g.empty && strings.ContainsAny(token, " \t\n\f\r"):
		return fmt.Sprintf("(%q) has white space", token)
	case g.empty && len(token) > 1 && strings.ContainsAny(token, "+#"):
		return fmt.Sprintf("(%q) has a wildcard beside other characters", token)
	}
	return ""
}

// checkGroup returns why a name cannot be a group's.
func (d Dialect) checkGroup(group string) error {
	g := d.grammar()
	why := ""
	switch {
	case group == "":
		why = "is empty"
	case strings.IndexByte(group, 0) >= 0:
		why = "has a zero byte"
	case !g.empty && strings.ContainsAny(group, " \t\n\f\r"):
		why = "has white space"
	case g.empty && strings.ContainsAny(group, "/+#"):
		why = "has one of / + #"
	case g.empty && !utf8.ValidString(group):
		why = "is not UTF-8"
	}
	if why != "" {
		return &Error{"group", group, 0, why}
	}
	return nil
}
