package gather

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/probe"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A fake host leaves a small profile for each run, and fails as told.
type fake struct {
	t     *testing.T
	calls []string
	fails func(kind string) error
	stop  func()
	steal func() float32
	files []string
	full  error // of what keeps the files
	steps []string
	also  string // a function that takes half of the variant's time
	took  func(c measure.Cell, n int64)
	hangs func(p sim.Process) bool
	wall  float64 // of an operation, in place of about what was measured
}

func (f *fake) run(ctx context.Context, p sim.Process) (x sim.Figures, err error) {
	kind, _, ok := strings.Cut(strings.TrimPrefix(p.Env, probe.EvidenceEnv+"="), ":")
	if !ok {
		f.t.Error("a timed run while evidence is collected, and no trial asked for it")
		return x, nil
	}
	f.calls = append(f.calls, fmt.Sprintf("%s %s-%d", kind, strings.TrimPrefix(p.Bench, "BenchmarkX/variant="), p.Procs))
	if f.stop != nil {
		f.stop()
	}
	if f.took != nil {
		f.took(measure.Cell{Bench: p.Bench, Procs: p.Procs}, p.N)
	}
	if f.hangs != nil && f.hangs(p) {
		return sim.Figures{Hangs: true}, nil
	}
	if err := ctx.Err(); err != nil {
		return x, err
	}
	if f.fails != nil {
		if err := f.fails(kind); err != nil {
			return x, err
		}
	}
	wall := cmp.Or(f.wall, 30e6)
	x = sim.Figures{Wall: wall, CPU: wall, Files: map[string][]byte{kind: []byte("not a trace")}}
	if kind == measure.CPUProfile {
		fn := &profile.Function{ID: 1, Name: "main.f", Filename: "/m/x.go"}
		loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: 7}}}
		prof := &profile.Profile{
			SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}},
			PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 2e6,
			Function: []*profile.Function{fn}, Location: []*profile.Location{loc},
			Sample: []*profile.Sample{{Value: []int64{100, 200e6}, Location: []*profile.Location{loc}}},
		}
		if f.also != "" && strings.HasSuffix(p.Bench, "new") {
			callee := &profile.Function{ID: 2, Name: f.also, Filename: "/go/src/runtime/malloc.go"}
			below := &profile.Location{ID: 2, Line: []profile.Line{{Function: callee, Line: 1}}}
			prof.Function, prof.Location = append(prof.Function, callee), append(prof.Location, below)
			prof.Sample = append(prof.Sample, &profile.Sample{Value: []int64{50, 100e6}, Location: []*profile.Location{below, loc}})
		}
		var b bytes.Buffer
		if err := prof.Write(&b); err != nil {
			return x, err
		}
		x.Files[kind] = b.Bytes()
	}
	if f.steal != nil {
		x.Steal = float64(f.steal())
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
	subject, err := measure.Build(t.Context(), &sim.Host{Process: f.run}, discover.Target{Package: "m"}, measure.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var kept []*evidence.Set
	err = Collect(ctx, s, r, subject, Options{
		Budget: budget, Prices: machine.Prices{}, Rule: stats.DefaultRule,
		Progress: func(format string, args ...any) { f.steps = append(f.steps, fmt.Sprintf(format, args...)) }, File: func(name string, data []byte) error {
			f.files = append(f.files, name)
			return f.full
		}, Keep: func(e *evidence.Set) error { kept = append(kept, e); return nil },
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
	// What is counted is counted once.
	steps := []string{"p: evidence on BenchmarkX/variant=new at 2 (1 of 2)", "p: evidence on BenchmarkX/variant=new at 1 (2 of 2)", "p: more evidence on BenchmarkX/variant=new at 2"}
	if len(f.steps) < 3 || !slices.Equal(f.steps[:3], steps) || slices.ContainsFunc(f.steps[2:], func(s string) bool { return strings.Contains(s, " of ") }) {
		t.Errorf("steps %q, want %q and no more counts", f.steps, steps)
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
	if f.files[0] != "001-BenchmarkX_variant=new-2.cpu.pprof" || f.files[1] != "002-BenchmarkX_variant=new-2.trace" || len(f.files) != len(want) {
		t.Errorf("files %q, want those of all runs by their names", f.files)
	}
	// The rest of the report comes all the same.
	found := explain.Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), machine.Prices{}, false)
	if len(found) != 2 || len(found[0].Missing) == 0 {
		t.Errorf("%+v: want two findings that say what is missing", found)
	}
}

// Of code that scales there is evidence if its costs are asked for.
func TestCollectCosts(t *testing.T) {
	for _, costs := range []bool{false, true} {
		f := &fake{t: t}
		s, _ := healthy().series(t)
		s.Evidence, s.Families = nil, discover.Families([]string{"BenchmarkX/variant=new"}, discover.Hints{})
		subject, err := measure.Build(t.Context(), &sim.Host{Process: f.run}, discover.Target{Package: "m"}, measure.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		err = Collect(t.Context(), s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), subject, Options{
			Costs: costs, Rule: stats.DefaultRule, Progress: func(string, ...any) {}, File: func(string, []byte) error { return nil }, Keep: func(*evidence.Set) error { return nil },
		})
		if err != nil || (s.Evidence[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}] != nil) != costs {
			t.Errorf("costs %t: runs %q (%v)", costs, f.calls, err)
		}
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
		for _, x := range explain.Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), machine.Prices{}, false) {
			if said := strings.Contains(strings.Join(x.Missing, "; "), "others used the machine"); said != (tt.marked && x.Verdict.New.Procs == 2) {
				t.Errorf("%s disturbed: at %d missing %q", name, x.Verdict.New.Procs, x.Missing)
			}
		}
	}
}

// Where an operation takes far less than its slowest sample, as that was disturbed, the
// run is made again with as many as fill its time.
func TestCollectShort(t *testing.T) {
	runs := map[measure.Cell][]int64{}
	f := &fake{t: t, wall: 1e6, took: func(c measure.Cell, n int64) { runs[c] = append(runs[c], n) }}
	if _, _, err := collect(t, t.Context(), f, 0); err != nil {
		t.Fatal(err)
	}
	// Three profiles of 120 ms, and a trace of 40 ms after the first.
	want := []int64{6, 120, 2, 6, 120, 6, 120}
	if got := runs[measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}]; !slices.Equal(got, want) {
		t.Errorf("operations of the runs at 2: %v, want %v: samples say 20 ms, and an operation takes 1", got, want)
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
	if found := explain.Explain(s, judge.Judge(s, stats.DefaultRule, stats.DefaultBounds), machine.Prices{}, false); len(found) != 0 {
		t.Errorf("findings %+v without evidence", found)
	}
	if missing := strings.Join(s.Missing, "; "); !strings.Contains(missing, "causes of 2 of 2 verdicts: cpu of BenchmarkX/variant=new at 2: boom") {
		t.Errorf("the series lacks %q; want the causes, and why", missing)
	}
}

// Where the record is full, collecting ends.
func TestCollectFull(t *testing.T) {
	full := errors.New("no space left on device")
	f := &fake{t: t, full: full}
	if _, kept, err := collect(t, t.Context(), f, 0); !errors.Is(err, full) || len(f.calls) != 1 || len(kept) != 1 {
		t.Errorf("%v after %d runs, %d sets kept; want the error after 1, and its set", err, len(f.calls), len(kept))
	}
}

// What hangs is ended after its share of the budget, and does not run again.
func TestCollectHangs(t *testing.T) {
	var patience time.Duration
	f := &fake{t: t, hangs: func(p sim.Process) bool {
		patience = p.Timeout
		return strings.HasSuffix(p.Bench, "new")
	}}
	s, _, err := collect(t, t.Context(), f, 10*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"cpu new-2", "cpu serial-1", "cpu serial-1", "cpu serial-1"}; !slices.Equal(f.calls, want) {
		t.Errorf("runs %q, want %q", f.calls, want)
	}
	if patience <= 0 || patience > 10*time.Second {
		t.Errorf("patience %v of a budget of 10s", patience)
	}
	if missing := strings.Join(s.Missing, "; "); !strings.Contains(missing, "causes of 2 of 2 verdicts: cpu of BenchmarkX/variant=new at 2: ") || !strings.Contains(missing, "did not end within") {
		t.Errorf("the series lacks %q", missing)
	}
}

// What could not be explained is said with its reason, be that of the verdict's
// other side.
func TestComplain(t *testing.T) {
	two, one := measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}, measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 1}
	for _, tt := range []struct {
		name string
		lose func(*gathering)
		want string
	}{
		{"all is there", func(*gathering) {}, ""},
		{"a profile that failed", func(g *gathering) {
			g.s.Evidence[one].CPU, g.s.Evidence[one].Missing = nil, []string{"trace of it at 1: cut", "cpu of it at 1: boom"}
		}, "causes of 1 of 1 verdicts: cpu of it at 1: boom"},
		{"a profile that was not made", func(g *gathering) { g.s.Evidence[two].CPU = nil },
			"causes of 1 of 1 verdicts: there is no profile of BenchmarkX/variant=new at 2"},
		{"the other side's", func(g *gathering) {
			delete(g.s.Evidence, one)
			g.o.Budget = time.Second
		}, "causes of 1 of 1 verdicts: there is no profile of BenchmarkX/variant=new at 1: the budget was spent"},
		{"a benchmark that is not run again", func(g *gathering) {
			g.s.Evidence[one].CPU = nil
			g.out[one.Bench] = true
		}, "causes of 1 of 1 verdicts: BenchmarkX/variant=new did not come to its end and is not run again"},
		{"a handful of samples and no trace", func(g *gathering) {
			g.s.Evidence[two].Trace, g.s.Evidence[two].CPU.Samples = nil, 2
			delete(g.s.Evidence, measure.Cell{Bench: "BenchmarkX/variant=serial", Procs: 1})
		}, "causes of 1 of 1 verdicts: there is no trace, and 2 samples of processor time"},
		{"processor time that nobody knows", func(g *gathering) {
			for i := range g.s.Samples[one] {
				g.s.Samples[one][i].CPU = math.NaN()
			}
			g.s.Evidence[one].Profiled = nil
		}, "causes of 1 of 1 verdicts: the processor time of BenchmarkX/variant=new at 1 is not known"},
	} {
		p := healthy()
		p.wall2, p.cpu2, p.goroutines = 40*ms, 80*ms, 2
		s, r := p.series(t)
		g := &gathering{s: s, o: Options{Prices: prices}, out: map[string]bool{}}
		tt.lose(g)
		i := slices.IndexFunc(r.Verdicts, func(v judge.Verdict) bool { return v.Kind == measure.Scaling && v.New == two })
		g.complain(r.Verdicts[i : i+1])
		if got := strings.Join(s.Missing, "; "); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// What broke while it was timed is not run for evidence.
func TestCollectBroken(t *testing.T) {
	f := &fake{t: t}
	p := healthy()
	p.more = func(s *measure.Series) {
		s.Problems = append(s.Problems, problem.Problem{Package: "p", Benchmark: "BenchmarkX/variant=new", Reason: "did not end within 2s"})
	}
	s, r := p.series(t)
	s.Evidence = nil
	subject, err := measure.Build(t.Context(), &sim.Host{Process: f.run}, discover.Target{Package: "m"}, measure.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	err = Collect(t.Context(), s, r, subject, Options{All: true, Rule: stats.DefaultRule, Progress: func(string, ...any) {},
		File: func(string, []byte) error { return nil }, Keep: func(*evidence.Set) error { return nil }})
	if err != nil || slices.ContainsFunc(f.calls, func(c string) bool { return strings.Contains(c, "new") }) {
		t.Errorf("%v, runs %q; want none of the variant", err, f.calls)
	}
}

// What a run before has found stands until there is as much again.
func TestCollectAgain(t *testing.T) {
	cell := measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 2}
	for name, tt := range map[string]struct {
		before evidence.Set
		stays  bool
	}{
		"as many profiles": {evidence.Set{Profiles: make([]evidence.Profile, 3)}, false},
		"more profiles":    {evidence.Set{Profiles: make([]evidence.Profile, 6)}, true},
		"a trace":          {evidence.Set{Trace: &exectrace.Facts{}}, true},
	} {
		p := healthy()
		p.wall1, p.cpu1, p.wall2, p.cpu2 = 30*ms, 30*ms, 20*ms, 30*ms
		s, r := p.series(t)
		s.Evidence = map[measure.Cell]*evidence.Set{cell: &tt.before, {Bench: "BenchmarkOther", Procs: 1}: {}}
		tt.before.Bench, tt.before.Procs = cell.Bench, cell.Procs
		subject, err := measure.Build(t.Context(), &sim.Host{Process: (&fake{t: t}).run}, discover.Target{Package: "m"}, measure.BuildOptions{})
		if err != nil {
			t.Fatal(err)
		}
		kept := false
		err = Collect(t.Context(), s, r, subject, Options{Rule: stats.DefaultRule, Progress: func(string, ...any) {},
			File: func(string, []byte) error { return nil }, Keep: func(x *evidence.Set) error {
				kept = kept || x.Bench == cell.Bench && x.Procs == cell.Procs
				return nil
			}})
		if stays := s.Evidence[cell] == &tt.before; err != nil || stays != tt.stays || kept == tt.stays || len(s.Evidence) != 4 {
			t.Errorf("%s: stays = %t, the new one is kept = %t, %d sets, %v; want stays = %t", name, stays, kept, len(s.Evidence), err, tt.stays)
		}
	}
}

// A benchmark that stops its timer is known from its samples, those of an older
// record from the listing.
func TestStopsTimer(t *testing.T) {
	c := measure.Cell{Bench: "BenchmarkX", Procs: 2}
	for name, tt := range map[string]struct {
		sample, listed float64
		want           bool
	}{"no": {0, 0, false}, "sampled": {30, 0, true}, "listed": {0, 30, true}} {
		s := &measure.Series{Listed: []measure.Listed{{Name: c.Bench, PerOp: 10, Whole: tt.listed}, {Name: "BenchmarkY", Whole: 1}}}
		s.Add(c, measure.Sample{N: 1, Wall: 10, Whole: float32(tt.sample)})
		if _, many, _ := (&gathering{s: s}).operations(c, time.Second); many != tt.want {
			t.Errorf("%s: many = %t", name, many)
		}
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
