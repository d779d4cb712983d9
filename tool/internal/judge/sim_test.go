package judge_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
)

// simulated is a machine whose figures are noise of a known profile times a
// known effect, and whose clock moves with them.
type simulated struct {
	noise  *noise.Source
	rng    *rand.Rand
	faster map[string]float64 // by benchmark: how many times as fast as the base
	// Others come and go: while they run, code is slower, and parallel code more
	// so. What is told of them is not exact.
	others, often float64
	// layouts is the standard deviation of what a layout does to a benchmark.
	layouts float64
	moved   map[string]float64
	warm    float64 // operations' worth of warm-up of a process
	grows   float64 // power of the number of operations with which one takes longer
	now     time.Time
}

func (m *simulated) link(int) error {
	m.now = m.now.Add(300 * time.Millisecond)
	return nil
}

func (m *simulated) run(_ context.Context, p sim.Process) (sim.Figures, error) {
	const perOp = 1e5 // ns
	wall := perOp * m.noise.Next() * (1 + m.warm/float64(p.N)) * math.Pow(float64(p.N)/500, m.grows)
	if f, ok := m.faster[p.Bench]; ok {
		wall /= f
	}
	key := fmt.Sprint(p.Bench, p.Layout)
	if _, ok := m.moved[key]; !ok {
		m.moved[key] = math.Exp(m.layouts * m.rng.NormFloat64())
	}
	wall *= m.moved[key]
	if m.others > 0 {
		m.others *= 0.5
	}
	if m.rng.Float64() < m.often {
		m.others += 0.3 * m.rng.ExpFloat64()
	}
	wall *= 1 + m.others*float64(p.Procs)
	m.now = m.now.Add(time.Duration(wall*float64(p.N)) + 5*time.Millisecond)
	return sim.Figures{
		Wall: wall, CPU: wall, Others: m.others * (0.7 + 0.6*m.rng.Float64()),
		Got: 0.5 + 0.5*m.rng.Float64(), // its own threads wait for each other
	}, nil
}

// A world is what a simulated machine is like.
type world struct {
	profile                     noise.Profile
	often, layouts, warm, grows float64 // see simulated
	budget                      time.Duration
	most                        int // layouts; 0: the default
}

// simulate runs the whole stream, measure and judge, on a simulated machine:
// a base and one variant that is faster by the factor, at the processors.
func simulate(t *testing.T, w world, seed uint64, faster float64, rule stats.Rule, procs ...int) judge.Result {
	t.Helper()
	m := &simulated{noise: noise.New(w.profile, seed), rng: rand.New(rand.NewPCG(seed, 0x73696d)), now: time.Unix(0, 0), faster: map[string]float64{"BenchmarkX/variant=b": faster},
		often: w.often, layouts: w.layouts, warm: w.warm, grows: w.grows, moved: map[string]float64{}}
	names := []string{"BenchmarkX/variant=base", "BenchmarkX/variant=b"}
	// As many operations as take 2 ms, as in the listing.
	few := math.Pow(20*math.Pow(500, w.grows), 1/(1+w.grows))
	perOp := 1e5 * math.Pow(few/500, w.grows)
	s := &measure.Series{Package: "sim", Procs: procs, Families: discover.Families(names, discover.Hints{}),
		Listed: []measure.Listed{{Name: names[0], PerOp: perOp}, {Name: names[1], PerOp: perOp}}}
	o := measure.Options{Seed: seed, Rule: rule, Budget: w.budget, Now: func() time.Time { return m.now }}
	h := &sim.Host{Process: m.run, Link: m.link}
	o.MaxLayouts = w.most
	subject, err := measure.Build(t.Context(), h, discover.Target{Package: "sim"}, measure.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := measure.Run(t.Context(), s, subject, o); err != nil {
		t.Fatal(err)
	}
	return judge.Judge(s, rule, stats.DefaultBounds)
}

// TestSimulatedFalseVerdicts holds the promise of the house: of comparisons
// of code with itself at most 2 % may end as pays or loses, on every kind of
// noise seen on small virtual machines: as it is, while other processes come
// and go, in layouts that move each benchmark by 5 %, with a warm-up of 4 %,
// and with a budget of a few looks.
func TestSimulatedFalseVerdicts(t *testing.T) {
	runs := 50
	if !stress.Long() {
		runs = 2
	}
	all, wrong := 0, 0
	for _, kind := range []struct {
		name string
		world
		even map[string]float64 // the least share, by profile
	}{
		{"as it is", world{}, map[string]float64{"quiet": 0.95, "scheduler": 0.95, "drifting": 0.9, "channel": 0.9, "alloc": 0.7}},
		{"others", world{often: 0.08}, map[string]float64{"quiet": 0.5}},
		{"layouts", world{layouts: 0.05}, nil},
		{"warm-up", world{warm: 20}, nil},
		{"short", world{budget: 6 * time.Second}, nil},
	} {
		for _, p := range noise.All() {
			n, bad := 0, 0
			words := map[judge.Word]int{}
			w := kind.world
			w.profile = p
			for i := range runs {
				for _, v := range simulate(t, w, uint64(i+1), 1, stats.DefaultRule, 1, 2).Verdicts {
					if kind.often > 0 && v.Kind == measure.Scaling {
						continue // the others do make two processors slower than one
					}
					n++
					words[v.Word]++
					if v.Word == judge.Pays || v.Word == judge.Loses {
						bad++
					}
				}
			}
			share := float64(words[judge.Even]) / float64(n)
			t.Logf("%-8s %-10s %4d comparisons: %.1f%% false verdicts; even %.0f%%, cannot say %.0f%%", kind.name, p.Name, n, 100*float64(bad)/float64(n), 100*share, 100*float64(words[judge.CannotSay])/float64(n))
			all, wrong = all+n, wrong+bad
			if rate := float64(bad) / float64(n); stress.Long() && rate > 0.035 { // 2 % and what chance adds to comparisons that share runs
				t.Errorf("%s, %s: %.1f%% false verdicts, want at most 2%%", kind.name, p.Name, 100*rate)
			}
			if stress.Long() && share < kind.even[p.Name] {
				t.Errorf("%s, %s: even in %.0f%%, want %.0f%%", kind.name, p.Name, 100*share, 100*kind.even[p.Name])
			}
		}
	}
	rate := float64(wrong) / float64(all)
	t.Logf("all: %d comparisons, %.2f%% false verdicts", all, 100*rate)
	if rate > 0.02 {
		t.Errorf("%.2f%% false verdicts of %d comparisons, want at most 2%%", 100*rate, all)
	}
}

// TestSimulatedEven: code that differs by just what "even" rules out is called
// even in no more than 5 % of comparisons.
func TestSimulatedEven(t *testing.T) {
	runs := 150
	if !stress.Long() {
		runs = 4
	}
	const most = 0.05
	all, called := 0, 0
	for _, p := range noise.All() {
		even, n := 0, 0
		for i := range runs {
			for _, v := range simulate(t, world{profile: p}, uint64(i+1), 1+stats.DefaultBounds.Band(), stats.DefaultRule, 1, 2).Verdicts {
				if v.Kind == measure.Variant {
					n++
					if v.Word == judge.Even {
						even++
					}
				}
			}
		}
		rate := float64(even) / float64(n)
		t.Logf("%-10s a true %.3f is called even in %.1f%% of %d", p.Name, 1+stats.DefaultBounds.Band(), 100*rate, n)
		all, called = all+n, called+even
		if rate > most && stress.Long() { // a few runs are a coarse measure of one
			t.Errorf("%s: a true %.3f is called even in %.1f%%", p.Name, 1+stats.DefaultBounds.Band(), 100*rate)
		}
	}
	if rate := float64(called) / float64(all); rate > most {
		t.Errorf("a true %.3f is called even in %.1f%% of %d", 1+stats.DefaultBounds.Band(), 100*rate, all)
	}
}

// TestSimulatedLayouts: what a layout does to two equal benchmarks is no difference
// between them, in one layout, in as many as the time allows, and in a few.
func TestSimulatedLayouts(t *testing.T) {
	runs := 60
	if stress.Long() {
		runs = 600
	}
	for _, layouts := range []int{1, 4, measure.MaxLayouts} {
		bad, n := 0, 0
		for i := range runs {
			for _, v := range simulate(t, world{profile: noise.Quiet, layouts: 0.05, most: layouts}, uint64(i+1), 1, stats.DefaultRule, 1).Verdicts {
				n++
				if v.Word == judge.Pays || v.Word == judge.Loses {
					bad++
				}
			}
		}
		rate := float64(bad) / float64(n)
		t.Logf("%d layouts: %.0f%% of %d comparisons of equal code are false verdicts", layouts, 100*rate, n)
		if most := 0.02 + 3*math.Sqrt(0.02*0.98/float64(runs)); rate > most {
			t.Errorf("%d layouts gave %.1f%% false verdicts, want at most %.1f%%", layouts, 100*rate, 100*most)
		}
	}
}

// TestSimulatedPeeking shows that the test above can fail: looking after
// every round, at full error each, is what most people do.
func TestSimulatedPeeking(t *testing.T) {
	rule := stats.Rule{Alpha: 0.99}
	for n := 6; n <= 46; n++ {
		rule.Looks = append(rule.Looks, n)
		rule.Weights = append(rule.Weights, 0.05/0.99)
	}
	n, bad := 0, 0
	for i := range 100 {
		for _, v := range simulate(t, world{profile: noise.Alloc}, uint64(i+1), 1, rule, 1).Verdicts {
			n++
			if v.Low > 1 || v.High < 1 {
				bad++
			}
		}
	}
	rate := float64(bad) / float64(n)
	t.Logf("%.0f%% of %d intervals exclude the truth", 100*rate, n)
	if rate < 0.1 {
		t.Errorf("peeking gave %.1f%% false intervals of %d: the simulation hides errors", 100*rate, n)
	}
}

func TestSimulatedPower(t *testing.T) {
	runs := 100
	if !stress.Long() {
		runs = 10
	}
	for _, tt := range []struct {
		profile noise.Profile
		faster  float64
		pairs   float64 // at most, on average
		found   float64 // at least
	}{
		{noise.Quiet, 13, 3.3, 0.99},
		{noise.Quiet, 5, 3.3, 0.99},
		{noise.Quiet, 1. / 5, 3.3, 0.99},
		{noise.Alloc, 5, 3.5, 0.99},
		{noise.Bimodal, 5, 5, 0.99},
		{noise.Loaded, 5, 5, 0.95}, // a few are withheld: longer samples that were tried lay elsewhere by chance
		{noise.Quiet, 3, 5, 0.99},
		{noise.Scheduler, 3, 5, 0.99},
		{noise.Quiet, 1.3, 11, 0.99}, // two outliers among 10 pairs wait for the next look
		{noise.Quiet, 1 / 1.3, 11, 0.99},
		{noise.Quiet, 1.1, 96, 0.9},
		{noise.Quiet, 1 / 1.1, 96, 0.9},
		{noise.Quiet, 1.05, 96, 0.9},
		{noise.Channel, 1.3, 16, 0.95}, // likewise
		{noise.Channel, 1.1, 96, 0.9},
		{noise.Scheduler, 1.1, 96, 0.9},
		{noise.Alloc, 1.1, 96, 0.8},
		{noise.Bimodal, 1.5, 96, 0.9},
	} {
		t.Run(fmt.Sprintf("%s/x%.2f", tt.profile.Name, tt.faster), func(t *testing.T) {
			want := judge.Pays
			if tt.faster < 1 {
				want = judge.Loses
			}
			found, pairs, first, n := 0, 0, 0, 0
			for i := range runs {
				for _, v := range simulate(t, world{profile: tt.profile}, uint64(i+1), tt.faster, stats.DefaultRule, 1).Verdicts {
					n++
					if v.Word == want {
						found++
						pairs += v.Pairs
						if v.Pairs <= stats.DefaultRule.Looks[0] {
							first++
						}
					}
				}
			}
			rate, mean := float64(found)/float64(n), float64(pairs)/float64(max(found, 1))
			t.Logf("found %.1f%% of %d, %.0f%% of them by the first look, %.1f pairs on average", 100*rate, n, 100*float64(first)/float64(max(found, 1)), mean)
			if !stress.Long() {
				tt.found -= 0.25 // a few runs are a coarse measure; full size decides
			}
			if rate < tt.found || mean > tt.pairs {
				t.Errorf("found %.1f%% in %.1f pairs, want %.0f%% in %.1f", 100*rate, mean, 100*tt.found, tt.pairs)
			}
		})
	}
}
