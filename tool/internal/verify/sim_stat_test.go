package verify_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
	"github.com/gopayoff/payoff/tool/internal/verify"
)

// worlds are the machines that the promises are tried on.
var worlds = []struct {
	name string
	world
}{
	{"as it is", world{layouts: 0.005}},
	{"others", world{layouts: 0.005, often: 0.08}},
	{"layouts", world{layouts: 0.05}},
	{"one layout", world{layouts: 0.02, single: true}},
}

func times(n int) int {
	if stress.Long() {
		return 10 * n
	}
	return n
}

// Of candidates that change nothing, hardly any is kept: each for itself, or the
// best of many.
func TestSimulatedNothing(t *testing.T) {
	for _, kind := range worlds {
		t.Run(kind.name, func(t *testing.T) {
			kept, all, runs, wrong := 0, 0, 0, 0
			for i, profile := range noise.All() {
				for seed := range uint64(times(1)) {
					for k, claims := range []int{1, 10} {
						if !stress.Long() && k != i%2 {
							continue
						}
						w := kind.world
						w.profile, w.seed, w.speed = profile, 100+seed, same
						o := options(seed, 10)
						for i := range o.Candidates {
							o.Candidates[i].Claim = fmt.Sprint("f", i%claims)
						}
						_, by := try(t, &w, o)
						before := kept
						for _, p := range by {
							if p.Word == verify.Kept {
								kept++
							}
						}
						all += len(by)
						if runs++; kept > before {
							wrong++
						}
					}
				}
			}
			t.Logf("%s: %d of %d changes that do nothing are kept, in %d of %d runs", kind.name, kept, all, wrong, runs)
			if float64(kept) > 0.01*float64(all) || float64(wrong) > 0.1*float64(runs) {
				t.Errorf("%s: too many", kind.name)
			}
		})
	}
}

// What is faster is kept, where the noise lets it be seen.
func TestSimulatedGains(t *testing.T) {
	for _, test := range []struct {
		gain, layouts float64
		profiles      []noise.Profile
		least         float64
	}{
		{1.05, 0.005, []noise.Profile{noise.Quiet, noise.Scheduler, noise.Channel}, 0.8},
		{1.10, 0.02, []noise.Profile{noise.Quiet, noise.Scheduler, noise.Channel, noise.Alloc}, 0.8},
		{1.50, 0.05, noise.All(), 0.9},
		{3, 0, noise.All(), 0.9},
	} {
		kept, all := 0, 0
		said := map[string]int{}
		names := ""
		for _, profile := range test.profiles {
			names += " " + profile.Name
			for seed := range uint64(times(3)) {
				w := &world{profile: profile, seed: seed, layouts: test.layouts, speed: faster(map[string]float64{"c1": test.gain})}
				_, by := try(t, w, options(seed, 3))
				all++
				if by["c1"].Word == verify.Kept {
					kept++
				} else {
					said[profile.Name+": "+string(by["c1"].Word)]++
				}
			}
		}
		t.Logf("a gain of %.2f, layouts %.1f%%,%s: kept in %d of %d runs", test.gain, 100*test.layouts, names, kept, all)
		if float64(kept) < test.least*float64(all) {
			t.Errorf("a gain of %.2f is kept %d times of %d: %v", test.gain, kept, all, said)
		}
	}
}

// What the halves leave is the best or close to it.
func TestSimulatedHalves(t *testing.T) {
	good, all := 0, 0
	for _, profile := range []noise.Profile{noise.Quiet, noise.Scheduler, noise.Channel, noise.Alloc, noise.Drifting} {
		for seed := range uint64(times(3)) {
			for _, shape := range []string{"apart", "flat"} {
				rng := rand.New(rand.NewPCG(seed, 1))
				by, best := map[string]float64{}, 0.0
				for i := range 12 {
					f := 1 + 0.5*rng.Float64()
					if shape == "flat" { // a parameter with a flat region
						f = 1.5 - 0.02*math.Pow(float64(i)-5.3, 2)
					}
					by[fmt.Sprint("c", i)] = f
					best = max(best, f)
				}
				w := &world{profile: profile, seed: seed, layouts: 0.01, speed: faster(by)}
				o := options(seed, 12)
				if shape == "flat" {
					for i := range o.Candidates {
						o.Candidates[i].Sweep = "threshold"
					}
				}
				rec, _ := try(t, w, o)
				all++
				i := slices.IndexFunc(rec.Candidates, func(c verify.Trial) bool { return c.Stage == "" })
				if i >= 0 && by[rec.Candidates[i].ID] >= best/1.03 {
					good++
				} else if i >= 0 {
					t.Logf("%s, %s, seed %d: %.3f of the best %.3f", profile.Name, shape, seed, by[rec.Candidates[i].ID], best)
				}
			}
		}
	}
	t.Logf("the winner is within 3%% of the best of 12 in %d of %d runs", good, all)
	if float64(good) < 0.95*float64(all) {
		t.Errorf("%d of %d winners are within 3 %% of the best", good, all)
	}
}

// The best of many equals looks faster than it is, and its fresh figure does not.
func TestSimulatedFigure(t *testing.T) {
	var chose, proved []float64
	for _, kind := range worlds[:3] {
		for _, profile := range noise.All() {
			for seed := range uint64(times(1)) {
				w := kind.world
				w.profile, w.seed, w.speed = profile, seed, same
				rec, by := try(t, &w, options(seed, 20))
				for id, p := range by {
					if p.Fresh {
						for _, g := range p.Gains {
							proved = append(proved, math.Log(g.Ratio))
							chose = append(chose, math.Log(rec.Ratio(id, g.Cell).Ratio))
						}
					}
				}
			}
		}
	}
	t.Logf("the best of 20 that do nothing: %.3f by the samples that chose it, %.3f by those that prove it (centres of %d)",
		math.Exp(stats.HodgesLehmann(chose)), math.Exp(stats.HodgesLehmann(proved)), len(proved))
	if off := stats.HodgesLehmann(proved); len(proved) < 10 || math.Abs(off) > 0.015 {
		t.Errorf("the winner of equals is told as %.3f", math.Exp(off))
	}
	if off := stats.HodgesLehmann(chose); off < 0.015 {
		t.Errorf("the samples that chose it say %.3f: the test shows nothing", math.Exp(off))
	}
}

// A run takes no more than its budget by much, whatever it has to do.
func TestBudget(t *testing.T) {
	for _, budget := range []time.Duration{10 * time.Second, 20 * time.Second, 30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute} {
		for _, n := range []int{1, 5, 20} {
			w := &world{profile: noise.Scheduler, layouts: 0.01, speed: faster(map[string]float64{"c0": 1.2})}
			o := options(1, n)
			o.Budget = budget
			rec, by := try(t, w, o)
			t.Logf("%v for %d: %v, %s, %s %s", budget, n, rec.Elapsed.Round(time.Second), rec.End, by["c0"].Word, by["c0"].Why)
			if rec.Elapsed > budget+budget/10+3*time.Second {
				t.Errorf("%d candidates took %v of %v", n, rec.Elapsed, budget)
			}
		}
	}
}

// Of a change that does nothing it is said, where that is asked for, that it makes no
// difference, as long as layouts do less than what counts; and hardly ever of one that
// makes a larger difference than that.
func TestSimulatedEven(t *testing.T) {
	for _, test := range []struct {
		speed       float64
		least, most float64 // share of the runs that are even
	}{{1, 0.8, 1}, {1.08, 0, 0.05}, {0.92, 0, 0.05}} {
		even, all := 0, 0
		said := map[string]int{}
		for _, profile := range []noise.Profile{noise.Quiet, noise.Scheduler, noise.Drifting} {
			for seed := range uint64(times(6)) {
				w := &world{profile: profile, seed: 100 + seed, layouts: 0.005, speed: faster(map[string]float64{"c0": test.speed})}
				o := options(seed, 1)
				o.Both, o.Budget = true, 40*time.Second // two thirds of what payoff try has
				_, by := try(t, w, o)
				all++
				if by["c0"].Even {
					even++
				} else {
					said[profile.Name+": "+string(by["c0"].Word)]++
				}
			}
		}
		t.Logf("a change to %.2f of the speed: even in %d of %d runs", test.speed, even, all)
		if share := float64(even) / float64(all); share < test.least || share > test.most {
			t.Errorf("a change to %.2f of the speed is even in %d of %d runs, want %.2f to %.2f of them: %v", test.speed, even, all, test.least, test.most, said)
		}
	}
}
