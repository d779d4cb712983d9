package explain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A fake collector writes a small profile for each run, and fails as told.
type fake struct {
	t     *testing.T
	calls []string
	fails func(kind string) error
	stop  func()
	steal func() float32
	also  string // a function that takes half of the variant's time
	took  func(c measure.Cell, n int64)
}

func (f *fake) Binary() string { return os.Args[0] }

func (f *fake) Run(context.Context, measure.Cell, int64) (measure.Sample, error) {
	f.t.Error("a timed run while evidence is collected, and no trial asked for it")
	return measure.Sample{}, nil
}

func (f *fake) Collect(ctx context.Context, c measure.Cell, n int64, kind string, many bool, file string) (measure.Sample, error) {
	if !filepath.IsAbs(file) {
		f.t.Errorf("file %s: benchmarks run elsewhere", file)
	}
	f.calls = append(f.calls, fmt.Sprintf("%s %s-%d", kind, strings.TrimPrefix(c.Bench, "BenchmarkX/variant="), c.Procs))
	if f.stop != nil {
		f.stop()
	}
	if f.took != nil {
		f.took(c, n)
	}
	if err := ctx.Err(); err != nil {
		return measure.Sample{}, err
	}
	if f.fails != nil {
		if err := f.fails(kind); err != nil {
			return measure.Sample{}, err
		}
	}
	if kind == measure.CPUProfile {
		fn := &profile.Function{ID: 1, Name: "main.f", Filename: "/m/x.go"}
		loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 7}}}
		p := &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
			PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 2e6,
			Function: []*profile.Function{fn}, Location: []*profile.Location{loc},
			Sample: []*profile.Sample{{Value: []int64{100, 200e6}, Location: []*profile.Location{loc}}},
		}
		if f.also != "" && strings.HasSuffix(c.Bench, "new") {
			callee := &profile.Function{ID: 2, Name: f.also, Filename: "/go/src/runtime/malloc.go"}
			below := &profile.Location{ID: 2, Line: []profile.Line{{Function: callee, Line: 1}}}
			p.Function, p.Location = append(p.Function, callee), append(p.Location, below)
			p.Sample = append(p.Sample, &profile.Sample{Value: []int64{50, 100e6}, Location: []*profile.Location{below, loc}})
		}
		w, err := os.Create(file)
		if err != nil {
			return measure.Sample{}, err
		}
		defer w.Close()
		if err := p.Write(w); err != nil {
			return measure.Sample{}, err
		}
	} else if err := os.WriteFile(file, []byte("not a trace"), 0o600); err != nil {
		return measure.Sample{}, err
	}
	x := measure.Sample{N: n, Wall: 1e6, CPU: 1e6}
	if f.steal != nil {
		x.Steal = f.steal()
	}
	return x, nil
}

// collect runs Collect on a variant that loses at one and two processors.
func collect(t *testing.T, ctx context.Context, f *fake, budget time.Duration) (*measure.Series, []*evidence.Set, error) {
	t.Helper()
	p := healthy()
	p.wall1, p.cpu1, p.wall2, p.cpu2 = 30*ms, 30*ms, 20*ms, 30*ms
	s, r := p.series(t)
	s.Evidence = nil
	t.Chdir(t.TempDir())
	var kept []*evidence.Set
	err := Collect(ctx, s, r, f, Options{
		Dir: "evidence", Budget: budget, Prices: machine.Prices{}, Rule: stats.DefaultRule,
		Progress: func(string, ...any) {}, Keep: func(e *evidence.Set) error { kept = append(kept, e); return nil },
	})
	return s, kept, err
}

// Evidence is collected on what is to be explained, once for each cell, the
// most processors first; what fails is said and stops nothing.
func TestCollect(t *testing.T) {
	f := &fake{t: t}
	s, kept, err := collect(t, t.Context(), f, 0)
	if err != nil {
		t.Fatal(err)
	}
	// First a little on each, then more of it; what failed is not tried again.
	want := []string{"cpu new-2", "trace new-2", "cpu new-1", "cpu serial-1", "trace new-1",
		"cpu new-2", "cpu new-2", "cpu new-1", "cpu new-1", "cpu serial-1", "cpu serial-1"}
	if !slices.Equal(f.calls, want) {
		t.Errorf("runs %q, want %q", f.calls, want)
	}
	if len(kept) != 3 || len(s.Evidence) != 3 {
		t.Errorf("%d sets kept, %d in the series; want 3", len(kept), len(s.Evidence))
	}
	set := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}]
	if set == nil || set.CPU == nil || set.CPU.Samples != 300 || len(set.Profiles) != 3 || set.Profiled.N != 18 || set.Trace != nil {
		t.Errorf("%+v: want three profiles of 6 operations of 20ms, and no trace", set)
	}
	if set != nil && !strings.Contains(strings.Join(set.Missing, "; "), "trace of BenchmarkX/variant=new at 2: ") {
		t.Errorf("missing %q: want the damaged trace", set.Missing)
	}
	// The rest of the report comes all the same.
	found := Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), machine.Prices{}, false)
	if len(found) != 2 || len(found[0].Missing) == 0 {
		t.Errorf("%+v: want two findings that say what is missing", found)
	}
}

// What was taken while others used the machine is taken again, and marked if
// that does not help.
func TestCollectDisturbed(t *testing.T) {
	for name, tt := range map[string]struct {
		bad    int // runs
		calls  int
		marked bool
	}{"one run": {1, 12, false}, "the first and its repeats": {3, 13, true}} {
		n := 0
		f := &fake{t: t, steal: func() float32 {
			if n++; n <= tt.bad {
				return 0.3
			}
			return 0
		}}
		s, _, err := collect(t, t.Context(), f, 0)
		if err != nil {
			t.Fatal(err)
		}
		set := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}]
		if len(f.calls) != tt.calls || (len(set.Disturbed) > 0) != tt.marked {
			t.Errorf("%s disturbed: %d runs, marked %q; want %d, marked %t", name, len(f.calls), set.Disturbed, tt.calls, tt.marked)
		}
		for _, x := range Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), machine.Prices{}, false) {
			if said := strings.Contains(strings.Join(x.Missing, "; "), "others used the machine"); said != (tt.marked && x.Verdict.New.Procs == 2) {
				t.Errorf("%s disturbed: at %d missing %q", name, x.Verdict.New.Procs, x.Missing)
			}
		}
	}
}

// Where two causes may each be the largest, more is collected.
func TestCollectTie(t *testing.T) {
	f := &fake{t: t, also: "runtime.mallocgc"}
	if _, _, err := collect(t, t.Context(), f, 0); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, call := range f.calls {
		if call == "cpu new-1" {
			n++
		}
	}
	if n != 2*profiles {
		t.Errorf("%d profiles of a variant whose causes are tied, want %d: %q", n, 2*profiles, f.calls)
	}
}

func TestCollectFails(t *testing.T) {
	f := &fake{t: t, fails: func(string) error { return errors.New("boom") }}
	s, kept, err := collect(t, t.Context(), f, 0)
	if err != nil || len(kept) != 3 {
		t.Errorf("%d sets, %v; want all three, saying what failed", len(kept), err)
	}
	for _, set := range kept {
		if !strings.Contains(strings.Join(set.Missing, "; "), "boom") {
			t.Errorf("missing %q, want boom", set.Missing)
		}
	}
	if found := Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), machine.Prices{}, false); len(found) != 0 {
		t.Errorf("findings %+v without evidence", found)
	}
	if missing := strings.Join(s.Missing, "; "); !strings.Contains(missing, "causes of 2 of 2 verdicts: cpu of BenchmarkX/variant=new at 2: boom") {
		t.Errorf("the series lacks %q; want the causes, and why", missing)
	}
}

// Interrupted, it keeps what it has.
func TestCollectInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	f := &fake{t: t, stop: func() {
		if n++; n == 3 {
			cancel()
		}
	}}
	s, kept, err := collect(t, ctx, f, 0)
	if !errors.Is(err, context.Canceled) || len(f.calls) != 3 {
		t.Errorf("%v after %d runs, want canceled after 3", err, len(f.calls))
	}
	if set := s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}]; len(kept) == 0 || set.CPU == nil {
		t.Errorf("%d sets kept, the first %+v", len(kept), set)
	}
}

// When the budget is spent, the rest is said to be without evidence.
func TestCollectBudget(t *testing.T) {
	f := &fake{t: t}
	s, _, err := collect(t, t.Context(), f, time.Nanosecond)
	if err != nil || len(f.calls) != 0 || !strings.Contains(strings.Join(s.Missing, "; "), "causes of 2 of 2 verdicts: the budget was spent") {
		t.Errorf("%v, runs %q, missing %q", err, f.calls, s.Missing)
	}
}
