package discover

import (
	"slices"
	"strconv"
)

// aged are words for what was, each beside the word for what came after it; bygone
// those that stand beside nothing.
var (
	aged   = map[string]string{"old": "new", "before": "after", "without": "with"}
	bygone = []string{"old", "legacy", "original", "orig", "std", "stdlib", "builtin"}
)

// ages finds pairs of what was and what came after it: OldGet and NewGet, EncodeV1
// and EncodeV2, WithoutPool and WithPool, LegacyScan and Scan.
func (g *grouper) ages() {
	type base struct{ name, elem int }
	of := map[base][]int{}
	var order []base
	for v, n := range g.names {
		if g.of[v] >= 0 {
			continue
		}
		ve := elements(n)
	bases:
		for b, m := range g.names {
			be := elements(m)
			if b == v || g.of[b] >= 0 || len(be) != len(ve) {
				continue
			}
			for elem := range be {
				if slices.Equal(without(be, elem), without(ve, elem)) && follows(words(be[elem]), words(ve[elem])) {
					at := base{b, elem}
					if len(of[at]) == 0 {
						order = append(order, at)
					}
					of[at] = append(of[at], v)
					break bases
				}
			}
		}
	}
	for _, at := range order {
		later := slices.DeleteFunc(of[at], func(v int) bool { return g.of[v] >= 0 })
		if g.of[at.name] < 0 && len(later) > 0 {
			g.add(at.name, later, at.elem)
		}
	}
}

// follows reports whether later are the words of what came after what was: they
// differ in one.
func follows(was, later []string) bool {
	for i, w := range was {
		if i < len(later) && w == later[i] {
			continue
		}
		if slices.Contains(bygone, w) && len(later) > 0 && slices.Equal(was[i+1:], later[i:]) {
			return true
		}
		if i == len(later) || !slices.Equal(was[i+1:], later[i+1:]) {
			return false
		}
		n, err := strconv.Atoi(later[i])
		return aged[w] == later[i] || i > 0 && was[i-1] == "v" && w == "1" && err == nil && n > 1
	}
	return false
}
