package judge_test

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"golang.org/x/perf/benchmath"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
	"github.com/gopayoff/payoff/tool/internal/stats/noise"
)

// simulateCodes compares two states of the code on a simulated machine, the new
// one being faster by the factor. Each has layouts of its own, also where the
// source is the same: so it is with a function that another one moves. It returns
// the verdict, and what the usual way says: ten runs of the old code and then ten
// of the new, in the linker's layout, by a test of ranks.
func simulateCodes(t *testing.T, w world, seed uint64, faster float64) (judge.Verdict, stats.Decision) {
	t.Helper()
	m := &simulated{noise: noise.New(w.profile, seed), rng: rand.New(rand.NewPCG(seed, 0x636f646573)), now: time.Unix(0, 0), faster: map[string]float64{"BenchmarkX/code=new": faster},
		often: w.often, layouts: w.layouts, warm: w.warm, grows: w.grows, moved: map[string]float64{}}
	build := func(code string) *measure.Subject {
		h := &sim.Host{Link: m.link, Process: func(ctx context.Context, p sim.Process) (sim.Figures, error) {
			p.Bench = discover.CodeName(p.Bench, code)
			return m.run(ctx, p)
		}}
		s, err := measure.Build(t.Context(), h, discover.Target{Package: "sim"}, measure.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	codes := measure.Codes{Old: build(discover.Old), New: build(discover.New)}
	s := &measure.Series{Package: "sim", Procs: []int{1}}
	s.Families, _, _ = discover.Codes([]string{"BenchmarkX"}, []string{"BenchmarkX"})
	for _, member := range s.Families[0].Members {
		s.Listed = append(s.Listed, measure.Listed{Name: member.Bench, PerOp: 1e5})
	}
	if err := measure.Run(t.Context(), s, codes, measure.Options{Seed: seed, Now: func() time.Time { return m.now }}); err != nil {
		t.Fatal(err)
	}
	r := judge.Judge(s, stats.DefaultRule, stats.DefaultBounds)
	if len(r.Verdicts) != 1 {
		t.Fatalf("%d verdicts, want 1: two states of one benchmark are all that is compared", len(r.Verdicts))
	}

	const count = 10
	var walls [2][]float64
	for i, code := range []string{discover.Old, discover.New} {
		for range count {
			x, err := codes.Run(t.Context(), measure.Cell{Bench: discover.CodeName("BenchmarkX", code), Procs: 1}, 500)
			if err != nil {
				t.Fatal(err)
			}
			walls[i] = append(walls[i], x.Wall)
		}
	}
	return r.Verdicts[0], sequential(walls[0], walls[1])
}

// sequential is what benchstat says of old and new times: Same where a
// Mann–Whitney test is not significant at 5 %.
func sequential(old, new []float64) stats.Decision {
	a, b := benchmath.NewSample(old, &benchmath.DefaultThresholds), benchmath.NewSample(new, &benchmath.DefaultThresholds)
	switch {
	case benchmath.AssumeNothing.Compare(a, b).P > 0.05:
		return stats.Same
	case stats.Median(new) > stats.Median(old):
		return stats.Slower
	}
	return stats.Faster
}

// TestSimulatedCodes holds the promise of payoff compare: of changes that change
// nothing at most 5 % are called faster or slower, and a tenth more time is found,
// on every kind of noise, also where the layout of the code moves each binary by
// 5 %. The usual way is shown beside it.
func TestSimulatedCodes(t *testing.T) {
	runs := 60
	if !stress.Long() {
		runs = 8
	}
	for _, kind := range []struct {
		name string
		world
		found float64 // the least share of the regressions
	}{
		{"as it is", world{}, 0.75},
		{"others", world{often: 0.08}, 0.5},
		{"layouts", world{layouts: 0.05}, 0.7},
	} {
		all, wrong, usual, found, usually := 0, 0, 0, 0, 0
		for n, p := range noise.All() {
			if p.Name == "alloc" { // two modes: see TestSimulatedFalseVerdicts
				continue
			}
			kind.profile = p
			for i := range runs {
				seed := uint64(1000*n + i + 1)
				all++
				v, seq := simulateCodes(t, kind.world, seed, 1)
				if v.Word == judge.Pays || v.Word == judge.Loses {
					wrong++
					t.Logf("%s, %s, seed %d: %s %.3f [%.3f, %.3f] after %d pairs in %d layouts", kind.name, p.Name, seed, v.Word, v.Ratio, v.Low, v.High, v.Pairs, v.Layouts)
				}
				if seq != stats.Same {
					usual++
				}
				v, seq = simulateCodes(t, kind.world, seed, 1/1.1)
				if v.Word == judge.Loses {
					found++
				}
				if seq == stats.Slower {
					usually++
				}
			}
		}
		t.Logf("%s: of %d changes that change nothing %d are false alarms (one after the other: %d); of as many regressions of 10 %% %d are found (%d)", kind.name, all, wrong, usual, found, usually)
		if 20*wrong > all {
			t.Errorf("%s: %d false alarms of %d, want 5 %% at most", kind.name, wrong, all)
		}
		if float64(found) < kind.found*float64(all) {
			t.Errorf("%s: %d of %d regressions found, want %.0f %%", kind.name, found, all, 100*kind.found)
		}
	}
}
