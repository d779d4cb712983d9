package stats

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
)

// TestGammaDerivatives holds them to published values (Abramowitz and Stegun,
// 6.3.2, 6.3.3, 6.4.2, 6.4.4) and to their recurrences.
func TestGammaDerivatives(t *testing.T) {
	const euler = 0.57721566490153286
	near := func(what string, got, want float64) {
		if math.Abs(got-want) > 1e-11*max(1, math.Abs(want)) {
			t.Errorf("%s: %.14g, want %.14g", what, got, want)
		}
	}
	near("digamma(1)", digamma(1), -euler)
	near("digamma(1/2)", digamma(0.5), -euler-2*math.Ln2)
	near("trigamma(1)", trigamma(1), math.Pi*math.Pi/6)
	near("trigamma(1/2)", trigamma(0.5), math.Pi*math.Pi/2)
	for _, x := range []float64{0.01, 0.3, 1.7, 4, 9.99, 10, 55, 1e6} {
		near(fmt.Sprintf("digamma(%v+1)", x), digamma(x+1), digamma(x)+1/x)
		near(fmt.Sprintf("trigamma(%v+1)", x), trigamma(x+1), trigamma(x)-1/(x*x))
		near(fmt.Sprintf("trigammaInverse(trigamma(%v))", x), trigammaInverse(trigamma(x))/x, 1)
	}
}

// TestScattered: what variances of comparisons were drawn from is found again.
func TestScattered(t *testing.T) {
	rng := rand.New(rand.NewPCG(stress.Seed(t), 34))
	draw := func(comparisons, pairs int, df, scale float64) Scatter {
		var logs [][]float64
		for range comparisons {
			sd := scale
			if !math.IsInf(df, 1) { // variance scale²·df/chi²(df)
				chi := 0.0
				for range int(df) {
					z := rng.NormFloat64()
					chi += z * z
				}
				sd *= math.Sqrt(df / chi)
			}
			x := make([]float64, pairs)
			for i := range x {
				x[i] = 0.7 + sd*rng.NormFloat64()
			}
			logs = append(logs, x)
		}
		return Scattered(logs)
	}
	for _, df := range []float64{1, 2, 3} {
		var vs, ds []float64
		for range 200 {
			s := draw(60, 6, df, 0.1)
			vs, ds = append(vs, s.Variance), append(ds, s.DF)
		}
		if v, d := Median(vs), Median(ds); v < 0.008 || v > 0.0125 || d < 0.7*df || d > 1.4*df && d != mostScatter {
			t.Errorf("variances of %v degrees of freedom about 0.01: found %.4f of %.1f", df, v, d)
		}
	}
	var ds []float64
	for range 200 {
		ds = append(ds, draw(24, 5, math.Inf(1), 0.1).DF)
	}
	if d := Median(ds); d != mostScatter {
		t.Errorf("comparisons that all scatter alike: %v degrees of freedom, want %d", d, mostScatter)
	}
	for _, logs := range [][][]float64{nil, {{1, 2, 3}}, {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
		{{1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}, {1, 2}},
		{{1, 2, math.NaN()}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}, {1, 2, 3}}} {
		if s := Scattered(logs); s != (Scatter{}) {
			t.Errorf("Scattered(%v) = %+v, want none", logs, s)
		}
	}
}

// fewPairs draws the few pairs of a package of comparisons on one machine, whose own
// noise differs from one to the next as wide as spread says. Every other one has
// the effect. It returns what is read: the estimates of those that have it and of those that have not.
func fewPairs(profile noise.Profile, seed uint64, comparisons, pairs int, spread, effect float64, read func(Pairs, Bounds) Estimate) (with, without []Estimate) {
	rng := rand.New(rand.NewPCG(seed, 35))
	src := noise.New(profile, seed)
	logs := make([][]float64, comparisons)
	own := make([]float64, comparisons)
	for i := range own {
		own[i] = 0.05 * math.Exp(spread*rng.NormFloat64())
	}
	for range pairs {
		for i := range logs {
			first, second := src.Next(), src.Next()
			if rng.IntN(2) == 0 {
				first, second = second, first
			}
			x := math.Log(second/first) + own[i]*(rng.NormFloat64()-rng.NormFloat64())
			if i%2 == 0 {
				x += math.Log(effect)
			}
			logs[i] = append(logs[i], x)
		}
	}
	for i, x := range logs {
		others := slices.Delete(slices.Clone(logs), i, i+1)
		p := Pairs{Logs: x, Others: Scattered(others[:min(len(others), 24)])}
		for _, o := range others {
			if len(p.Control) < 12 {
				p.Control = append(p.Control, o[0]-o[1])
			}
		}
		e := read(p, DefaultBounds)
		if i%2 == 0 {
			with = append(with, e)
		} else {
			without = append(without, e)
		}
	}
	return with, without
}

// TestModerated: of few pairs in a package of many comparisons, most differences of
// 1.5 and more are found, of equal code at most 2 % is found to differ, and intervals
// hold the truth.
func TestModerated(t *testing.T) {
	trials, counts := 8, []int{3, 5, 9}
	if stress.Long() {
		trials, counts = 200, []int{3, 4, 5, 7, 9, 24}
	}
	seed := stress.Seed(t)
	for _, profile := range noise.All() {
		for _, spread := range []float64{0, 0.7, 1.2} {
			for _, pairs := range counts {
				false_, slower, missed, n := 0, 0, 0, 0
				found := map[float64]int{}
				effects := []float64{1.2, 1.5, 2, 3}
				for s := range trials {
					for k, effect := range effects {
						with, without := fewPairs(profile, seed+uint64(s)<<8+uint64(k)<<40, 24, pairs, spread, effect, DefaultRule.Surest)
						for _, e := range with {
							if d := DefaultBounds.Decide(e, e.P, DefaultRule.Error()); d == Faster {
								found[effect]++
							} else if d == Slower {
								slower++
							}
							if e.Low > effect || e.High < effect {
								missed++
							}
						}
						for _, e := range without {
							n++
							if d := DefaultBounds.Decide(e, e.P, DefaultRule.Error()); d == Faster || d == Slower {
								false_++
							}
						}
					}
				}
				line := ""
				for _, effect := range effects {
					line += fmt.Sprintf(" %3.0f %% of %vx", 400*float64(found[effect])/float64(n), effect)
				}
				wrong, out := float64(false_)/float64(n), float64(missed)/float64(n)
				t.Logf("%-9s own noise e^±%.1f, %d pairs: found%s; equal code %.2f %% false, %.2f %% of intervals without the truth", profile.Name, spread, pairs, line, 100*wrong, 100*out)
				// The looks up to here may spend 1.6 % of 2.5, if scatter differs as Scattered supposes.
				if most := 0.02 + 3*math.Sqrt(0.02*0.98/float64(n)); wrong > most || out > most || float64(slower)/float64(n) > most/4 {
					t.Errorf("%s, own noise e^±%.1f, %d pairs: %.4f of equal code found to differ, %.4f of what is faster to be slower, %.4f of intervals without the truth; want at most %.4f, %.4f, %.4f",
						profile.Name, spread, pairs, wrong, float64(slower)/float64(n), out, most, most/4, most)
				}
				// Without the others no difference below 2 is found in so few.
				if share := float64(found[1.5]) * 4 / float64(n); spread == 0 && profile == noise.Quiet && pairs > 3 && share < 0.9 {
					t.Errorf("%s, %d pairs: found %.2f of 1.5 times as fast, want 0.9", profile.Name, pairs, share)
				}
			}
		}
	}
}
