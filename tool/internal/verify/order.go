package verify

import (
	"context"
	"slices"
	"time"
)

// glanceShare is the part of the budget in which it is found out which claim comes
// first.
const glanceShare = 0.2

// alikeGains are those of less than that factor: one look does not order them.
const alikeGains = 1.5

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
	began := r.now()
	for i, claim := range claims {
		if seems[claim] = 0; r.left() < end {
			r.hurried = r.now().Sub(began)
			break
		}
		r.step("comparing all a little", i, len(claims))
		for _, t := range r.alive(claim) {
			if _, err := r.build(ctx, t); err != nil {
				return nil, err
			}
		}
		if err := r.visit(ctx, Selecting, r.rounds, 0, beside(r.alive(claim))); err != nil {
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
	order := make([]string, 0, len(claims))
	for len(claims) > 0 {
		best := 0.0
		for _, c := range claims {
			best = max(best, seems[c])
		}
		i := slices.IndexFunc(claims, func(c string) bool { return seems[c]*alikeGains >= best })
		order = append(order, claims[i])
		claims = slices.Delete(claims, i, i+1)
	}
	return order, nil
}
