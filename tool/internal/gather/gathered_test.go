package gather

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/host/sim"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/overlay"
	"github.com/gopayoff/payoff/tool/internal/padding"
	"github.com/gopayoff/payoff/tool/internal/probe"
	"github.com/gopayoff/payoff/tool/internal/record"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// gathers is a gathering on a world: run stands for the processes, and asked has
// what they were asked for, "kind variant-procs ×operations". All profiles and traces
// are there.
func gathers(t *testing.T, w *world, run func(kind string, p sim.Process) (sim.Figures, error)) (g *gathering, asked *[]string) {
	t.Helper()
	asked = &[]string{}
	subject, err := measure.Build(t.Context(), &sim.Host{Process: func(_ context.Context, p sim.Process) (sim.Figures, error) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(p.Env, probe.EvidenceEnv+"="), ":")
		*asked = append(*asked, fmt.Sprintf("%s %s-%d ×%d", kind, strings.TrimPrefix(p.Bench, "BenchmarkX/variant="), p.Procs, p.N))
		if run == nil {
			return sim.Figures{Wall: 10 * ms, CPU: 10 * ms}, nil
		}
		return run(strings.TrimSuffix(kind, ",many"), p)
	}}, discover.Target{Package: "m"}, measure.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g = &gathering{s: w.Series, r: w.R, c: subject, o: Options{Prices: prices, Rule: stats.DefaultRule, Now: time.Now, Progress: func(string, ...any) {}, File: func(string, []byte) error { return nil }},
		tried: map[try]bool{}, out: map[string]bool{}, raw: map[measure.Cell][]*profile.Profile{}}
	for c := range w.Evidence {
		for k := range 2 * profiles {
			g.tried[try{c, cpuFile, k}], g.tried[try{c, traceFile, k}] = true, true
		}
	}
	return g, asked
}

// TestAskedFor: which evidence a verdict needs beyond profiles and traces, of which
// side, and of how many operations.
func TestAskedFor(t *testing.T) {
	slow := func(w *world) { // three times as slow at once, by loads
		w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
		w.Set("new", 8).Hot = []evidence.Hot{{Where: cpuprof.Hot{Category: stack.User, Share: 0.5, User: line(7)}, What: instr.Hot{Kind: instr.Load, Text: "MOVQ"}}}
	}
	for _, tt := range []struct {
		name   string
		change func(w *world)
		want   string
	}{
		{"nothing more", func(w *world) { w.Traced(exectrace.Facts{}) }, ""},
		{"no trace", slow, ""},
		{"waits for locks", func(w *world) { w.Traced(exectrace.Facts{Blocks: blocks(exectrace.Mutex, 1, ms)}) }, "locks new-8 ×4"},
		{"locks without waits, a tenth of the time", func(w *world) {
			w.Traced(exectrace.Facts{})
			w.Takes("new", 8, 8*ms, 20*ms, shares{stack.User: 0.9, stack.Lock: 0.1})
		}, ""},
		{"locks without waits, more than a tenth of it", func(w *world) {
			w.Traced(exectrace.Facts{})
			w.Takes("new", 8, 8*ms, 20*ms, shares{stack.User: 0.899, stack.Lock: 0.101})
		}, "locks new-8 ×5"},
		{"code that gets slower at memory", func(w *world) {
			w.Traced(exectrace.Facts{Running: []float64{0, 0.5, 0.5}})
			slow(w)
		}, "counters new-8 ×8, counters new-1 ×4, pages new-8 ×1"},
		{"code that gets slower at memory, one at a time", func(w *world) {
			w.Traced(exectrace.Facts{Running: []float64{0, 1}})
			slow(w)
		}, "counters new-8 ×8, counters new-1 ×4"},
		{"copies that get slower", func(w *world) {
			w.Traced(exectrace.Facts{Running: []float64{0, 0.5, 0.5}})
			w.Takes("new", 1, 10*ms, 10*ms, shares{stack.Copy: 1})
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.Copy: 1})
		}, "pages new-8 ×1"},
		{"set-up in the loop would be in all of these", func(w *world) {
			w.Traced(exectrace.Facts{Running: []float64{0, 0.5, 0.5}, Blocks: blocks(exectrace.Mutex, 1, ms)})
			slow(w)
			for _, p := range []int{1, 8} {
				w.Each("new", p, func(x *measure.Sample) { x.Whole = 10 * ms })
			}
		}, ""},
	} {
		w := measured(8)
		tt.change(w)
		g, asked := gathers(t, w, nil)
		if err := g.verdict(t.Context(), w.V); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(*asked, ", "); got != tt.want {
			t.Errorf("%s: asked for %q, want %q", tt.name, got, tt.want)
		}
		// Where the process cannot be kept, each of them is where it ends.
		for i := range *asked {
			full, n := errors.New("no space"), 0
			w := measured(8)
			tt.change(w)
			g, _ := gathers(t, w, func(kind string, _ sim.Process) (sim.Figures, error) {
				return sim.Figures{Wall: 10 * ms, CPU: 10 * ms, Files: map[string][]byte{kind: []byte("instructions\t800\ncycles\t800\n")}}, nil
			})
			g.o.File = func(string, []byte) error {
				if n++; n == i+1 {
					return full
				}
				return nil
			}
			if err := g.verdict(t.Context(), w.V); !errors.Is(err, full) {
				t.Errorf("%s: the record was full at %s: %v", tt.name, (*asked)[i], err)
			}
		}
	}
}

// TestLabIsAsked: the experiment on which goroutine writes what is made where running at once
// makes code slower at memory, within the share of the budget, once.
func TestLabIsAsked(t *testing.T) {
	unknown := []string{"the files of its hot lines are not known"}
	for _, tt := range []struct {
		name   string
		change func(w *world, g *gathering)
		want   []string
		err    error
	}{
		{"slower", func(*world, *gathering) {}, unknown, nil},
		{"one at a time", func(w *world, _ *gathering) { w.Set("new", 8).Trace.Running = []float64{0, 1} }, nil, nil},
		{"no slower", func(w *world, _ *gathering) { w.Takes("new", 8, 5*ms, 11*ms, shares{stack.User: 1}) }, nil, nil},
		{"made before", func(w *world, _ *gathering) { w.Set("new", 8).Sharing = &evidence.Sharing{Refused: []string{"before"}} }, []string{"before"}, nil},
		{"no lab", func(_ *world, g *gathering) { g.o.Lab = nil }, nil, nil},
		// A trial is 24 runs of 8 operations of 5 ms.
		{"as long as the share", func(_ *world, g *gathering) { g.until = time.Unix(0, 24*8*5*ms) }, unknown, nil},
		{"longer than the share", func(_ *world, g *gathering) { g.until = time.Unix(0, 24*8*5*ms-1) }, nil, errShare},
	} {
		w := measured(8)
		w.Traced(exectrace.Facts{Running: []float64{0, 0.5, 0.5}})
		w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
		g, _ := gathers(t, w, nil)
		g.o.Lab, g.uncounted = &Lab{}, true
		g.o.Now = func() time.Time { return time.Unix(0, 0) }
		g.tried[try{w.V.New, "pages", 0}] = true
		tt.change(w, g)
		err := g.verdict(t.Context(), w.V)
		var got []string
		if x := w.Set("new", 8).Sharing; x != nil {
			got = x.Refused
		}
		if !errors.Is(err, tt.err) || !slices.Equal(got, tt.want) {
			t.Errorf("%s: refused %q, %v; want %q, %v", tt.name, got, err, tt.want, tt.err)
		}
	}
}

// TestRead: what the files of each kind become, and what is said where they do not
// hold it.
func TestRead(t *testing.T) {
	mutex := func(site string, line, delay int64) []byte {
		fn := &profile.Function{ID: 1, Name: site, Filename: "/m/x.go"}
		loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: line}}}
		p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "contentions", Unit: "count"}, {Type: "delay", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{},
			Function: []*profile.Function{fn}, Location: []*profile.Location{loc}, Sample: []*profile.Sample{{Value: []int64{5, delay}, Location: []*profile.Location{loc}}}}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	locks := map[string][]byte{"locks.mutex": mutex("main.put", 7, 9000), "locks.mutex.before": mutex("main.set", 9, 2000), "locks.block": mutex("main.get", 8, 800), "locks.block.before": mutex("main.set", 9, 300)}
	without := func(name string) map[string][]byte {
		some := map[string][]byte{}
		for k, v := range locks {
			if k != name {
				some[k] = v
			}
		}
		return some
	}
	type asks = func(g *gathering, ctx context.Context, c measure.Cell) error
	for _, tt := range []struct {
		name  string
		ask   asks
		files map[string][]byte
		want  string
	}{
		{"locks", (*gathering).locks, locks, "mutex 9000, block 800, "},
		{"no mutex profile", (*gathering).locks, without("locks.mutex"), "missing locks of BenchmarkX/variant=new at 8: the process left no locks.mutex"},
		{"no mutex profile of before", (*gathering).locks, without("locks.mutex.before"), "missing locks of BenchmarkX/variant=new at 8: the process left no locks.mutex.before"},
		{"no block profile", (*gathering).locks, without("locks.block"), "mutex 9000, missing locks of BenchmarkX/variant=new at 8: the process left no locks.block"},
		{"counters", (*gathering).counters, map[string][]byte{"counters": []byte("instructions\t800\ncycles\t1600\ncache-misses\t80\n")}, "counters 200 400 20"},
		{"no counters", (*gathering).counters, nil, "missing counters of BenchmarkX/variant=new at 8: the process left no counters"},
		{"a machine without counters", (*gathering).counters, map[string][]byte{"counters": []byte("instructions\terror\tno such file\n")}, "uncounted; all lack hardware counters: instructions are not counted here (no such file): the processor has no counters, or a hypervisor hides them"},
		{"pages", (*gathering).pages, map[string][]byte{"pages": []byte("Referenced: 12 kB\n")}, "touched 12288"},
		{"no pages", (*gathering).pages, nil, "missing pages of BenchmarkX/variant=new at 8: the process left no pages"},
		{"a system that does not tell", (*gathering).pages, map[string][]byte{"pages": []byte("x\n")}, "missing pages of BenchmarkX/variant=new at 8: the system does not tell which pages were reached"},
	} {
		w := measured(8)
		g, asked := gathers(t, w, func(string, sim.Process) (sim.Figures, error) {
			return sim.Figures{Wall: 10 * ms, CPU: 10 * ms, Files: tt.files}, nil
		})
		for range 2 { // what failed, or is there, is not asked for again
			if err := tt.ask(g, t.Context(), w.V.New); err != nil {
				t.Fatal(err)
			}
		}
		set, got := w.Set("new", 8), ""
		for _, l := range set.Locks {
			got += fmt.Sprintf("%s %v, ", l.Profile, l.Delay)
		}
		if c := set.Counters; c != nil {
			got += fmt.Sprintf("counters %v %v %v", c.Instructions, c.Cycles, c.CacheMisses)
		}
		if set.Touched > 0 {
			got += fmt.Sprintf("touched %v", set.Touched)
		}
		if len(set.Missing) > 0 {
			got += "missing " + strings.Join(set.Missing, "; ")
		}
		if g.uncounted {
			got += "uncounted; all lack " + strings.Join(w.Missing, "; ")
		}
		if got != tt.want || len(*asked) != 1 {
			t.Errorf("%s: %q by %q, want %q by one run", tt.name, got, *asked, tt.want)
		}
	}
}

// recordedTrace is a trace of two processors, as it was written.
func recordedTrace(t *testing.T) []byte {
	t.Helper()
	data, err := record.Profile(filepath.Join("..", "exectrace", "testdata", "pipeline.p2.trace.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestTraces: the first trace is kept with its run, by the prices of this machine;
// of all the idle time counts. One that ends before half of the region is none.
func TestTraces(t *testing.T) {
	data := recordedTrace(t)
	whole, err := exectrace.Read(bytes.NewReader(data), exectrace.Options{Procs: 2})
	if err != nil {
		t.Fatal(err)
	}
	gather := func(window float64, files ...[]byte) (*evidence.Set, *gathering) {
		w := measured(2)
		// The run of each trace takes a share of the traced window.
		w.Each("new", 2, func(x *measure.Sample) { x.Wall, x.CPU = 4*ms, 4*ms })
		n := 0
		g, _ := gathers(t, w, func(kind string, p sim.Process) (sim.Figures, error) {
			n++
			return sim.Figures{Wall: window / float64(p.N), CPU: 7 * ms, Files: map[string][]byte{kind: files[n-1]}}, nil
		})
		g.tried = map[try]bool{}
		set := w.Set("new", 2)
		set.Trace, set.Traced = nil, nil
		for k := range files {
			if err := g.trace(t.Context(), w.V.New, k); err != nil {
				t.Fatal(err)
			}
		}
		return set, g
	}
	for _, tt := range []struct {
		name    string
		window  float64 // of the runs
		files   [][]byte
		idles   int
		missing string
	}{
		{"two traces", whole.Window, [][]byte{data, data}, 2, ""},
		{"of twice the time that they show", 2 * whole.Window, [][]byte{data}, 1, ""},
		{"of more than twice", 2.001 * whole.Window, [][]byte{data}, 0, "trace of BenchmarkX/variant=new at 2: the trace ends before the timed region: the benchmark ends traces itself"},
		{"no trace", whole.Window, [][]byte{[]byte("x")}, 0, "trace of BenchmarkX/variant=new at 2: not an execution trace: give a file written by -trace or trace.Start"},
		{"a trace that is cut off", whole.Window, [][]byte{data[:len(data)*9/10]}, 0, "trace of BenchmarkX/variant=new at 2: trace is damaged or cut off after"},
	} {
		set, _ := gather(tt.window, tt.files...)
		if len(set.Idles) != tt.idles || (set.Trace != nil) != (tt.idles > 0) || !strings.HasPrefix(strings.Join(set.Missing, "; "), tt.missing) || tt.missing == "" && set.Missing != nil {
			t.Errorf("%s: %d idle times, trace %t, missing %q; want %d, missing %q", tt.name, len(set.Idles), set.Trace != nil, set.Missing, tt.idles, tt.missing)
		}
	}
	set, _ := gather(whole.Window, data, data)
	if set.Traced.N != 10 || math.Abs(set.Traced.Wall-whole.Window/10) > 1 || set.Traced.CPU != 7*ms {
		t.Errorf("the trace is of %+v, want ten operations in its window of %v", set.Traced, whole.Window)
	}
	from, length := middle(set.Traced)
	want, err := exectrace.Read(bytes.NewReader(data), exectrace.Options{Procs: 2, Handoff: prices.Handoff.NS, Spawn: prices.Spawn.NS, User: (&gathering{}).user, Place: stack.Edited, From: from, Length: length})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(set.Trace, want) || want.BurdenedSpan == want.Span || want.Timeline == nil {
		t.Errorf("the trace says burdened span %v, timeline %+v; want %v and %+v", set.Trace.BurdenedSpan, set.Trace.Timeline, want.BurdenedSpan, want.Timeline)
	}
	for i, x := range set.Idles {
		if x.Window != whole.Window || x.Idle.Total != whole.Idle.Total || x.Beside != whole.Beside || x.Late != whole.Late {
			t.Errorf("idle time %d is %+v, want that of the trace", i, x)
		}
	}
}

// TestProfiles: profiles of several processes are one; one without a sample is of
// code that waits, unless it ran; where the timer stops in the loop samples come from
// a trace.
func TestProfiles(t *testing.T) {
	cpu := func(samples int64, line int) []byte {
		fn := &profile.Function{ID: 1, Name: "main.f", Filename: "/m/x.go"}
		loc := &profile.Location{ID: 1, Line: []profile.Line{{Function: fn, Line: int64(line)}}}
		p := &profile.Profile{SampleType: []*profile.ValueType{{Type: "samples", Unit: "count"}, {Type: "cpu", Unit: "nanoseconds"}}, PeriodType: &profile.ValueType{Type: "cpu", Unit: "nanoseconds"}, Period: 2e6}
		if samples > 0 {
			p.Function, p.Location = []*profile.Function{fn}, []*profile.Location{loc}
			p.Sample = []*profile.Sample{{Value: []int64{samples, samples * 2e6}, Location: []*profile.Location{loc}}}
		}
		var b bytes.Buffer
		if err := p.Write(&b); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	for _, tt := range []struct {
		name  string
		cpu   float64 // of an operation; there are 12 of 10 ms
		whole float32
		files [][]byte
		want  string
	}{
		{"three", 9 * ms, 0, [][]byte{cpu(10, 7), cpu(20, 8), cpu(30, 8)}, "60 samples of 36 operations, lines 8:0.83 7:0.17, profiles 10 20 30, missing "},
		{"one without a sample, first", 4 * ms, 0, [][]byte{cpu(0, 7), cpu(20, 8)}, "20 samples of 24 operations, lines 8:1.00, profiles 0 20, missing "},
		{"one without a sample, last", 4 * ms, 0, [][]byte{cpu(20, 8), cpu(0, 7)}, "20 samples of 24 operations, lines 8:1.00, profiles 20 0, missing "},
		{"one without a sample, between", 4 * ms, 0, [][]byte{cpu(10, 7), cpu(0, 7), cpu(30, 8)}, "40 samples of 36 operations, lines 8:0.75 7:0.25, profiles 10 0 30, missing "},
		{"none in 48 ms: it waits", 4 * ms, 0, [][]byte{cpu(0, 7)}, "0 samples of 12 operations, lines, profiles 0, missing "},
		{"none in 50 ms: that is no profile", 50. / 12 * ms, 0, [][]byte{cpu(0, 7)}, "no profile, missing cpu of BenchmarkX/variant=new at 8: "},
		{"no profile", 9 * ms, 0, [][]byte{[]byte("x")}, "no profile, missing cpu of BenchmarkX/variant=new at 8: "},
		{"the timer stops in the loop: no trace", 9 * ms, 10 * ms, [][]byte{cpu(10, 7)}, "no profile, missing cpu of BenchmarkX/variant=new at 8: no execution trace"},
		{"the timer stops in the loop", 4 * ms, 10 * ms, [][]byte{recordedTrace(t)}, "0 samples of 12 operations, lines, profiles 0, missing "},
	} {
		w := measured(8)
		w.Each("new", 8, func(x *measure.Sample) { x.Whole = tt.whole })
		n := 0
		g, asked := gathers(t, w, func(kind string, _ sim.Process) (sim.Figures, error) {
			n++
			return sim.Figures{Wall: 10 * ms, CPU: tt.cpu, Values: map[string]int64{"faults": 24, "gc": 36, "live": 7}, Files: map[string][]byte{kind: tt.files[n-1]}}, nil
		})
		g.tried, g.noBinary = map[try]bool{}, "no binary"
		set := w.Set("new", 8)
		*set = evidence.Set{Bench: set.Bench, Procs: set.Procs}
		for k := range tt.files {
			if err := g.profile(t.Context(), w.V.New, k); err != nil {
				t.Fatal(err)
			}
		}
		got := "no profile"
		if set.CPU != nil {
			got = fmt.Sprintf("%d samples of %d operations, lines", set.CPU.Samples, set.Profiled.N)
			for _, l := range set.CPU.Lines {
				got += fmt.Sprintf(" %d:%.2f", l.Line, l.Share)
			}
			got += ", profiles"
			for _, p := range set.Profiles {
				got += fmt.Sprintf(" %d", p.Samples)
			}
			if h := set.Profiled.Heap; h == nil || h.Faults != 2 || h.Cycles != 3 || h.Live != 7 || set.Profiled.Wall != 10*ms || math.Abs(set.Profiled.CPU-tt.cpu) > 1 {
				t.Errorf("%s: the run was %+v with heap %+v, want what the processes said", tt.name, set.Profiled, h)
			}
			if !slices.Contains(set.Missing, "instructions: no binary") {
				t.Errorf("%s: missing %q, want instructions", tt.name, set.Missing)
			}
			set.Missing = nil
		}
		got += ", missing " + strings.Join(set.Missing, "; ")
		if !strings.HasPrefix(got, tt.want) || strings.HasSuffix(tt.want, "missing ") && got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		if many := strings.HasPrefix((*asked)[0], "cpu,many "); many != (tt.whole > 0) {
			t.Errorf("%s: asked for %q, samples of a trace: want %t", tt.name, *asked, tt.whole > 0)
		}
	}
}

// TestOperations: how many fill the time, by the slowest sample with a third of its
// set-up, at the processors asked for or else at one.
func TestOperations(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(w *world)
		d      time.Duration
		n      int64
		took   time.Duration
	}{
		{"ten fill it", func(w *world) {}, 100 * time.Millisecond, 10, 100 * time.Millisecond},
		{"and one more", func(w *world) {}, 101 * time.Millisecond, 11, 110 * time.Millisecond},
		{"one at least", func(w *world) {}, time.Millisecond, 1, 10 * time.Millisecond},
		{"no time: one", func(w *world) {}, 0, 1, 10 * time.Millisecond},
		{"by the slowest sample", func(w *world) { w.Samples[w.V.New][1].Wall = 20 * ms }, 100 * time.Millisecond, 5, 100 * time.Millisecond},
		{"with set-up", func(w *world) { w.Samples[w.V.New][1].Whole = 60 * ms }, 100 * time.Millisecond, 5, 100 * time.Millisecond},
		{"by those at one processor", func(w *world) {
			w.Samples[w.V.New] = nil
			w.Samples[w.Cell("new", 1)][0].Wall = 50 * ms
		}, 100 * time.Millisecond, 2, 100 * time.Millisecond},
		{"by its own though slower at one", func(w *world) { w.Samples[w.Cell("new", 1)][0].Wall = 50 * ms }, 100 * time.Millisecond, 10, 100 * time.Millisecond},
		{"no samples: one", func(w *world) { w.Samples = nil }, 100 * time.Millisecond, 1, 0},
	} {
		w := measured(8)
		tt.change(w)
		if n, _, took := (&gathering{s: w.Series}).operations(w.V.New, tt.d); n != tt.n || took != tt.took {
			t.Errorf("%s: %d in %v, want %d in %v", tt.name, n, took, tt.n, tt.took)
		}
	}
}

// TestUserCode: the user's are the package's own folder and what is no library; lines
// are shown of what can be edited.
func TestUserCode(t *testing.T) {
	g := &gathering{o: Options{Source: "/go/src/sort"}}
	for _, tt := range []struct {
		fn, file    string
		user, place bool
	}{
		{"sort.Sort", "/go/src/sort/sort.go", true, true},
		{"sort.sub.F", "/go/src/sort/sub/x.go", false, true},
		{"main.f", "/m/x.go", true, true},
		{"example.com/d.F", "/go/pkg/mod/example.com/d@v1.0.0/d.go", true, false},
		{"example.com/d.F", "example.com/d@v1.0.0/d.go", true, false},
		{"example.com/d.F", "/m/vendor/example.com/d/d.go", true, false},
		{"runtime.f", "/go/src/runtime/x.go", false, true},
	} {
		if user, place := g.user(tt.fn, tt.file), stack.Edited(tt.fn, tt.file); user != tt.user || place != tt.place {
			t.Errorf("%s of %s: the user's %t, shown %t; want %t and %t", tt.fn, tt.file, user, place, tt.user, tt.place)
		}
	}
	if (&gathering{}).user("x", "x.go") != stack.IsUser("x", "x.go") {
		t.Error("without a folder all of no folder is the user's")
	}
}

// Files are named by a number, benchmark, processors and kind.
func TestFileNames(t *testing.T) {
	if got := ProfileName(measure.Cell{Bench: "BenchmarkX/variant=a b", Procs: 8}); got != "-BenchmarkX_variant=a_b-8.cpu.pprof" {
		t.Errorf("a profile is named %q", got)
	}
	if got := evidenceName(measure.Cell{Bench: "B" + strings.Repeat("x", 200), Procs: 16}, "trace"); got != "-B"+strings.Repeat("x", 99)+"-16.trace" {
		t.Errorf("a trace is named %q", got)
	}
	var names []string
	g := &gathering{files: 41, o: Options{File: func(name string, _ []byte) error {
		names = append(names, name)
		return nil
	}}}
	if err := g.keep(measure.Cell{Bench: "B", Procs: 8}, "locks", "locks", map[string][]byte{"locks.mutex": nil, "locks.block": nil, "other": nil}); err != nil || !slices.Equal(names, []string{"042-B-8.locks.block", "042-B-8.locks.mutex"}) {
		t.Errorf("kept %q, %v", names, err)
	}
}

// TestSidesNeed: a verdict needs so many profiles of three cells and so many traces of
// one, and does not begin where its share has no time for all that is not there yet.
func TestSidesNeed(t *testing.T) {
	for _, tt := range []struct {
		name  string
		had   []try
		share time.Duration // 0: none
		want  string
		err   error
	}{
		{"all", nil, 0, "cpu new-8 ×12, cpu new-8 ×12, trace new-8 ×4, cpu new-1 ×12, cpu new-1 ×12, cpu serial-1 ×12, cpu serial-1 ×12", nil},
		{"as long as it takes", nil, 760 * time.Millisecond, "cpu new-8 ×12, cpu new-8 ×12, trace new-8 ×4, cpu new-1 ×12, cpu new-1 ×12, cpu serial-1 ×12, cpu serial-1 ×12", nil},
		{"longer than the share", nil, 760*time.Millisecond - 1, "", errShare},
		{"what is there takes no time", []try{{measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 1}, cpuFile, 0}, {measure.Cell{Bench: "BenchmarkX/variant=new", Procs: 1}, cpuFile, 1}}, 520 * time.Millisecond, "cpu new-8 ×12, cpu new-8 ×12, trace new-8 ×4, cpu serial-1 ×12, cpu serial-1 ×12", nil},
		{"what failed is not tried again", []try{{measure.Cell{Bench: "BenchmarkX/variant=serial", Procs: 1}, cpuFile, failed}}, 520 * time.Millisecond, "cpu new-8 ×12, cpu new-8 ×12, trace new-8 ×4, cpu new-1 ×12, cpu new-1 ×12", nil},
	} {
		w := measured(8)
		g, asked := gathers(t, w, nil)
		g.tried = map[try]bool{}
		for _, x := range tt.had {
			g.tried[x] = true
		}
		g.o.Now = func() time.Time { return time.Unix(0, 0) }
		if tt.share > 0 {
			g.until = time.Unix(0, tt.share.Nanoseconds())
		}
		err := g.sides(t.Context(), w.V, 2, 1)
		// Runs fail here, and once is enough of each kind.
		var want []string
		for _, x := range strings.Split(tt.want, ", ") {
			if x != "" && !slices.Contains(want, x) {
				want = append(want, x)
			}
		}
		if !errors.Is(err, tt.err) || !slices.Equal(*asked, want) {
			t.Errorf("%s: %q, %v; want %q, %v", tt.name, *asked, err, want, tt.err)
		}
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errBudget)
	g, asked := gathers(t, measured(8), nil)
	if err := g.sides(ctx, measured(8).V, 2, 1); !errors.Is(err, errBudget) || len(*asked) > 0 {
		t.Errorf("%v after %q, want the end of the budget", err, *asked)
	}
}

// TestPass: what one verdict leaves of its share goes to the others, what does not fit
// comes again with what is left, the first then takes what it needs; an error ends it.
func TestPass(t *testing.T) {
	boom := errors.New("boom")
	verdict := func(name string) judge.Verdict { return judge.Verdict{New: measure.Cell{Bench: name, Procs: 8}} }
	type job struct {
		name  string
		needs time.Duration
		err   error
	}
	for _, tt := range []struct {
		name   string
		budget time.Duration
		jobs   []job
		want   string // each with the share that it had
		done   string
		err    error
	}{
		{"no budget", 0, []job{{"A", 9, nil}, {"B", 9, nil}}, "A 0s, B 0s", "A B", nil},
		{"equal shares", 90, []job{{"A", 30, nil}, {"B", 30, nil}, {"C", 30, nil}}, "A 30ns, B 30ns, C 30ns", "A B C", nil},
		{"what one does not use goes to the others", 90, []job{{"A", 10, nil}, {"B", 40, nil}, {"C", 40, nil}}, "A 30ns, B 40ns, C 40ns", "A B C", nil},
		{"what does not fit comes again", 90, []job{{"A", 50, nil}, {"B", 10, nil}, {"C", 10, nil}}, "A 30ns, B 30ns, C 40ns, A 70ns", "B C A", nil},
		{"two that do not fit share what is left", 100, []job{{"A", 45, nil}, {"B", 41, nil}, {"C", 1, nil}, {"D", 1, nil}}, "A 25ns, B 25ns, C 25ns, D 33ns, A 49ns, B 53ns", "C D A B", nil},
		{"where no share is enough the first takes what it needs", 100, []job{{"A", 60, nil}, {"B", 40, nil}, {"C", 90, nil}}, "A 33ns, B 33ns, C 33ns, A 100ns, B 20ns, C 20ns, B 40ns, C 0s, C 0s", "A B", nil},
		{"an error ends it", 90, []job{{"A", 10, nil}, {"B", 10, boom}, {"C", 10, nil}}, "A 30ns, B 40ns", "A", boom},
		{"an error of one that came again", 90, []job{{"A", 80, boom}, {"B", 70, nil}}, "A 45ns, B 45ns, A 90ns", "", boom},
	} {
		now := time.Unix(0, 0)
		var verdicts []judge.Verdict
		for _, j := range tt.jobs {
			verdicts = append(verdicts, verdict(j.name))
		}
		var steps []string
		g := &gathering{s: &measure.Series{Package: "p"}, o: Options{Now: func() time.Time { return now }, Progress: func(format string, args ...any) { steps = append(steps, fmt.Sprintf(format, args...)) }}}
		if tt.budget > 0 {
			g.end = now.Add(tt.budget)
		}
		var got []string
		done, err := g.pass(t.Context(), leastEvidence, verdicts, func(_ context.Context, v judge.Verdict) error {
			share := time.Duration(0)
			if !g.until.IsZero() {
				share = g.until.Sub(now)
			}
			got = append(got, fmt.Sprintf("%s %v", v.New.Bench, share))
			j := tt.jobs[slices.IndexFunc(tt.jobs, func(j job) bool { return j.name == v.New.Bench })]
			if err := g.fits(j.needs); err != nil {
				return fmt.Errorf("on %s: %w", j.name, err)
			}
			now = now.Add(j.needs)
			return j.err
		})
		var names []string
		for _, v := range done {
			names = append(names, v.New.Bench)
		}
		if s := strings.Join(got, ", "); s != tt.want || strings.Join(names, " ") != tt.done || !errors.Is(err, tt.err) {
			t.Errorf("%s:\n got %s; done %s, %v\nwant %s; done %s, %v", tt.name, s, names, err, tt.want, tt.done, tt.err)
		}
		if want := fmt.Sprintf("p: evidence on A at 8 (1 of %d)", len(tt.jobs)); steps[0] != want {
			t.Errorf("%s: said %q first, want %q", tt.name, steps[0], want)
		}
	}
	// How long a process may be silent: by its share, a minute where there is none.
	g := &gathering{o: Options{Now: func() time.Time { return time.Unix(0, 0) }}}
	if got, want := g.patience(time.Second), measure.Patience(time.Minute, time.Second); got != want {
		t.Errorf("patience %v without a share, want %v", got, want)
	}
	g.until = time.Unix(7, 0)
	if got, want := g.patience(time.Second), measure.Patience(7*time.Second, time.Second); got != want {
		t.Errorf("patience %v of a share of 7s, want %v", got, want)
	}
}

// TestTrialSides: the ratio of a trial is the user's time by the changed one, in as
// many pairs, whose halves take turns to come first; an error of either ends it.
func TestTrialSides(t *testing.T) {
	boom := errors.New("boom")
	for _, tt := range []struct {
		name            string
		users, changed  float64
		usersErr, other error
		ratio           float64
	}{
		{"faster", 30 * ms, 10 * ms, nil, nil, 3},
		{"slower", 10 * ms, 20 * ms, nil, nil, 0.5},
		{"the user's fails", 10 * ms, 10 * ms, boom, nil, 0},
		{"the changed one fails", 10 * ms, 10 * ms, nil, boom, 0},
	} {
		var order []string
		built := func(name string, wall float64, err error) *measure.Subject {
			s, e := measure.Build(t.Context(), &sim.Host{Process: func(_ context.Context, p sim.Process) (sim.Figures, error) {
				order = append(order, fmt.Sprintf("%s %d×%d", name, p.Procs, p.N))
				return sim.Figures{Wall: wall, CPU: wall}, err
			}}, discover.Target{Package: "m"}, measure.BuildOptions{})
			if e != nil {
				t.Fatal(e)
			}
			return s
		}
		w := measured(8)
		g, _ := gathers(t, w, nil)
		g.c = built("user", tt.users, tt.usersErr)
		changed := built("changed", tt.changed, tt.other)
		lab := &Lab{Build: func(context.Context, overlay.Overlay) (*measure.Subject, error) { return changed, nil }}
		e := &edit.Draft{Does: []edit.Note{{What: "n", Says: "is apart"}}}
		x, err := lab.try(t.Context(), g, w.V.New, e)
		if tt.ratio == 0 {
			if !errors.Is(err, boom) {
				t.Errorf("%s: %+v, %v; want the error", tt.name, x, err)
			}
			continue
		}
		if err != nil || math.Abs(x.Ratio-tt.ratio) > 1e-9 || x.Pairs != 12 || x.Low > x.Ratio || x.High < x.Ratio || len(x.Does) != 1 {
			t.Errorf("%s: %+v, %v; want a ratio of %v of 12 pairs", tt.name, x, err, tt.ratio)
		}
		if got, want := strings.Join(order[:5], ", "), "user 8×4, changed 8×4, changed 8×4, user 8×4, user 8×4"; got != want || len(order) != 24 {
			t.Errorf("%s: %d runs: %s, …; want 24: %s", tt.name, len(order), got, want)
		}
	}
	lab := &Lab{Build: func(context.Context, overlay.Overlay) (*measure.Subject, error) { return nil, boom }}
	w := measured(8)
	g, _ := gathers(t, w, nil)
	if _, err := lab.try(t.Context(), g, w.V.New, &edit.Draft{}); !errors.Is(err, boom) {
		t.Errorf("code that does not build: %v", err)
	}
}

// TestHotPlaces: lines of two per cent and more, in files that can be found, once
// each, 16 at most.
func TestHotPlaces(t *testing.T) {
	set := &evidence.Set{CPU: &cpuprof.Digest{}}
	add := func(p source.Place, share float64) {
		set.CPU.Lines = append(set.CPU.Lines, cpuprof.Line{Place: p, Share: share})
	}
	add(line(1), 0.02)
	add(line(2), 0.019)
	add(source.Place{File: "/m/x.go", Line: 1, Func: "m.g"}, 0.5)
	add(source.Place{File: "x.go", Line: 3}, 0.5)
	add(line(4), 0.3)
	if got, want := hotPlaces(set), []source.Place{line(1).Spot(), line(4).Spot()}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for i := range 20 {
		add(line(10+i), 0.05)
	}
	if got := hotPlaces(set); len(got) != 16 || got[15].Line != 23 {
		t.Errorf("%d places up to %v, want 16 up to line 23", len(got), got[len(got)-1])
	}
	if got := hotPlaces(&evidence.Set{}); got != nil {
		t.Errorf("%v without a profile", got)
	}
	if _, err := Apart(t.Context(), nil, "p", &evidence.Set{}, padding.All); err == nil || err.Error() != "it was not watched which goroutine writes what" {
		t.Errorf("Apart of what was not watched: %v", err)
	}
	if _, err := Apart(t.Context(), nil, "p", &evidence.Set{Sharing: &evidence.Sharing{}}, padding.All); err == nil || err.Error() != "it was not watched which goroutine writes what" {
		t.Errorf("Apart of what was refused: %v", err)
	}
}

//go:noinline
func spot(xs []int) {
	for i := range xs {
		xs[i] += 3 // an instruction of this line
	}
}

// TestDecode: a hot address has its instruction, of its own line; the time goes there.
// An address that the binary does not have is left out, and said if there is no other.
func TestDecode(t *testing.T) {
	if runtime.GOARCH != "amd64" || runtime.GOOS != "linux" {
		t.Skip("looks for an address in its own binary")
	}
	name, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	b, err := instr.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	spot([]int{1, 2})
	fn := runtime.FuncForPC(reflect.ValueOf(spot).Pointer())
	addr := uint64(0)
	for a := uint64(fn.Entry()); a < uint64(fn.Entry())+200 && addr == 0; a++ {
		if x, err := b.At(a); err == nil && x.Kind == instr.RMW && x.Addr != a {
			addr = a // the one after it, as a profile has it
		}
	}
	if addr == 0 {
		t.Skip("no such instruction where the function is: the binary moved")
	}
	what, err := b.At(addr)
	if err != nil {
		t.Fatal(err)
	}
	file, at := b.Line(what.Addr)
	if !strings.HasSuffix(file, "gathered_test.go") {
		t.Fatalf("%x is of %s:%d, want this file", addr, file, at)
	}
	near := source.Place{File: file, Line: 1, Func: fn.Name()}
	g := &gathering{binary: b}
	to := source.Place{File: file, Line: at, Func: fn.Name()}
	set := &evidence.Set{CPU: &cpuprof.Digest{
		Lines: []cpuprof.Line{{Place: near, Share: 0.5, By: shares{stack.User: 0.3, stack.Map: 0.2}}, {Place: line(3), Share: 0.25, By: shares{stack.User: 0.25}}},
		Hot:   []cpuprof.Hot{{Addr: addr, Category: stack.User, Share: 0.28, User: near}, {Addr: 1, Category: stack.User, Share: 0.2, User: near}, {Addr: addr, Category: stack.Map, Share: 0.1, User: near}},
	}}
	g.decode(set)
	if len(set.Hot) != 2 || set.Hot[0].Where.User != to || set.Hot[0].What.Kind != instr.RMW || set.Hot[1].Where.User != near || set.Missing != nil {
		t.Errorf("hot %+v, missing %q; want the addition at %v, and time of maps where it was", set.Hot, set.Missing, to)
	}
	got := ""
	for _, l := range set.CPU.Lines {
		got += fmt.Sprintf("%s:%d %.2f, ", filepath.Base(l.File), l.Line, l.Share)
	}
	if want := fmt.Sprintf("gathered_test.go:%d 0.28, x.go:3 0.25, gathered_test.go:1 0.22, ", to.Line); got != want {
		t.Errorf("lines %s want %s", got, want)
	}
	set = &evidence.Set{CPU: &cpuprof.Digest{Hot: []cpuprof.Hot{{Addr: 1}}}}
	g.decode(set)
	if len(set.Hot) != 0 || len(set.Missing) != 1 || !strings.HasPrefix(set.Missing[0], "instructions: ") {
		t.Errorf("hot %+v, missing %q of an address that is not there", set.Hot, set.Missing)
	}
}
