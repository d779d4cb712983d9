package verify_test

import (
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/host"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// Where what is slower or the same is asked for as well, it is proven by fresh pairs,
// once it has passed all checks; else it goes out before that.
func TestBoth(t *testing.T) {
	for _, tt := range []struct {
		name  string
		speed float64
		word  verify.Word
	}{{"slower", 0.5, verify.Slower}, {"the same", 1, verify.NoGain}, {"faster", 2, verify.Kept}} {
		for _, both := range []bool{false, true} {
			raced := false
			w := &world{profile: noise.Quiet, seed: stress.Seed(t), speed: faster(map[string]float64{"c0": tt.speed}), tests: func(arm string, race bool) (host.Outcome, error) {
				raced = raced || arm == "c0" && race
				return host.Outcome{}, nil
			}}
			o := options(1, 1)
			o.Both = both
			_, by := try(t, w, o)
			want, fresh := tt.word, both || tt.speed > 1
			if !fresh {
				want = verify.NoGain
			}
			if tt.speed == 1 && !both {
				fresh = by["c0"].Fresh // by chance it may seem faster, and is looked at again
			}
			if p := by["c0"]; p.Word != want || p.Fresh != fresh || raced != fresh {
				t.Errorf("%s, both %t: %s (%s), fresh %t, raced %t; want %s and %t", tt.name, both, p.Word, p.Why, p.Fresh, raced, want, fresh)
			}
		}
	}
}
