package explain

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// TestLayout: a difference that comes and goes with the layout is the layout's,
// whether it leaves a loss on average or none; one that stays is not.
func TestLayout(t *testing.T) {
	for _, tt := range []struct {
		name       string
		slower, sd float64
		layout     bool
	}{
		{"equal code", 1, 0.15, true},
		{"slower on average", 1.13, 0.15, true},
		{"three times as slow", 3, 0.15, false},
		{"steady", 1.13, 0.001, false},
	} {
		p := healthy()
		p.wall1, p.cpu1 = tt.slower*10*ms, tt.slower*10*ms
		p.one = shares{stack.User: 1}
		p.more = layouts(tt.sd)
		got := slugs(t, p.findings(t), 1)
		if first := len(got) > 0 && got[0] == "layout"; first != tt.layout || !tt.layout && slices.Contains(got, "layout") {
			t.Errorf("%s: causes %q, layout first: want %v", tt.name, got, tt.layout)
		}
	}
}

// layouts measures in 24 of them, between which the variant differs so much at
// one processor: the standard deviation of the logarithm.
func layouts(sd float64) func(*measure.Series) {
	rng := rand.New(rand.NewPCG(61, 61))
	var move [24]float64
	for i := range move {
		move[i] = math.Exp(sd * rng.NormFloat64())
	}
	return func(s *measure.Series) {
		for c, samples := range s.Samples {
			rng := rand.New(rand.NewPCG(uint64(len(c.Bench)), uint64(c.Procs))) // the map has no order
			like := samples[0]
			s.Samples[c] = nil
			for round := range int32(96) {
				x := like
				x.Round, x.Layout = round+1, round%24
				x.Wall *= math.Exp(0.02 * rng.NormFloat64())
				if c.Bench == "BenchmarkX/variant=new" && c.Procs == 1 {
					x.Wall *= move[x.Layout]
				}
				s.Add(c, x)
			}
		}
	}
}
