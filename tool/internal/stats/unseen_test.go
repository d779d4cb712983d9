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

// TestUnseen: the error by layouts that were not seen, by hand. Four layouts of two
// pairs have means 1, 2, 3 and 4 and differ by 0.2 within: a mean square between of
// 10/3 and within of 0.02, a component of (10/3 - 0.02)/2.
func TestUnseen(t *testing.T) {
	const prior = layoutPriorSD * layoutPriorSD
	logs := []float64{0.9, 1.1, 1.9, 2.1, 2.9, 3.1, 3.9, 4.1}
	layouts := []int32{5, 5, 0, 0, 7, 7, 1, 1}
	component := (10.0/3 - 0.02) / 2
	for _, tt := range []struct {
		name     string
		p        Pairs
		df       float64
		sd, seen float64
	}{
		{"layouts do not matter", Pairs{Logs: logs}, math.Inf(1), 0, 0},
		{"one for each pair", Pairs{Logs: logs[:3], Layouts: []int32{0, 1, 2}}, math.Inf(1), 0, 0},
		{"one pair", Pairs{Logs: logs[:1], Layouts: []int32{3}}, math.Inf(1), 0, 0},
		{"one layout", Pairs{Logs: logs[:2], Layouts: []int32{3, 3}}, layoutPrior, math.Sqrt(prior / 2), 0},
		{"four of two", Pairs{Logs: logs, Layouts: layouts}, layoutPrior + 3,
			math.Sqrt((layoutPrior*prior + 3*component) / (layoutPrior + 3) / 8), math.Sqrt(component / 8)},
		{"of the same code", Pairs{Logs: logs, Layouts: layouts, Alike: true}, layoutPrior + 3,
			math.Sqrt(3 * component / (layoutPrior + 3) / 8), math.Sqrt(component / 8)},
		{"one, of the same code", Pairs{Logs: logs[:2], Layouts: []int32{3, 3}, Alike: true}, layoutPrior, 0, 0},
		// They differ less than pairs within one do: no effect is seen.
		{"alike", Pairs{Logs: []float64{1, 3, 2, 2, 1, 3, 2, 2}, Layouts: layouts}, layoutPrior + 3,
			math.Sqrt(layoutPrior * prior / (layoutPrior + 3) / 8), 0},
		// A layout of seven pairs and one of one: the centre is mostly that of the first.
		{"seven and one", Pairs{Logs: []float64{1, 1, 1, 1, 1, 1, 1, 1}, Layouts: []int32{0, 0, 0, 0, 0, 0, 0, 1}}, layoutPrior + 1,
			math.Sqrt(layoutPrior * prior / (layoutPrior + 1) * (50.0/64 - 1.0/8)), 0},
	} {
		u := tt.p.unseen()
		most := map[string]float64{"one layout": layoutMost, "alike": layoutMost, "four of two": layoutMost * math.Sqrt(8) * tt.sd / layoutPriorSD}[tt.name]
		if most > 0 && math.Abs(u.most-most) > 1e-12 {
			t.Errorf("%s: moves the centre by %v at most, want %v", tt.name, u.most, most)
		}
		if u.df != tt.df || math.Abs(u.sd-tt.sd) > 1e-12 || math.Abs(u.seen-tt.seen) > 1e-12 {
			t.Errorf("%s: %+v, want %v of %v degrees of freedom, %v seen", tt.name, u, tt.sd, tt.df, tt.seen)
		}
	}
}

// TestUnseenInterval: P is the error at which the interval ends at 1, in any number
// of layouts, and what layouts add moves both ends.
func TestUnseenInterval(t *testing.T) {
	rng := rand.New(rand.NewPCG(stress.Seed(t), 1))
	for range 200 {
		n, k := 8+rng.IntN(40), 1+rng.IntN(12)
		centre := 0.3 * rng.NormFloat64()
		var p Pairs
		for i := range n {
			p.Logs, p.Layouts = append(p.Logs, centre+0.05*rng.NormFloat64()), append(p.Layouts, int32(i%k))
		}
		rule := Rule{Alpha: 0.05, Looks: []int{n}}
		e, plain := rule.Read(p), rule.Estimate(p.Logs)
		if e.Ratio != plain.Ratio || !(e.Low <= plain.Low && e.High >= plain.High && e.P >= plain.P-1e-9) || (k < n) != (e.Unseen > 0) {
			t.Fatalf("%d pairs in %d layouts: %+v, without them %+v", n, k, e, plain)
		}
		if outside := e.Low > 1 || e.High < 1; outside != (e.P <= 0.05) && math.Abs(e.P-0.05) > 1e-3 {
			t.Fatalf("%d pairs in %d layouts: P %v beside [%v, %v]", n, k, e.P, e.Low, e.High)
		}
	}
}

// TestStudent holds quantiles to published values.
func TestStudent(t *testing.T) {
	for _, tt := range []struct{ df, p, want float64 }{{8, 0.025, 2.306}, {24, 0.005, 2.797}, {30, 0.05, 1.697}, {1, 0.0005, 636.6}} {
		if got := studentQuantile(tt.df, tt.p); math.Abs(got/tt.want-1) > 5e-4 {
			t.Errorf("quantile of %v degrees of freedom at %v = %v, want %v", tt.df, tt.p, got, tt.want)
		}
		if got := studentP(tt.df, tt.want); math.Abs(got/(2*tt.p)-1) > 5e-3 {
			t.Errorf("chance of %v and more = %v, want %v", tt.want, got, 2*tt.p)
		}
	}
}

// inLayouts measures two codes in k layouts, each of which moves the time of either
// by up to move, until the rule decides one of the comparisons, the others of which
// say nothing, or n pairs are there.
func inLayouts(profile noise.Profile, seed uint64, effect, move float64, k, n, comparisons int) Decision {
	src, rng := noise.New(profile, seed), rand.New(rand.NewPCG(seed, 0x6c61796f757473))
	side := func() float64 { return math.Log1p(move) * (2*rng.Float64() - 1) }
	moved := make([]float64, k)
	for i := range moved {
		moved[i] = side() - side()
	}
	var p Pairs
	for i := range n {
		first, second := src.Next(), src.Next()
		if rng.IntN(2) == 0 {
			first, second = second, first
		}
		p.Logs, p.Layouts = append(p.Logs, math.Log(effect*second/first)+moved[i%k]), append(p.Layouts, int32(i%k))
		if i < 12 {
			p.Control = append(p.Control, math.Log(src.Next()/src.Next()))
		}
		if !DefaultRule.At(i + 1) {
			continue
		}
		e := DefaultRule.Surest(p, DefaultBounds)
		if d := DefaultBounds.Decide(e, min(1, e.P*float64(comparisons)), DefaultRule.Error()); d != Open {
			return d
		}
	}
	return Open
}

// TestLayoutPower: what is found, over effects, layouts, pairs and comparisons. More
// layouts, more pairs, fewer comparisons and a larger effect never find less. Of equal
// code, at most 2 % are found to differ on the worst machine, in layouts that do
// nothing, and that move either side by 5 and by 10 %.
func TestLayoutPower(t *testing.T) {
	trials, equal := 40, 60
	layouts, pairs, comparisons := []int{1, 4, 8, 9, 24}, []int{3, 24, 192}, []int{1, 40}
	moves, profiles := []float64{0.1}, []noise.Profile{noise.Quiet, noise.Loaded}
	if stress.Long() {
		trials, equal = 200, 1000
		layouts, pairs, comparisons = []int{1, 2, 3, 4, 6, 8, 9, 12, 16, 24}, []int{3, 5, 8, 12, 24, 48, 96, 192}, []int{1, 5, 40}
		moves, profiles = []float64{0, 0.05, 0.1}, noise.All()
	}
	seed := stress.Seed(t)
	effects := []float64{1.1, 1.3, 1.6, 2.6, 5}
	power := map[string]float64{}
	key := func(profile string, move, effect float64, k, n, m int) string {
		return fmt.Sprint(profile, move, effect, k, n, m)
	}
	// Two shares of so many trials that are the same differ by less, but once in 10,000.
	slack := 3.9 * math.Sqrt(0.5/float64(trials))
	for _, profile := range []noise.Profile{noise.Quiet, noise.Channel, noise.Loaded} {
		if !slices.Contains(profiles, profile) {
			continue
		}
		for _, move := range moves {
			for _, m := range comparisons {
				for _, n := range pairs {
					for i, effect := range effects {
						line := ""
						for j, k := range layouts {
							found := 0
							for s := range uint64(trials) {
								if inLayouts(profile, seed+s<<8+uint64(k)<<40, effect, move, k, n, m) == Faster {
									found++
								}
							}
							rate := float64(found) / float64(trials)
							power[key(profile.Name, move, effect, k, n, m)] = rate
							line += fmt.Sprintf(" %4.0f", 100*rate)
							less := 0.0
							if i > 0 {
								less = power[key(profile.Name, move, effects[i-1], k, n, m)]
							}
							if j > 0 {
								less = max(less, power[key(profile.Name, move, effect, layouts[j-1], n, m)])
							}
							if x := slices.Index(pairs, n); x > 0 {
								less = max(less, power[key(profile.Name, move, effect, k, pairs[x-1], m)])
							}
							if rate < less-slack {
								t.Errorf("%s, layouts by %v, %v times as fast, %d layouts, %d pairs, %d comparisons: found %.2f, and %.2f with less of one", profile.Name, move, effect, k, n, m, rate, less)
							}
							if x := slices.Index(comparisons, m); x > 0 {
								if more := power[key(profile.Name, move, effect, k, n, comparisons[x-1])]; rate > more+slack {
									t.Errorf("%s, layouts by %v, %v times as fast, %d layouts, %d pairs: found %.2f of %d comparisons, and %.2f of fewer", profile.Name, move, effect, k, n, rate, m, more)
								}
							}
						}
						t.Logf("%-7s by %.2f, %2d comparisons, %3d pairs, %.1f times as fast, in %v layouts:%s %%", profile.Name, move, m, n, effect, layouts, line)
					}
				}
			}
		}
	}
	for _, move := range moves {
		for _, k := range layouts {
			worst, at := 0.0, ""
			for _, profile := range profiles {
				wrong := 0
				for s := range uint64(equal) {
					if d := inLayouts(profile, seed+s<<8+uint64(k)<<40, 1, move, k, 192, 1); d == Faster || d == Slower {
						wrong++
					}
				}
				if rate := float64(wrong) / float64(equal); rate >= worst {
					worst, at = rate, profile.Name
				}
			}
			t.Logf("equal code, layouts by %.2f, %2d of them: %.1f %% found to differ at worst (%s)", move, k, 100*worst, at)
			// The worst of seven kinds is above its true share.
			if most := 0.02 + 3*math.Sqrt(0.02*0.98/float64(equal)); worst > most {
				t.Errorf("equal code, layouts by %.2f, %d of them, %s: %.3f found to differ, want at most %.3f", move, k, at, worst, most)
			}
		}
	}
	// What no layout was seen to do is decided in one.
	one := Pairs{}
	for i := range 24 {
		one.Logs, one.Layouts = append(one.Logs, math.Log(1.3)+0.02*float64(i%5-2)), append(one.Layouts, 0)
	}
	if e := DefaultRule.Read(one); e.P > DefaultRule.Error()/40 || e.Low < 1.05 || e.Low > 1.08 {
		t.Errorf("1.3 times as fast in one layout: %+v, want it decided among forty comparisons", e)
	}
	// What decided at eight layouts has to at nine.
	nine := Pairs{}
	for i := range 24 {
		nine.Logs, nine.Layouts = append(nine.Logs, math.Log(0.4)+0.02*float64(i%5-2)), append(nine.Layouts, int32(i%9))
	}
	if e := DefaultRule.Read(nine); e.Layouts != 9 || 6*e.P > DefaultRule.Error() || e.High > 0.5 {
		t.Errorf("0.4 times as fast in nine layouts: %+v, want it decided among six comparisons", e)
	}
}

// TestChanceLayouts: pairs do not make up for layouts, and layouts do.
func TestChanceLayouts(t *testing.T) {
	var p Pairs
	for i := range 24 {
		p.Logs, p.Layouts = append(p.Logs, math.Log(1.15)+0.02*math.Sin(float64(i*i))), append(p.Layouts, 0)
	}
	e := DefaultRule.Read(p)
	if one, more := DefaultRule.Chance(e, 192, 1, DefaultBounds), DefaultRule.Chance(e, 48, 12, DefaultBounds); one > 0.01 || more < 0.9 {
		t.Errorf("1.15 after 24 pairs in one layout: chance %v at 192 pairs in one, %v at 48 in 12", one, more)
	}
	for _, tt := range []struct {
		pairs, layouts int
		want           float64
	}{{48, 1, math.Sqrt((1 - 1.0/48) / (1 - 1.0/24))}, {48, 0, math.Sqrt((1 - 1.0/48) / (1 - 1.0/24))}, {48, 24, math.Sqrt((1.0/24 - 1.0/48) / (1 - 1.0/24))}, {24, 24, 0}, {24, 30, 0}} {
		if got := e.unseenLater(tt.pairs, tt.layouts) / e.Unseen; math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%d pairs in %d layouts: %v of what it is, want %v", tt.pairs, tt.layouts, got, tt.want)
		}
	}
}
