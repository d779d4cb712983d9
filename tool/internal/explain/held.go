package explain

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// preparing is work that seldom needs the lock under which it is done: it makes
// what is then stored or written.
var preparing = []struct {
	of   stack.Category
	what string
}{{stack.Reflect, "formatting and reflection"}, {stack.Sort, "sorting"}, {stack.Alloc, "allocation"}, {stack.Copy, "copying"}, {stack.Clock, "reading the clock"}}

// prepared is the processor time that such work takes with a lock held, the
// kinds that it is of, most first, and the line with most of it. It is 0 where
// it is less than half of what is done with a lock held.
func (f *facts) prepared() (total float64, what string, at source.Place) {
	if f.new.Set == nil || f.new.Set.CPU == nil {
		return 0, "", at
	}
	by, all, most := map[string]float64{}, 0.0, 0.0
	for _, l := range f.new.Set.CPU.Lines {
		if !f.new.Set.Shaped(evidence.Held, l.Place) {
			continue
		}
		here := 0.0
		for _, p := range preparing {
			by[p.what] += l.By[p.of] * f.new.CPU
			here += l.By[p.of] * f.new.CPU
		}
		if here > most {
			most, at = here, l.Place
		}
		total += here
		all += (l.Share - l.By[stack.Lock] - l.By[stack.Switch]) * f.new.CPU
	}
	if total < all/2 {
		return 0, "", source.Place{}
	}
	var names []string
	for _, p := range preparing {
		if by[p.what] >= total/10 {
			names = append(names, p.what)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(by[b], by[a]) })
	return total, strings.Join(names, ", "), at
}
