package verify

import (
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A gain that only the operations after the first have is told, and no other: not one
// that the first has as well, nor one that is hidden by what warms up.
func TestLater(t *testing.T) {
	rng := rand.New(rand.NewPCG(stress.Seed(t), 1))
	cell := measure.Cell{Bench: "BenchmarkA", Procs: 2}
	for _, tt := range []struct {
		name                     string
		wall, first, with, after float64 // of the untouched code, and with the change
		want                     bool
	}{
		{"kept from one to the next", 1000, 1100, 100, 1100, true},
		{"the first as well", 1000, 1100, 100, 200, false},
		{"half of it", 1000, 1100, 500, 700, false},
		{"warming up", 1000, 9000, 100, 9000, false},
		{"b.Loop", 1000, 0, 100, 0, false},
	} {
		r := &Record{Package: "p", Procs: []int{1, 2}, Rule: stats.DefaultRule, Bounds: stats.DefaultBounds, End: measure.Decided,
			Candidates: []Trial{{Candidate: Candidate{Edit: edit.Edit{ID: "a"}, Claim: "f", Cells: []measure.Cell{cell}}, Pairs: 12}}}
		noise := func(x float64) float64 { return x * (1 + 0.02*rng.Float64()) }
		for round := range int32(12) {
			r.Samples = append(r.Samples,
				Sample{Phase: Confirming, Bench: cell.Bench, Procs: 2, Round: round, Layout: round, N: 9, Wall: noise(tt.wall), First: noise(tt.first)},
				Sample{Phase: Confirming, Arm: "a", Bench: cell.Bench, Procs: 2, Round: round, Layout: round, N: 9, Wall: noise(tt.with), First: noise(tt.after)})
		}
		p := Judge(r)[0]
		if p.Word != Kept || (p.Later != "") != tt.want {
			t.Errorf("%s: %s, %q, want it kept, and told %t", tt.name, p.Word, p.Later, tt.want)
		}
		r.Hollow()
		if p := Judge(r)[0]; (p.Word == Fails) != tt.want {
			t.Errorf("%s: %s once that is a gate, want it to fail %t", tt.name, p.Word, tt.want)
		}
	}
}
