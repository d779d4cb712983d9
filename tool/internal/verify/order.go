package verify

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"
)

// glanceShare is the part of the budget in which it is found out which claim comes
// first.
const glanceShare = 0.2

// alikeGains are those of less than that factor: one look does not order them.
const alikeGains = 1.25

// glance measures the candidates of all claims once, and returns the claims in the
// order of what the best of each seems to gain: the budget is spent on those that
// come first. Claims that there is no time for stay in their order, at the end.
func (r *run) glance(ctx context.Context) ([]string, error) {
	claims := r.claims()
	if len(claims) < 2 {
		return claims, nil
	}
	end := r.left() - time.Duration(glanceShare*float64(r.left()))
	seems := map[string]float64{}
	for i, claim := range claims {
		seems[claim] = 0
		if r.left() < end {
			continue
		}
		r.step("comparing all a little", i, len(claims))
		for _, t := range r.alive(claim) {
			if _, err := r.build(ctx, t); err != nil {
				return nil, err
			}
		}
		if err := r.visit(ctx, Selecting, r.rounds, 0, contest(r.alive(claim))); err != nil {
			return nil, err
		}
		r.rounds++
		for _, t := range r.alive(claim) {
			for _, c := range t.Cells {
				if x := r.rec.Ratio(t.ID, c).Ratio; x > seems[claim] { // NaN never
					seems[claim] = x
				}
			}
		}
	}
	step := func(claim string) float64 { return math.Round(math.Log(seems[claim]) / math.Log(alikeGains)) }
	slices.SortStableFunc(claims, func(a, b string) int { return cmp.Compare(step(b), step(a)) })
	return claims, nil
}
