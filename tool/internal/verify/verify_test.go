package verify_test

import (
	"testing"

	"github.com/gopayoff/payoff/tool/internal/stats/noise"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

func TestFirst(t *testing.T) {
	for seed := range uint64(5) {
		w := &world{profile: noise.Quiet, seed: seed, layouts: 0.02, speed: faster(map[string]float64{"c1": 2, "c2": 1.5, "c0": 0.8})}
		rec, by := try(t, w, options(seed, 5))
		t.Log(rec.End, rec.Elapsed, rec.Notes, len(rec.Samples))
		for _, c := range rec.Candidates {
			p := by[c.ID]
			t.Log(c.ID, p.Word, p.Why, c.Pairs, p.Drift)
			if p.Fresh {
				for _, g := range p.Gains {
					t.Log("   ", g.Cell, g.Ratio, g.Low, g.High, g.AdjustedP, g.Layouts)
				}
				for _, a := range append(p.After, p.Others...) {
					t.Log("   after", a.Cell, a.Base, a.Changed, a.Word, a.Ratio)
				}
			}
		}
	}
	_ = verify.Kept
}
