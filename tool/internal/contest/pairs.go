package contest

import (
	"cmp"
	"math"

	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Taken is a sample as a pair has it.
type Taken struct {
	Round, Attempt int32
	Layout         int32
	Figure         float64 // that is compared: mostly ns per operation
}

// Append adds to p the pairs of two sides: of each round the first attempt that both
// have, or, if not once, of every attempt. A ratio is above 1 where the figure of the
// second is the smaller. Pairs whose figures make no ratio are left out. Samples rise by
// round and attempt.
func Append[X any](p stats.Pairs, as, bs []X, of func(*X) Taken, once bool) stats.Pairs {
	last := int32(-1)
	for i, j := 0, 0; i < len(as) && j < len(bs); {
		a, b := of(&as[i]), of(&bs[j])
		before := cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Attempt, b.Attempt))
		if r := math.Log(a.Figure / b.Figure); before == 0 && !math.IsNaN(r) && !math.IsInf(r, 0) && !(once && a.Round == last) {
			p.Logs = append(p.Logs, r)
			p.Layouts = append(p.Layouts, layout(a, b))
			p.Rounds = append(p.Rounds, a.Round)
			last = a.Round
		}
		if before <= 0 {
			i++
		}
		if before >= 0 {
			j++
		}
	}
	return p
}

// layout is what a pair is an observation of: the layout of both sides, or, where
// they are not measured in one, of one and the other.
func layout(a, b Taken) int32 {
	if a.Layout == b.Layout {
		return a.Layout
	}
	return a.Layout + (b.Layout+1)<<16
}
