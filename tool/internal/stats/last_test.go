package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
)

// TestLeft: what the last look may spend, by hand: all that no look before it did,
// and of looks before the first full one 0.7 in all.
func TestLeft(t *testing.T) {
	for n, want := range map[int][2]float64{1: {0.7, 2}, 3: {0.7, 2}, 4: {0.52, 2}, 5: {0.52, 2}, 6: {0.39, 2}, 9: {0.39, 2}, 10: {0.69, 2}, 11: {0.375, 1.8}, 16: {0.375, 1.8},
		17: {0.235, 1.54}, 25: {0.145, 1.14}, 49: {0.08, 0.74}, 96: {0.08, 0.74}, 97: {0.03, 0.34}, 192: {0.03, 0.34}, 500: {0.03, 0.34}} {
		for _, rule := range []Rule{DefaultRule, {}, {Alpha: 0.1}} {
			got, alpha := rule.left(n), rule.Error()
			if math.Abs(got.differ-alpha*want[0]) > 1e-12 || math.Abs(got.even-alpha*want[1]) > 1e-12 {
				t.Errorf("%+v: the last look at %d pairs spends %v, want %v of %v", rule, n, got, want, alpha)
			}
		}
	}
	equal := Rule{Alpha: 0.06, Looks: []int{8, 16, 32}}
	for n, want := range map[int]float64{7: 0.042, 8: 0.06, 9: 0.04, 16: 0.04, 17: 0.02, 33: 0.02} {
		if got := equal.left(n); math.Abs(got.differ-want) > 1e-12 {
			t.Errorf("without weights of three looks: the last at %d pairs spends %v, want %v", n, got.differ, want)
		}
	}
	// The zero shares of a look are no share of the last.
	if none := (Rule{Alpha: 0.5, Looks: []int{2, 4}, Weights: []float64{1, 0}, Early: []Look{{1, 0}}}); none.left(4).differ != 0 || none.left(2).differ != 0.5 {
		t.Errorf("looks with the shares 1 and 0: the last spends %v and %v, want 0.5 and 0", none.left(2).differ, none.left(4).differ)
	}
}

// TestLast: it finds what a look on the way would not, never what all pairs deny.
func TestLast(t *testing.T) {
	var p Pairs
	for i := range 12 {
		p.Logs = append(p.Logs, 0.3+0.02*float64(i%5))
	}
	p.Logs[2], p.Logs[7] = -0.31, -0.25 // two pairs of twelve say otherwise
	on, last := DefaultRule.Surest(p, DefaultBounds), DefaultRule.Last(p, DefaultBounds)
	if d := DefaultBounds.Decide(on, on.P, DefaultRule.Error()); d != Open {
		t.Errorf("after 12 pairs, 4 before the next look: %v, want open: %+v", d, on)
	}
	if d := DefaultBounds.Decide(last, last.P, DefaultRule.Error()); d != Faster || last.Pairs != 12 || last.Ratio != on.Ratio || !(last.Low > on.Low) {
		t.Errorf("after 12 pairs, the last: %v, want faster: %+v", d, last)
	}
	if want := on.P * 0.14 / 0.375; math.Abs(last.P-want) > 1e-12 {
		t.Errorf("p of the last look %v, want %v: by its share", last.P, want)
	}
	// A look on the way that decided stands, as it does in Surest.
	early := Pairs{Logs: []float64{0.9, 0.9, 0.91, 0.9, 0.92, 0.9, 0.93, 0.9, 0.94, 0.9, -3, -3}}
	if a, b := DefaultRule.Surest(early, DefaultBounds), DefaultRule.Last(early, DefaultBounds); a.Pairs != 10 || DefaultBounds.Decide(b, b.P, DefaultRule.Error()) != Faster {
		t.Errorf("ten that agree and two that do not: %+v and %+v, want faster from the look at 10", a, b)
	}
	if e := DefaultRule.Last(Pairs{}, DefaultBounds); e.Pairs != 0 || e.P != 1 {
		t.Errorf("of no pairs: %+v", e)
	}
}

// An ending says whether a comparison ends, after pairs in all of which a side took
// so long, in units of what it should.
type ending func(p Pairs, took float64) bool

// ended measures a code against another in 24 layouts, until a look decides or the
// ending has come, where it reads for the last time.
func ended(profile noise.Profile, seed uint64, effect, move float64, end ending, last func(Pairs, Bounds) Estimate) Decision {
	src, rng := noise.New(profile, seed), rand.New(rand.NewPCG(seed, 0x6c617374))
	side := func() float64 { return math.Log1p(move) * (2*rng.Float64() - 1) }
	var p Pairs
	took := 0.0
	decide := func(e Estimate) Decision { return DefaultBounds.Decide(e, e.P, DefaultRule.Error()) }
	for moved := []float64{}; ; {
		n := len(p.Logs)
		if n < 24 {
			moved = append(moved, side()-side())
			p.Control = append(p.Control, math.Log(src.Next()/src.Next()))
		}
		first, second := src.Next(), src.Next()
		took += (first + second) / 2
		if rng.IntN(2) == 0 {
			first, second = second, first
		}
		p.Logs, p.Layouts = append(p.Logs, math.Log(effect*second/first)+moved[n%24]), append(p.Layouts, int32(n%24))
		if DefaultRule.At(n + 1) {
			if d := decide(DefaultRule.Surest(p, DefaultBounds)); d != Open {
				return d
			}
		}
		if end(p, took) {
			return decide(last(p, DefaultBounds))
		}
	}
}

// TestLastHolds: whatever ends a comparison other than how surely its pairs differ, at
// most 2 % of equal code are found to differ, and 5 % of what differs by what "the
// same" rules out are found the same: after a number of pairs, when the time is spent,
// which slow pairs spend faster, and where those that are left promise nothing.
func TestLastHolds(t *testing.T) {
	trials, few, moves := 60, 6, []float64{0.1}
	if stress.Long() {
		trials, few, moves = 2000, 200, []float64{0, 0.05, 0.1}
	}
	seed := stress.Seed(t)
	type kind struct {
		name string
		end  ending
	}
	var kinds []kind
	for _, n := range []int{4, 8, 10, 12, 20, 60} {
		kinds = append(kinds, kind{fmt.Sprintf("%d pairs", n), func(p Pairs, _ float64) bool { return len(p.Logs) >= n }})
	}
	for _, budget := range []float64{9, 14, 40} {
		kinds = append(kinds, kind{fmt.Sprintf("a budget of %v pairs", budget), func(_ Pairs, took float64) bool { return took > budget-1 }})
	}
	kinds = append(kinds, kind{"no promise", func(p Pairs, _ float64) bool {
		n := len(p.Logs)
		return n >= 40 || DefaultRule.At(n) && n >= 10 && DefaultRule.Chance(DefaultRule.Read(p), 40, 24, DefaultBounds) < 0.05
	}})
	within := func(share float64, n int) float64 { return share + 3.5*math.Sqrt(share*(1-share)/float64(n)) }
	all, wrong := 0, 0
	for _, k := range kinds {
		for _, profile := range noise.All() {
			for _, move := range moves {
				differ, same := 0, 0
				for s := range uint64(trials) {
					if d := ended(profile, seed+s<<8, 1, move, k.end, DefaultRule.Last); d == Faster || d == Slower {
						differ++
					}
					if ended(profile, seed+s<<8, 1+DefaultBounds.Band(), move, k.end, DefaultRule.Last) == Same {
						same++
					}
				}
				all, wrong = all+trials, wrong+differ
				d, e := float64(differ)/float64(trials), float64(same)/float64(trials)
				t.Logf("%s, %-9s layouts by %.2f: %.2f %% of equal code found to differ, %.2f %% of other code the same", k.name, profile.Name, move, 100*d, 100*e)
				if d > within(0.02, trials) || e > within(0.05, trials) {
					t.Errorf("%s, %s, layouts by %v: %.4f of equal code found to differ, want 0.02; %.4f of code that differs by %.3f found the same, want 0.05", k.name, profile.Name, move, d, e, DefaultBounds.Band())
				}
			}
		}
	}
	for _, profile := range noise.All() {
		for _, pairs := range []int{3, 4, 5, 7, 9, 10, 14} {
			for _, spread := range []float64{0, 0.7, 1.2} {
				n, differ := 0, 0
				for s := range uint64(few) {
					_, without := fewPairs(profile, seed+s<<8, 24, pairs, spread, 2, DefaultRule.Last)
					for _, e := range without {
						n++
						if d := DefaultBounds.Decide(e, e.P, DefaultRule.Error()); d == Faster || d == Slower {
							differ++
						}
					}
				}
				all, wrong = all+n, wrong+differ
				rate := float64(differ) / float64(n)
				t.Logf("%-9s %d pairs beside 23 comparisons, own noise e^±%.1f: %.2f %% of equal code found to differ", profile.Name, pairs, spread, 100*rate)
				// Comparisons of a package share their machine: half of them count.
				if rate > within(0.02, n/2) {
					t.Errorf("%s, %d pairs beside 23 comparisons, own noise e^±%.1f: %.4f of %d equal codes found to differ, want 0.02", profile.Name, pairs, spread, rate, n)
				}
			}
		}
	}
	t.Logf("all: %d comparisons, %.2f %% false", all, 100*float64(wrong)/float64(all))
}
