package gather

import (
	"cmp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
)

// order puts the verdicts that call for evidence into the order in which they
// get it: what was asked for before what was not, concurrent code before code
// that runs on one goroutine, and then what loses most.
func order(s *measure.Series, verdicts []judge.Verdict, asked func(judge.Verdict) bool) {
	type key struct {
		unasked, serial int
		lost            float64
	}
	of := func(v judge.Verdict) key {
		k := key{lost: takenUp(s, v)}
		if asked != nil && !asked(v) {
			k.unasked = 1
		}
		if s.StartsNone(v.New) && s.StartsNone(v.BaseCell) {
			k.serial = 1
		}
		return k
	}
	slices.SortStableFunc(verdicts, func(a, b judge.Verdict) int {
		x, y := of(a), of(b)
		return cmp.Or(cmp.Compare(x.unasked, y.unasked), cmp.Compare(x.serial, y.serial), cmp.Compare(y.lost, x.lost))
	})
}

// takenUp is how many times the processor time of its base a verdict's new side
// takes up: of all processors that it could use, busy or not.
func takenUp(s *measure.Series, v judge.Verdict) float64 {
	return float64(judge.Usable(s.Usable, v.New.Procs)) / v.Ratio
}
