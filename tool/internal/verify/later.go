package verify

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/stats"
)

const (
	laterLevel = 0.99 // of the interval that shows that the first operation gains too little
	warm       = 2    // times: the first operation may take that much of a usual one to be compared
)

// later says at which cell a candidate gains by the operations after the first of a
// process alone, as where they find what those before left; "" where it does not, or
// where that cannot be told: of a benchmark that loops by b.Loop no first operation is
// timed, and one that takes nanoseconds is hidden by what warms up with it.
func (r *Record) later(t *Trial, phase Phase) string {
	for _, c := range t.Cells {
		was := r.wall(phase, side{"", c})
		gain := was - r.wall(phase, side{t.ID, c})
		firsts := r.firsts(phase, side{"", c}, side{t.ID, c})
		if !(gain > 0) || len(firsts) == 0 {
			continue
		}
		var before, short []float64
		for _, x := range firsts {
			before = append(before, x[0])
			short = append(short, x[0]-x[1]-gain/2)
		}
		if _, high := stats.SignedRankInterval(short, laterLevel); high < 0 && stats.Median(before) <= warm*was {
			return fmt.Sprintf("at %s the first operation of a process gains less than half of what later ones do", c)
		}
	}
	return ""
}

// firsts are the times of the first operations of two sides, by pair.
func (r *Record) firsts(phase Phase, base, other side) (all [][2]float64) {
	type at struct{ round, attempt int32 }
	olds := map[at]float64{}
	use := func(x *Sample, s side) bool {
		return x.Phase == phase && x.Drop == "" && x.First > 0 && x.side() == s
	}
	for i := range r.Samples {
		if x := &r.Samples[i]; use(x, base) {
			olds[at{x.Round, x.Attempt}] = x.First
		}
	}
	for i := range r.Samples {
		if x := &r.Samples[i]; use(x, other) {
			if old := olds[at{x.Round, x.Attempt}]; old > 0 {
				all = append(all, [2]float64{old, x.First})
			}
		}
	}
	return all
}

// Hollow takes out what is kept and gains by later operations alone: that was not to
// be.
func (r *Record) Hollow() {
	for _, p := range Judge(r) {
		if t := r.trial(p.Candidate); p.Word == Kept && p.Later != "" {
			t.Stage, t.Out = Hollow, p.Later
		}
	}
}
