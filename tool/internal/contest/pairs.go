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
// round and attempt, but for those of older records: there the last of the first side
// counts, for each of the second.
func Append[X any](p stats.Pairs, as, bs []X, of func(*X) Taken, once bool) stats.Pairs {
	last := int32(-1)
	add := func(a, b Taken) {
		if r := math.Log(a.Figure / b.Figure); !math.IsNaN(r) && !math.IsInf(r, 0) && !(once && a.Round == last) {
			p.Logs = append(p.Logs, r)
			p.Layouts = append(p.Layouts, layout(a, b))
			p.Rounds = append(p.Rounds, a.Round)
			last = a.Round
		}
	}
	if rise(as, of) && rise(bs, of) {
		for i, j := 0, 0; i < len(as) && j < len(bs); {
			a, b := of(&as[i]), of(&bs[j])
			switch a.compare(b) {
			case -1:
				i++
			case 1:
				j++
			default:
				add(a, b)
				i++
				j++
			}
		}
		return p
	}
	type when struct{ round, attempt int32 }
	at := map[when]Taken{}
	for i := range as {
		a := of(&as[i])
		at[when{a.Round, a.Attempt}] = a
	}
	for j := range bs {
		b := of(&bs[j])
		if a, ok := at[when{b.Round, b.Attempt}]; ok {
			add(a, b)
		}
	}
	return p
}

// compare says which was taken first.
func (t Taken) compare(x Taken) int {
	return cmp.Or(cmp.Compare(t.Round, x.Round), cmp.Compare(t.Attempt, x.Attempt))
}

// rise reports whether each sample was taken after the one before.
func rise[X any](all []X, of func(*X) Taken) bool {
	for i := 1; i < len(all); i++ {
		if of(&all[i-1]).compare(of(&all[i])) >= 0 {
			return false
		}
	}
	return true
}

// layout is what a pair is an observation of: the layout of both sides, or, where
// they are not measured in one, of one and the other.
func layout(a, b Taken) int32 {
	if a.Layout == b.Layout {
		return a.Layout
	}
	return a.Layout + (b.Layout+1)<<16
}
