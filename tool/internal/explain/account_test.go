package explain

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// TestOpened: what each side is, what was available, needed, lost and idle, by
// the figures of the cells that count.
func TestOpened(t *testing.T) {
	for _, tt := range []struct {
		name   string
		procs  int
		change func(w *world)
		want   string
	}{
		{"a variant at eight processors", 8, func(w *world) { w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1}) },
			"new 8 30, one 1 10, base serial 1 10; avail 40, useful 10, lost 30, idle 10; 8 processors"},
		{"its base at one processor, not at as many", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			w.Takes("serial", 8, 10*ms, 13*ms, shares{stack.User: 1})
		}, "new 8 30, one 1 10, base serial 1 10; avail 40, useful 10, lost 30, idle 10; 8 processors"},
		{"its base at as many, where it has a profile there alone", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			w.Takes("serial", 8, 10*ms, 11*ms, shares{stack.User: 1})
			w.Set("serial", 1).CPU = nil
		}, "new 8 30, one 1 10, base serial 8 11; avail 40, useful 11, lost 29, idle 10; 8 processors"},
		{"its base at as many, where it was not run at one", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			delete(w.Samples, w.Cell("serial", 1))
			delete(w.Evidence, w.Cell("serial", 1))
		}, "new 8 30, one 1 10, base serial 8 10; avail 40, useful 10, lost 30, idle 10; 8 processors"},
		{"a base without a profile mostly works", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			w.Set("serial", 1).CPU, w.Set("serial", 8).CPU = nil, nil
		}, "new 8 30, one 1 10, base serial 1 10; avail 40, useful 10, lost 30, idle 10; 8 processors"},
		{"no base", 8, func(w *world) {
			for _, p := range []int{1, 8} {
				delete(w.Samples, w.Cell("serial", p))
				delete(w.Evidence, w.Cell("serial", p))
			}
		}, "nothing"},
		{"no profile of the variant", 8, func(w *world) { w.Set("new", 8).CPU = nil }, "nothing"},
		{"no profile at one processor", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			w.Set("new", 1).CPU = nil
		}, "new 8 30, one none, base serial 1 10; avail 40, useful 10, lost 30, idle 10; 8 processors"},
		{"fewer processors than it asks for", 16, func(w *world) {
			w.Usable = 9
			w.Takes("new", 16, 5*ms, 30*ms, shares{stack.User: 1})
		}, "new 16 30, one 1 10, base serial 1 10; avail 45, useful 10, lost 35, idle 15; 9 processors"},
		{"processors that were not counted", 16, func(w *world) {
			w.Usable = 0
			w.Takes("new", 16, 5*ms, 30*ms, shares{stack.User: 1})
		}, "new 16 30, one 1 10, base serial 1 10; avail 80, useful 10, lost 70, idle 50; 16 processors"},
		{"what others took was not available", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			w.Each("new", 8, func(x *measure.Sample) { x.Others, x.Steal = 0.0625, 0.0625 })
		}, "new 8 30, one 1 10, base serial 1 10; avail 35, useful 10, lost 25, idle 5; 8 processors"},
		{"what ran was available", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 41*ms, shares{stack.User: 1})
		}, "new 8 41, one 1 10, base serial 1 10; avail 41, useful 10, lost 31, idle 0; 8 processors"},
		{"nothing is lost", 8, func(w *world) {
			w.Takes("new", 8, 0.5*ms, 4*ms, shares{stack.User: 1})
			w.Takes("new", 1, 9*ms, 9*ms, shares{stack.User: 1})
		}, "new 8 4, one 1 9, base serial 1 10; avail 4, useful 10, lost 0, idle 0; 8 processors"},
		{"nine tenths of its base on one processor", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			w.Takes("new", 1, 9*ms, 9*ms, shares{stack.User: 0.5, stack.Chan: 0.5})
		}, "new 8 30, one 1 9, base serial 1 10; avail 40, useful 10, lost 30, idle 10; 8 processors"},
		{"less than nine tenths: it is its own base, less what buys concurrency", 8, func(w *world) {
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			w.Takes("new", 1, 8*ms, 8*ms, shares{stack.User: 0.5, stack.Map: 0.25, stack.Chan: 0.125, stack.Switch: 0.125})
		}, "new 8 30, one 1 8, base new 1 8; avail 40, useful 6, lost 34, idle 10; 8 processors; itself"},
		{"against itself at one", 8, func(w *world) {
			w.V.Kind, w.V.BaseCell = measure.Scaling, w.Cell("new", 1)
			w.Takes("new", 8, 5*ms, 30*ms, shares{stack.User: 1})
			w.Takes("new", 1, 12*ms, 12*ms, shares{stack.User: 0.75, stack.Lock: 0.25})
		}, "new 8 30, one 1 12, base new 1 12; avail 40, useful 9, lost 31, idle 10; 8 processors"},
		{"against itself, without a profile at one", 8, func(w *world) {
			w.V.Kind, w.V.BaseCell = measure.Scaling, w.Cell("new", 1)
			w.Set("new", 1).CPU = nil
		}, "nothing"},
		{"at one processor", 1, func(w *world) {
			w.Takes("new", 1, 20*ms, 18*ms, shares{stack.User: 1})
		}, "new 1 18, one 1 18, base serial 1 10; avail 20, useful 10, lost 10, idle 2; 1 processors"},
		{"of one goroutine both: one processor is all it is about", 8, func(w *world) {
			for _, variant := range []string{"serial", "new"} {
				w.Each(variant, 8, func(x *measure.Sample) { x.Goroutines = 0 })
			}
			w.Takes("new", 8, 20*ms, 19*ms, shares{stack.User: 1})
		}, "new 8 19, one 8 19, base serial 1 10; avail 20, useful 10, lost 10, idle 1; 1 processors; single"},
		{"samples without processor time: the profiled run's", 8, func(w *world) {
			w.Each("new", 8, func(x *measure.Sample) { x.CPU = math.NaN() })
		}, "new 8 12, one 1 10, base serial 1 10; avail 88, useful 10, lost 78, idle 76; 8 processors"},
		{"a run without processor time", 8, func(w *world) {
			w.Each("new", 8, func(x *measure.Sample) { x.CPU = math.NaN() })
			w.Set("new", 8).Profiled.CPU = 0
		}, "nothing"},
	} {
		w := measured(tt.procs)
		tt.change(w)
		got := "nothing"
		if f := newFacts(w.Series, w.V, prices); f != nil {
			one := "none"
			if f.one != nil {
				one = fmt.Sprintf("%d %v", f.one.Cell.Procs, f.one.CPU/ms)
			}
			got = fmt.Sprintf("new %d %v, one %s, base %s %d %v; avail %v, useful %v, lost %v, idle %v; %d processors", f.new.Cell.Procs, f.new.CPU/ms, one,
				strings.TrimPrefix(f.base.Cell.Bench, "BenchmarkX/variant="), f.base.Cell.Procs, f.base.CPU/ms, f.avail/ms, f.useful/ms, f.lost/ms, f.idle/ms, f.procs)
			if f.self {
				got += "; itself"
			}
			if f.single {
				got += "; single"
			}
			if !(math.Abs(f.base.by(slices.Collect(maps.Keys(f.base.By))...)-f.base.CPU) < 1) && !f.self && f.v.Kind == measure.Variant {
				t.Errorf("%s: the base has %v of %v", tt.name, f.base.By, f.base.CPU)
			}
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// A serial program spends its time on the work, by whatever means; on the rest it
// spends time for the sake of concurrency.
func TestEffort(t *testing.T) {
	for c, work := range map[stack.Category]bool{
		stack.User: true, stack.Copy: true, stack.Map: true, stack.MapGrow: true, stack.SyncMap: true, stack.Alloc: true, stack.AllocWait: true, stack.Pool: true, stack.PoolMiss: true, stack.GC: true, stack.Sweep: true,
		stack.Syscall: true, stack.Cgo: true, stack.Net: true, stack.Dial: true, stack.Reflect: true, stack.Sort: true, stack.Timer: true, stack.TimerMade: true, stack.Clock: true, stack.Defer: true, stack.Runtime: true,
		stack.Chan: false, stack.Select: false, stack.Spawn: false, stack.Switch: false, stack.Idle: false, stack.Lock: false, stack.Cond: false, stack.RWMutex: false, stack.WaitGroup: false, stack.Once: false, stack.Stack: false, stack.Yield: false,
	} {
		w := measured(8)
		w.V.Kind, w.V.BaseCell = measure.Scaling, w.Cell("new", 1)
		w.Set("new", 1).CPU.Share = shares{c: 1}
		if got := newFacts(w.Series, w.V, prices).useful; got != 10*ms && work || got != 0 && !work {
			t.Errorf("%v of 10ms of %s is needed, want all: %t", got, c, work)
		}
	}
}

// Neither side starts a goroutine, and the trace shows none that waits.
func TestSingles(t *testing.T) {
	waits := func(kind exectrace.Kind) func(*world) {
		return func(w *world) { w.Traced(exectrace.Facts{Blocks: blocks(kind, 1, ms)}) }
	}
	cases := map[string]struct {
		change func(*world)
		want   bool
	}{
		"none":                              {func(*world) {}, true},
		"the variant starts one":            {func(w *world) { w.Each("new", 8, func(x *measure.Sample) { x.N, x.Goroutines = 4, 0.25 }) }, false},
		"the variant starts less than one":  {func(w *world) { w.Each("new", 8, func(x *measure.Sample) { x.N, x.Goroutines = 4, 0.24 }) }, true},
		"the base starts one":               {func(w *world) { w.Each("serial", 8, func(x *measure.Sample) { x.Goroutines = 1 }) }, false},
		"one sample of the base is unknown": {func(w *world) { w.Samples[w.Cell("serial", 8)][1].Goroutines = float32(math.NaN()) }, false},
		"the base was not run":              {func(w *world) { delete(w.Samples, w.Cell("serial", 8)) }, false},
		"against itself":                    {func(w *world) { w.V.Kind, w.V.BaseCell = measure.Scaling, w.Cell("new", 1) }, false},
		"more work than span":               {func(w *world) { w.Traced(exectrace.Facts{Work: 105, Span: 100}) }, false},
		"as much as span":                   {func(w *world) { w.Traced(exectrace.Facts{Work: 104, Span: 100}) }, true},
		"preempted":                         {waits(exectrace.Preempted), true},
		"in system calls":                   {waits(exectrace.Syscall), true},
	}
	for _, kind := range []exectrace.Kind{exectrace.Mutex, exectrace.RWMutex, exectrace.Once, exectrace.WaitGroup, exectrace.Cond, exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select, exectrace.Sleep, exectrace.Net} {
		cases["waits: "+string(kind)] = struct {
			change func(*world)
			want   bool
		}{waits(kind), false}
	}
	for name, tt := range cases {
		w := measured(8)
		for _, variant := range []string{"serial", "new"} {
			w.Each(variant, 8, func(x *measure.Sample) { x.Goroutines = 0 })
		}
		tt.change(w)
		if got := newFacts(w.Series, w.V, prices).single; got != tt.want {
			t.Errorf("%s: single = %t, want %t", name, got, tt.want)
		}
	}
}

// Idle time beside goroutines that were ready is theirs as far as they had work
// for it, over all traces; the rest is divided among those that ran.
func TestSettle(t *testing.T) {
	beside := exectrace.Beside{Lock: 10, Handoff: 20, Serial: 30, Forked: 15, Imbalance: 40} // 100 without a part of Serial
	idle := exectrace.Idle{Total: 1000, Runnable: 200, Lock: 1, Handoff: 2, Serial: 3, Forked: 2, Imbalance: 4, Waiting: 7, Sleep: 3, Net: 2, Syscall: 1, GC: 5, SerialSites: []exectrace.SiteTime{{Site: line(1), Time: 9}}, ImbalanceSites: []exectrace.SiteTime{{Site: line(2), Time: 8}}}
	for _, tt := range []struct {
		name  string
		late  float64
		idles []evidence.Idle
		want  string
	}{
		{"they had work for all", 200, nil, "ready 200 lock 1 handoff 2 serial 3 forked 2 imbalance 4 waiting 7"},
		{"they had work for most", 150, nil, "ready 150 lock 6 handoff 12 serial 18 forked 9.5 imbalance 24 waiting 7"},
		{"they had work for little: no more than ran", 10, nil, "ready 100 lock 11 handoff 22 serial 33 forked 17 imbalance 44 waiting 7"},
		{"the first trace counts by what is kept of it", 150, []evidence.Idle{{Idle: idle, Beside: beside, Late: 200}}, "ready 200 lock 1 handoff 2 serial 3 forked 2 imbalance 4 waiting 7"},
		{"several traces", 150, []evidence.Idle{
			{Idle: idle, Beside: beside, Late: 150},
			{Idle: exectrace.Idle{Total: 10, Runnable: 50, Lock: 100, Handoff: 200, Serial: 300, Forked: 50, Imbalance: 400, Waiting: 3}, Beside: exectrace.Beside{Lock: 10, Handoff: 0, Serial: 10, Forked: 5, Imbalance: 5}, Late: 25},
			{Idle: exectrace.Idle{}, Beside: exectrace.Beside{Handoff: 5, Forked: 10}, Late: 12.5},
		}, "ready 187.5 lock 110.6 handoff 214 serial 322.2 forked 66.42 imbalance 425.6 waiting 10"},
	} {
		set := &evidence.Set{Trace: &exectrace.Facts{Idle: idle, Beside: beside, Late: tt.late}, Idles: tt.idles}
		i := settle(set)
		got := fmt.Sprintf("ready %.4g lock %.4g handoff %.4g serial %.4g forked %.4g imbalance %.4g waiting %.4g", i.Runnable, i.Lock, i.Handoff, i.Serial, i.Forked, i.Imbalance, i.Waiting)
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		if len(i.SerialSites) != 1 || len(i.ImbalanceSites) != 1 || i.SerialSites[0].Site.Line != 1 || i.ImbalanceSites[0].Site.Line != 2 {
			t.Errorf("%s: sites %v and %v, want those of the first trace", tt.name, i.SerialSites, i.ImbalanceSites)
		}
	}
}

// What locks have of the time in which all wait is theirs.
func TestHeldWaits(t *testing.T) {
	i := held(exectrace.Idle{Total: 1000, Lock: 100, Waiting: 800, Sleep: 400, Net: 200, Syscall: 100, Cgo: 50, Held: 600})
	got := fmt.Sprint(i.Lock, i.Waiting, i.Sleep, i.Net, i.Syscall, i.Cgo)
	if want := "700 200 100 50 25 12.5"; got != want {
		t.Errorf("lock, waiting and its parts: %s, want %s", got, want)
	}
	if i := held(exectrace.Idle{Total: 10, Lock: 4, Waiting: 6, Sleep: 6}); i.Lock != 4 || i.Waiting != 6 || i.Sleep != 6 {
		t.Errorf("without locks: %+v", i)
	}
}

// Who has next to nothing to do keeps nobody from it by waiting for a lock: the time is
// of the one that does the work.
func TestBystood(t *testing.T) {
	for _, tt := range []struct {
		ran, lock, serial float64
		scale             float64 // idle time of all traces over that of this one
		started           int
	}{{1000, 0, 500, 1, 0}, {960, 40, 460, 1, 0}, {960, 80, 420, 2, 0}, {890, 300, 200, 1, 0}, {0, 300, 200, 1, 0}, {1000, 300, 200, 1, 1}} {
		was := exectrace.Idle{Total: 600 * tt.scale, Lock: 300, Serial: 200}
		i := bystood(&exectrace.Facts{Work: 1000, Opener: tt.ran, Goroutines: tt.started, Idle: exectrace.Idle{Total: 600}}, was)
		if i.Lock != tt.lock || i.Serial != tt.serial {
			t.Errorf("one that ran %v of 1000 and started %d: lock %v, serial %v; want %v, %v", tt.ran, tt.started, i.Lock, i.Serial, tt.lock, tt.serial)
		}
	}
}

// Of the time that one runs alone which has started others, the share that it spends
// in their functions is imbalance.
func TestForkedShare(t *testing.T) {
	for _, tt := range []struct {
		own, common       float64
		serial, imbalance float64
	}{{0.5, 0.25, 450, 150}, {0.5, 0, 500, 100}, {0, 0, 500, 100}, {0.5, 0.5, 400, 200}} {
		w := measured(8)
		w.Set("new", 8).CPU.Own, w.Set("new", 8).CPU.Common = tt.own, tt.common
		w.Traced(exectrace.Facts{Idle: exectrace.Idle{Total: 1000, Serial: 500, Forked: 100, Imbalance: 100}})
		if i := newFacts(w.Series, w.V, prices).away; i.Serial != tt.serial || i.Imbalance != tt.imbalance {
			t.Errorf("%v of %v in common: serial %v, imbalance %v; want %v and %v", tt.common, tt.own, i.Serial, i.Imbalance, tt.serial, tt.imbalance)
		}
	}
	// One goroutine is all that runs: no processor is idle beside it.
	w := measured(8)
	for _, variant := range []string{"serial", "new"} {
		w.Each(variant, 8, func(x *measure.Sample) { x.Goroutines = 0 })
	}
	w.Traced(exectrace.Facts{Idle: exectrace.Idle{Total: 1000, Serial: 1000}})
	if f := newFacts(w.Series, w.V, prices); !f.single || f.away.Total != 0 || f.bound() != nil {
		t.Errorf("single %t, idle %+v, bound %v; want one goroutine, and no idle time", f.single, f.away, f.bound())
	}
}

// A trace counts with the run that it is of, and a window.
func TestTraceCounts(t *testing.T) {
	for _, tt := range []struct {
		name   string
		change func(*evidence.Set)
		want   bool
	}{
		{"whole", func(*evidence.Set) {}, true},
		{"no run", func(s *evidence.Set) { s.Traced = nil }, false},
		{"no trace", func(s *evidence.Set) { s.Trace = nil }, false},
		{"no window", func(s *evidence.Set) { s.Trace.Window = 0 }, false},
	} {
		w := measured(8)
		w.Traced(exectrace.Facts{Goroutines: 70, Work: 90, BurdenedSpan: 60, Span: 30})
		tt.change(w.Set("new", 8))
		f := newFacts(w.Series, w.V, prices)
		if b := f.bound(); (f.trace != nil) != tt.want || (b != nil) != tt.want {
			t.Errorf("%s: trace %v, bound %v; want %t", tt.name, f.trace, b, tt.want)
		} else if tt.want && (f.n != 10 || b.Work != 9 || b.Span != 3 || b.Parallelism != 3 || b.Burdened != 1.5 || b.Procs != 8) {
			t.Errorf("%v operations, bound %+v; want 10, work 9 and span 3, parallelism 3, 1.5 burdened, at 8", f.n, b)
		}
	}
	// Without a path there is no bound.
	w := measured(8)
	w.Traced(exectrace.Facts{Work: 90})
	if b := newFacts(w.Series, w.V, prices).bound(); b != nil {
		t.Errorf("bound %+v without a span", b)
	}
}

// Goroutines are counted by the samples, or else by the trace.
func TestSpawned(t *testing.T) {
	w := measured(8)
	w.Traced(exectrace.Facts{Goroutines: 70})
	for i, n := range []float32{3, 5, float32(math.NaN())} {
		w.Samples[w.V.New][i].Goroutines = n
	}
	if got := newFacts(w.Series, w.V, prices).spawned(); got != 4 {
		t.Errorf("spawned = %v, want 4: the median of 3 and 5", got)
	}
	w.Each("new", 8, func(x *measure.Sample) { x.Goroutines = float32(math.NaN()) })
	if got := newFacts(w.Series, w.V, prices).spawned(); got != 7 {
		t.Errorf("spawned = %v, want 7: 70 in ten operations of the trace", got)
	}
	w.Set("new", 8).Trace = nil
	if got := newFacts(w.Series, w.V, prices).spawned(); got != 0 {
		t.Errorf("spawned = %v of what was not counted", got)
	}
}

// TestExcess: what is more than the base has, beyond two standard deviations of
// both profiles.
func TestExcess(t *testing.T) {
	for _, tt := range []struct {
		name                string
		share               float64 // of the variant, of 100 ms; the base has 0.1
		samples, baseSample int
		cpu                 float64
		want                float64
	}{
		// The deviation of 0.16 by 400 samples is 1.83 ms, that of 0.1 by 225 is 2 ms.
		{"beyond both", 0.1600, 400, 225, 100, 6},
		{"within both", 0.1530, 400, 225, 100, 0},
		{"beyond its own alone", 0.1360, 400, 1e9, 100, 3.6},
		{"within its own", 0.1330, 400, 1e9, 100, 0},
		{"beyond the base's alone", 0.1410, 1e9, 225, 100, 4.1},
		{"within the base's", 0.1390, 1e9, 225, 100, 0},
		{"as much", 0.1, 0, 0, 100, 0},
		{"less", 0.05, 0, 0, 100, 0},
	} {
		f := made(8, func(f *facts) {
			f.new.spends(20*ms, shares{stack.User: (1 - tt.share) * 100 * ms, stack.Chan: tt.share * 100 * ms})
			f.base.spends(20*ms, shares{stack.User: 90 * ms, stack.Chan: 10 * ms})
			f.new.Set.CPU.Samples, f.base.Set.CPU.Samples = tt.samples, tt.baseSample
		})
		if got := f.excess(stack.Chan) / ms; math.Abs(got-tt.want) > 1e-9 {
			t.Errorf("%s: excess = %v ms, want %v", tt.name, got, tt.want)
		}
	}
	// What is on one processor already, and what running at once adds, are apart.
	f := made(8, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Chan: 9 * ms, stack.Map: 1 * ms})
		f.one.spends(20*ms, shares{stack.User: 10 * ms, stack.Chan: 5 * ms, stack.Map: 2 * ms})
		f.base.spends(20*ms, shares{stack.User: 10 * ms, stack.Chan: 2 * ms, stack.Map: 2 * ms})
	})
	for _, x := range []struct {
		what      string
		got, want float64
	}{
		{"inflation", f.inflation(stack.Chan), 4}, {"overhead", f.overhead(stack.Chan), 3}, {"alone", f.alone(stack.Chan), 3}, {"excess", f.excess(stack.Chan), 7},
		{"inflation of what is less", f.inflation(stack.Map), 0}, {"overhead of two", f.overhead(stack.Chan, stack.Map), 3},
	} {
		if x.got != x.want*ms {
			t.Errorf("%s = %v, want %v", x.what, x.got/ms, x.want)
		}
	}
	f.one = nil
	if a, b, c := f.inflation(stack.Chan), f.overhead(stack.Chan), f.alone(stack.Chan); a != 0 || b != 0 || c != 7*ms {
		t.Errorf("inflation %v, overhead %v, alone %v without one processor; want 0, 0 and the excess", a, b, c)
	}
	f.one = f.new
	if a := f.inflation(stack.Chan); a != 0 {
		t.Errorf("inflation %v at one processor", a)
	}
}

// TestSide: a cell has the medians of its samples, collections by their mean, and
// what a longer run shows of its heap.
func TestSide(t *testing.T) {
	nan := float32(math.NaN())
	w := measured(8)
	c := w.Cell("new", 8)
	for i, x := range []float32{1, 2, 30} {
		s := &w.Samples[c][i]
		s.Wall, s.CPU, s.Allocs, s.Faults, s.System, s.Live, s.GC = float64(10*x), float64(100*x), 2*x, 3*x, 4*x, 5*x, 6*x
		s.Others, s.Steal, s.Got = 0.1*x, 0.01*x, 0.5
	}
	show := func() string {
		x := NewSide(w.Series, c)
		if x == nil {
			return "none"
		}
		return fmt.Sprintf("wall %.4g cpu %.4g stolen %.4g allocs %v faults %v system %v live %v cycles %v by %v", x.Wall, x.CPU, x.Stolen, x.Allocs, x.Faults, x.System, x.Live, x.Cycles, x.By)
	}
	for _, tt := range []struct {
		name   string
		change func(*evidence.Set)
		want   string
	}{
		// Stolen is 8 processors × 20 ns × (0.2 + 0.02).
		{"medians", func(*evidence.Set) {}, "wall 20 cpu 200 stolen 35.2 allocs 4 faults 6 system 8 live 10 cycles 66 by map[user:200]"},
		{"fewer faults in a longer run", func(s *evidence.Set) { s.Profiled.Heap = &evidence.Heap{Faults: 5, Cycles: 65, Live: 9} }, "wall 20 cpu 200 stolen 35.2 allocs 4 faults 5 system 8 live 10 cycles 66 by map[user:200]"},
		{"more of all in a longer run", func(s *evidence.Set) { s.Profiled.Heap = &evidence.Heap{Faults: 7, Cycles: 67, Live: 11} }, "wall 20 cpu 200 stolen 35.2 allocs 4 faults 6 system 8 live 11 cycles 67 by map[user:200]"},
		{"shares of a profile", func(s *evidence.Set) { s.CPU.Share = shares{stack.User: 0.75, stack.Map: 0.25} }, "wall 20 cpu 200 stolen 35.2 allocs 4 faults 6 system 8 live 11 cycles 67 by map[map:50 user:150]"},
		{"a profile without a sample", func(s *evidence.Set) { s.CPU = &cpuprof.Digest{} }, "wall 20 cpu 200 stolen 35.2 allocs 4 faults 6 system 8 live 11 cycles 67 by map[user:200]"},
		{"no profile", func(s *evidence.Set) { s.CPU = nil }, "wall 20 cpu 200 stolen 35.2 allocs 4 faults 6 system 8 live 11 cycles 67 by map[]"},
		{"older records know what its threads waited", func(*evidence.Set) {
			for i := range w.Samples[c] {
				w.Samples[c][i].Others = nan
			}
		}, "wall 20 cpu 200 stolen 200 allocs 4 faults 6 system 8 live 11 cycles 67 by map[]"},
		{"figures that are not known", func(s *evidence.Set) {
			s.Profiled.Heap = nil
			for i := range w.Samples[c] {
				x := &w.Samples[c][i]
				x.Faults, x.System, x.Live = nan, nan, nan
			}
			w.Samples[c][1].GC = nan
		}, "wall 20 cpu 200 stolen 200 allocs 4 faults 0 system 0 live 0 cycles 0 by map[]"},
		{"not timed: the profiled run", func(s *evidence.Set) {
			delete(w.Samples, c)
			s.Profiled.Heap = &evidence.Heap{Faults: 7, Cycles: 67, Live: 11}
		}, "wall 1.1e+07 cpu 1.2e+07 stolen 0 allocs 0 faults 7 system 0 live 11 cycles 67 by map[]"},
		{"not run", func(s *evidence.Set) { s.Profiled = nil }, "none"},
	} {
		tt.change(w.Evidence[c])
		if got := show(); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
	}
}

// TestKinds: time behind instructions of a kind, in user code, on memory that
// others can reach.
func TestKinds(t *testing.T) {
	x := made(8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 80 * ms, stack.Lock: 20 * ms})
		f.new.waits(1, instr.Load, 10*ms)
		f.new.waits(2, instr.Load, 5*ms)
		f.new.waits(3, instr.Store, 7*ms)
		f.new.waits(4, instr.Load, 3*ms)
		f.new.waits(5, instr.Load, 2*ms)
		f.new.waits(6, instr.Locked, 4*ms)
		f.new.waits(6, instr.Locked, 1*ms)
		f.new.waits(6, instr.Compute, 45*ms)
		f.new.waits(7, instr.RMW, 6*ms)
		f.new.waits(8, instr.RMW, 6.5*ms)
		f.new.Set.Hot[3].Where.Category = stack.Lock
		f.new.Set.Hot[4].What.Stack = true
		f.new.Set.Hot[9].What.Stack = true
	}).new
	for _, tt := range []struct {
		what      string
		got, want float64
	}{
		{"loads", x.kind(instr.Load), 15}, {"loads and stores", x.kind(instr.Load, instr.Store), 22},
		{"updates: atomics with a tenth of their line do not stand out", x.updates(), 6},
		{"no side", (*Side)(nil).kind(instr.Load) + (*Side)(nil).updates(), 0},
	} {
		if math.Abs(tt.got-tt.want*ms) > 1 {
			t.Errorf("%s: %v ms, want %v", tt.what, tt.got/ms, tt.want)
		}
	}
	x.Set.Hot[6].Where.Share += 0.001
	if got := x.updates(); math.Abs(got-56.1*ms) > 1 {
		t.Errorf("updates = %v ms, want 56.1: all of the line in which atomics stand out", got/ms)
	}
	for i := range x.Set.Hot {
		x.Set.Hot[i].Where.Share *= 10
	}
	if got := x.updates(); got != 100*ms {
		t.Errorf("updates = %v ms, want no more than all", got/ms)
	}
	if h := x.hottest(instr.Store, instr.RMW); h == nil || h.Where.User.Line != 3 {
		t.Errorf("hottest = %+v, want that of line 3", h)
	}
	x.Set.Hot = x.Set.Hot[3:5]
	if h := x.hottest(instr.Load); h != nil {
		t.Errorf("hottest = %+v of other code and of its own stack", h)
	}
	if got := x.kind(instr.Load) + float64(len(x.updated())); got != 0 {
		t.Errorf("%v of other code and of its own stack", got)
	}
}

// TestMissing: what could not be had, of each side, once; that there is one profile
// of it; that others used the machine.
func TestMissing(t *testing.T) {
	w := measured(8)
	w.Set("new", 8).Missing = []string{"trace: no", "counters: none"}
	w.Set("new", 1).Missing = []string{"counters: none"}
	w.Set("serial", 1).Missing = []string{"cpu: no"}
	w.Set("new", 8).Profiles = make([]evidence.Profile, 2)
	w.Set("new", 1).Profiles = make([]evidence.Profile, 1)
	w.Set("serial", 1).Profiles = make([]evidence.Profile, 1)
	w.Set("new", 8).Disturbed = []string{"trace", "cpu"}
	w.Set("serial", 1).Disturbed = []string{"cpu"}
	got := strings.Join(newFacts(w.Series, w.V, prices).missing(), "\n")
	const want = `trace: no
counters: none
what an idle machine shows: others used the machine in 2 evidence runs of it at 8
how sure the causes are: there is one profile of it at 1
cpu: no
how sure the causes are: there is one profile of its base
what an idle machine shows: others used the machine in 1 evidence runs of its base`
	if got != want {
		t.Errorf("missing:\n%s\nwant\n%s", got, want)
	}
}

// TestAccount: when there is something to explain, what is a cause, and which comes
// first.
func TestAccount(t *testing.T) {
	for _, tt := range []struct {
		name   string
		procs  int
		change func(w *world)
		want   string
	}{
		{"a tenth of what was available is lost", 8, func(w *world) {
			w.Takes("new", 8, 12.5*ms, 100*ms, shares{stack.User: 0.9, stack.Chan: 0.1})
			w.Takes("new", 1, 90*ms, 90*ms, shares{stack.User: 1})
			w.Takes("serial", 1, 90*ms, 90*ms, shares{stack.User: 1})
		}, "lost 10 of 100, 90 needed: handoff 10 (100%); unexplained 0%"},
		{"under a tenth is", 8, func(w *world) {
			w.Takes("new", 8, 12.5*ms, 100*ms, shares{stack.User: 0.901, stack.Chan: 0.099})
			w.Takes("new", 1, 90.1*ms, 90.1*ms, shares{stack.User: 1})
			w.Takes("serial", 1, 90.1*ms, 90.1*ms, shares{stack.User: 1})
		}, "lost 9.9 of 100, 90.1 needed: known; unexplained ?"},
		{"under a tenth, and it loses not", 8, func(w *world) {
			w.V.Word = judge.Even
			w.Takes("new", 8, 12.5*ms, 100*ms, shares{stack.User: 0.901, stack.Chan: 0.099})
			w.Takes("new", 1, 90.1*ms, 90.1*ms, shares{stack.User: 1})
			w.Takes("serial", 1, 90.1*ms, 90.1*ms, shares{stack.User: 1})
		}, "lost 9.9 of 100, 90.1 needed; unexplained ?"},
		{"under a tenth, by the layout", 8, func(w *world) {
			w.V.ByLayout, w.V.Layout = true, &stats.LayoutEffect{SD: 0.1, P: 0.01}
			w.V.Word = judge.Even
			w.Takes("new", 8, 12.5*ms, 100*ms, shares{stack.User: 1})
			w.Takes("new", 1, 90.1*ms, 90.1*ms, shares{stack.User: 1})
			w.Takes("serial", 1, 90.1*ms, 90.1*ms, shares{stack.User: 1})
		}, "lost 9.9 of 100, 90.1 needed: layout 9.9 (100%); unexplained ?"},
		{"causes of a tenth of the loss, most first, and what no rule claims", 8, func(w *world) {
			w.Takes("new", 8, 12.5*ms, 100*ms, shares{stack.User: 0.1, stack.Chan: 0.1, stack.SyncMap: 0.3, stack.Reflect: 0.089, stack.Cgo: 0.091, stack.Runtime: 0.32})
		}, "lost 90 of 100, 10 needed: syncmap 30 (33%) handoff 10 (11%) cgo 9.1 (10%); unexplained 36%"},
		{"equal causes come in the order of the rules", 8, func(w *world) {
			w.Takes("new", 8, 12.5*ms, 100*ms, shares{stack.User: 0.1, stack.SyncMap: 0.3, stack.Reflect: 0.3, stack.Cgo: 0.3})
		}, "lost 90 of 100, 10 needed: syncmap 30 (33%) cgo 30 (33%) reflection 30 (33%); unexplained 0%"},
		{"a cause of a twentieth of what was available", 8, func(w *world) {
			w.Takes("new", 8, 12.5*ms, 100*ms, shares{stack.User: 0.7, stack.Cgo: 0.05, stack.Runtime: 0.25})
			w.Takes("new", 1, 70*ms, 70*ms, shares{stack.User: 1})
			w.Takes("serial", 1, 70*ms, 70*ms, shares{stack.User: 1})
		}, "lost 30 of 100, 70 needed: cgo 5 (17%); unexplained 83%"},
		{"one of less", 8, func(w *world) {
			w.Takes("new", 8, 12.5*ms, 100*ms, shares{stack.User: 0.7, stack.Cgo: 0.049, stack.Runtime: 0.251})
			w.Takes("new", 1, 70*ms, 70*ms, shares{stack.User: 1})
			w.Takes("serial", 1, 70*ms, 70*ms, shares{stack.User: 1})
		}, "lost 30 of 100, 70 needed: known; unexplained 84%"},
		{"it pays plainly", 8, func(w *world) {
			w.V.Word, w.V.Low, w.V.High = judge.Pays, 5, 5.4
			w.Takes("new", 8, 2*ms, 16*ms, shares{stack.User: 0.625, stack.Chan: 0.375})
		}, "lost 6 of 16, 10 needed; unexplained ?"},
		{"it pays, though not plainly", 8, func(w *world) {
			w.V.Word, w.V.Low, w.V.High = judge.Pays, 5, 5.3
			w.Takes("new", 8, 2*ms, 16*ms, shares{stack.User: 0.625, stack.Chan: 0.375})
		}, "lost 6 of 16, 10 needed: handoff 6 (100%); unexplained 0%"},
		{"it pays plainly, and loses by running on more processors", 8, func(w *world) {
			w.V.Word, w.V.Low, w.V.High = judge.Pays, 5, 5.4
			w.R.Verdicts = []judge.Verdict{{Kind: measure.Scaling, New: w.V.New, Word: judge.Loses}}
			w.Takes("new", 8, 2*ms, 16*ms, shares{stack.User: 0.625, stack.Chan: 0.375})
		}, "lost 6 of 16, 10 needed: handoff 6 (100%); unexplained 0%"},
		{"it may not lose at one processor, and is hardly idle", 1, func(w *world) {
			w.V.High = 1
			w.Takes("new", 1, 20*ms, 14*ms, shares{stack.User: 1})
		}, "lost 10 of 20, 10 needed: known; unexplained ?"},
		{"it loses at one processor", 1, func(w *world) {
			w.V.High = 0.99
			w.Takes("new", 1, 20*ms, 20*ms, shares{stack.User: 1})
		}, "lost 10 of 20, 10 needed: work 10 (100%); unexplained 0%"},
		{"it may not lose at one processor, but is idle as much as it runs", 1, func(w *world) {
			w.V.High = 1
			w.Takes("new", 1, 24*ms, 12*ms, shares{stack.User: 0.8, stack.Map: 0.2})
		}, "lost 14 of 24, 10 needed: work 2 (14%); unexplained 86%"},
		{"it may not lose at eight", 8, func(w *world) {
			w.V.High = 1
			w.Takes("new", 8, 2.5*ms, 20*ms, shares{stack.User: 0.5, stack.Chan: 0.5})
		}, "lost 10 of 20, 10 needed: handoff 10 (100%); unexplained 0%"},
		{"few samples and no trace", 8, func(w *world) {
			w.Takes("new", 8, 2.5*ms, 20*ms, shares{stack.User: 0.5, stack.Chan: 0.5})
			w.Set("new", 8).CPU.Samples = 28
		}, "lost 10 of 20, 10 needed; unexplained 100%; missing causes: there is no trace, and 28 samples of processor time"},
		{"the machine's fault", 8, func(w *world) {
			w.V.Word, w.Given = judge.CannotSay, map[int]float64{8: 5.9}
			w.Takes("new", 8, 5*ms, 20*ms, shares{stack.Chan: 1})
		}, "lost 30 of 40, 10 needed: machine 30 (100%); unexplained 0%"},
		{"the machine gave little, and the code slept", 8, func(w *world) {
			w.V.Word, w.Given = judge.CannotSay, map[int]float64{8: 5.9}
			w.Takes("serial", 8, 50*ms, 10*ms, shares{stack.User: 1})
			w.Takes("new", 8, 50*ms, 20*ms, shares{stack.Chan: 1})
		}, "lost 390 of 400, 10 needed: known; unexplained 97%"},
		{"the machine gave enough", 8, func(w *world) {
			w.V.Word, w.Given = judge.CannotSay, map[int]float64{8: 6}
			w.Takes("new", 8, 5*ms, 20*ms, shares{stack.Chan: 1})
		}, "lost 30 of 40, 10 needed: handoff 10 (33%); unexplained 67%"},
		{"the machine gave little, but it loses", 8, func(w *world) {
			w.Given = map[int]float64{8: 2}
			w.Takes("new", 8, 5*ms, 20*ms, shares{stack.Chan: 1})
		}, "lost 30 of 40, 10 needed: handoff 10 (33%); unexplained 67%"},
		{"at one processor it does not matter what the machine gave", 1, func(w *world) {
			w.V.Word, w.V.High, w.Given = judge.CannotSay, 0.9, map[int]float64{1: 0.5}
			w.Takes("new", 1, 20*ms, 20*ms, shares{stack.User: 1})
		}, "lost 10 of 20, 10 needed: work 10 (100%); unexplained 0%"},
		{"what the machine gave is not known", 8, func(w *world) {
			w.V.Word = judge.CannotSay
			w.Takes("new", 8, 5*ms, 20*ms, shares{stack.Chan: 1})
		}, "lost 30 of 40, 10 needed: handoff 10 (33%); unexplained 67%"},
	} {
		w := measured(tt.procs)
		tt.change(w)
		x := account(w.Series, w.R, w.V, prices)
		got := fmt.Sprintf("lost %.3g of %.3g, %.3g needed", x.Lost/ms, x.Avail/ms, x.Useful/ms)
		sep := ": "
		for _, c := range x.Causes {
			got += fmt.Sprintf("%s%s %.3g (%.0f%%)", sep, c.Slug, c.NS/ms, 100*c.Share)
			sep = " "
			if c.Title == "" || c.Do == "" || strings.ToUpper(c.Title[:1]) != c.Title[:1] {
				t.Errorf("%s: %s has title %q, and says to do %q", tt.name, c.Slug, c.Title, c.Do)
			}
		}
		if x.Known != nil {
			got += sep + "known"
		}
		if math.IsNaN(x.Unexplained) {
			got += "; unexplained ?"
		} else {
			got += fmt.Sprintf("; unexplained %.0f%%", 100*x.Unexplained)
		}
		if len(x.Missing) > 0 {
			got += "; missing " + strings.Join(x.Missing, ", ")
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got, tt.want)
		}
		if x.Page.New.Cell != w.V.New || x.Page.One.Cell != w.Cell("new", 1) || x.Page.Base.Cell != w.Cell("serial", 1) || x.Page.Evidence() != w.Set("new", tt.procs) || x.Self {
			t.Errorf("%s: page %+v, itself %t; want its sides", tt.name, x.Page, x.Self)
		}
	}
	if (Page{}).Evidence() != nil {
		t.Error("a page without sides has evidence")
	}
}

// TestWanted: which verdicts call for an explanation.
func TestWanted(t *testing.T) {
	idle := judge.Identity{Cores: judge.Factor{Value: 0.1, High: 0.49}, BaseCores: judge.Factor{High: 1}}
	scaling := func(w *world) {
		w.V.Kind, w.V.New.Bench = measure.Scaling, "BenchmarkY"
		w.V.BaseCell = measure.Cell{Bench: "BenchmarkY", Procs: 1}
		w.Samples[w.V.New] = slices.Clone(w.Samples[w.Cell("new", w.V.New.Procs)])
	}
	for _, tt := range []struct {
		name   string
		procs  int
		change func(w *world)
		want   bool
	}{
		{"it loses", 8, func(w *world) {}, true},
		{"it loses at one", 1, func(w *world) {}, true},
		{"no pair", 8, func(w *world) { w.V.Pairs = 0 }, false},
		{"its cost depends on b.N", 8, func(w *world) { w.V.Doubts = []judge.Doubt{{Kind: judge.DependsOnN}} }, false},
		{"it is even at eight", 8, func(w *world) { w.V.Word = judge.Even }, true},
		{"it is even at two", 2, func(w *world) { w.V.Word = judge.Even }, true},
		{"it is even at one", 1, func(w *world) { w.V.Word = judge.Even }, false},
		{"it is even at one, and waits half of the time", 1, func(w *world) { w.V.Word, w.V.Identity = judge.Even, idle }, true},
		{"it is even at one, and may wait half of the time", 1, func(w *world) {
			w.V.Word, w.V.Identity = judge.Even, idle
			w.V.Identity.Cores.High = 0.5
		}, false},
		{"it may lose a tenth at one", 1, func(w *world) { w.V.Word, w.V.Ratio = judge.CannotSay, 0.89 }, true},
		{"it may lose less at one", 1, func(w *world) { w.V.Word, w.V.Ratio = judge.CannotSay, 0.9 }, false},
		{"it is even with a tenth", 1, func(w *world) { w.V.Word, w.V.Ratio = judge.Even, 0.89 }, false},
		{"it pays, two thirds of the processors", 9, func(w *world) { w.V.Word, w.V.High = judge.Pays, 6 }, false},
		{"it pays, less than two thirds", 9, func(w *world) { w.V.Word, w.V.High = judge.Pays, 5.99 }, true},
		{"it pays, two thirds of those that there are", 16, func(w *world) { w.V.Word, w.V.High, w.Usable = judge.Pays, 6, 9 }, false},
		{"it pays, two thirds of those that it asks for, where they were not counted", 9, func(w *world) { w.V.Word, w.V.High, w.Usable = judge.Pays, 6, 0 }, false},
		{"it pays as workers do that are as many, and waits", 9, func(w *world) { w.V.Word, w.V.High, w.V.Identity = judge.Pays, 13.4, idle }, true},
		{"it pays more than that, and waits", 9, func(w *world) { w.V.Word, w.V.High, w.V.Identity = judge.Pays, 13.5, idle }, false},
		{"it pays as workers do that are as many, and works for half of the time", 9, func(w *world) {
			w.V.Word, w.V.High, w.V.Identity = judge.Pays, 9, idle
			w.V.Identity.Cores.High = 0.5
		}, false},
		{"it pays, and loses by more processors", 9, func(w *world) {
			w.V.Word, w.V.High = judge.Pays, 7
			w.R.Verdicts = []judge.Verdict{{Kind: measure.Scaling, New: w.V.New, Word: judge.Loses}}
		}, true},
		{"it pays, and does not lose by more processors", 9, func(w *world) {
			w.V.Word, w.V.High = judge.Pays, 7
			other := w.V.New
			other.Procs = 4
			w.R.Verdicts = []judge.Verdict{{Kind: measure.Scaling, New: w.V.New, Word: judge.Even}, {Kind: measure.Variant, New: w.V.New, Word: judge.Loses}, {Kind: measure.Scaling, New: other, Word: judge.Loses}}
		}, false},
		{"against itself, where it has a base", 8, func(w *world) { w.V.Kind, w.V.BaseCell = measure.Scaling, w.Cell("new", 1) }, false},
		{"against itself, the base", 8, func(w *world) {
			w.V.Kind, w.V.New, w.V.BaseCell = measure.Scaling, w.Cell("serial", 8), w.Cell("serial", 1)
		}, false},
		{"against itself, without a base", 8, scaling, true},
		{"against itself, even, of many goroutines", 8, func(w *world) { scaling(w); w.V.Word = judge.Even }, true},
		{"against itself, even, of one goroutine", 8, func(w *world) {
			scaling(w)
			w.V.Word = judge.Even
			for i := range w.Samples[w.V.New] {
				w.Samples[w.V.New][i].Goroutines = 0
			}
		}, false},
		{"against itself, of one goroutine that loses", 8, func(w *world) {
			scaling(w)
			for i := range w.Samples[w.V.New] {
				w.Samples[w.V.New][i].Goroutines = 0
			}
		}, true},
		{"against itself, of one goroutine that uses 1.1 processors", 8, func(w *world) {
			scaling(w)
			w.V.Word = judge.Even
			for i := range w.Samples[w.V.New] {
				x := &w.Samples[w.V.New][i]
				x.Goroutines, x.Wall, x.CPU = 0, 10, 11
			}
		}, true},
		{"against itself, of one goroutine that uses less", 8, func(w *world) {
			scaling(w)
			w.V.Word = judge.Even
			for i := range w.Samples[w.V.New] {
				x := &w.Samples[w.V.New][i]
				x.Goroutines, x.Wall, x.CPU = 0, 10, 10.9
			}
		}, false},
		{"against itself, not run", 8, func(w *world) {
			scaling(w)
			w.V.Word = judge.Even
			delete(w.Samples, w.V.New)
		}, true},
	} {
		w := measured(tt.procs)
		tt.change(w)
		if got := Wanted(w.Series, w.R, w.V); got != tt.want {
			t.Errorf("%s: wanted = %t, want %t", tt.name, got, tt.want)
		}
	}
}

// TestExplainWhich: which verdicts get a finding, where all are asked for and where
// not, and which get one without evidence.
func TestExplainWhich(t *testing.T) {
	alone := func(w *world) judge.Verdict {
		c := measure.Cell{Bench: "BenchmarkY", Procs: 9}
		w.Samples[c] = []measure.Sample{{N: 100, Wall: 10, CPU: 10}}
		return judge.Verdict{Kind: measure.Scaling, New: c, BaseCell: measure.Cell{Bench: "BenchmarkY", Procs: 1}, Word: judge.Even, Wall: 10, BaseWall: 11, Estimate: stats.Estimate{Ratio: 1, Low: 1, High: 1, Pairs: 12}}
	}
	for _, tt := range []struct {
		name      string
		change    func(w *world)
		some, all string
	}{
		{"a variant that loses", func(w *world) {}, "variant", "variant"},
		{"a variant that pays", func(w *world) { w.V.Word, w.V.High = judge.Pays, 7 }, "", "variant"},
		{"no pair", func(w *world) { w.V.Pairs = 0 }, "", ""},
		{"against itself, with a base", func(w *world) { w.V.Kind, w.V.BaseCell = measure.Scaling, w.Cell("new", 1) }, "", ""},
		{"one goroutine against itself, with a base", func(w *world) {
			w.V.Kind, w.V.BaseCell, w.V.Word = measure.Scaling, w.Cell("new", 1), judge.Even
			w.Each("new", 9, func(x *measure.Sample) { x.Goroutines = 0 })
			delete(w.Evidence, w.V.New)
		}, "", ""},
		{"one goroutine against itself", func(w *world) { w.V = alone(w) }, "serial 80 of 90, 10 needed", "serial 80 of 90, 10 needed"},
		{"one goroutine against itself, on fewer processors than asked for", func(w *world) { w.V, w.Usable = alone(w), 3 }, "serial 20 of 30, 10 needed", "serial 20 of 30, 10 needed"},
		{"one goroutine that cannot be judged", func(w *world) { w.V = alone(w); w.V.Word = judge.CannotSay }, "serial 80 of 90, 10 needed", "serial 80 of 90, 10 needed"},
		{"one goroutine that loses has no evidence", func(w *world) { w.V = alone(w); w.V.Word = judge.Loses }, "", ""},
		{"one goroutine that pays", func(w *world) { w.V = alone(w); w.V.Word = judge.Pays }, "", ""},
		{"one goroutine at one processor", func(w *world) {
			w.V = alone(w)
			one := measure.Cell{Bench: "BenchmarkY", Procs: 1}
			w.Samples[one] = w.Samples[w.V.New]
			w.V.New = one
		}, "", ""},
		{"one goroutine of which there is evidence", func(w *world) {
			w.V = alone(w)
			w.Evidence[w.V.New], w.Evidence[w.V.BaseCell] = w.Set("new", 9), w.Set("new", 1)
		}, "", "scaling"},
		{"one goroutine that waits", func(w *world) { w.V = alone(w); w.Samples[w.V.New][0].CPU = 4 }, "", ""},
		{"several goroutines against themselves, without evidence", func(w *world) { w.V = alone(w); w.Samples[w.V.New][0].Goroutines = 9 }, "", ""},
	} {
		w := measured(9)
		tt.change(w)
		w.R.Verdicts = []judge.Verdict{w.V}
		for _, all := range []bool{false, true} {
			got := ""
			for _, f := range Explain(w.Series, w.R, prices, all) {
				got += string(f.Verdict.Kind)
				if len(f.Causes) == 1 && f.Causes[0].Slug == "serial" {
					got = fmt.Sprintf("serial %v of %v, %v needed", f.Lost, f.Avail, f.Useful)
					if c := f.Causes[0]; c.NS != f.Lost || len(f.Losses) != 1 || f.Losses[0].NS != f.Lost {
						t.Errorf("%s: cause of %v, losses %+v; want all that was lost", tt.name, c.NS, f.Losses)
					}
				}
			}
			if want := map[bool]string{false: tt.some, true: tt.all}[all]; got != want {
				t.Errorf("%s, all %t: %q, want %q", tt.name, all, got, want)
			}
		}
	}
}

// TestLedgerOpens: idle time by kind as the trace has it, and accounts most first.
func TestLedgerOpens(t *testing.T) {
	f := made(8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 12 * ms, stack.Chan: 8 * ms, stack.Map: 2 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 580, Runnable: 10, Lock: 20, Handoff: 30, Serial: 40, Imbalance: 50, Syscall: 60, Waiting: 130, GC: 70, Sleep: 1, Net: 2}})
	})
	var got []string
	for _, a := range f.book.accounts() {
		got = append(got, fmt.Sprintf("%s %s %.4g", a.Kind, a.Of, a.NS/ms))
	}
	const want = "at once chan 8, idle: gc  7, idle: outside  7, idle: syscall  6, idle: imbalance  5, idle: serial  4, idle: handoff  3, at once map 2, at once user 2, idle: lock  2, idle: ready  1"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("accounts:\n%s\nwant\n%s", s, want)
	}
	// A claim on idle time of any kind takes what belongs to none first, and what
	// one that runs alone explains last.
	order := []Kind{IdleReady, IdleLock, IdleHandoff, IdleOutside, IdleSyscall, IdleCgo, IdleGC, IdleImbalance, IdleSerial}
	for i, k := range order {
		b := bucket{kind: k}
		if ns := f.book.left[b]; math.Abs(f.book.take(ns, idles...)-ns) > 1 || f.book.left[b] > 1 {
			t.Errorf("claim %d left %v of %s", i, f.book.left[b], k)
		}
	}
}

// What is saved at one place lowers what is spent at another, and what a side
// saves is never lost.
func TestSavings(t *testing.T) {
	for _, tt := range []struct {
		name           string
		base, one, new shares
		want           string
	}{
		{"saved at once lowers what is spent on one processor", shares{stack.User: 10}, shares{stack.User: 10, stack.Chan: 6, stack.Map: 4}, shares{stack.User: 7, stack.Chan: 6, stack.Map: 4}, "at one chan 4.2, at one map 2.8, idle 10"},
		{"saved on one processor lowers what is spent at once", shares{stack.User: 10}, shares{stack.User: 4}, shares{stack.User: 4, stack.Chan: 9}, "at once chan 3, idle 10"},
		{"saved beyond all lowers idle time", shares{stack.User: 10}, shares{stack.User: 4}, shares{stack.User: 4, stack.Chan: 2}, "idle 6"},
		{"saved on one processor and spent at once, on work or not", shares{stack.User: 10}, shares{stack.User: 6}, shares{stack.User: 6, stack.Copy: 5, stack.Chan: 5}, "at once chan 3, at once copy 3, idle 10"},
		{"its base looks for work", shares{stack.User: 10, stack.Idle: 16}, shares{stack.User: 10, stack.Chan: 4}, shares{stack.User: 10, stack.Chan: 12}, "at once chan 6"},
		{"looking for work is idle, on one processor too", shares{stack.User: 10}, shares{stack.User: 10, stack.Idle: 2}, shares{stack.User: 10, stack.Idle: 5}, "idle 15"},
	} {
		side := func(by shares) *Side {
			x := &Side{By: by}
			for _, ns := range by {
				x.CPU += ns
			}
			return x
		}
		f := &facts{base: side(tt.base), one: side(tt.one), new: side(tt.new), idle: 10}
		var got []string
		for _, a := range f.open().accounts() {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s %s", a.Kind, a.Of))+fmt.Sprintf(" %.4g", a.NS))
		}
		slices.Sort(got)
		if s := strings.Join(got, ", "); s != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, s, tt.want)
		}
	}
}

// TestConservation: whatever the evidence, each nanosecond that was lost has one
// account, one cause at most and one line: accounts add up to what was lost, what
// the causes took and what none explains add up to the accounts, and the places of
// a cause add up to it.
func TestConservation(t *testing.T) {
	seed := stress.Seed(t)
	cats := []stack.Category{stack.User, stack.Copy, stack.Map, stack.MapGrow, stack.SyncMap, stack.Alloc, stack.AllocWait, stack.Pool, stack.PoolMiss, stack.GC, stack.Sweep, stack.Syscall, stack.Cgo, stack.Net, stack.Dial, stack.Reflect, stack.Sort,
		stack.Timer, stack.TimerMade, stack.Clock, stack.Defer, stack.Runtime, stack.Chan, stack.Select, stack.Spawn, stack.Switch, stack.Idle, stack.Lock, stack.Cond, stack.RWMutex, stack.WaitGroup, stack.Once, stack.Stack, stack.Yield}
	kinds := []exectrace.Kind{exectrace.Mutex, exectrace.RWMutex, exectrace.Once, exectrace.WaitGroup, exectrace.Cond, exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select, exectrace.Sleep, exectrace.Net, exectrace.Syscall, exectrace.Cgo, exectrace.GC, exectrace.Preempted, exectrace.Yield}
	memory := []instr.Kind{instr.Locked, instr.RMW, instr.Store, instr.Load, instr.Stream, instr.Compute, instr.Pause}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*(math.Abs(a)+math.Abs(b)+1) }
	explained, worlds := 0, 100
	if stress.Long() {
		worlds = 1000
	}
	for n := range worlds {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
		procs := []int{1, 2, 3, 8, 9, 16}[r.IntN(6)]
		w := measured(procs)
		w.Cores, w.Cache = r.IntN(procs+1), r.IntN(3)*32e6
		fill := func(variant string, p int, cpu float64) {
			by, all := shares{}, 0.0
			for _, c := range cats {
				if c == stack.User || r.IntN(4) == 0 {
					by[c] = r.ExpFloat64()
					all += by[c]
				}
			}
			for c := range by {
				by[c] /= all
			}
			wall := cpu / float64(p) * (1 + r.ExpFloat64())
			w.Takes(variant, p, wall, cpu, by)
			w.Each(variant, p, func(x *measure.Sample) {
				x.Faults, x.System, x.Live, x.GC, x.Allocs = float32(r.IntN(3)*1e4), float32(cpu*r.Float64()/3), float32(r.IntN(3)*4e6), float32(r.IntN(2)), float32(r.IntN(1000))
				x.Goroutines = float32(r.IntN(3) * 50)
			})
			set := w.Set(variant, p)
			for l := range 12 {
				at := cpuprof.Line{Place: line(l/2 + 1), By: shares{}}
				if l%2 == 1 {
					at.Place.File = "/m/y.go"
				}
				for c, share := range by {
					if r.IntN(2) == 0 {
						at.By[c] = share / 12
						at.Share += share / 12
					}
				}
				set.CPU.Lines = append(set.CPU.Lines, at)
			}
			for range r.IntN(4) {
				set.Hot = append(set.Hot, evidence.Hot{Where: cpuprof.Hot{Category: stack.User, Share: by[stack.User] * r.Float64() / 3, User: line(r.IntN(9))}, What: instr.Hot{Kind: memory[r.IntN(len(memory))], Text: "OP"}})
			}
			for range r.IntN(3) {
				set.Shapes = append(set.Shapes, evidence.Shape{Place: line(r.IntN(6) + 1), Kind: []evidence.ShapeKind{evidence.Spin, evidence.Look, evidence.Sum, evidence.Claim}[r.IntN(4)]})
				set.Selects = append(set.Selects, evidence.Select{Place: line(r.IntN(6) + 1), Cases: r.IntN(9)})
			}
		}
		fill("serial", 1, 10*ms)
		fill("serial", procs, 10*ms)
		fill("new", 1, 10*ms*(0.7+r.ExpFloat64()))
		fill("new", procs, 10*ms*(1+3*r.ExpFloat64()))
		if r.IntN(4) > 0 {
			i := exectrace.Idle{Runnable: r.Float64(), Lock: r.Float64(), Handoff: r.Float64(), Serial: r.Float64(), Imbalance: r.Float64(), Sleep: r.Float64(), Net: r.Float64(), Syscall: r.Float64(), GC: r.Float64()}
			i.Forked, i.Waiting = i.Serial*r.Float64(), i.Sleep+i.Net+i.Syscall
			i.Total = i.Runnable + i.Lock + i.Handoff + i.Serial + i.Imbalance + i.Waiting + i.GC
			i.SerialSites = []exectrace.SiteTime{{Site: line(3), Time: i.Serial / 2}}
			i.ImbalanceSites = []exectrace.SiteTime{{Site: line(4), Time: i.Imbalance}}
			facts := exectrace.Facts{Idle: i, Beside: exectrace.Beside{Lock: r.Float64(), Handoff: r.Float64(), Serial: r.Float64(), Imbalance: r.Float64()}, Late: i.Runnable * r.Float64(), Goroutines: r.IntN(500), Work: 2, Span: 1,
				Yields: r.IntN(1000), Preempted: r.IntN(20), Syscalls: r.IntN(1000), UserRun: 100 * ms, RunnableWait: exectrace.Dist{N: 1 + r.IntN(100), Mean: r.Float64() * ms}, SpawnSites: []exectrace.SiteCount{{Site: line(5), N: 3}}}
			for range r.IntN(6) {
				facts.Blocks = append(facts.Blocks, block(kinds[r.IntN(len(kinds))], r.IntN(9)+1, 1+r.IntN(2000), ms*r.Float64()))
			}
			w.Traced(facts)
		}
		if r.IntN(2) == 0 {
			w.Set("new", procs).Sharing = met(r.IntN(400), r.IntN(400))
		}
		if r.IntN(4) == 0 {
			w.V.ByLayout, w.V.Layout = true, &stats.LayoutEffect{SD: 0.1}
		}
		x := explain(w.Series, w.R, w.V, prices)
		if x == nil || x.Accounts == nil {
			continue
		}
		explained++
		bad := func(format string, args ...any) {
			t.Errorf("seed %d, %d, at %d processors: %s", seed, n, procs, fmt.Sprintf(format, args...))
		}
		lost, taken := 0.0, map[string]float64{}
		for _, a := range x.Accounts {
			charged := 0.0
			for slug, ns := range a.Charged {
				charged += ns
				taken[slug] += ns
			}
			lost += a.NS
			if charged > a.NS*(1+1e-9) || a.NS <= 0 {
				bad("%s %s holds %v, and %v was charged to it", a.Kind, a.Of, a.NS, charged)
			}
		}
		if !near(lost, x.Lost) {
			bad("accounts hold %v, %v was lost", lost, x.Lost)
		}
		all := 0.0
		for _, ns := range taken {
			all += ns
		}
		if !near(all, (1-x.Unexplained)*x.Lost) {
			bad("%v was charged, %v of %v is unexplained", all, x.Unexplained, x.Lost)
		}
		placed := map[string]float64{}
		for _, l := range x.Losses {
			placed[l.Slug] += l.NS
			if l.NS < 0 {
				bad("%s lost %v at %v", l.Slug, l.NS, l.Place)
			}
		}
		for i, c := range x.Causes {
			if !near(c.NS, taken[c.Slug]) || !near(c.NS, placed[c.Slug]) || !near(c.Share*x.Lost, c.NS) {
				bad("%s took %v, was charged %v, has %v at its places, and %v of %v as its share", c.Slug, c.NS, taken[c.Slug], placed[c.Slug], c.Share, x.Lost)
			}
			if i > 0 && c.NS > x.Causes[i-1].NS {
				bad("%s of %v comes after %v", c.Slug, c.NS, x.Causes[i-1].NS)
			}
		}
		for slug, p := range x.placed {
			if got := p.spent.total() + p.followed.total(); !near(got, taken[slug]) {
				bad("%s was charged %v, and has %v by line", slug, taken[slug], got)
			}
		}
	}
	if explained < worlds/2 {
		t.Errorf("%d of %d had something to explain", explained, worlds)
	}
}

// Rules take evidence that is there in part: no side of one processor, a base without
// a set, no trace, no line.
func TestRulesOfParts(t *testing.T) {
	for name, part := range map[string]func(f *facts){
		"no side of one processor": func(f *facts) { f.one = nil },
		"a base without a set":     func(f *facts) { f.base.Set = nil },
		"one processor without a set": func(f *facts) {
			if f.one != nil && f.one != f.new {
				f.one.Set = &evidence.Set{}
			}
		},
		"no trace": func(f *facts) { f.trace, f.n, f.away = nil, 0, exectrace.Idle{} },
		"no line":  func(f *facts) { f.new.Set.CPU.Lines, f.new.Set.Hot = nil, nil },
	} {
		for _, tt := range claims {
			f := made(tt.procs, func(f *facts) {
				tt.change(f)
				part(f)
			})
			for _, r := range rules {
				f.book.by = r.cause.Slug
				c := r.claim(f)
				if math.IsNaN(c.ns) || c.ns < 0 {
					t.Errorf("%s, %s, %s: %s claims %v", tt.slug, tt.name, name, r.cause.Slug, c.ns)
				}
				for _, e := range c.evidence {
					if c.ns > 0 && (strings.Contains(e.Text, "NaN") || strings.Contains(e.Text, "Inf")) {
						t.Errorf("%s, %s, %s: %s says %q", tt.slug, tt.name, name, r.cause.Slug, e.Text)
					}
				}
			}
		}
	}
}
