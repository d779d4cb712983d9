package topic

import "strings"

// overlap reports whether there is a subject that two patterns match.
func (g *grammar) overlap(p, q string) bool {
	if g.dollar && (p[0] == '$' && g.wildFirst(q) || q[0] == '$' && g.wildFirst(p)) {
		return false
	}
	// lone is true while all that both match is one empty token, which is no subject.
	for n, lone, pmore, qmore := 0, false, true, true; ; n++ {
		var a, b string // the next tokens
		pdone, qdone := !pmore, !qmore
		if !pdone {
			a, p, pmore = strings.Cut(p, string(g.sep))
		}
		if !qdone {
			b, q, qmore = strings.Cut(q, string(g.sep))
		}
		switch {
		case !pdone && a == string(g.tail):
			return !qdone || g.parent && !lone
		case !qdone && b == string(g.tail):
			return !pdone || g.parent && !lone
		case pdone || qdone:
			return pdone && qdone
		case a != b && a != string(g.star) && b != string(g.star):
			return false
		}
		lone = n == 0 && (a == "" || b == "")
	}
}

// wildFirst reports whether the first token of a pattern is a wildcard.
func (g *grammar) wildFirst(pattern string) bool {
	return (pattern[0] == g.star || pattern[0] == g.tail) && (len(pattern) == 1 || pattern[1] == g.sep)
}
