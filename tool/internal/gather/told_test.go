package gather

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/probe"
)

// TestTold: of each number that a program is told there are its traces, and how much longer
// it takes so, by the least of its times; it is done once, by one build.
func TestTold(t *testing.T) {
	runs := map[int]int{}
	process := func(ctx context.Context, p sim.Process) (sim.Figures, error) {
		x := sim.Figures{Wall: 100 * float64(p.Procs), CPU: 100}
		if strings.HasPrefix(p.Env, probe.EvidenceEnv) {
			x.Files = map[string][]byte{measure.Trace: []byte("its trace")}
		} else if runs[p.Procs]++; runs[p.Procs] != 3 {
			x.Wall *= 2 + float64(p.Procs) // disturbed
		}
		return x, nil
	}
	builds, boom := 0, error(nil)
	lab := &Lab{Askers: func(ctx context.Context) (*measure.Subject, error) {
		builds++
		if boom != nil {
			return nil, boom
		}
		return measure.Build(ctx, &sim.Host{Process: process}, discover.Target{Package: "m"}, measure.BuildOptions{Askers: true})
	}}
	var files []string
	gathering := func() *gathering {
		return &gathering{s: &measure.Series{Evidence: map[measure.Cell]*evidence.Set{}}, tried: map[try]bool{}, out: map[string]bool{},
			o: Options{Lab: lab, Told: []int{2, 8}, File: func(name string, data []byte) error { files = append(files, name); return nil }}}
	}
	g := gathering()
	for range 2 {
		if err := g.told(t.Context(), "BenchmarkX"); err != nil {
			t.Fatal(err)
		}
	}
	set := g.set(measure.Cell{Bench: "BenchmarkX", Procs: 1})
	if len(set.Told) != 2 || builds != 1 || len(set.Missing) > 0 {
		t.Fatalf("%+v after %d builds, missing %q, want what it does told of 2 and of 8, after one", set.Told, builds, set.Missing)
	}
	for i, procs := range []int{2, 8} {
		if got := set.Told[i]; got.Procs != procs || got.N < 1 || math.Abs(got.Longer-float64(procs)) > 1e-9 {
			t.Errorf("%+v, want told of %d it takes %d times as long", got, procs, procs)
		}
		name := ToldName(measure.Cell{Bench: "BenchmarkX", Procs: procs})
		if n := len(slices.DeleteFunc(slices.Clone(files), func(f string) bool { return !strings.HasSuffix(f, name) })); n != traces {
			t.Errorf("%d files are named …%s, want %d, of %q", n, name, traces, files)
		}
	}
	boom = errors.New("it has another shape")
	g = gathering()
	if err := g.told(t.Context(), "BenchmarkX"); err != nil {
		t.Fatal(err)
	}
	if set := g.set(measure.Cell{Bench: "BenchmarkX", Procs: 1}); len(set.Missing) != 1 || !strings.HasSuffix(set.Missing[0], boom.Error()) {
		t.Errorf("missing %q where it cannot be built, want one with %q", set.Missing, boom)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	if err := gathering().told(ctx, "BenchmarkX"); err == nil || err.Error() != "enough" {
		t.Errorf("%v after the end, want its cause", err)
	}
}
