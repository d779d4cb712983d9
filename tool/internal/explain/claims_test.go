package explain

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// made are facts as a rule finds them: a variant at so many processors, the same
// on one, and a base. Each takes 10 ms of user code until change says what else.
// A trace has ten operations, so that what it counts and what one operation has of
// it are not the same figure.
func made(procs int, change func(f *facts)) *facts {
	side := func(variant string, procs int) *Side {
		c := measure.Cell{Bench: "BenchmarkX/variant=" + variant, Procs: procs}
		x := &Side{Cell: c, Set: &evidence.Set{Bench: c.Bench, Procs: procs, CPU: &cpuprof.Digest{}}}
		x.spends(10*ms, shares{stack.User: 10 * ms})
		return x
	}
	f := &facts{
		s: &measure.Series{Package: "p", Usable: procs}, prices: prices, procs: procs,
		new: side("new", procs), one: side("new", 1), base: side("serial", 1),
	}
	f.v = judge.Verdict{Kind: measure.Variant, Base: "serial", New: f.new.Cell, BaseCell: f.base.Cell}
	if procs == 1 {
		f.one = f.new
	}
	change(f)
	f.useful = f.base.CPU
	f.avail = max(f.new.CPU, float64(f.procs)*f.new.Wall)
	f.idle, f.lost = f.avail-f.new.CPU, max(0, f.avail-f.useful)
	f.book, f.lines = f.open(), map[bucket]spread{}
	f.book.by = "it"
	return f
}

// spends gives a side its time and what its processor time goes to.
func (x *Side) spends(wall float64, by shares) {
	x.Wall, x.By, x.CPU = wall, by, 0
	for _, c := range slices.Sorted(maps.Keys(by)) {
		x.CPU += by[c]
	}
	x.Set.CPU.Share = shares{}
	for c, ns := range by {
		x.Set.CPU.Share[c] = ns / x.CPU
	}
}

// lined gives a side a line of source with such times.
func (x *Side) lined(n int, by shares) {
	l := cpuprof.Line{Place: line(n), By: shares{}}
	for c, ns := range by {
		l.By[c] = ns / x.CPU
		l.Share += ns / x.CPU
	}
	x.Set.CPU.Lines = append(x.Set.CPU.Lines, l)
}

// waits gives a side an instruction of user code that takes so long.
func (x *Side) waits(n int, kind instr.Kind, ns float64) {
	x.Set.Hot = append(x.Set.Hot, evidence.Hot{Where: cpuprof.Hot{Category: stack.User, Share: ns / x.CPU, User: line(n)}, What: instr.Hot{Kind: kind, Text: strings.ToUpper(string(kind))}})
}

// traced gives facts a trace of ten operations.
func (f *facts) traced(t exectrace.Facts) {
	if t.Window == 0 {
		t.Window = 10 * f.new.Wall
	}
	if t.Running == nil {
		t.Running = make([]float64, f.procs+1)
		t.Running[f.procs] = 1
	}
	f.trace, f.n = &t, 10
	f.new.Set.Trace, f.new.Set.Traced = &t, &evidence.Run{N: 10, Wall: f.new.Wall}
	f.away = settle(f.new.Set)
}

func block(kind exectrace.Kind, n, times int, total float64) exectrace.Block {
	return exectrace.Block{Kind: kind, Site: line(n), N: times, Total: total}
}

// told is a claim in words: what it took from which account, and what it says.
// A line of evidence ends in the number of the line of source it points at.
func told(f *facts, c claim) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%.5gms:", c.ns/ms)
	for _, k := range slices.SortedFunc(maps.Keys(f.book.spent), bucket.compare) {
		if ns := f.book.spent[k]["it"]; ns > 0 {
			fmt.Fprintf(&b, " %s %.5g,", strings.TrimSuffix(fmt.Sprintf("%s %s", k.kind, k.of), " "), ns/ms)
		}
	}
	s := strings.TrimRight(b.String(), ":,")
	if c.ns == 0 && len(c.evidence) == 0 {
		return "nothing"
	}
	at := func(p source.Place) string {
		if p.IsZero() {
			return ""
		}
		return fmt.Sprintf(" @%d", p.Line)
	}
	for _, l := range c.evidence {
		s += "\n" + l.Text + at(l.Site)
	}
	for _, x := range []struct{ what, text string }{{"price", c.price}, {"title", c.title}, {"do", c.do}} {
		if x.text != "" {
			s += "\n" + x.what + ": " + x.text
		}
	}
	if len(c.lines) > 0 {
		s += "\nlines:"
		for _, p := range c.lines {
			s += at(p)
		}
	}
	if len(c.sites) > 0 {
		s += "\nsites:"
		for _, x := range c.sites {
			s += fmt.Sprintf("%s %.5g", at(x.Site), x.Time)
		}
	}
	return s
}

// TestClaims: what each rule takes of which account at its thresholds, who is
// named, and in which unit. Each row ends in the claim, as told writes it.
func TestClaims(t *testing.T) {
	for _, tt := range claims {
		i := slices.IndexFunc(rules, func(r rule) bool { return r.cause.Slug == tt.slug })
		f := made(tt.procs, tt.change)
		if got := told(f, rules[i].claim(f)); got != tt.want {
			t.Errorf("%s, %s:\n got %s\nwant %s", tt.slug, tt.name, strings.ReplaceAll(got, "\n", "\n     "), strings.ReplaceAll(tt.want, "\n", "\n     "))
		}
	}
}

// each rule has rows.
func TestClaimsOfAll(t *testing.T) {
	for _, r := range rules {
		if !slices.ContainsFunc(claims, func(c claimed) bool { return c.slug == r.cause.Slug }) {
			t.Errorf("%s: no row in claims", r.cause.Slug)
		}
	}
}

// shareable is a variant that takes 30 ms more at once, behind writes of memory.
func shareable(f *facts) {
	f.new.spends(20*ms, shares{stack.User: 40 * ms})
	f.one.waits(7, instr.RMW, 1*ms)
	f.one.waits(8, instr.Locked, 2*ms)
	f.one.waits(9, instr.Load, 4*ms)
	f.new.waits(7, instr.RMW, 17*ms)
	f.new.waits(8, instr.Locked, 6*ms)
	f.new.waits(9, instr.Load, 4*ms)
}

// lockable is a variant that waits for locks of three kinds, whose maps move.
func lockable(f *facts) {
	f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Map: 8 * ms, stack.Lock: 20 * ms, stack.Once: 1 * ms, stack.RWMutex: 2 * ms, stack.Switch: 4 * ms, stack.Idle: 5 * ms})
	f.one.spends(16*ms, shares{stack.User: 10 * ms, stack.Map: 3 * ms, stack.Lock: 3 * ms})
	f.new.lined(6, shares{stack.Lock: 5 * ms, stack.Once: 0.5 * ms})
	f.new.lined(7, shares{stack.Lock: 5.2 * ms})
	f.new.lined(8, shares{stack.User: 9 * ms})
	f.traced(exectrace.Facts{Blocks: []exectrace.Block{
		block(exectrace.Mutex, 10, 400, 100*ms), block(exectrace.Mutex, 11, 500, 90*ms), block(exectrace.RWMutex, 12, 50, 9*ms), block(exectrace.Once, 13, 50, 1*ms),
		block(exectrace.ChanSend, 14, 1000, 1*ms),
	}, Idle: exectrace.Idle{Total: 1100 * ms, Lock: 500 * ms, Runnable: 100 * ms, Serial: 500 * ms}, Late: 100 * ms})
}

// convoy is a variant of two goroutines at a lock: one that waits is blocked for
// 80 µs, and ready for 700 before it runs for 40 and waits again.
func convoy(f *facts) {
	f.new.spends(11*ms, shares{stack.User: 10.5 * ms})
	b := block(exectrace.Mutex, 7, 100, 8*ms)
	b.Ready = 70 * ms
	f.traced(exectrace.Facts{Blocks: []exectrace.Block{b}, Idle: exectrace.Idle{Total: 80 * ms, Lock: 8 * ms, Runnable: 70 * ms, Imbalance: 2 * ms},
		Beside: exectrace.Beside{Lock: 70 * ms}, Late: 4 * ms})
}

// passing is a variant that takes locks for 3 ms on one processor and for 30 at once,
// and waits once in ten operations.
func passing(f *facts, cat stack.Category, x *evidence.Sharing) {
	f.new.spends(20*ms, shares{stack.User: 10 * ms, cat: 30 * ms, stack.Map: 6 * ms})
	f.one.spends(18*ms, shares{stack.User: 10 * ms, cat: 3 * ms, stack.Map: 5 * ms})
	f.new.lined(7, shares{cat: 30 * ms})
	f.new.Set.Sharing = x
	kind := exectrace.Mutex
	if cat == stack.RWMutex {
		kind = exectrace.RWMutex
	}
	f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(kind, 7, 1, 0.02*ms)}, Idle: exectrace.Idle{Total: 140 * ms, Waiting: 140 * ms}})
}

// handable is a variant that blocks 400 times in an operation on channels and
// 100 times on locks.
func handable(f *facts) {
	f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Chan: 30 * ms, stack.Select: 6 * ms, stack.Switch: 10 * ms, stack.Idle: 4 * ms})
	f.one.spends(40*ms, shares{stack.User: 10 * ms, stack.Chan: 20 * ms, stack.Switch: 10 * ms})
	f.new.lined(6, shares{stack.Chan: 9 * ms, stack.Select: 3 * ms})
	f.new.lined(7, shares{stack.Chan: 11 * ms})
	f.traced(exectrace.Facts{Run: exectrace.Dist{N: 4000, Median: 3000, Mean: 5000}, Blocks: []exectrace.Block{
		block(exectrace.ChanReceive, 10, 1500, 100*ms), block(exectrace.ChanSend, 11, 1600, 90*ms), block(exectrace.Select, 12, 700, 9*ms), block(exectrace.Cond, 13, 200, 1*ms),
		block(exectrace.Mutex, 14, 1000, 1*ms),
	}, Idle: exectrace.Idle{Total: 1000 * ms, Handoff: 500 * ms, Runnable: 200 * ms, Serial: 300 * ms}, Late: 200 * ms})
}

// spinning is a variant of which 10 ms run in tight loops until their time slices
// are over, ten times in ten operations.
func spinning(f *facts) {
	f.new.spends(10*ms, shares{stack.User: 30 * ms})
	spin(f)
}

func spin(f *facts) {
	f.new.waits(7, instr.Load, f.new.CPU*0.3)
	f.new.waits(8, instr.Pause, f.new.CPU*0.15)
	f.new.waits(9, instr.Locked, f.new.CPU*0.1)
	f.new.waits(10, instr.Compute, f.new.CPU*0.05)
	f.new.waits(11, instr.Load, f.new.CPU*0.05)
	f.traced(exectrace.Facts{Preempted: 25, RunnableWait: exectrace.Dist{N: 100, Mean: 0.51 * ms, P90: 2 * ms}, Blocks: []exectrace.Block{block(exectrace.Preempted, 12, 25, 9*ms)}})
}

// onMore says what an operation takes of processor time on 16 processors.
func (f *facts) onMore(ns float64) {
	f.s.Procs = append(f.s.Procs, 16)
	f.s.Add(measure.Cell{Bench: f.v.New.Bench, Procs: 16}, measure.Sample{N: 1, Wall: ns / 3, CPU: ns})
}

// solo is a variant that waits by running at line 7 for 12 ms in an operation, and on one
// processor for 80, until its time slices are over.
func solo(f *facts, cpu float64, preempted int) {
	f.new.spends(10*ms, shares{stack.User: 24 * ms})
	f.new.lined(7, shares{stack.User: 12 * ms})
	f.new.lined(8, shares{stack.User: 11 * ms})
	f.new.lined(9, shares{stack.User: 1 * ms})
	f.one.spends(cpu*ms, shares{stack.User: cpu * ms})
	f.one.lined(7, shares{stack.User: 40 * ms})
	f.one.lined(8, shares{stack.User: 20 * ms}) // not three times as long
	f.one.lined(9, shares{stack.User: 6 * ms})  // not a tenth
	f.traced(exectrace.Facts{})
	f.one.Set.Trace = &exectrace.Facts{Window: 10 * cpu * ms, Preempted: preempted, RunnableWait: exectrace.Dist{N: 100, Mean: 10 * ms}}
	f.one.Set.Traced = &evidence.Run{N: 10}
}

// looking is a variant that looks for 16 ms at line 7 whether it may go on, for 6 ms
// on one processor, and yields there.
func looking(f *facts) {
	f.new.spends(10*ms, shares{stack.User: 28 * ms})
	f.one.spends(18*ms, shares{stack.User: 17 * ms})
	for _, x := range []*Side{f.new, f.one} {
		x.Set.Shapes = []evidence.Shape{{Place: line(7), Kind: evidence.Look}}
	}
	f.new.lined(7, shares{stack.User: 16 * ms})
	f.one.lined(7, shares{stack.User: 6 * ms})
	f.traced(exectrace.Facts{Yields: 900, Preempted: 10, UserRun: 100 * ms, RunnableWait: exectrace.Dist{N: 1000, Mean: 0.2 * ms, P90: 2 * ms}})
	one := *f.trace
	one.Yields, one.Preempted, one.Window = 700, 20, 180*ms
	f.one.Set.Trace, f.one.Set.Traced = &one, &evidence.Run{N: 5}
}

// collecting is a variant that allocates and collects, and waits for that.
func collecting(f *facts) {
	f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Alloc: 6 * ms, stack.AllocWait: 1 * ms, stack.Sweep: 2 * ms, stack.GC: 12 * ms})
	f.one.spends(20*ms, shares{stack.User: 10 * ms, stack.Alloc: 5 * ms, stack.Sweep: 1 * ms, stack.GC: 5 * ms})
	f.base.spends(10*ms, shares{stack.User: 7 * ms, stack.Alloc: 1 * ms, stack.Sweep: 0.5 * ms, stack.GC: 1.5 * ms})
	f.new.lined(7, shares{stack.Alloc: 2 * ms, stack.GC: 1 * ms})
	f.new.lined(8, shares{stack.Alloc: 1 * ms, stack.AllocWait: 1 * ms, stack.Sweep: 1.5 * ms})
	f.new.Cycles, f.new.Allocs, f.base.Allocs = 0.25, 3000, 1000
	f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.GC, 10, 30, 90*ms), block(exectrace.GC, 11, 40, 10*ms)}, Idle: exectrace.Idle{Total: 490 * ms, GC: 190 * ms, Serial: 200 * ms, Imbalance: 100 * ms}})
}

// library is a variant that spends 12 ms in a part of the standard library, its base 2.
func library(f *facts, cat stack.Category) {
	f.new.spends(5*ms, shares{stack.User: 10 * ms, cat: 12 * ms, stack.Switch: 1 * ms, stack.Idle: 1 * ms})
	f.one.spends(22*ms, shares{stack.User: 10 * ms, cat: 8 * ms})
	f.base.spends(12*ms, shares{stack.User: 10 * ms, cat: 2 * ms})
	f.new.lined(7, shares{cat: 2 * ms, stack.User: 10 * ms})
	f.new.lined(8, shares{cat: 10 * ms})
	f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 160 * ms, Serial: 80 * ms, Imbalance: 40 * ms, Lock: 40 * ms}})
}

// background is a variant that starts a goroutine and waits for it, or not, with
// so many ms of work in ten operations.
func background(f *facts, work float64) {
	f.new.spends(10*ms, shares{stack.User: 10 * ms})
	f.traced(exectrace.Facts{Goroutines: 10, Running: []float64{0, 0.9, 0.1}, Work: work * ms, Span: 100 * ms, Idle: exectrace.Idle{Total: 100 * ms, Imbalance: 90 * ms, Serial: 10 * ms,
		ImbalanceSites: []exectrace.SiteTime{{Site: line(7), Time: 90 * ms}}, SerialSites: []exectrace.SiteTime{{Site: line(8), Time: 10 * ms}}}})
}

// threads is a variant that is slower at once, on a machine of so many cores.
func threads(f *facts, cores int) {
	f.s.Cores = cores
	f.new.spends(20*ms, shares{stack.User: 24 * ms, stack.Alloc: 6 * ms, stack.Copy: 9 * ms})
	f.one.spends(14*ms, shares{stack.User: 10 * ms, stack.Alloc: 4 * ms, stack.Copy: 3 * ms})
	f.new.lined(7, shares{stack.User: 9 * ms})
	f.new.lined(8, shares{stack.Copy: 9.5 * ms})
}

// streaming is a variant that copies 64 MB, on a machine whose cache holds less.
func streaming(f *facts) {
	f.s.Cache = 64e6
	f.new.spends(2*ms, shares{stack.User: 3 * ms, stack.Copy: 7 * ms})
	f.one.spends(7*ms, shares{stack.User: 3 * ms, stack.Copy: 4 * ms})
	f.base.spends(7*ms, shares{stack.User: 3 * ms, stack.Copy: 4 * ms})
	f.new.lined(7, shares{stack.Copy: 5 * ms})
	f.new.Set.Touched = 64e6
}

// reading is one that loads as much.
func reading(f *facts) {
	f.s.Cache = 32e6
	f.new.spends(1*ms, shares{stack.User: 6 * ms})
	f.one.spends(2*ms, shares{stack.User: 2 * ms})
	f.base.spends(2*ms, shares{stack.User: 2 * ms})
	f.one.waits(7, instr.Load, 1*ms)
	f.new.waits(7, instr.Load, 5*ms)
	f.new.Set.Touched = 64e6
	f.new.Set.Sharing = met(0, 0)
}

// guarding is a variant that is slower at once in its own code, with a lock.
func guarding(f *facts, x *evidence.Sharing) {
	f.new.spends(30*ms, shares{stack.User: 40 * ms, stack.Lock: 30 * ms})
	f.new.waits(7, instr.Locked, 40*ms)
	f.new.Set.Sharing = x
}

// met are goroutines that were watched, and met so often at lines 7 and 8.
func met(falsely, truly int) *evidence.Sharing {
	x := &sharing.Seen{Writes: 1000, False: falsely, True: truly}
	for _, p := range []sharing.Pair{
		{Kind: "false", Count: falsely, A: sharing.Site{Expr: "s[w]", Place: line(7)}, B: sharing.Site{Expr: "s[v]", Place: line(8)}},
		{Kind: "true", Count: truly, A: sharing.Site{Expr: "n", Place: line(17)}, B: sharing.Site{Expr: "n", Place: line(18)}},
	} {
		if p.Count > 0 {
			x.Pairs = append(x.Pairs, p)
		}
	}
	return &evidence.Sharing{Seen: x}
}

// padded adds a trial that moved the words apart.
func padded(x *evidence.Sharing, ratio, low, high float64) *evidence.Sharing {
	x.Pad = &evidence.Trial{Does: []edit.Note{{What: "elements of s", At: line(3), Says: "have room around them"}}, Ratio: ratio, Low: low, High: high, Pairs: 12}
	return x
}

// A claimed is a row of [claims].
type claimed struct {
	slug, name string
	procs      int
	change     func(f *facts)
	want       string
}

var claims = []claimed{
	// The layout of the code moves user code by sqrt(high/low).
	{"layout", "no effect of layouts", 2, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 40 * ms})
	}, "nothing"},
	{"layout", "it has no more than the layouts move", 2, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 40 * ms})
		f.v.ByLayout, f.v.Layout, f.v.Ratio = true, &stats.LayoutEffect{SD: 0.1, P: 0.012}, 0.5
	}, `5.4621ms: at once user 5.4621
in eight of ten layouts of the code it is 0.44x to 0.568x as fast as serial; that the layouts are alike has p = 0.012`},

	// Page faults: at least one, and a twentieth of the processor time at the price of one.
	{"pagefault", "a twentieth of the time", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 80 * ms})
		f.one.spends(20*ms, shares{stack.User: 15 * ms, stack.Copy: 4 * ms, stack.Syscall: 1 * ms})
		f.new.Faults, f.one.Faults, f.base.Faults = 4000, 3000, 1000
		f.new.System, f.one.System, f.base.System = 10*ms, 8*ms, 1*ms
		f.new.lined(7, shares{stack.User: 60 * ms})
		f.new.lined(8, shares{stack.Syscall: 70 * ms})
	}, `4ms: at once user 2, at one user 2
4000 page faults per operation; serial has 1000 @7
the kernel takes 10.00ms of processor time per operation, 12% of all; in serial 1.000ms
on one processor it takes 8.000ms: threads that fault at once queue there
price: the first touch of a page costs 1.000µs here`},
	{"pagefault", "under a twentieth", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 80 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms})
		f.new.Faults, f.one.Faults, f.base.Faults = 3999, 3000, 1000
		f.new.System, f.one.System, f.base.System = 10*ms, 8*ms, 1*ms
	}, "nothing"},
	{"pagefault", "the kernel's time bounds their number", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 60 * ms, stack.Syscall: 3 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms, stack.Syscall: 1 * ms})
		f.new.Faults, f.one.Faults, f.base.Faults = 50000, 50000, 0
		f.new.System, f.one.System, f.base.System = 11*ms, 5*ms, 1*ms
	}, `7ms: at once user 4, at one user 3
50000 page faults per operation; serial has 0
the kernel takes 11.00ms of processor time per operation, 17% of all; in serial 1.000ms
on one processor it takes 5.000ms: threads that fault at once queue there
price: the first touch of a page costs 1.000µs here`},
	{"pagefault", "not half a fault", 1, func(f *facts) {
		f.new.spends(1000, shares{stack.User: 1000})
		f.base.spends(100, shares{stack.User: 100})
		f.new.Faults, f.new.System = 0.9, 800
	}, "nothing"},
	{"pagefault", "one fault", 1, func(f *facts) {
		f.new.spends(1*ms/100, shares{stack.User: 1 * ms / 200, stack.Copy: 1 * ms / 200})
		f.base.spends(1*ms/1000, shares{stack.User: 1 * ms / 1000})
		f.new.Faults, f.new.System = 1, 1*ms/100
	}, `0.001ms: at one copy 0.00055556, at one user 0.00044444
1 page faults per operation; serial has 0
the kernel takes 10.00µs of processor time per operation, 100% of all; in serial 0s
price: the first touch of a page costs 1.000µs here`},
	{"pagefault", "threads queue in the kernel by 15 % at least", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 20 * ms})
		f.new.Faults, f.one.Faults, f.base.Faults = 2000, 2000, 2000
		f.new.System, f.one.System, f.base.System = 2.3*ms, 2*ms, 2*ms
	}, `0.3ms: at once user 0.3
2000 page faults per operation; serial has 2000
the kernel takes 2.300ms of processor time per operation, 12% of all; in serial 2.000ms
price: the first touch of a page costs 1.000µs here`},
	{"pagefault", "by more", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 20 * ms})
		f.new.Faults, f.one.Faults, f.base.Faults = 2000, 2000, 2000
		f.new.System, f.one.System, f.base.System = 2.31*ms, 2*ms, 2*ms
	}, `0.31ms: at once user 0.31
2000 page faults per operation; serial has 2000
the kernel takes 2.310ms of processor time per operation, 12% of all; in serial 2.000ms
on one processor it takes 2.000ms: threads that fault at once queue there
price: the first touch of a page costs 1.000µs here`},
	// False sharing and true sharing: what running at once adds, 15 % or more, two
	// fifths of it or more behind instructions that reach memory.
	{"falseshare", "not watched", 3, func(f *facts) { shareable(f) }, `16ms: at once user 16
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "three parts of four met falsely", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = met(300, 100)
	}, `22.5ms: at once user 22.5
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
lines: @7 @8`},
	{"trueshare", "one part of four met truly", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = met(300, 100)
	}, `7.5ms: at once user 7.5
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write n and n (x.go:18) in turns: the same word @17
lines: @17 @18`},
	{"falseshare", "on one processor nothing runs at once", 1, func(f *facts) {
		f.new.spends(40*ms, shares{stack.User: 40 * ms})
		f.new.waits(7, instr.RMW, 40*ms)
		f.new.Set.Sharing = met(300, 100)
	}, "nothing"},
	{"falseshare", "15 % more", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 11.5 * ms})
		f.new.waits(7, instr.RMW, 11.5*ms)
		f.new.Set.Sharing = met(300, 0)
	}, "nothing"},
	{"falseshare", "more than 15 % more", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 11.6 * ms})
		f.new.waits(7, instr.RMW, 11.6*ms)
		f.new.Set.Sharing = met(300, 0)
	}, `1.6ms: at once user 1.6
the same code takes 10.00ms of processor time on one processor and 11.60ms on 3
100% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
lines: @7 @8`},
	{"falseshare", "two fifths of it reach memory", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 40 * ms})
		f.one.waits(7, instr.Store, 2*ms)
		f.new.waits(7, instr.Store, 14*ms)
		f.new.Set.Sharing = met(300, 0)
	}, "nothing"},
	{"falseshare", "more than two fifths do", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 40 * ms})
		f.one.waits(7, instr.Store, 2*ms)
		f.new.waits(7, instr.Store, 14.1*ms)
		f.new.waits(8, instr.Compute, 20*ms)
		f.new.Set.Sharing = met(300, 0)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
35% of the time is behind the instruction STORE @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
lines: @7 @8`},
	{"falseshare", "instructions that are not known", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 40 * ms})
		f.new.Set.Sharing = met(300, 0)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
lines: @7 @8`},
	{"falseshare", "instructions that are not known, 15 % more", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 11.5 * ms})
		f.new.Set.Sharing = met(300, 0)
	}, "nothing"},
	{"falseshare", "too few met", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = met(15, 0)
	}, "nothing"},
	{"trueshare", "not watched: atomics go to one word", 3, func(f *facts) { shareable(f) }, `4ms: at once user 4
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "not watched, and one at a time", 3, func(f *facts) {
		shareable(f)
		f.traced(exectrace.Facts{Running: []float64{0.5, 0.451, 0.03, 0.019}})
	}, "nothing"},
	{"falseshare", "not watched, two at a time for a twentieth", 3, func(f *facts) {
		shareable(f)
		f.traced(exectrace.Facts{Running: []float64{0.5, 0.4, 0.03, 0.07}})
	}, `16ms: at once user 16
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "not watched: loads are the other side, since memory cannot do that", 3, func(f *facts) {
		shareable(f)
		f.new.waits(9, instr.Load, 8*ms)
	}, `22.4ms: at once user 22.4
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"trueshare", "not watched: loads are the other side, since memory cannot do that", 3, func(f *facts) {
		shareable(f)
		f.new.waits(9, instr.Load, 8*ms)
	}, `5.6ms: at once user 5.6
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "not watched: loads that memory can slow as much", 3, func(f *facts) {
		shareable(f)
		f.new.spends(20*ms, shares{stack.User: 37.5 * ms})
		f.new.waits(9, instr.Load, 8*ms)
	}, `14.938ms: at once user 14.938
the same code takes 10.00ms of processor time on one processor and 37.50ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "not watched: loads of what came along a channel", 3, func(f *facts) {
		shareable(f)
		f.new.waits(9, instr.Load, 8*ms)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Select, 3, 10, ms)}})
	}, `16ms: at once user 16
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "not watched: loads beside less than a message each", 3, func(f *facts) {
		shareable(f)
		f.new.waits(9, instr.Load, 8*ms)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Select, 3, 9, ms)}})
	}, `22.4ms: at once user 22.4
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "moved apart it is as slow, and words met truly", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 100), 1.0, 0.95, 1.09)
	}, "nothing"},
	{"trueshare", "moved apart it is as slow, and words met truly", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 100), 1.0, 0.95, 1.09)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write n and n (x.go:18) in turns: the same word @17
moved apart for a trial (elements of s at x.go:3 have room around them), no difference shows: 1.00x as fast [0.95, 1.09]
lines: @17 @18`},
	{"falseshare", "moved apart it may be a tenth faster: no more than that is false", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 100), 1.05, 0.95, 1.1)
	}, `3.6364ms: at once user 3.6364
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), no difference shows: 1.05x as fast [0.95, 1.10]
lines: @7 @8`},
	{"falseshare", "moved apart it is as slow, and none met truly", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 0), 1.0, 0.91, 1.09)
	}, "nothing"},
	{"falseshare", "moved apart it may be slower: that says nothing", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 0), 1.0, 0.9, 1.09)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), no difference shows: 1.00x as fast [0.9, 1.09]
lines: @7 @8`},
	{"falseshare", "moved apart it is twice as fast at least: that is false", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(100, 300), 2.2, 2, 2.5)
	}, `20ms: at once user 20
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), it ran 2.20x as fast [2.00, 2.50]
lines: @7 @8`},
	{"falseshare", "moved apart, all of it, it is 1.6 times as fast at most: no more is false", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 100), 1.5, 1.25, 1.6)
	}, `15ms: at once user 15
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), it ran 1.50x as fast [1.25, 1.60]
lines: @7 @8`},
	{"falseshare", "a part moved apart: the rest may be false as well", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 100), 1.5, 1.25, 1.6)
		f.new.Set.Sharing.Leaves = []edit.Note{{What: "*p", At: line(20), Says: "it is known by its address alone"}}
	}, `22.5ms: at once user 22.5
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them; *p at x.go:20 stays: it is known by its address alone), it ran 1.50x as fast [1.25, 1.60]
lines: @7 @8`},
	{"falseshare", "ten times as fast: no more than all", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 0), 11, 10, 12)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), it ran 11.0x as fast [10.0, 12.0]
lines: @7 @8`},
	{"falseshare", "moving apart failed", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = met(300, 0)
		f.new.Set.Sharing.Why = "pad: no sites at /m/x.go:7"
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moving them apart was not tried: pad: no sites at x.go:7
lines: @7 @8`},
	{"falseshare", "nothing could be moved", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = met(300, 0)
		f.new.Set.Sharing.Leaves = []edit.Note{{What: "*p", At: line(20), Says: "it is known by its address alone"}}
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moving them apart was not tried: *p at x.go:20 stays: it is known by its address alone
lines: @7 @8`},
	{"trueshare", "why moving apart failed is nothing to true sharing", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = met(0, 300)
		f.new.Set.Sharing.Why = "pad: no sites at /m/x.go:7"
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write n and n (x.go:18) in turns: the same word @17
lines: @17 @18`},
	{"falseshare", "watching was refused", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = &evidence.Sharing{Refused: []string{"s at /m/x.go:7 is in another package", "more"}}
	}, `16ms: at once user 16
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched: s at x.go:7 is in another package`},
	{"falseshare", "a reader beside a writer, with counters", 3, func(f *facts) {
		shareable(f)
		f.new.waits(9, instr.Load, 1*ms)
		x := met(300, 0)
		x.Seen.Pairs[0].B.Read = true
		f.new.Set.Sharing = x
		f.one.Set.Counters, f.new.Set.Counters = &evidence.Counters{Instructions: 1e6, Cycles: 2e6}, &evidence.Counters{Instructions: 1.1e6, Cycles: 5.5e6}
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
hardware counters: 1.000M instructions per operation on one processor and 1.100M on 3, at 2.00 and 5.00 cycles each
42% of the time is behind the instruction RMW @7
a goroutine writes s[w] where another reads s[v] (x.go:8): different words of one cache line @7
do: Keep the words of different goroutines on different cache lines
lines: @7 @8`},
	{"falseshare", "words that are published need no sum", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = met(300, 0)
		f.new.lined(7, shares{stack.User: 30 * ms})
		f.new.Set.Shapes = []evidence.Shape{{Place: line(7), Kind: evidence.Publish}}
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
do: Keep the words of different goroutines on different cache lines
lines: @7 @8`},
	{"falseshare", "sums can be local", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = met(300, 0)
		f.new.lined(7, shares{stack.User: 30 * ms})
		f.new.Set.Shapes = []evidence.Shape{{Place: line(7), Kind: evidence.Sum}}
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
lines: @7 @8`},
	{"trueshare", "a word that others read", 3, func(f *facts) {
		shareable(f)
		x := met(0, 300)
		x.Seen.Pairs[0].B.Read = true
		f.new.Set.Sharing = x
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
a goroutine writes n where another reads n (x.go:18): the same word @17
do: Write the word less often, or let its readers look once for many items
lines: @17 @18`},
	{"trueshare", "a word that others read, which claims", 3, func(f *facts) {
		shareable(f)
		x := met(0, 300)
		x.Seen.Pairs[0].B.Read = true
		f.new.Set.Sharing = x
		f.new.lined(7, shares{stack.User: 30 * ms})
		f.new.Set.Shapes = []evidence.Shape{{Place: line(7), Kind: evidence.Claim}}
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
a goroutine writes n where another reads n (x.go:18): the same word @17
do: Take several at once: let one addition claim a block of numbers for a worker
lines: @17 @18`},
	{"trueshare", "behind a lock it is the lock's", 3, func(f *facts) {
		f.new.spends(30*ms, shares{stack.User: 40 * ms, stack.Lock: 30 * ms})
		f.new.waits(7, instr.Locked, 40*ms)
		f.new.Set.Sharing = met(0, 300)
	}, "nothing"},
	// Locks: their code, their waits, and the data that moves with them.
	{"lock", "nothing is locked", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Map: 30 * ms})
	}, "nothing"},
	{"lock", "contended, with its map, in three kinds of waits", 8, func(f *facts) { lockable(f) }, `112.27ms: at once lock 17, at once map 5, at once once 1, at once switch 2, at one lock 3, idle: lock 52.273, idle: ready 5.2273, idle: serial 26.774
locking takes 21.00ms of processor time per operation, 42% of all @6
goroutines block on locks 100 times per operation, 200.0µs each @11
45% of the idle processor time passes while a goroutine waits for a lock
price: each of 100 waits costs 1.123ms; the work between two of them takes 100.0µs
sites: @10 1e+08 @11 9e+07 @12 9e+06 @13 1e+06`},
	{"lock", "one wait in an operation, and a fifth of what was lost", 2, func(f *facts) {
		f.new.spends(25*ms, shares{stack.User: 10 * ms, stack.Map: 30 * ms, stack.Lock: 2 * ms})
		f.one.spends(18*ms, shares{stack.User: 10 * ms, stack.Map: 6 * ms, stack.Lock: 2 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 10, 1*ms)}, Idle: exectrace.Idle{Total: 80 * ms, Lock: 60 * ms, Waiting: 20 * ms, Sleep: 20 * ms}})
	}, `8ms: at one lock 2, idle: lock 6
locking takes 2.000ms of processor time per operation, 5% of all
goroutines block on locks once per operation, 100.0µs each @7
75% of the idle processor time passes while a goroutine waits for a lock
price: each wait costs 8.000ms; the work between two of them takes 10.00ms
sites: @7 1e+06`},
	{"lock", "more than a fifth of what was lost", 2, func(f *facts) {
		f.new.spends(25*ms, shares{stack.User: 10 * ms, stack.Map: 30 * ms, stack.Lock: 2.1 * ms})
		f.one.spends(18*ms, shares{stack.User: 10 * ms, stack.Map: 6 * ms, stack.Lock: 2 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 10, 1*ms)}, Idle: exectrace.Idle{Total: 80 * ms, Lock: 61 * ms, Waiting: 19 * ms, Sleep: 19 * ms}})
	}, `32.124ms: at once lock 0.1, at once map 24, at one lock 2, idle: lock 6.0237
locking takes 2.100ms of processor time per operation, 5% of all
goroutines block on locks once per operation, 100.0µs each @7
76% of the idle processor time passes while a goroutine waits for a lock
price: each wait costs 32.12ms; the work between two of them takes 10.00ms
sites: @7 1e+06`},
	{"lock", "nine waits in ten operations: what it protects is not its own", 2, func(f *facts) {
		f.new.spends(25*ms, shares{stack.User: 10 * ms, stack.Map: 30 * ms, stack.Lock: 2.1 * ms})
		f.one.spends(18*ms, shares{stack.User: 10 * ms, stack.Map: 6 * ms, stack.Lock: 2 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 9, 1*ms)}, Idle: exectrace.Idle{Total: 80 * ms, Lock: 61 * ms, Waiting: 19 * ms, Sleep: 19 * ms}})
	}, `8.1237ms: at once lock 0.1, at one lock 2, idle: lock 6.0237
locking takes 2.100ms of processor time per operation, 5% of all
goroutines block on locks 0.9 times per operation, 111.1µs each @7
76% of the idle processor time passes while a goroutine waits for a lock
sites: @7 1e+06`},
	{"lock", "no wait, but twice as long at once: it moves", 3, func(f *facts) {
		f.new.spends(14*ms, shares{stack.User: 10 * ms, stack.Map: 12 * ms, stack.Lock: 20.1 * ms})
		f.one.spends(26*ms, shares{stack.User: 10 * ms, stack.Map: 6 * ms, stack.Lock: 10 * ms})
		f.traced(exectrace.Facts{})
	}, `26.1ms: at once lock 10.1, at once map 6, at one lock 10
locking takes 20.10ms of processor time per operation, 48% of all
no goroutine waits for the lock: this is its price where it is free
title: A lock taken again and again, though free`},
	{"lock", "no wait, and twice as long at most: it does not move", 3, func(f *facts) {
		f.new.spends(14*ms, shares{stack.User: 10 * ms, stack.Map: 12 * ms, stack.Lock: 20 * ms})
		f.one.spends(26*ms, shares{stack.User: 10 * ms, stack.Map: 6 * ms, stack.Lock: 10 * ms})
		f.traced(exectrace.Facts{})
	}, `20ms: at once lock 10, at one lock 10
locking takes 20.00ms of processor time per operation, 48% of all
no goroutine waits for the lock: this is its price where it is free
title: A lock taken again and again, though free`},
	{"lock", "without a trace it is not known to be free", 3, func(f *facts) {
		f.new.spends(14*ms, shares{stack.User: 10 * ms, stack.Lock: 20 * ms})
		f.one.spends(26*ms, shares{stack.User: 10 * ms, stack.Lock: 16 * ms})
	}, `20ms: at once lock 4, at one lock 16
locking takes 20.00ms of processor time per operation, 67% of all`},
	{"lock", "waits that take less than a hundredth", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Lock: 0.1 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 40, 90*ms)}, Idle: exectrace.Idle{Total: 699 * ms, Lock: 600 * ms, Serial: 99 * ms}})
	}, `60.198ms: at once lock 0.1, idle: lock 60, idle: serial 0.09802
goroutines block on locks 4 times per operation, 2.250ms each @7
86% of the idle processor time passes while a goroutine waits for a lock
price: each of 4 waits costs 15.05ms; the work between two of them takes 2.500ms
sites: @7 9e+07`},
	{"lock", "waits that take a hundredth", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 9.9 * ms, stack.Lock: 0.1 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 40, 90*ms)}, Idle: exectrace.Idle{Total: 699 * ms, Lock: 600 * ms, Serial: 99 * ms}})
	}, `60.185ms: idle: lock 60.086, idle: serial 0.099142
locking takes 100.0µs of processor time per operation, 1% of all
goroutines block on locks 4 times per operation, 2.250ms each @7
86% of the idle processor time passes while a goroutine waits for a lock
price: each of 4 waits costs 15.05ms; the work between two of them takes 2.500ms
sites: @7 9e+07`},
	{"lock", "the longest holder: of mutexes, by others' waits, a hundredth of the run", 8, func(f *facts) {
		lockable(f)
		f.new.Set.Locks = []evidence.Lock{
			{Profile: "block", Site: line(30), Call: "sync.(*Mutex).Lock", Delay: 9 * ms},
			{Profile: "mutex", Site: line(31), Call: "runtime.unlock", Delay: 8 * ms},
			{Profile: "mutex", Site: line(32), Call: "sync.(*Mutex).Unlock", Delay: 0.41 * ms},
			{Profile: "mutex", Site: line(33), Call: "sync.(*Mutex).Unlock", Delay: 0.405 * ms},
		}
	}, `112.27ms: at once lock 17, at once map 5, at once once 1, at once switch 2, at one lock 3, idle: lock 52.273, idle: ready 5.2273, idle: serial 26.774
locking takes 21.00ms of processor time per operation, 42% of all @6
goroutines block on locks 100 times per operation, 200.0µs each @11
45% of the idle processor time passes while a goroutine waits for a lock
the lock given back here made others wait longest: 410.0µs in 40.00ms of running @32
price: each of 100 waits costs 1.123ms; the work between two of them takes 100.0µs
sites: @10 1e+08 @11 9e+07 @12 9e+06 @13 1e+06`},
	{"lock", "the holder for a hundredth of the run at most", 8, func(f *facts) {
		lockable(f)
		f.new.Set.Locks = []evidence.Lock{{Profile: "mutex", Site: line(32), Call: "sync.(*Mutex).Unlock", Delay: 0.4 * ms}}
	}, `112.27ms: at once lock 17, at once map 5, at once once 1, at once switch 2, at one lock 3, idle: lock 52.273, idle: ready 5.2273, idle: serial 26.774
locking takes 21.00ms of processor time per operation, 42% of all @6
goroutines block on locks 100 times per operation, 200.0µs each @11
45% of the idle processor time passes while a goroutine waits for a lock
price: each of 100 waits costs 1.123ms; the work between two of them takes 100.0µs
sites: @10 1e+08 @11 9e+07 @12 9e+06 @13 1e+06`},
	{"lock", "a holder where no wait was seen: it is not free", 3, func(f *facts) {
		f.new.spends(14*ms, shares{stack.User: 10 * ms, stack.Lock: 20 * ms})
		f.one.spends(26*ms, shares{stack.User: 10 * ms, stack.Lock: 16 * ms})
		f.traced(exectrace.Facts{})
		f.new.Set.Locks = []evidence.Lock{{Profile: "mutex", Site: line(32), Call: "sync.(*RWMutex).Unlock", Delay: 4 * ms}}
	}, `20ms: at once lock 4, at one lock 16
locking takes 20.00ms of processor time per operation, 67% of all
the lock given back here made others wait longest: 4.000ms in 40.00ms of running @32`},
	{"lock", "most of it without a wait: no price of a wait", 2, func(f *facts) {
		f.new.spends(30*ms, shares{stack.User: 10 * ms, stack.Lock: 40 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 100, 9*ms)}, Idle: exectrace.Idle{Total: 100 * ms, Lock: 100 * ms}})
	}, `50ms: at once lock 40, idle: lock 10
locking takes 40.00ms of processor time per operation, 80% of all
goroutines block on locks 10 times per operation, 90.00µs each @7
100% of the idle processor time passes while a goroutine waits for a lock
sites: @7 9e+06`},
	{"lock", "by hand: loops of compare-and-swap with yields", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 50 * ms, stack.Yield: 20 * ms, stack.Switch: 10 * ms})
		f.new.lined(7, shares{stack.User: 45 * ms})
		f.new.lined(6, shares{stack.User: 1 * ms})
		f.base.lined(7, shares{stack.User: 5 * ms})
		f.new.Set.Shapes = []evidence.Shape{{Place: line(6), Kind: evidence.Spin}, {Place: line(7), Kind: evidence.Spin}, {Place: line(8), Kind: evidence.Sum}}
		f.traced(exectrace.Facts{Yields: 300, Blocks: []exectrace.Block{block(exectrace.Mutex, 9, 100, 9*ms)}})
	}, `80ms: at once switch 10, at once user 40, at once yield 20, idle 10
locking takes 60.00ms of processor time per operation, 75% of all
a lock made of compare-and-swap: goroutines try it again and again for 40.00ms, and yield 30 times per operation @7
price: each of 40 waits costs 2.000ms; the work between two of them takes 250.0µs
do: Take a sync.Mutex, which parks waiting goroutines, and hold it less often
lines: @6 @7
sites: @9 9e+06`},
	{"lock", "of a queue with a condition it is the hand-off's", 2, func(f *facts) {
		f.new.spends(30*ms, shares{stack.User: 10 * ms, stack.Lock: 40 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 60, 9*ms), block(exectrace.RWMutex, 8, 40, 9*ms), block(exectrace.Cond, 9, 100, 9*ms)}})
	}, "nothing"},
	{"lock", "with a condition used less often than the lock", 2, func(f *facts) {
		f.new.spends(30*ms, shares{stack.User: 10 * ms, stack.Lock: 40 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 60, 9*ms), block(exectrace.RWMutex, 8, 40, 9*ms), block(exectrace.Cond, 9, 99, 9*ms)}})
	}, `45.025ms: at once lock 40, idle 5.0251
locking takes 40.00ms of processor time per operation, 80% of all
goroutines block on locks 10 times per operation, 180.0µs each @7
sites: @7 9e+06 @8 9e+06`},

	// Words of locks: which ones met is what decides, not that package sync writes them.
	{"falseshare", "locks of different owners on one line", 3, func(f *facts) { passing(f, stack.Lock, seenLocks(2, 400, 0)) }, `27ms: at once lock 27
the same code takes 13.00ms of processor time on one processor and 40.00ms on 3
goroutines lock s.mu in turns: different words of one cache line @7
do: Keep the words of different goroutines on different cache lines
lines: @7 @7`},
	{"falseshare", "locks, of which a part met as neighbours", 3, func(f *facts) { passing(f, stack.RWMutex, seenLocks(32, 300, 100)) }, `20.25ms: at once rwmutex 20.25
the same code takes 13.00ms of processor time on one processor and 40.00ms on 3
goroutines lock s.mu in turns: different words of one cache line @7
do: Keep the words of different goroutines on different cache lines
lines: @7 @7`},
	{"falseshare", "locks at which waits take more than running at once adds", 3, func(f *facts) {
		passing(f, stack.Lock, seenLocks(2, 400, 0))
		f.trace.Blocks = []exectrace.Block{block(exectrace.Mutex, 7, 270000, 9*ms)}
	}, "nothing"},
	{"trueshare", "many locks that hardly any goroutine waits for", 3, func(f *facts) { passing(f, stack.Lock, seenLocks(32, 0, 400)) }, `28ms: at once lock 27, at once map 1
the same code takes 13.00ms of processor time on one processor and 40.00ms on 3
goroutines lock s.mu in turns: the same word @7
goroutines use about 32 locks in turns and hardly wait for any: each lock, and what it guards, comes from another processor
do: Give each worker locks and data of its own, or let it collect on its own and take a lock once for many items
lines: @7 @7`},
	{"trueshare", "one lock that hardly any goroutine waits for", 3, func(f *facts) { passing(f, stack.Lock, seenLocks(1, 0, 400)) }, "nothing"},
	{"lock", "many that hardly any goroutine waits for", 3, func(f *facts) { passing(f, stack.Lock, seenLocks(32, 0, 400)) }, `30ms: at once lock 27, at one lock 3
locking takes 30.00ms of processor time per operation, 65% of all @7
goroutines block on locks once in 10 operations, 20.00µs each @7
goroutines use about 32 locks and hardly wait for any: this is the price of taking them, which come from another core
title: Locks taken again and again, though hardly ever waited for
do: Take the lock less often, for several at once, or give each lock and what it protects cache lines of their own
sites: @7 20000`},
	{"rwmutex", "no other goroutine came to it", 3, func(f *facts) {
		x := seenLocks(1, 0, 0)
		x.Seen.Switches = 900
		passing(f, stack.RWMutex, x)
	}, `3ms: at one rwmutex 3
RLock and RUnlock take 30.00ms of processor time per operation, 65% of all, and hardly any goroutine waits for a writer @7
title: RLock and RUnlock again and again, though free`},

	// A convoy: who is woken is ready for long, runs for a moment and finds it taken.
	{"lock", "those who are woken are ready for long", 2, func(f *facts) { convoy(f) }, `11.713ms: at once user 0.5, idle: lock 10.637, idle: ready 0.575
goroutines block on locks 10 times per operation, 80.00µs each, and are ready for another 700.0µs before they run and try again @7
92% of the idle processor time passes while a goroutine waits for a lock
price: each of 10 waits costs 1.171ms; the work between two of them takes 1.000ms
sites: @7 8e+06`},
	{"lock", "under it goes what does not need it", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 2 * ms, stack.Reflect: 5 * ms, stack.Alloc: 0.5 * ms, stack.Map: 5 * ms})
		f.new.lined(5, shares{stack.Reflect: 3 * ms})
		f.new.lined(6, shares{stack.Reflect: 1.5 * ms, stack.Map: 1 * ms})
		f.new.lined(7, shares{stack.Reflect: 0.5 * ms, stack.Alloc: 0.5 * ms, stack.Map: 1.5 * ms})
		f.new.Set.Shapes = []evidence.Shape{{Place: line(6), Kind: evidence.Held}, {Place: line(7), Kind: evidence.Held}}
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 100, 8*ms)}, Idle: exectrace.Idle{Total: 80 * ms, Lock: 80 * ms}})
	}, `8.6905ms: at once map 1.1905, idle: lock 7.5
goroutines block on locks 10 times per operation, 80.00µs each @7
100% of the idle processor time passes while a goroutine waits for a lock
with a lock held, 2.500ms of processor time per operation goes into formatting and reflection, allocation @6
price: each of 10 waits costs 869.0µs; the work between two of them takes 1.000ms
do: Do before taking the lock what does not need it, into memory of your own, and hold it for the update alone
sites: @7 8e+06`},
	{"lock", "under it goes mostly what does", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 2 * ms, stack.Reflect: 5 * ms, stack.Map: 5.5 * ms})
		f.new.lined(6, shares{stack.Reflect: 2 * ms, stack.Map: 2.5 * ms})
		f.new.Set.Shapes = []evidence.Shape{{Place: line(6), Kind: evidence.Held}}
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 100, 8*ms)}, Idle: exectrace.Idle{Total: 80 * ms, Lock: 80 * ms}})
	}, `8.8095ms: at once map 1.3095, idle: lock 7.5
goroutines block on locks 10 times per operation, 80.00µs each @7
100% of the idle processor time passes while a goroutine waits for a lock
price: each of 10 waits costs 881.0µs; the work between two of them takes 1.000ms
sites: @7 8e+06`},
	{"imbalance", "of a convoy there is none", 2, func(f *facts) { convoy(f) }, "nothing"},

	// Read-modify-writes: three tenths of what the code takes more on one processor.
	{"rmw", "three tenths", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 25 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms})
		f.one.waits(7, instr.RMW, 3*ms)
		f.one.waits(8, instr.RMW, 1*ms)
		f.base.waits(8, instr.RMW, 1*ms)
	}, `10ms: at one user 10
on one processor already, where nothing runs at once, its own code takes 20.00ms and that of serial 10.00ms
15% of that time is behind RMW: a read-modify-write of memory @7
lines: @7 @8`},
	{"rmw", "under three tenths", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 25 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms})
		f.one.waits(7, instr.RMW, 2.9*ms)
		f.one.waits(8, instr.RMW, 1*ms)
		f.base.waits(8, instr.RMW, 1*ms)
	}, "nothing"},
	{"rmw", "an atomic that stands out has all of its line", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 25 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms})
		f.one.waits(7, instr.Compute, 2.6*ms)
		f.one.waits(7, instr.Locked, 0.4*ms)
	}, `10ms: at one user 10
on one processor already, where nothing runs at once, its own code takes 20.00ms and that of serial 10.00ms
2% of that time is behind LOCKED: an atomic read-modify-write @7
lines: @7`},
	{"rmw", "an atomic with a tenth of its line", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 25 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms})
		f.one.waits(7, instr.Compute, 9*ms)
		f.one.waits(7, instr.Locked, 1*ms)
	}, "nothing"},
	{"rmw", "words of its own stack and instructions of others are none", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 25 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms})
		f.one.waits(7, instr.RMW, 9*ms)
		f.one.waits(8, instr.Locked, 9*ms)
		f.one.Set.Hot[0].What.Stack = true
		f.one.Set.Hot[1].Where.Category = stack.Lock
	}, "nothing"},
	{"rmw", "no longer on one processor", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 20 * ms})
		f.new.waits(7, instr.Locked, 9*ms)
	}, "nothing"},
	{"rmw", "a loop that retries, and where its instruction is", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 25 * ms})
		f.one.spends(20*ms, shares{stack.User: 20 * ms})
		f.one.waits(7, instr.Load, 6*ms)
		f.one.waits(8, instr.Locked, 5*ms)
		f.one.waits(9, instr.RMW, 3*ms)
		f.one.lined(8, shares{stack.User: 12 * ms})
		f.one.Set.Shapes = []evidence.Shape{{Place: line(8), Kind: evidence.Retry}}
	}, `10ms: at one user 10
on one processor already, where nothing runs at once, its own code takes 20.00ms and that of serial 10.00ms
25% of that time is behind LOCKED: an atomic read-modify-write @8
do: Give each worker a part to decide on alone, and go to the shared word when it is used up
lines: @8 @9`},

	// Readers of a RWMutex: their waits at the price of one are under a quarter of the time.
	{"rwmutex", "readers alone", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.RWMutex: 20 * ms})
		f.one.spends(14*ms, shares{stack.User: 10 * ms, stack.RWMutex: 4 * ms})
		f.new.lined(7, shares{stack.RWMutex: 5 * ms})
		f.new.lined(8, shares{stack.RWMutex: 15 * ms})
		f.new.Set.Hot = []evidence.Hot{
			{Where: cpuprof.Hot{Category: stack.RWMutex, Share: 0.2, Place: line(40)}, What: instr.Hot{Kind: instr.Load, Text: "MOVL"}},
			{Where: cpuprof.Hot{Category: stack.User, Share: 0.2, User: line(41)}, What: instr.Hot{Kind: instr.Locked, Text: "XADDL"}},
			{Where: cpuprof.Hot{Category: stack.RWMutex, Share: 0.4, Place: line(42)}, What: instr.Hot{Kind: instr.Locked, Text: "LOCK XADDL"}},
			{Where: cpuprof.Hot{Category: stack.RWMutex, Share: 0.1, Place: line(43)}, What: instr.Hot{Kind: instr.Locked, Text: "LOCK"}},
		}
	}, `20ms: at once rwmutex 16, at one rwmutex 4
RLock and RUnlock take 20.00ms of processor time per operation, 67% of all, and hardly any goroutine waits for a writer @8
they take 4.000ms on one processor: the word moves from cache to cache
40% of the time is behind LOCK XADDL @42`},
	{"rwmutex", "on one processor", 1, func(f *facts) {
		f.new.spends(14*ms, shares{stack.User: 10 * ms, stack.RWMutex: 4 * ms})
	}, `4ms: at one rwmutex 4
RLock and RUnlock take 4.000ms of processor time per operation, 29% of all, and hardly any goroutine waits for a writer
title: RLock and RUnlock again and again, though free`},
	{"rwmutex", "waits for writers take a quarter", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.RWMutex: 20 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.RWMutex, 7, 25000, 9*ms)}}) // 5 ms at 2 µs
	}, "nothing"},
	{"rwmutex", "waits for writers take less than a quarter", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.RWMutex: 20 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.RWMutex, 7, 24999, 9*ms)}})
	}, `20ms: at once rwmutex 20
RLock and RUnlock take 20.00ms of processor time per operation, 67% of all, and hardly any goroutine waits for a writer
they take 0s on one processor: the word moves from cache to cache`},
	{"rwmutex", "a wake-up costs 1 µs at least", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.RWMutex: 20 * ms})
		f.prices.Wake.NS = 10
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.RWMutex, 7, 50000, 9*ms)}})
	}, "nothing"},
	{"rwmutex", "the base has as much", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.RWMutex: 20 * ms})
		f.base.spends(10*ms, shares{stack.User: 10 * ms, stack.RWMutex: 20 * ms})
	}, "nothing"},

	// Selects: the part of cases beyond two, of those with more than three.
	{"select", "twelve cases beside three, and beside reflect's", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Select: 24 * ms})
		f.one.spends(20*ms, shares{stack.User: 10 * ms, stack.Select: 8 * ms})
		f.new.lined(5, shares{stack.Select: 6 * ms, stack.User: 9 * ms})
		f.new.lined(6, shares{stack.Select: 12 * ms})
		f.new.lined(7, shares{stack.Select: 6 * ms})
		f.new.Set.Selects = []evidence.Select{{Place: line(5), Cases: 3}, {Place: line(6), Cases: 12}, {Place: line(7), Cases: 0}}
	}, `16ms: at once select 8, at one select 8
select over 12 channels takes 24.00ms of processor time per operation, 71% of all @6
each time every one of the channels is locked, and where none is ready it is waited for at every one
lines: @6 @7`},
	{"select", "four cases", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Select: 24 * ms})
		f.new.lined(6, shares{stack.Select: 12 * ms})
		f.new.Set.Selects = []evidence.Select{{Place: line(6), Cases: 4}}
	}, `12ms: at once select 12
select over 4 channels takes 24.00ms of processor time per operation, 71% of all @6
each time every one of the channels is locked, and where none is ready it is waited for at every one
lines: @6`},
	{"select", "three cases", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Select: 24 * ms})
		f.new.lined(6, shares{stack.Select: 12 * ms})
		f.new.Set.Selects = []evidence.Select{{Place: line(6), Cases: 3}}
	}, "nothing"},
	{"select", "reflect's, while the others stand idle beside it", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Select: 10 * ms})
		f.new.lined(6, shares{stack.Select: 10 * ms})
		f.new.Set.Selects = []evidence.Select{{Place: line(6), Cases: 0}}
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 400 * ms, Serial: 300 * ms, Imbalance: 100 * ms}})
	}, `30ms: at once select 10, idle: imbalance 5, idle: serial 15
reflect.Select takes 10.00ms of processor time per operation, 50% of all: it makes its list of channels anew each time @6
each time every one of the channels is locked, and where none is ready it is waited for at every one
lines: @6`},
	// Hand-offs: channels and conditions, with the scheduler's part of them.
	{"handoff", "nothing is handed over", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 30 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 100, 9*ms)}})
	}, "nothing"},
	{"handoff", "by channels, with the idle time of to and fro", 8, func(f *facts) { handable(f) }, `137.06ms: at once chan 10, at once select 6, at one chan 20, at one switch 8, idle: handoff 52, idle: ready 16.64, idle: serial 24.417
channel operations take 36.00ms of processor time per operation, 60% of all @6
goroutines block there 400 times per operation and run 3.000µs in between (median) @11
of the idle processor time 50% passes while control goes to and fro, 20% while work is ready and no processor has taken it yet
price: at 150.0ns each, the price of a hand-off here, that is the time of about 240000 hand-offs
sites: @10 1500 @11 1600 @12 700 @13 200`},
	{"handoff", "buffers that are ready: twice as many by their price as blocked", 8, func(f *facts) {
		handable(f)
		f.new.By[stack.Chan], f.new.By[stack.Idle] = 30*ms+1e3, f.new.By[stack.Idle]-1e3
		f.prices.HandoffSameP.NS = (f.new.By[stack.Chan] + f.new.By[stack.Select]) / 800
	}, `137.06ms: at once chan 10.001, at once select 6, at one chan 20, at one switch 8, idle: handoff 51.999, idle: ready 16.64, idle: serial 24.417
channel operations take 36.00ms of processor time per operation, 60% of all @6
goroutines block there 400 times per operation and run 3.000µs in between (median) @11
of the idle processor time 50% passes while control goes to and fro, 20% while work is ready and no processor has taken it yet
price: each of 400 hand-offs costs 342.6µs and carries 25.00µs of work; 138 of them in one would bring that to a tenth
sites: @10 1500 @11 1600 @12 700 @13 200`},
	{"handoff", "buffers that are ready: more than twice as many", 8, func(f *facts) {
		handable(f)
		f.prices.HandoffSameP.NS = (f.new.By[stack.Chan] + f.new.By[stack.Select]) / 801
	}, `137.06ms: at once chan 10, at once select 6, at one chan 20, at one switch 8, idle: handoff 52, idle: ready 16.64, idle: serial 24.417
channel operations take 36.00ms of processor time per operation, 60% of all @6
goroutines block there 400 times per operation and run 3.000µs in between (median) @11
of the idle processor time 50% passes while control goes to and fro, 20% while work is ready and no processor has taken it yet
price: at 44.94µs each, the price of a hand-off here, that is the time of about 801 hand-offs
sites: @10 1500 @11 1600 @12 700 @13 200`},
	{"handoff", "code without a trace", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 15 * ms})
		f.prices.HandoffSameP.NS = 0
	}, `15ms: at once chan 15
channel operations take 15.00ms of processor time per operation, 60% of all`},
	{"handoff", "under a hundredth of the time is in its code", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 0.1 * ms})
		f.traced(exectrace.Facts{Run: exectrace.Dist{Median: 700}, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 100, 9*ms)}, Idle: exectrace.Idle{Total: 99 * ms, Handoff: 99 * ms}})
	}, `10ms: at once chan 0.1, idle: handoff 9.9
goroutines block there 10 times per operation and run 700.0ns in between (median) @7
of the idle processor time 100% passes while control goes to and fro, 0% while work is ready and no processor has taken it yet
price: at 150.0ns each, the price of a hand-off here, that is the time of about 667 hand-offs
sites: @7 100`},
	{"handoff", "a hundredth is", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 9.9 * ms, stack.Chan: 0.1 * ms})
		f.traced(exectrace.Facts{Run: exectrace.Dist{Median: 700}, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 100, 9*ms)}, Idle: exectrace.Idle{Total: 99 * ms, Handoff: 99 * ms}})
	}, `10ms: idle: handoff 10
channel operations take 100.0µs of processor time per operation, 1% of all
goroutines block there 10 times per operation and run 700.0ns in between (median) @7
of the idle processor time 100% passes while control goes to and fro, 0% while work is ready and no processor has taken it yet
price: at 150.0ns each, the price of a hand-off here, that is the time of about 667 hand-offs
sites: @7 100`},
	{"handoff", "on one processor none is idle", 1, func(f *facts) {
		f.new.spends(40*ms, shares{stack.User: 10 * ms, stack.Chan: 20 * ms, stack.Switch: 10 * ms})
		f.traced(exectrace.Facts{Run: exectrace.Dist{Median: 700}, Blocks: []exectrace.Block{block(exectrace.ChanReceive, 7, 3000, 9*ms)}, Idle: exectrace.Idle{Total: 9 * ms, Handoff: 9 * ms}})
		f.prices.HandoffSameP.NS = 40e3
	}, `30ms: at one chan 20, at one switch 10
channel operations take 20.00ms of processor time per operation, 50% of all
goroutines block there 300 times per operation and run 700.0ns in between (median) @7
price: each of 300 hand-offs costs 100.0µs and carries 33.33µs of work; 30 of them in one would bring that to a tenth
sites: @7 3000`},
	{"handoff", "a queue with a condition, and the lock beside it", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Map: 9 * ms, stack.Lock: 8 * ms, stack.Cond: 12 * ms, stack.Chan: 1 * ms})
		f.one.spends(20*ms, shares{stack.User: 10 * ms, stack.Map: 4 * ms})
		f.traced(exectrace.Facts{Run: exectrace.Dist{Median: 700}, Blocks: []exectrace.Block{block(exectrace.Cond, 7, 60, 9*ms), block(exectrace.Mutex, 8, 40, 9*ms)}, Idle: exectrace.Idle{Total: 200 * ms, Lock: 150 * ms, Runnable: 50 * ms}})
	}, `41.6ms: at once chan 1, at once cond 12, at once lock 8, at once map 5, idle: lock 15, idle: ready 0.6
waits and signals of a condition, with its lock, take 21.00ms of processor time per operation, 52% of all
goroutines block there 10 times per operation and run 700.0ns in between (median) @7
of the idle processor time 0% passes while control goes to and fro, 25% while work is ready and no processor has taken it yet
price: at 150.0ns each, the price of a hand-off here, that is the time of about 140000 hand-offs
title: Hand-offs by a condition dearer than the work
do: Hand over batches instead of single items, or call the other side directly
sites: @7 60`},
	{"handoff", "two messages from each goroutine are how it is awaited", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 60 * 4 * 150})
		f.traced(exectrace.Facts{Goroutines: 600, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 1200, 9*ms)}})
	}, "nothing"},
	{"handoff", "more than two", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 60 * 4 * 150})
		f.traced(exectrace.Facts{Goroutines: 600, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 1201, 9*ms)}})
	}, `13.349ms: at once chan 0.036, idle 13.313
goroutines block there 120 times per operation and run 0s in between (median) @7
price: each of 120 hand-offs costs 111.1µs and carries 83.26µs of work; 14 of them in one would bring that to a tenth
sites: @7 1201`},
	{"handoff", "more than four by their price", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 60*4*150 + 1})
		f.one.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 60*4*150 + 1})
		f.traced(exectrace.Facts{Goroutines: 600, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 1200, 9*ms)}})
	}, `13.345ms: at one chan 0.036001, idle 13.309
goroutines block there 120 times per operation and run 0s in between (median) @7
price: at 150.0ns each, the price of a hand-off here, that is the time of about 240 hand-offs
sites: @7 1200`},
	{"handoff", "more than four by their price at once only", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 60 * 9 * 150})
		f.one.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 60 * 4 * 150})
		f.traced(exectrace.Facts{Goroutines: 600, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 1200, 9*ms)}})
	}, "nothing"},
	{"handoff", "looks into channels hand nothing over", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Select: 0.3*ms + 1})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanReceive, 7, 15, 9*ms)}}) // 1.5 in an operation, 200 µs each
	}, `19.7ms: idle 19.7
goroutines block there 1.5 times per operation and run 0s in between (median) @7
price: each of 1.5 hand-offs costs 13.13ms and carries 6.667ms of work; 20 of them in one would bring that to a tenth
sites: @7 15`},
	{"handoff", "looks that block once in 200 µs", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Select: 0.3 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanReceive, 7, 15, 9*ms)}})
	}, `20ms: at once select 0.3, idle 19.7
channel operations take 300.0µs of processor time per operation, 3% of all
goroutines block there 1.5 times per operation and run 0s in between (median) @7
price: at 150.0ns each, the price of a hand-off here, that is the time of about 2000 hand-offs
sites: @7 15`},

	// Grain: goroutines that start, in an operation.
	{"grain", "nine in ten operations", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 30 * ms})
		f.traced(exectrace.Facts{Goroutines: 9})
	}, "nothing"},
	{"grain", "one in an operation, most in its code", 8, func(f *facts) {
		f.new.spends(5*ms, shares{stack.User: 10 * ms, stack.Spawn: 30 * ms})
		f.new.lined(6, shares{stack.Spawn: 30 * ms})
		f.traced(exectrace.Facts{Goroutines: 10, Life: exectrace.Dist{N: 10, Median: 900e3, Mean: 1, P90: 2}, SpawnSites: []exectrace.SiteCount{{Site: line(5), N: 7}, {Site: line(4), N: 3}}})
	}, `30ms: at once spawn 30
1 goroutine starts per operation; starting, ending and awaiting it takes 30.00ms of processor time, 75% of all @5
each runs 900.0µs (median of 10)
price: the goroutine costs 30.00ms and carries 10.00ms of work; with 30 times the work each, that is a tenth
sites: @5 7 @4 3`},
	{"grain", "ready before they run, for no longer than a wake-up takes", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 3 * ms, stack.WaitGroup: 1 * ms, stack.Stack: 2 * ms, stack.Switch: 4 * ms})
		f.one.spends(13*ms, shares{stack.User: 12 * ms, stack.Spawn: 1 * ms})
		f.base.lined(7, shares{stack.User: 10 * ms})
		f.one.lined(7, shares{stack.User: 11.5 * ms})
		f.traced(exectrace.Facts{
			Goroutines: 1000, RunnableWait: exectrace.Dist{N: 900, Mean: 70e3}, SpawnSites: []exectrace.SiteCount{{Site: line(5), N: 1000}},
			Blocks: []exectrace.Block{block(exectrace.WaitGroup, 8, 200, 9*ms), block(exectrace.Mutex, 9, 300, 9*ms)},
			Idle:   exectrace.Idle{Total: 600 * ms, Runnable: 100 * ms, Imbalance: 400 * ms, Serial: 100 * ms}, Late: 600 * ms,
		})
	}, `25.367ms: at once spawn 2, at once stack 2, at once switch 0.3, at once waitgroup 1, at one spawn 1, idle: imbalance 15.018, idle: ready 0.3, idle: serial 3.75
100 goroutines start per operation; 19.37ms are switches and idle processors until goroutines that were started or woken run @5
starting, ending and awaiting them takes 6.000ms of processor time, 30% of all
price: each of 100 goroutines costs 253.7µs and carries 100.0µs of work; with 26 times the work each, that is a tenth
sites: @5 1000`},
	{"grain", "they carry ten times what they cost", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 0.75 * ms})
		f.traced(exectrace.Facts{Goroutines: 1000})
	}, `1ms: at once spawn 0.75, idle 0.25
100 goroutines start per operation; starting, ending and awaiting them takes 750.0µs of processor time, 7% of all
price: each of 100 goroutines costs 10.00µs and carries 100.0µs of work`},
	{"grain", "they carry more than ten times what they cost", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 0.74 * ms})
		f.traced(exectrace.Facts{Goroutines: 1000})
	}, "nothing"},
	{"grain", "each runs for long, and a processor comes late", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 0.05 * ms, stack.Switch: 2 * ms})
		f.traced(exectrace.Facts{Goroutines: 40, RunnableWait: exectrace.Dist{N: 40, Mean: 200e3}, Blocks: []exectrace.Block{block(exectrace.WaitGroup, 8, 10, 9*ms)},
			Idle: exectrace.Idle{Total: 200 * ms, Runnable: 150 * ms, Imbalance: 50 * ms}})
	}, "nothing"},
	{"grain", "each runs for long, and is awaited over a channel", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 0.05 * ms})
		f.traced(exectrace.Facts{Goroutines: 40, Blocks: []exectrace.Block{block(exectrace.ChanReceive, 7, 40, 9*ms)}, Idle: exectrace.Idle{Total: 100 * ms, Handoff: 100 * ms}})
	}, "nothing"},
	{"grain", "each runs for long, and there is no trace", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 0.05 * ms})
		f.s.Samples = map[measure.Cell][]measure.Sample{f.v.New: {{Goroutines: 4}}}
	}, "nothing"},
	{"grain", "ready before they run, by their mean", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 2 * ms})
		f.traced(exectrace.Facts{Goroutines: 9000, RunnableWait: exectrace.Dist{N: 9000, Mean: 2000}, Idle: exectrace.Idle{Total: 200 * ms, Imbalance: 200 * ms}})
	}, `5.004ms: at once spawn 2, idle: imbalance 3.004
900 goroutines start per operation; 3.004ms are switches and idle processors until goroutines that were started or woken run
starting, ending and awaiting them takes 2.000ms of processor time, 17% of all
price: each of 900 goroutines costs 5.560µs and carries 11.11µs of work; with 6 times the work each, that is a tenth`},
	{"grain", "cold stacks: no more than a goroutine costs to start", 3, func(f *facts) {
		f.new.spends(8*ms, shares{stack.User: 14 * ms})
		f.one.spends(14*ms, shares{stack.User: 14 * ms})
		f.base.lined(7, shares{stack.User: 10 * ms})
		f.one.lined(7, shares{stack.User: 12 * ms})
		f.one.lined(8, shares{stack.User: 2 * ms})
		f.traced(exectrace.Facts{Goroutines: 20000})
	}, `5.6ms: at one user 0.6, idle 5
2000 goroutines start per operation; 5.600ms are switches and idle processors until goroutines that were started or woken run
price: each of 2000 goroutines costs 2.800µs and carries 5.000µs of work; with 6 times the work each, that is a tenth`},
	{"grain", "cold stacks: no more than the functions of the base take longer", 3, func(f *facts) {
		f.new.spends(8*ms, shares{stack.User: 14 * ms})
		f.one.spends(14*ms, shares{stack.User: 14 * ms})
		f.base.Set.CPU.Lines = []cpuprof.Line{{Place: source.Place{File: "/m/x.go", Line: 7, Func: "m.g"}, By: shares{stack.User: 0.5}}, {Place: source.Place{File: "/m/x.go", Line: 9, Func: "m.h"}, By: shares{stack.User: 0.5}}}
		f.one.Set.CPU.Lines = []cpuprof.Line{{Place: source.Place{File: "/m/x.go", Line: 8, Func: "m.g"}, By: shares{stack.User: 0.5}}, {Place: source.Place{File: "/m/x.go", Line: 9, Func: "m.h"}, By: shares{stack.User: 0.25}}, {Place: line(1), By: shares{stack.User: 0.25}}}
		f.traced(exectrace.Facts{Goroutines: 200000})
	}, `12ms: at one user 2, idle 10
20000 goroutines start per operation; 12.00ms are switches and idle processors until goroutines that were started or woken run
price: each of 20000 goroutines costs 600.0ns and carries 500.0ns of work; with 12 times the work each, that is a tenth`},
	{"grain", "with a channel that awaits them", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Spawn: 1 * ms, stack.Chan: 0.036 * ms})
		f.traced(exectrace.Facts{Goroutines: 600, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 1200, 9*ms)}, Idle: exectrace.Idle{Total: 100 * ms, Handoff: 100 * ms}})
	}, `1.486ms: at once chan 0.036, at once spawn 1, idle: handoff 0.45
60 goroutines start per operation; starting, ending and awaiting them takes 1.036ms of processor time, 9% of all
price: each of 60 goroutines costs 24.77µs and carries 166.7µs of work; with 2 times the work each, that is a tenth`},
	{"grain", "a tenth of the price by larger parts", 2, func(f *facts) {
		f.new.spends(11*ms, shares{stack.User: 10 * ms, stack.Spawn: 12 * ms})
		f.traced(exectrace.Facts{Goroutines: 10000})
	}, `12ms: at once spawn 12
1000 goroutines start per operation; starting, ending and awaiting them takes 12.00ms of processor time, 55% of all
price: each of 1000 goroutines costs 12.00µs and carries 10.00µs of work; with 12 times the work each, that is a tenth`},

	// Waiting: none runs.
	{"waiting", "for timers, at two lines, in the time of one operation", 8, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 8 * ms})
		f.base.spends(8*ms, shares{stack.User: 8 * ms})
		f.traced(exectrace.Facts{Running: []float64{0.87, 0.1, 0.03}, Blocks: []exectrace.Block{block(exectrace.Sleep, 7, 30, 300*ms), block(exectrace.Sleep, 8, 50, 100*ms), block(exectrace.Net, 9, 70, 200*ms)},
			Idle: exectrace.Idle{Total: 1500 * ms, Waiting: 1400 * ms, Sleep: 800 * ms, Net: 500 * ms, Syscall: 100 * ms, Serial: 100 * ms}})
	}, `131.73ms: idle: outside 131.73
87% of the time no goroutine runs and none is ready
goroutines wait 8 times per operation (sleep), 40.00ms each time an operation runs: on average 2 of them at once @8
0.40 of 8 processors are in use: more goroutines cost nothing but memory here
sites: @7 3e+08 @8 1e+08 @9 2e+08`},
	{"waiting", "for the network, most of all", 8, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 8 * ms})
		f.traced(exectrace.Facts{Running: []float64{0.87, 0.1, 0.03}, Blocks: []exectrace.Block{block(exectrace.Sleep, 7, 30, 300*ms), block(exectrace.Net, 9, 70, 200*ms)},
			Idle: exectrace.Idle{Total: 1500 * ms, Waiting: 1500 * ms, Sleep: 700 * ms, Net: 701 * ms}})
	}, `150ms: idle: outside 150
87% of the time no goroutine runs and none is ready
goroutines wait 7 times per operation (net), 20.00ms each time an operation runs: on average 1 of them at once @9
0.40 of 8 processors are in use: more goroutines cost nothing but memory here
sites: @7 3e+08 @9 2e+08`},
	{"waiting", "for as much of both", 8, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 8 * ms})
		f.traced(exectrace.Facts{Running: []float64{0.87, 0.1, 0.03}, Blocks: []exectrace.Block{block(exectrace.Sleep, 7, 30, 300*ms), block(exectrace.Net, 9, 70, 200*ms)},
			Idle: exectrace.Idle{Total: 1400 * ms, Waiting: 1400 * ms, Sleep: 700 * ms, Net: 700 * ms}})
	}, `150ms: idle: outside 150
87% of the time no goroutine runs and none is ready
goroutines wait 3 times per operation (sleep), 30.00ms each time an operation runs: on average 1.5 of them at once @7
0.40 of 8 processors are in use: more goroutines cost nothing but memory here
sites: @7 3e+08 @9 2e+08`},
	{"waiting", "for what is not known, by a channel", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 8 * ms})
		f.traced(exectrace.Facts{Running: []float64{0.87, 0.1, 0.03}, Blocks: []exectrace.Block{block(exectrace.ChanReceive, 7, 30, 300*ms), block(exectrace.ChanSend, 8, 30, 300*ms)}, Idle: exectrace.Idle{Total: 1500 * ms, Waiting: 1400 * ms, Serial: 100 * ms}})
	}, `46.667ms: idle: outside 46.667
87% of the time no goroutine runs and none is ready
0.40 of 3 processors are in use: more goroutines cost nothing but memory here
sites: @7 3e+08`},
	{"waiting", "none waits", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 8 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 1500 * ms, Serial: 1500 * ms}})
	}, "nothing"},
	{"waiting", "no trace", 3, func(f *facts) { f.new.spends(20*ms, shares{stack.User: 8 * ms}) }, "nothing"},

	// Oversubscription: goroutines that wait by running.
	{"oversubscription", "yields while others are ready, half of the window", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Yield: 12 * ms, stack.Switch: 6 * ms})
		f.new.lined(7, shares{stack.Yield: 12 * ms})
		f.traced(exectrace.Facts{Yields: 500, RunnableWait: exectrace.Dist{N: 100, Mean: 0.5 * ms}})
	}, "nothing"},
	{"oversubscription", "yields while others are ready for longer", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Yield: 12 * ms, stack.Switch: 6 * ms})
		f.new.lined(7, shares{stack.Yield: 12 * ms})
		f.traced(exectrace.Facts{Yields: 500, RunnableWait: exectrace.Dist{N: 100, Mean: 0.51 * ms, P90: 2 * ms}, Blocks: []exectrace.Block{block(exectrace.Yield, 8, 450, 9*ms), block(exectrace.Preempted, 9, 50, 9*ms), block(exectrace.Sleep, 10, 500, 9*ms)}})
	}, `16ms: at once switch 3, at once yield 12, idle 1
goroutines yield 50 times per operation and find nothing changed: 18.00ms of processor time @7
a goroutine that is ready waits 510.0µs for a processor on average, one in ten 2.000ms or more
sites: @8 450 @9 50`},
	{"oversubscription", "spins to the end of time slices", 3, func(f *facts) { spinning(f) }, `20ms: at once user 20
goroutines use up their time slices 2.5 times per operation while others are ready to run @7
a goroutine that is ready waits 510.0µs for a processor on average, one in ten 2.000ms or more
sites: @12 25`},
	{"oversubscription", "spins: slices are half of it", 3, func(f *facts) {
		spinning(f)
		f.trace.Preempted = 10
	}, `20ms: at once user 20
goroutines use up their time slices once per operation while others are ready to run @7
a goroutine that is ready waits 510.0µs for a processor on average, one in ten 2.000ms or more
sites: @12 25`},
	{"oversubscription", "spins: slices are under half of it", 3, func(f *facts) {
		spinning(f)
		f.trace.Preempted = 9
	}, "nothing"},
	{"oversubscription", "spins: half of the time is in tight loops", 3, func(f *facts) {
		spinning(f)
		f.new.Set.Hot[0].Where.Share = 0.25
	}, "nothing"},
	{"oversubscription", "spins in loops of any kind: with more processors a third of the time", 3, func(f *facts) {
		spinning(f)
		f.new.Set.Hot = nil
		f.onMore(9.9 * ms)
	}, `20ms: at once user 20
goroutines use up their time slices 2.5 times per operation while others are ready to run
on 16 processors it takes 9.900ms of processor time, here 30.00ms: the rest is waiting for what those that wait keep from running
a goroutine that is ready waits 510.0µs for a processor on average, one in ten 2.000ms or more
sites: @12 25`},
	{"oversubscription", "spins in loops of any kind: with more processors over a third", 3, func(f *facts) {
		spinning(f)
		f.new.Set.Hot = nil
		f.onMore(10.1 * ms)
	}, "nothing"},
	{"oversubscription", "less time with more processors, and no time slices used up", 3, func(f *facts) {
		spinning(f)
		f.onMore(9.9 * ms)
		f.trace.Preempted = 9
	}, "nothing"},
	{"oversubscription", "runs on where one processor shows that it waits", 3, func(f *facts) { solo(f, 72.1, 37) }, `12ms: at one user 12
lines where goroutines wait by running until their time slices are over, on one processor for 40.00ms, take 12.00ms here @7`},
	{"oversubscription", "runs on, as far as the base does not", 3, func(f *facts) {
		solo(f, 72.1, 37)
		f.base.spends(14*ms, shares{stack.User: 14 * ms})
	}, `10ms: at one user 10
lines where goroutines wait by running until their time slices are over, on one processor for 40.00ms, take 10.00ms here @7`},
	{"oversubscription", "one processor, and nothing else is ready there", 3, func(f *facts) {
		solo(f, 72.1, 37)
		f.one.Set.Trace.RunnableWait = exectrace.Dist{}
	}, "nothing"},
	{"oversubscription", "runs on, at a line that looks", 3, func(f *facts) {
		looking(f)
		f.one.spends(90*ms, shares{stack.User: 90 * ms})
		f.one.Set.CPU.Lines = nil
		f.one.lined(7, shares{stack.User: 80 * ms})
		f.one.Set.Trace.Preempted = 100
	}, `18ms: at one user 16, idle 2
goroutines wait by looking again and again, for 16.00ms of processor time; on one processor they let others run 160 times per operation @7
a goroutine that is ready waits 200.0µs for a processor on average, one in ten 2.000ms or more
lines: @7`},
	{"oversubscription", "runs on, and spins here, too", 3, func(f *facts) {
		solo(f, 72.1, 37)
		spin(f)
	}, `14ms: at one user 14
goroutines use up their time slices 2.5 times per operation while others are ready to run @7
a goroutine that is ready waits 510.0µs for a processor on average, one in ten 2.000ms or more
sites: @12 25`},
	{"oversubscription", "one processor takes three times as long", 3, func(f *facts) { solo(f, 72, 37) }, "nothing"},
	{"oversubscription", "one processor, and time slices are under half of it", 3, func(f *facts) { solo(f, 72.1, 36) }, "nothing"},
	{"oversubscription", "spins: a tenth of the time", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 11.2 * ms})
		spin(f)
	}, `1.2ms: at once user 1.2
goroutines use up their time slices 2.5 times per operation while others are ready to run @7
a goroutine that is ready waits 510.0µs for a processor on average, one in ten 2.000ms or more
sites: @12 25`},
	{"oversubscription", "spins: under a tenth", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 11.1 * ms})
		spin(f)
	}, "nothing"},
	{"oversubscription", "more threads than processors", 9, func(f *facts) {
		f.procs, f.v.New.Procs = 8, 16
		f.new.spends(10*ms, shares{stack.User: 30 * ms, stack.Switch: 3 * ms, stack.Idle: 4 * ms})
		f.one.spends(12*ms, shares{stack.User: 11 * ms, stack.Switch: 1 * ms})
	}, `25ms: at once switch 2, at once user 19, idle 4
GOMAXPROCS is 16 on 8 processors: threads take turns, which takes 25.00ms more of processor time than one does`},
	{"oversubscription", "as many as processors", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 30 * ms})
	}, "nothing"},
	{"oversubscription", "more threads than processors, for memory", 9, func(f *facts) {
		f.procs, f.v.New.Procs = 8, 16
		f.new.spends(10*ms, shares{stack.User: 30 * ms})
		f.new.waits(7, instr.Load, 20*ms)
	}, "nothing"},
	{"oversubscription", "looks in vain, at once and alone", 3, func(f *facts) { looking(f) }, `18ms: at once user 10, at one user 6, idle 2
goroutines wait by looking again and again, for 16.00ms of processor time; they let others run 91 times per operation @7
a goroutine that is ready waits 200.0µs for a processor on average, one in ten 2.000ms or more
lines: @7`},
	{"oversubscription", "looks in vain, alone only", 3, func(f *facts) {
		looking(f)
		f.new.Set.Trace.RunnableWait.Mean = 0
	}, `6ms: at one user 6
goroutines wait by looking again and again, for 6.000ms of processor time; on one processor they let others run 144 times per operation @7
a goroutine that is ready waits 0s for a processor on average, one in ten 2.000ms or more
lines: @7`},
	{"oversubscription", "turns are three tenths of the looking", 3, func(f *facts) {
		looking(f)
		f.one.Set.Trace = &exectrace.Facts{}
		f.trace.Yields, f.trace.Preempted, f.trace.UserRun = 40, 0, 1000*0.3*16*10*ms/40
	}, `13ms: at once user 11, idle 2
goroutines wait by looking again and again, for 16.00ms of processor time; they let others run 4 times per operation @7
a goroutine that is ready waits 200.0µs for a processor on average, one in ten 2.000ms or more
lines: @7`},
	{"oversubscription", "turns are under three tenths of it", 3, func(f *facts) {
		looking(f)
		f.one.Set.Trace = &exectrace.Facts{}
		f.trace.Yields, f.trace.Preempted, f.trace.UserRun = 40, 0, 1000*0.3*16*10*ms/40-1000
	}, `2ms: idle 2
goroutines yield 4 times per operation and find nothing changed: 0s of processor time
a goroutine that is ready waits 200.0µs for a processor on average, one in ten 2.000ms or more`},
	{"oversubscription", "looks are half of its own code", 3, func(f *facts) {
		looking(f)
		f.one.Set.Trace = &exectrace.Facts{}
		f.new.spends(10*ms, shares{stack.User: 30 * ms})
		f.new.Set.CPU.Lines = nil
		f.new.lined(7, shares{stack.User: 10 * ms})
	}, `0ms
goroutines yield 90 times per operation and find nothing changed: 0s of processor time`},
	{"oversubscription", "the update at the end of a look is none", 3, func(f *facts) {
		looking(f)
		f.new.waits(7, instr.Locked, 4*ms)
	}, `14ms: at once user 6, at one user 6, idle 2
goroutines wait by looking again and again, for 12.00ms of processor time; they let others run 91 times per operation @7
a goroutine that is ready waits 200.0µs for a processor on average, one in ten 2.000ms or more
lines: @7`},
	{"oversubscription", "a slice counts whole", 3, func(f *facts) {
		looking(f)
		f.one.Set.Trace = &exectrace.Facts{}
		f.trace.Yields, f.trace.Preempted = 0, 5
	}, `11ms: at once user 11
goroutines wait by looking again and again, for 16.00ms of processor time; they let others run 0.5 times per operation @7
a goroutine that is ready waits 200.0µs for a processor on average, one in ten 2.000ms or more
lines: @7`},
	{"oversubscription", "slices are under three tenths of it", 3, func(f *facts) {
		looking(f)
		f.one.Set.Trace = &exectrace.Facts{}
		f.trace.Yields, f.trace.Preempted = 0, 4
	}, "nothing"},

	{"network", "a program that runs sets up connections", 2, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Net: 8 * ms, stack.Dial: 5 * ms})
		f.new.lined(7, shares{stack.Net: 8 * ms})
		f.new.lined(8, shares{stack.Dial: 5 * ms})
		f.base.spends(18*ms, shares{stack.User: 10 * ms, stack.Net: 8 * ms})
		f.one.spends(18*ms, shares{stack.User: 10 * ms, stack.Net: 8 * ms})
		f.running = true
	}, `5ms: at once dial 5
setting up connections, with the handshakes of TLS, takes 5.000ms of processor time per operation, 22% of all @8
title: Connections set up again and again
do: Keep connections open and use them again: one client for all requests, which keeps as many idle as there are at once`},
	{"network", "a program that runs sends and receives", 2, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Net: 8 * ms})
		f.running = true
	}, "nothing"},
	{"network", "connections are a part of it", 2, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Net: 1 * ms, stack.Dial: 5 * ms})
	}, `6ms: at once dial 5, at once net 1
package net with its system calls takes 6.000ms of processor time per operation, 38% of all; in serial 0s`},

	// Stopping the world: the calls, what they stop, and what waits to make them.
	{"stoptheworld", "at each operation", 2, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.World: 4 * ms})
		f.new.lined(7, shares{stack.World: 4 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 260 * ms, Runnable: 100 * ms, Lock: 160 * ms}, Stopped: 60 * ms,
			Stops:  []exectrace.SiteCount{{Site: line(7), N: 20}},
			Blocks: []exectrace.Block{block(exectrace.World, 7, 30, 90*ms), block(exectrace.Mutex, 8, 30, 25*ms), block(exectrace.Once, 8, 3, 5*ms), block(exectrace.ChanSend, 9, 50, 500*ms)}})
	}, `22ms: at once world 4, idle: lock 12, idle: ready 6
stopping the world takes 4.000ms of processor time per operation, 29% of all; in serial 0s @7
goroutines stop the world 2 times per operation @7
sites: @7 9e+07`},
	{"stoptheworld", "nothing waits", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.World: 4 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 60 * ms, Runnable: 60 * ms}})
	}, `4ms: at once world 4
stopping the world takes 4.000ms of processor time per operation, 29% of all; in serial 0s`},
	{"stoptheworld", "as in the base", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.World: 4 * ms})
		f.base.spends(14*ms, shares{stack.User: 10 * ms, stack.World: 4 * ms})
	}, "nothing"},

	// Pools: Get and Put, what New makes, and the collecting of that.
	{"pool", "objects that do not come back", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Pool: 5 * ms, stack.PoolMiss: 6 * ms, stack.Alloc: 2 * ms, stack.GC: 3 * ms, stack.Sweep: 1 * ms})
		f.one.spends(20*ms, shares{stack.User: 10 * ms, stack.Pool: 4 * ms, stack.PoolMiss: 6 * ms, stack.Alloc: 2 * ms, stack.GC: 3 * ms, stack.Sweep: 1 * ms})
		f.base.spends(12*ms, shares{stack.User: 10 * ms, stack.Alloc: 1 * ms, stack.GC: 0.5 * ms})
		f.new.lined(7, shares{stack.Pool: 4 * ms, stack.PoolMiss: 1 * ms})
		f.new.lined(8, shares{stack.Pool: 1 * ms, stack.PoolMiss: 5 * ms})
		f.new.Allocs, f.base.Allocs = 60, 60
	}, `13.625ms: at once pool 1, at one gc 2.5, at one pool 4, at one poolmiss 6, at one sweep 0.125
Get and Put of sync.Pool take 5.000ms of processor time per operation, 19% of all @7
Get finds nothing and calls New: making the objects takes 6.000ms, collecting them 2.625ms; objects are not put back, or not by the time they are wanted @8
it saves no allocation: 60 per operation, 60 in serial`},
	{"pool", "it saves allocations", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Pool: 5 * ms})
		f.new.Allocs, f.base.Allocs = 59, 60
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 50 * ms, Serial: 30 * ms, Imbalance: 20 * ms}})
	}, `6.6667ms: at once pool 5, idle: imbalance 0.66667, idle: serial 1
Get and Put of sync.Pool take 5.000ms of processor time per operation, 33% of all`},
	{"pool", "the base has as much", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Pool: 5 * ms})
		f.base.spends(10*ms, shares{stack.User: 10 * ms, stack.Pool: 5 * ms})
	}, "nothing"},

	// The collector, where 4 MB and more live.
	{"gc", "of a large heap", 8, func(f *facts) {
		collecting(f)
		f.new.Live = 4<<20 + 1
	}, `39.661ms: at once gc 7, at one gc 3.5, idle: gc 19, idle: imbalance 3.3871, idle: serial 6.7742
the collector takes 12.00ms of processor time per operation, 39% of all, and allocation 6.000ms; in serial the collector takes 1.500ms
4.19 MB live in the heap, and each collection marks them: once in 4 operations
goroutines that allocate must help or wait for it 7 times per operation @11
sites: @10 30 @11 40`},
	{"gc", "of a small heap it is that of allocating", 8, func(f *facts) {
		collecting(f)
		f.new.Live = 4 << 20
	}, "nothing"},
	{"gc", "no collection", 8, func(f *facts) {
		collecting(f)
		f.new.Live, f.new.Cycles = 1e9, 0
	}, "nothing"},
	{"alloc", "with the collecting of a small heap", 8, func(f *facts) {
		collecting(f)
		f.new.Live = 4 << 20
	}, `54.419ms: at once alloc 1, at once allocwait 1, at once gc 7, at once sweep 1, at one alloc 4, at one gc 3.5, at one sweep 0.5, idle: gc 19, idle: imbalance 5.8065, idle: serial 11.613
allocation takes 7.000ms and collection 14.00ms of processor time per operation; in serial 1.000ms and 2.000ms @8
3000 allocations per operation; serial has 1000
price: each of 2000 allocations costs 27.21µs, collection included`},
	{"alloc", "without the collecting of a large heap", 8, func(f *facts) {
		collecting(f)
		f.new.Live = 4<<20 + 1
	}, `14.758ms: at once alloc 1, at once allocwait 1, at once sweep 1, at one alloc 4, at one sweep 0.5, idle: imbalance 2.4194, idle: serial 4.8387
allocation takes 7.000ms and collection 14.00ms of processor time per operation; in serial 1.000ms and 2.000ms @8
3000 allocations per operation; serial has 1000
price: each of 2000 allocations costs 7.379µs, collection included`},
	{"alloc", "a tenth of it waits for the allocator", 3, func(f *facts) {
		f.new.spends(20.0/3*ms, shares{stack.User: 10 * ms, stack.Alloc: 9 * ms, stack.AllocWait: 1 * ms})
		f.new.lined(7, shares{stack.Alloc: 5 * ms})
		f.new.lined(8, shares{stack.AllocWait: 1 * ms})
		f.new.Allocs, f.base.Allocs = 100, 50
	}, `10ms: at once alloc 9, at once allocwait 1
allocation takes 10.00ms and collection 0s of processor time per operation; in serial 0s and 0s @7
100 allocations per operation; serial has 50
price: each of 50 allocations costs 200.0µs, collection included`},
	{"alloc", "more than a tenth of it waits", 3, func(f *facts) {
		f.new.spends(20.1/3*ms, shares{stack.User: 10 * ms, stack.Alloc: 9 * ms, stack.AllocWait: 1.1 * ms})
		f.new.lined(7, shares{stack.Alloc: 5 * ms})
		f.new.lined(8, shares{stack.AllocWait: 1 * ms})
		f.new.Allocs, f.base.Allocs = 100, 51
		f.new.Set.Escapes = []evidence.Escape{{Place: line(7), Message: "x escapes to heap"}, {Place: line(8), Message: "y escapes to heap"}, {Place: line(9), Message: "z escapes to heap"}}
	}, `10.1ms: at once alloc 9, at once allocwait 1.1
allocation takes 10.10ms and collection 0s of processor time per operation; in serial 0s and 0s @7
1.100ms of it is at the allocator's own locks: goroutines allocate large or many objects at the same time @8
100 allocations per operation; serial has 51
the compiler says: x escapes to heap @7
the compiler says: y escapes to heap @8`},
	{"alloc", "against itself all are its own", 3, func(f *facts) {
		f.v.Kind = measure.Scaling
		f.new.spends(20.0/3*ms, shares{stack.User: 10 * ms, stack.Alloc: 10 * ms})
		f.new.Allocs, f.base.Allocs = 100, 100
	}, `10ms: at once alloc 10
allocation takes 10.00ms and collection 0s of processor time per operation; in the base 0s and 0s
100 allocations per operation; the base has 100
price: each of 100 allocations costs 100.0µs, collection included`},
	{"alloc", "less than one more", 3, func(f *facts) {
		f.new.spends(20.0/3*ms, shares{stack.User: 10 * ms, stack.Alloc: 10 * ms})
		f.new.Allocs, f.base.Allocs = 1.9, 1
	}, `10ms: at once alloc 10
allocation takes 10.00ms and collection 0s of processor time per operation; in serial 0s and 0s`},
	{"alloc", "one more", 3, func(f *facts) {
		f.new.spends(20.0/3*ms, shares{stack.User: 10 * ms, stack.Alloc: 10 * ms})
		f.new.Allocs, f.base.Allocs = 2, 1
	}, `10ms: at once alloc 10
allocation takes 10.00ms and collection 0s of processor time per operation; in serial 0s and 0s
2 allocations per operation; serial has 1
price: each of 1 allocations costs 10.00ms, collection included`},

	// Parts of the standard library, with what stands idle beside them.
	{"timer", "timers", 8, func(f *facts) { library(f, stack.Timer) }, `15.795ms: at once timers 4, at one timers 6, idle: imbalance 1.9318, idle: serial 3.8636
making, setting and stopping timers takes 12.00ms of processor time per operation, 50% of all; in serial 2.000ms @8`},
	{"mapgrow", "maps that grow", 8, func(f *facts) { library(f, stack.MapGrow) }, `15.795ms: at once mapgrow 4, at one mapgrow 6, idle: imbalance 1.9318, idle: serial 3.8636
moving the entries of maps into larger tables takes 12.00ms of processor time per operation, 50% of all; in serial 2.000ms @8`},
	{"syncmap", "sync.Map", 8, func(f *facts) { library(f, stack.SyncMap) }, `15.795ms: at once syncmap 4, at one syncmap 6, idle: imbalance 1.9318, idle: serial 3.8636
sync.Map takes 12.00ms of processor time per operation, 50% of all; in serial 2.000ms @8`},
	{"syncmap", "sync.Map beside itself", 8, func(f *facts) {
		library(f, stack.SyncMap)
		f.v.Kind = measure.Scaling
	}, "nothing"},
	{"cgo", "C", 8, func(f *facts) { library(f, stack.Cgo) }, `15.795ms: at once cgo 4, at one cgo 6, idle: imbalance 1.9318, idle: serial 3.8636
going to C and back takes 12.00ms of processor time per operation, 50% of all; in serial 2.000ms @8`},
	{"cgo", "long calls of C, which give up their processors", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Cgo: 8 * ms, stack.Syscall: 2 * ms})
		f.new.lined(7, shares{stack.Cgo: 8 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Cgo, 7, 100, 90*ms)}, Idle: exectrace.Idle{Total: 100 * ms, Waiting: 100 * ms, Cgo: 100 * ms}})
	}, `10.025ms: at once cgo 8, at once syscall 2, idle: cgo 0.025
going to C and back takes 10.00ms of processor time per operation, 50% of all; in serial 0s @7
calls of C take so long that their processor goes on without them 10 times per operation @7`},
	{"syscalls", "long calls of C make none", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Cgo: 8 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Cgo, 7, 100, 90*ms)}, Idle: exectrace.Idle{Total: 100 * ms, Waiting: 100 * ms, Cgo: 100 * ms}})
	}, "nothing"},
	{"waiting", "nor is time in C a wait for something outside", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Cgo: 8 * ms})
		f.traced(exectrace.Facts{Running: []float64{1, 0, 0, 0}, Blocks: []exectrace.Block{block(exectrace.Cgo, 7, 100, 90*ms)}, Idle: exectrace.Idle{Total: 100 * ms, Waiting: 100 * ms, Cgo: 100 * ms}})
	}, "nothing"},
	{"reflection", "reflection", 8, func(f *facts) { library(f, stack.Reflect) }, `15.795ms: at once reflect 4, at one reflect 6, idle: imbalance 1.9318, idle: serial 3.8636
reflection (fmt, encoding/json and their like) takes 12.00ms of processor time per operation, 50% of all; in serial 2.000ms @8`},
	{"interfacesort", "package sort", 8, func(f *facts) { library(f, stack.Sort) }, `15.795ms: at once sort 4, at one sort 6, idle: imbalance 1.9318, idle: serial 3.8636
sorting through an interface, with its Less and Swap, takes 12.00ms of processor time per operation, 50% of all; in serial 2.000ms @8`},
	{"timer", "what they allocate is collected", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Timer: 6 * ms, stack.TimerMade: 4 * ms, stack.Alloc: 12 * ms, stack.GC: 8 * ms, stack.Sweep: 4 * ms})
	}, `13ms: at once gc 3, at once timermade 4, at once timers 6
making, setting and stopping timers takes 10.00ms of processor time per operation, 23% of all; in serial 0s
collecting them takes 3.000ms`},
	{"timer", "the base has as much", 8, func(f *facts) {
		library(f, stack.Timer)
		f.base.spends(20*ms, f.new.By)
	}, "nothing"},

	{"network", "messages, with the scheduler's part", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Net: 20 * ms, stack.Switch: 5 * ms})
		f.base.spends(10*ms, shares{stack.User: 8 * ms, stack.Net: 2 * ms})
		f.new.lined(7, shares{stack.Net: 2 * ms})
		f.new.lined(8, shares{stack.Net: 18 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Net, 10, 300, 90*ms), block(exectrace.Net, 11, 100, 100*ms), block(exectrace.Mutex, 12, 600, 9*ms)}, Idle: exectrace.Idle{Total: 500 * ms, Waiting: 500 * ms, Net: 500 * ms}})
	}, `20ms: at once net 18, at once switch 2
package net with its system calls takes 20.00ms of processor time per operation, 57% of all; in serial 2.000ms @8
goroutines wait for the network 40 times per operation, and are parked and woken through its poller each time @10
price: each of 40 waits costs 500.0µs and carries 250.0µs of work
sites: @10 300 @11 100`},
	{"network", "no message waits", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Net: 20 * ms})
	}, `20ms: at once net 20
package net with its system calls takes 20.00ms of processor time per operation, 67% of all; in serial 0s`},
	{"network", "pipes are no messages", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Net, 10, 300, 90*ms)}, Idle: exectrace.Idle{Total: 500 * ms, Waiting: 500 * ms, Net: 500 * ms}})
	}, "nothing"},
	{"waiting", "for pipes: their turns of the scheduler", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Switch: 8 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Net, 10, 300, 90*ms), block(exectrace.Sleep, 11, 100, 90*ms), block(exectrace.Mutex, 12, 400, 9*ms)}, Idle: exectrace.Idle{Total: 500 * ms, Waiting: 500 * ms, Net: 500 * ms}})
	}, `66ms: at once switch 4, idle: outside 62
0% of the time no goroutine runs and none is ready
goroutines wait 30 times per operation (net), 9.000ms each time an operation runs: on average 0.9 of them at once @10
1.80 of 8 processors are in use: more goroutines cost nothing but memory here
sites: @10 9e+07 @11 9e+07`},

	{"syscalls", "short ones: one in a hundred gives its processor away", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Syscall: 20 * ms, stack.Switch: 6 * ms})
		f.base.spends(10*ms, shares{stack.User: 8 * ms, stack.Syscall: 2 * ms})
		f.new.lined(7, shares{stack.Syscall: 2 * ms})
		f.new.lined(8, shares{stack.Syscall: 18 * ms})
		f.traced(exectrace.Facts{Syscalls: 40000, Syscall: 160 * ms, Blocks: []exectrace.Block{block(exectrace.Syscall, 10, 300, 90*ms), block(exectrace.Mutex, 12, 200, 9*ms)}, Idle: exectrace.Idle{Total: 440 * ms, Waiting: 440 * ms, Syscall: 400 * ms}})
	}, `62ms: at once switch 4, at once syscall 18, idle: syscall 40
system calls take 20.00ms of processor time per operation, 56% of all; in serial 2.000ms @8
4000 system calls per operation, 4.000µs each
price: each of 4000 system calls costs 15.50µs and carries 2.500µs of work
sites: @10 9e+07`},
	{"syscalls", "long ones alone", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Switch: 6 * ms})
		f.traced(exectrace.Facts{Syscalls: 400, Syscall: 160 * ms, Blocks: []exectrace.Block{block(exectrace.Syscall, 10, 300, 90*ms), block(exectrace.Mutex, 12, 300, 9*ms)}, Idle: exectrace.Idle{Total: 640 * ms, Waiting: 640 * ms, Syscall: 400 * ms}})
	}, `43ms: at once switch 3, idle: syscall 40
system calls take 0s of processor time per operation, 0% of all; in serial 0s
40 system calls per operation, 400.0µs each
price: each of 40 system calls costs 1.075ms and carries 250.0µs of work
sites: @10 9e+07`},
	{"syscalls", "none", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 640 * ms, Waiting: 640 * ms, Sleep: 640 * ms}})
	}, "nothing"},

	// Imbalance: a tenth of what was available.
	{"imbalance", "a tenth, by what ran and where the others start", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{
			Running: []float64{0, 0.6, 0.1, 0, 0, 0, 0, 0, 0, 0.3}, Work: 100 * ms, Span: 40 * ms, Life: exectrace.Dist{N: 20, Median: 10e3, P90: 15.1e3},
			Path:       []exectrace.Step{{Func: "m.f", Site: line(9), Time: 30 * ms}},
			Idle:       exectrace.Idle{Total: 800 * ms, Imbalance: 90 * ms, Serial: 710 * ms, ImbalanceSites: []exectrace.SiteTime{{Site: source.Place{Func: "sync.(*WaitGroup).Go.func1", File: "/go/src/sync/waitgroup.go", Line: 238}, Time: 60 * ms}, {Site: line(7), Time: 30 * ms}}, SerialSites: []exectrace.SiteTime{{Site: line(70), Time: 1}}},
			SpawnSites: []exectrace.SiteCount{{Site: line(5), N: 2}, {Site: line(6), N: 1}},
		})
	}, `9ms: idle: imbalance 9
a worker runs while other processors are idle: 11% of the idle processor time; all 9 run together 30% of the time @7
work 10.00ms, span 4.000ms per operation: parallelism 2.5, no machine can make it faster than that many times one processor
75% of the span is spent up to here @9
of 20 goroutines the median runs 10.00µs, one in ten 15.10µs or more
sites: @7 3e+07 @5 4e+07 @6 2e+07`},
	{"imbalance", "under a tenth", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 800 * ms, Imbalance: 89.9 * ms, Serial: 710.1 * ms}})
	}, "nothing"},
	{"imbalance", "on one processor there is none", 1, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 100 * ms, Imbalance: 100 * ms}})
	}, "nothing"},
	{"imbalance", "workers of equal lives, of which no line is known", 16, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 100 * ms})
		f.traced(exectrace.Facts{Life: exectrace.Dist{N: 20, Median: 10e3, P90: 15e3}, Idle: exectrace.Idle{Total: 600 * ms, Imbalance: 600 * ms}, Path: []exectrace.Step{{Func: "m.f", Site: source.Place{Func: "runtime.goexit", File: "/go/src/runtime/asm.s", Line: 1}, Time: 30 * ms}}})
	}, `60ms: idle: imbalance 60
a worker runs while other processors are idle: 100% of the idle processor time; all 16 run together 100% of the time
sites: 6e+08`},
	{"imbalance", "the life of one tells nothing", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Life: exectrace.Dist{N: 1, Median: 10e3, P90: 90e3}, Idle: exectrace.Idle{Total: 600 * ms, Imbalance: 600 * ms}})
	}, `10ms: idle: imbalance 10
a worker runs while other processors are idle: 100% of the idle processor time; all 2 run together 100% of the time
sites: 6e+08`},

	{"imbalance", "one goroutine beside its starter, which waits", 2, func(f *facts) { background(f, 109.9) }, "nothing"},
	{"imbalance", "one goroutine beside its starter, which has a small part of the same", 2, func(f *facts) {
		background(f, 101)
		f.new.Set.CPU.Own, f.new.Set.CPU.Common = 0.01, 0.0051
	}, `9ms: idle: imbalance 9
a worker runs while other processors are idle: 90% of the idle processor time; all 2 run together 10% of the time @7
work 10.10ms, span 10.00ms per operation: parallelism 1.01, no machine can make it faster than that many times one processor
sites: @7 9e+07 0`},
	{"imbalance", "one goroutine beside its starter, which has other work", 2, func(f *facts) {
		background(f, 101)
		f.new.Set.CPU.Own, f.new.Set.CPU.Common = 0.01, 0.005
	}, "nothing"},
	{"imbalance", "one goroutine beside its starter, which works", 2, func(f *facts) { background(f, 110) }, `9ms: idle: imbalance 9
a worker runs while other processors are idle: 90% of the idle processor time; all 2 run together 10% of the time @7
work 11.00ms, span 10.00ms per operation: parallelism 1.1, no machine can make it faster than that many times one processor
sites: @7 9e+07 0`},
	{"serial", "one goroutine beside its starter, which waits", 2, func(f *facts) { background(f, 109.9) }, `10ms: idle: imbalance 9, idle: serial 1
one goroutine, or the one that it starts, runs while other processors are idle: 100% of the idle processor time; all 2 run together 10% of the time @7
work 10.99ms, span 10.00ms per operation: parallelism 1.1, no machine can make it faster than that many times one processor
do: Divide the work of the one that runs, or call it directly: there is hardly anything that it could run beside
sites: @7 9e+07 @8 1e+07 0 0`},
	{"serial", "one goroutine beside its starter, which works", 2, func(f *facts) { background(f, 110) }, `1ms: idle: serial 1
the goroutine that all others start from runs while other processors are idle: 10% of the idle processor time; all 2 run together 10% of the time @8
work 11.00ms, span 10.00ms per operation: parallelism 1.1, no machine can make it faster than that many times one processor
sites: @8 1e+07 0`},
	{"serial", "one goroutine that others start from", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{
			Goroutines: 1, Running: []float64{0, 0.6, 0.1, 0, 0, 0, 0, 0, 0.2, 0.1}, Work: 100 * ms, Span: 99 * ms,
			Path: []exectrace.Step{{Func: "m.f", Site: line(9), Time: 30 * ms}},
			Idle: exectrace.Idle{Total: 800 * ms, Imbalance: 200 * ms, Serial: 600 * ms, SerialSites: []exectrace.SiteTime{{Site: line(7), Time: 400 * ms}}},
		})
	}, `60ms: idle: serial 60
the goroutine that all others start from runs while other processors are idle: 75% of the idle processor time; all 9 run together 10% of the time @7
work 10.00ms, span 9.900ms per operation: parallelism 1.01, no machine can make it faster than that many times one processor
30% of the span is spent up to here @9
sites: @7 4e+08 2e+08`},
	{"serial", "no other goroutine has work", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Work: 104.9 * ms, Span: 100 * ms, Idle: exectrace.Idle{Total: 100 * ms, Serial: 100 * ms}})
	}, `10ms: idle: serial 10
the goroutine that all others start from runs while other processors are idle: 100% of the idle processor time; all 2 run together 100% of the time
work 10.49ms, span 10.00ms per operation: parallelism 1.05, no machine can make it faster than that many times one processor
no other goroutine has work
do: One goroutine needs one processor: to use more, divide its work, where that is long enough
sites: 1e+08`},
	{"serial", "others have work", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Work: 105 * ms, Span: 100 * ms, Idle: exectrace.Idle{Total: 100 * ms, Serial: 100 * ms}})
	}, `10ms: idle: serial 10
the goroutine that all others start from runs while other processors are idle: 100% of the idle processor time; all 2 run together 100% of the time
work 10.50ms, span 10.00ms per operation: parallelism 1.05, no machine can make it faster than that many times one processor
sites: 1e+08`},
	{"serial", "on one processor there is none", 1, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 100 * ms, Serial: 100 * ms}})
	}, "nothing"},
	{"serial", "none runs alone", 2, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 100 * ms, Imbalance: 100 * ms}})
	}, "nothing"},

	// Cores: those of two threads, no more than arithmetic slows down.
	{"smt", "eight threads of four cores", 8, func(f *facts) { threads(f, 4) }, `9.8ms: at once user 9.8
8 processors are used and there are 4 cores: 8 of the processors are hardware threads that share a core @7
the same code takes 14.00ms of processor time on one processor and 30.00ms on 8
plain arithmetic takes 1.60 times as long here with all processors busy`},
	{"smt", "eight threads of six cores: four of them have a sibling", 8, func(f *facts) { threads(f, 6) }, `4.9ms: at once user 4.9
8 processors are used and there are 6 cores: 4 of the processors are hardware threads that share a core @7
the same code takes 14.00ms of processor time on one processor and 30.00ms on 8
plain arithmetic takes 1.60 times as long here with all processors busy`},
	{"smt", "nine threads of eight cores", 9, func(f *facts) { threads(f, 8) }, `2.1778ms: at once user 2.1778
9 processors are used and there are 8 cores: 2 of the processors are hardware threads that share a core @7
the same code takes 14.00ms of processor time on one processor and 30.00ms on 9
plain arithmetic takes 1.60 times as long here with all processors busy`},
	{"smt", "eight threads of eight cores", 8, func(f *facts) { threads(f, 8) }, "nothing"},
	{"smt", "sixteen threads of four cores", 16, func(f *facts) { threads(f, 4) }, `9.8ms: at once user 9.8
16 processors are used and there are 4 cores: 16 of the processors are hardware threads that share a core @7
the same code takes 14.00ms of processor time on one processor and 30.00ms on 16
plain arithmetic takes 1.60 times as long here with all processors busy`},
	{"smt", "cores that are not known", 8, func(f *facts) { threads(f, 0) }, "nothing"},
	{"smt", "no longer than it takes more", 8, func(f *facts) {
		threads(f, 4)
		f.new.spends(10*ms, shares{stack.User: 15 * ms, stack.Alloc: 6 * ms})
	}, `7ms: at once alloc 2, at once user 5
8 processors are used and there are 4 cores: 8 of the processors are hardware threads that share a core @7
the same code takes 14.00ms of processor time on one processor and 21.00ms on 8
plain arithmetic takes 1.60 times as long here with all processors busy`},
	{"smt", "what waits for memory is not slower for that", 8, func(f *facts) {
		threads(f, 4)
		f.new.waits(7, instr.Load, 10*ms)
	}, `2ms: at once alloc 2
8 processors are used and there are 4 cores: 8 of the processors are hardware threads that share a core
the same code takes 4.000ms of processor time on one processor and 6.000ms on 8
plain arithmetic takes 1.60 times as long here with all processors busy`},
	{"smt", "what arithmetic costs here is not known", 8, func(f *facts) {
		threads(f, 4)
		f.prices.Step.NS = 0
	}, "nothing"},
	{"smt", "arithmetic is no slower", 8, func(f *facts) {
		threads(f, 4)
		f.prices.StepAll.High = 0.9
	}, "nothing"},
	{"smt", "on one processor", 1, func(f *facts) {
		f.s.Cores = 1
		f.new.spends(20*ms, shares{stack.User: 20 * ms})
	}, "nothing"},

	// Bandwidth: more than the last cache holds, at a third of the memory's rate.
	{"bandwidth", "copies", 8, func(f *facts) { streaming(f) }, `3ms: at once copy 3
the same code takes 7.000ms of processor time on one processor and 10.00ms on 8 @7
one operation moves 64 MB and the last cache holds 64: at least 32 GB/s, where all processors of this machine together read 42.7 GB/s, and one 32`},
	{"bandwidth", "what the cache holds", 8, func(f *facts) {
		streaming(f)
		f.s.Cache = 64e6 + 1
	}, "nothing"},
	{"bandwidth", "a third of the memory's rate", 8, func(f *facts) {
		streaming(f)
		f.new.Wall = 4.5 * ms // 64 MB at 1.5 ns a line take 1.5 ms
	}, "nothing"},
	{"bandwidth", "more than a third", 8, func(f *facts) {
		streaming(f)
		f.new.Wall = 4.49 * ms
	}, `3ms: at once copy 3
the same code takes 7.000ms of processor time on one processor and 10.00ms on 8 @7
one operation moves 64 MB and the last cache holds 64: at least 14.3 GB/s, where all processors of this machine together read 42.7 GB/s, and one 32`},
	{"bandwidth", "misses that are counted", 8, func(f *facts) {
		streaming(f)
		f.new.Set.Touched = 0
		f.one.Set.Counters, f.new.Set.Counters = &evidence.Counters{Instructions: 1e6, Cycles: 2e6}, &evidence.Counters{Instructions: 1e6, Cycles: 5e6, CacheMisses: 2e6}
	}, `3ms: at once copy 3
the same code takes 7.000ms of processor time on one processor and 10.00ms on 8 @7
hardware counters: 1.000M instructions per operation on one processor and 1.000M on 8, at 2.00 and 5.00 cycles each
one operation moves 128 MB and the last cache holds 64: at least 64 GB/s, where all processors of this machine together read 42.7 GB/s, and one 32`},
	{"bandwidth", "pages that it looks at here and there", 8, func(f *facts) {
		reading(f)
		f.one.Wall = 1.59 * ms // 64 MB at 2 ns a line take 2 ms
	}, "nothing"},
	{"bandwidth", "pages that it reads, as fast as one processor can", 8, func(f *facts) {
		reading(f)
		f.one.Wall = 1.6 * ms
	}, `4ms: at once user 4
the same code takes 2.000ms of processor time on one processor and 6.000ms on 8
83% of the time is behind LOAD @7
one operation moves 64 MB and the last cache holds 32: at least 64 GB/s, where all processors of this machine together read 42.7 GB/s, and one 32`},
	{"bandwidth", "it gets slower than sharing the memory can make it", 8, func(f *facts) {
		streaming(f)
		f.one.spends(2*ms, shares{stack.User: 0.5 * ms, stack.Copy: 1.5 * ms})
		f.new.spends(2.51*ms, shares{stack.User: 0.5 * ms, stack.Copy: 19.6 * ms})
	}, "nothing"},
	{"bandwidth", "as slow as sharing the memory can make it", 8, func(f *facts) {
		streaming(f)
		f.one.spends(2*ms, shares{stack.User: 0.5 * ms, stack.Copy: 1.5 * ms})
		f.new.spends(2.51*ms, shares{stack.User: 0.5 * ms, stack.Copy: 19.5 * ms})
	}, `13ms: at once copy 13
the same code takes 2.000ms of processor time on one processor and 20.00ms on 8 @7
one operation moves 64 MB and the last cache holds 64: at least 25.5 GB/s, where all processors of this machine together read 42.7 GB/s, and one 32`},
	{"bandwidth", "hardly two at a time", 8, func(f *facts) {
		streaming(f)
		f.traced(exectrace.Facts{Running: []float64{0.9, 0.06, 0.04, 0, 0, 0, 0, 0, 0}})
	}, "nothing"},
	{"bandwidth", "copies that are 15 % slower", 8, func(f *facts) {
		streaming(f)
		f.new.By[stack.Copy], f.new.By[stack.User] = 4.6*ms, 5.4*ms
	}, "nothing"},
	{"bandwidth", "what a memory delivers is not known", 8, func(f *facts) {
		streaming(f)
		f.prices.Memory.NS = 0
	}, "nothing"},
	{"bandwidth", "what all processors get is not known", 8, func(f *facts) {
		streaming(f)
		f.prices.MemoryAll.NS = 0
	}, "nothing"},
	{"bandwidth", "a cache that is not known", 8, func(f *facts) {
		streaming(f)
		f.s.Cache = 0
	}, "nothing"},

	// Affinity: data that goroutines hand over, 200 ns to 500 µs each time.
	{"affinity", "slower than sharing the memory can make it", 8, func(f *facts) {
		streaming(f)
		f.one.spends(2*ms, shares{stack.User: 0.5 * ms, stack.Copy: 1.5 * ms})
		f.new.spends(2.51*ms, shares{stack.User: 0.5 * ms, stack.Copy: 19.6 * ms})
	}, `13.1ms: at once copy 13.1
the same code takes 2.000ms of processor time on one processor and 20.10ms on 8 @7
what it reads was written or read on another processor before
it takes more than 8 times the processor time: sharing the memory's bandwidth cannot do that, fetching from other processors' caches can`},
	{"affinity", "nothing is handed over", 8, func(f *facts) { streaming(f) }, "nothing"},
	{"affinity", "it moves, and on which processor it goes on", 8, func(f *facts) {
		streaming(f)
		f.traced(exectrace.Facts{Resumptions: 500, SameProc: 0.25, Blocks: []exectrace.Block{block(exectrace.ChanReceive, 10, 60, ms), block(exectrace.ChanSend, 11, 70, ms), block(exectrace.Select, 12, 50, ms)}})
	}, `3ms: at once copy 3
the same code takes 7.000ms of processor time on one processor and 10.00ms on 8 @7
what it reads was written or read on another processor before
goroutines go on after a wait 50 times per operation, 75% of them on another processor than before @11`},
	{"affinity", "500 µs for each", 8, func(f *facts) {
		streaming(f) // 3 ms
		f.traced(exectrace.Facts{Resumptions: 500, Blocks: []exectrace.Block{block(exectrace.ChanReceive, 10, 60, ms)}})
	}, "nothing"},
	{"affinity", "under 500 µs for each", 8, func(f *facts) {
		streaming(f)
		f.traced(exectrace.Facts{Resumptions: 500, SameProc: 1, Blocks: []exectrace.Block{block(exectrace.ChanReceive, 10, 61, ms)}})
	}, `3ms: at once copy 3
the same code takes 7.000ms of processor time on one processor and 10.00ms on 8 @7
what it reads was written or read on another processor before
goroutines go on after a wait 50 times per operation, 0% of them on another processor than before @10`},
	{"affinity", "200 ns for each", 8, func(f *facts) {
		streaming(f)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanSend, 10, 150000, ms)}})
	}, "nothing"},
	{"affinity", "more than 200 ns for each", 8, func(f *facts) {
		streaming(f)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanSend, 10, 149990, ms)}})
	}, `3ms: at once copy 3
the same code takes 7.000ms of processor time on one processor and 10.00ms on 8 @7
what it reads was written or read on another processor before`},
	{"affinity", "less than one in an operation", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Copy: 0.1 * ms})
		f.traced(exectrace.Facts{Resumptions: 5, Blocks: []exectrace.Block{block(exectrace.ChanSend, 10, 9, ms)}})
	}, "nothing"},
	{"affinity", "one in an operation", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Copy: 0.1 * ms})
		f.traced(exectrace.Facts{Resumptions: 5, Blocks: []exectrace.Block{block(exectrace.ChanSend, 10, 10, ms)}})
	}, `0.1ms: at once copy 0.1
the same code takes 10.00ms of processor time on one processor and 10.10ms on 8
what it reads was written or read on another processor before
goroutines go on after a wait 0.5 times per operation, 100% of them on another processor than before @10`},
	{"affinity", "slow loads, less what is shared", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 0), 1.5, 0.95, 1.09)
		f.traced(exectrace.Facts{Resumptions: 5, Blocks: []exectrace.Block{block(exectrace.ChanSend, 10, 1000, ms)}})
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind RMW @7
what it reads was written or read on another processor before
it takes more than 3 times the processor time: sharing the memory's bandwidth cannot do that, fetching from other processors' caches can
goroutines go on after a wait 0.5 times per operation, 100% of them on another processor than before @10`},
	{"affinity", "data behind a lock are the lock's", 3, func(f *facts) {
		f.new.spends(30*ms, shares{stack.User: 40 * ms, stack.Copy: 1 * ms, stack.Lock: 30 * ms})
		f.new.waits(7, instr.Locked, 40*ms)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanSend, 10, 100, ms), block(exectrace.Mutex, 11, 100, ms)}})
	}, `1ms: at once copy 1
the same code takes 10.00ms of processor time on one processor and 41.00ms on 3
56% of the time is behind LOCKED @7
what it reads was written or read on another processor before
it takes more than 3 times the processor time: sharing the memory's bandwidth cannot do that, fetching from other processors' caches can`},

	// More work: what it takes on one processor already.
	{"work", "its own code, copies, maps, clock and defer", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 15 * ms, stack.Copy: 2 * ms, stack.Map: 3 * ms, stack.Clock: 4 * ms, stack.Defer: 5 * ms, stack.Chan: 6 * ms})
		f.one.spends(30*ms, shares{stack.User: 14 * ms, stack.Copy: 2 * ms, stack.Map: 3 * ms, stack.Clock: 4 * ms, stack.Defer: 5 * ms})
		f.one.lined(7, shares{stack.User: 9 * ms, stack.Chan: 9 * ms})
		f.one.lined(8, shares{stack.User: 2.5 * ms, stack.Map: 2 * ms})
		f.one.lined(9, shares{stack.Copy: 1 * ms})
		f.base.lined(7, shares{stack.User: 6 * ms})
	}, `18ms: at one copy 2, at one defer 5, at one map 3, at one timer 4, at one user 4
on one processor already its own code, copies and maps take 28.00ms and those of serial 10.00ms
4.500ms is spent here in m.f, and none in serial @8
9.000ms is spent here in m.f, where serial spends 6.000ms @7`},
	{"work", "no more than the whole: what a profile moves is none", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 15 * ms})
		f.one.spends(11*ms, shares{stack.User: 11 * ms, stack.Map: 3 * ms})
		f.base.spends(10*ms, shares{stack.User: 8 * ms, stack.Alloc: 2 * ms, stack.GC: 2 * ms})
	}, "nothing"},
	{"work", "one goroutine says nothing of processors", 1, func(f *facts) {
		f.single = true
		f.new.spends(13*ms, shares{stack.User: 13 * ms})
		f.new.lined(7, shares{stack.User: 9 * ms})
		f.new.lined(8, shares{stack.User: 0.47 * ms})
	}, `3ms: at one user 3
its own code, copies and maps take 13.00ms and those of serial 10.00ms
9.000ms is spent here in m.f, and none in serial @7
title: Its code takes longer
do: Look at these lines: they are what it does that serial does not do, or does faster`},
	{"work", "a twentieth of what it takes more", 1, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 20 * ms})
		f.new.lined(7, shares{stack.User: 9.5 * ms})
		f.new.lined(8, shares{stack.User: 0.5 * ms})
	}, `10ms: at one user 10
on one processor already its own code, copies and maps take 20.00ms and those of serial 10.00ms
9.500ms is spent here in m.f, and none in serial @7
500.0µs is spent here in m.f, and none in serial @8`},
	{"work", "read-modify-writes are rmw's", 8, func(f *facts) {
		f.new.spends(30*ms, shares{stack.User: 30 * ms, stack.Map: 2 * ms})
		f.one.spends(30*ms, shares{stack.User: 30 * ms, stack.Map: 2 * ms})
		f.one.waits(7, instr.RMW, 9*ms)
	}, `2ms: at one map 2
on one processor already its own code, copies and maps take 2.000ms and those of serial 0s`},
	{"work", "what waits on one processor by looking is no work", 3, func(f *facts) { looking(f) }, "nothing"},
	{"work", "what spins is no work", 3, func(f *facts) {
		spinning(f)
		f.one.spends(20*ms, shares{stack.User: 20 * ms})
	}, "nothing"},
	{"work", "on one processor three times what it takes here is waiting", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 30 * ms})
		f.one.spends(90.1*ms, shares{stack.User: 90.1 * ms})
	}, "nothing"},
	{"work", "on one processor up to three times what it takes here", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 30 * ms})
		f.one.spends(89.9*ms, shares{stack.User: 89.9 * ms})
	}, `20ms: at one user 20
on one processor already its own code, copies and maps take 89.90ms and those of serial 10.00ms`},
	{"work", "looks into channels, a tenth of it", 8, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 19 * ms, stack.Select: 1 * ms})
		f.one.spends(20*ms, shares{stack.User: 19 * ms, stack.Select: 0.5 * ms})
		f.new.lined(7, shares{stack.Select: 1 * ms})
		f.traced(exectrace.Facts{})
	}, `10ms: at once select 0.5, at one select 0.5, at one user 9
on one processor already its own code, copies and maps take 19.50ms and those of serial 10.00ms
it looks at channels for 1.000ms per operation and hardly ever waits there or hands over @7`},
	{"work", "looks into channels, under a tenth of it", 8, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 19.1 * ms, stack.Select: 1 * ms})
		f.one.spends(20*ms, shares{stack.User: 19.1 * ms, stack.Select: 0.5 * ms})
		f.new.lined(7, shares{stack.Select: 1 * ms})
		f.traced(exectrace.Facts{})
	}, `10.1ms: at once select 0.5, at one select 0.5, at one user 9.1
on one processor already its own code, copies and maps take 19.60ms and those of serial 10.00ms`},
	{"work", "no side of one processor", 8, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 20 * ms})
		f.one = nil
	}, "nothing"},

	// What slows down behind a lock is the lock's: what is not shared, or what is
	// shared truly.
	{"lock", "its data, which is not shared", 3, func(f *facts) { guarding(f, met(0, 0)) }, `60ms: at once lock 30, at once user 30
locking takes 30.00ms of processor time per operation, 43% of all`},
	{"lock", "its data, which are shared truly", 3, func(f *facts) { guarding(f, met(0, 300)) }, `60ms: at once lock 30, at once user 30
locking takes 30.00ms of processor time per operation, 43% of all`},
	{"lock", "its data, of which a part is shared falsely", 3, func(f *facts) { guarding(f, met(100, 200)) }, `50ms: at once lock 30, at once user 20
locking takes 30.00ms of processor time per operation, 43% of all`},
	{"lock", "its data, which are shared falsely", 3, func(f *facts) { guarding(f, met(300, 0)) }, `30ms: at once lock 30
locking takes 30.00ms of processor time per operation, 43% of all`},
	{"lock", "by hand, without waits or yields: its maps move", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 40 * ms, stack.Map: 9 * ms})
		f.one.spends(12*ms, shares{stack.User: 10 * ms, stack.Map: 2 * ms})
		f.new.lined(7, shares{stack.User: 30 * ms})
		f.new.Set.Shapes = []evidence.Shape{{Place: line(7), Kind: evidence.Spin}}
	}, `37ms: at once map 7, at once user 30
locking takes 30.00ms of processor time per operation, 61% of all
a lock made of compare-and-swap: goroutines try it again and again for 30.00ms, and yield 0 times per operation @7
do: Take a sync.Mutex, which parks waiting goroutines, and hold it less often
lines: @7`},
	{"lock", "waits that cost half of what they take", 2, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 10 * ms, stack.Lock: 15 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 100, 9*ms)}, Idle: exectrace.Idle{Total: 150 * ms, Lock: 150 * ms}})
	}, `30ms: at once lock 15, idle: lock 15
locking takes 15.00ms of processor time per operation, 60% of all
goroutines block on locks 10 times per operation, 90.00µs each @7
100% of the idle processor time passes while a goroutine waits for a lock
sites: @7 9e+06`},
	{"lock", "on one processor none is idle for it", 1, func(f *facts) {
		f.new.spends(40*ms, shares{stack.User: 10 * ms, stack.Lock: 20 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.Mutex, 7, 100, 9*ms)}, Idle: exectrace.Idle{Total: 100 * ms, Lock: 100 * ms}})
	}, `30ms: at one lock 20, idle: lock 10
locking takes 20.00ms of processor time per operation, 67% of all
goroutines block on locks 10 times per operation, 90.00µs each @7
sites: @7 9e+06`},
	{"affinity", "data behind a queue are the hand-off's", 3, func(f *facts) {
		f.new.spends(30*ms, shares{stack.User: 30 * ms, stack.Copy: 1 * ms, stack.Lock: 4 * ms, stack.Cond: 30 * ms})
		f.new.waits(7, instr.Load, 20*ms)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanSend, 10, 100, ms), block(exectrace.Cond, 11, 100, ms), block(exectrace.Mutex, 12, 90, ms)}})
	}, `1ms: at once copy 1
the same code takes 10.00ms of processor time on one processor and 31.00ms on 3
31% of the time is behind LOAD @7
what it reads was written or read on another processor before`},
	{"affinity", "data beside a condition that is used less often than locks", 3, func(f *facts) {
		f.new.spends(30*ms, shares{stack.User: 30 * ms, stack.Copy: 1 * ms, stack.Lock: 4 * ms, stack.Cond: 30 * ms})
		f.new.waits(7, instr.Load, 20*ms)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanSend, 10, 100, ms), block(exectrace.Cond, 11, 89, ms), block(exectrace.Mutex, 12, 90, ms)}})
	}, "nothing"},
	{"affinity", "copies, and slow loads less what is shared either way", 3, func(f *facts) {
		f.one.spends(12*ms, shares{stack.User: 10 * ms, stack.Copy: 2 * ms})
		f.new.spends(20*ms, shares{stack.User: 40 * ms, stack.Copy: 4 * ms})
		f.new.waits(7, instr.RMW, 10*ms)
		f.new.waits(8, instr.Locked, 5*ms)
		f.traced(exectrace.Facts{Resumptions: 50, SameProc: 0.2, Blocks: []exectrace.Block{block(exectrace.Select, 10, 600, ms)}})
	}, `17ms: at once copy 2, at once user 15
the same code takes 12.00ms of processor time on one processor and 44.00ms on 3
23% of the time is behind RMW @7
what it reads was written or read on another processor before
goroutines go on after a wait 5 times per operation, 80% of them on another processor than before @10`},
	{"affinity", "streams of many bytes", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 20 * ms})
		f.new.waits(7, instr.Stream, 10*ms)
		f.new.Set.Sharing = met(0, 0)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanReceive, 10, 600, ms)}})
	}, `10ms: at once user 10
the same code takes 10.00ms of processor time on one processor and 20.00ms on 3
50% of the time is behind STREAM @7
what it reads was written or read on another processor before`},
	{"bandwidth", "code that copies more than it computes reads all of its pages", 8, func(f *facts) {
		streaming(f)
		f.one.spends(1.5*ms, shares{stack.User: 1 * ms, stack.Copy: 1.1 * ms})
		f.new.spends(2*ms, shares{stack.User: 1 * ms, stack.Copy: 7 * ms})
	}, `1ms: at once copy 1
the same code takes 2.100ms of processor time on one processor and 8.000ms on 8 @7
one operation moves 64 MB and the last cache holds 64: at least 32 GB/s, where all processors of this machine together read 42.7 GB/s, and one 32`},
	{"bandwidth", "code that computes as much as it copies", 8, func(f *facts) {
		streaming(f)
		f.one.spends(1.5*ms, shares{stack.User: 1.1 * ms, stack.Copy: 1 * ms})
		f.new.spends(2*ms, shares{stack.User: 1.1 * ms, stack.Copy: 7 * ms})
	}, "nothing"},
	{"bandwidth", "misses are counted whatever it computes", 8, func(f *facts) {
		reading(f)
		f.one.Wall = 1 * ms
		f.new.Set.Counters = &evidence.Counters{Instructions: 9e6, Cycles: 9e6, CacheMisses: 1e6}
	}, `4ms: at once user 4
the same code takes 2.000ms of processor time on one processor and 6.000ms on 8
83% of the time is behind LOAD @7
one operation moves 64 MB and the last cache holds 32: at least 64 GB/s, where all processors of this machine together read 42.7 GB/s, and one 32`},
	{"bandwidth", "counters that do not count misses", 8, func(f *facts) {
		streaming(f)
		f.new.Set.Counters = &evidence.Counters{Instructions: 9e6, Cycles: 9e6}
	}, `3ms: at once copy 3
the same code takes 7.000ms of processor time on one processor and 10.00ms on 8 @7
one operation moves 64 MB and the last cache holds 64: at least 32 GB/s, where all processors of this machine together read 42.7 GB/s, and one 32`},
	{"bandwidth", "data that are handed over are affinity's", 8, func(f *facts) {
		streaming(f)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanReceive, 10, 100, ms)}})
	}, "nothing"},
	{"pagefault", "time of the kernel for itself, and as much as one processor already has", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 60 * ms, stack.Copy: 20 * ms})
		f.one.spends(20*ms, shares{stack.User: 14 * ms, stack.Copy: 6 * ms})
		f.new.Faults, f.one.Faults, f.base.Faults = 9000, 9000, 0
		f.new.System, f.one.System, f.base.System = 100*ms, 9*ms, 0
	}, `69ms: at once copy 14, at once user 46, at one copy 5.4, at one user 3.6
9000 page faults per operation; serial has 0
the kernel takes 100.0ms of processor time per operation, 125% of all; in serial 0s
on one processor it takes 9.000ms: threads that fault at once queue there
price: the first touch of a page costs 1.000µs here`},
	{"pagefault", "on one processor none queues", 1, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 15 * ms, stack.Copy: 5 * ms})
		f.new.Faults, f.base.Faults = 9000, 1000
		f.new.System, f.base.System = 9*ms, 1*ms
	}, `8ms: at one copy 4, at one user 4
9000 page faults per operation; serial has 1000
the kernel takes 9.000ms of processor time per operation, 45% of all; in serial 1.000ms
price: the first touch of a page costs 1.000µs here`},
	{"handoff", "dear work: no batch is needed", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 0.2 * ms})
		f.base.spends(10*ms, shares{stack.User: 10 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 10000, 9*ms)}, Idle: exectrace.Idle{Total: 98 * ms, Waiting: 98 * ms, Sleep: 98 * ms}})
	}, `0.2ms: at once chan 0.2
channel operations take 200.0µs of processor time per operation, 2% of all
goroutines block there 1000 times per operation and run 0s in between (median) @7
of the idle processor time 0% passes while control goes to and fro, 0% while work is ready and no processor has taken it yet
price: each of 1000 hand-offs costs 200.0ns and carries 10.00µs of work
sites: @7 10000`},
	{"handoff", "most blocked in a select", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Select: 5 * ms})
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 100, 9*ms), block(exectrace.Select, 8, 300, 9*ms), block(exectrace.ChanReceive, 9, 200, 9*ms), {Kind: exectrace.Select, N: 400}}})
	}, `10ms: at once select 5, idle 5
channel operations take 5.000ms of processor time per operation, 33% of all
goroutines block there 100 times per operation and run 0s in between (median) @8
price: at 150.0ns each, the price of a hand-off here, that is the time of about 33330 hand-offs
sites: @7 100 @8 300 @9 200 400`},
	{"handoff", "one goroutine in an operation", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 600})
		f.traced(exectrace.Facts{Goroutines: 10, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 20, 9*ms)}})
	}, "nothing"},
	{"handoff", "nine goroutines in ten operations", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 0.5 * ms})
		f.traced(exectrace.Facts{Goroutines: 9, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 18, 9*ms)}})
	}, `13.5ms: at once chan 0.5, idle 13
channel operations take 500.0µs of processor time per operation, 5% of all
goroutines block there 1.8 times per operation and run 0s in between (median) @7
price: at 150.0ns each, the price of a hand-off here, that is the time of about 3333 hand-offs
sites: @7 18`},
	{"handoff", "a price that is not known: two messages are how a goroutine is awaited", 3, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Chan: 5 * ms})
		f.prices.HandoffSameP.NS = 0
		f.traced(exectrace.Facts{Goroutines: 600, Blocks: []exectrace.Block{block(exectrace.ChanSend, 7, 1200, 9*ms)}})
	}, "nothing"},
	{"grain", "half of it in its code", 2, func(f *facts) {
		f.new.spends(11*ms, shares{stack.User: 10 * ms, stack.Spawn: 5 * ms})
		f.traced(exectrace.Facts{Goroutines: 20000})
	}, `10ms: at once spawn 5, idle 5
2000 goroutines start per operation; starting, ending and awaiting them takes 5.000ms of processor time, 33% of all
price: each of 2000 goroutines costs 5.000µs and carries 5.000µs of work; with 10 times the work each, that is a tenth`},
	{"grain", "under half of it in its code", 2, func(f *facts) {
		f.new.spends(11*ms, shares{stack.User: 10 * ms, stack.Spawn: 4.9 * ms})
		f.traced(exectrace.Facts{Goroutines: 20000})
	}, `9.9ms: at once spawn 4.9, idle 5
2000 goroutines start per operation; 5.000ms are switches and idle processors until goroutines that were started or woken run
starting, ending and awaiting them takes 4.900ms of processor time, 33% of all
price: each of 2000 goroutines costs 4.950µs and carries 5.000µs of work; with 10 times the work each, that is a tenth`},
	{"oversubscription", "goroutines that spin and look do no more than spin", 3, func(f *facts) {
		spinning(f)
		f.new.lined(7, shares{stack.User: 20 * ms})
		f.new.Set.Shapes = []evidence.Shape{{Place: line(7), Kind: evidence.Look}}
		f.trace.Yields, f.trace.UserRun = 100, 300*ms
	}, `20ms: at once user 20
goroutines yield 10 times per operation and find nothing changed: 0s of processor time
goroutines use up their time slices 2.5 times per operation while others are ready to run @7
a goroutine that is ready waits 510.0µs for a processor on average, one in ten 2.000ms or more
sites: @12 25`},
	{"oversubscription", "yields that take little, beside looks", 3, func(f *facts) {
		looking(f)
		f.new.spends(10*ms, shares{stack.User: 27.7 * ms, stack.Yield: 0.28 * ms, stack.Switch: 0.02 * ms})
		f.new.Set.CPU.Lines = nil
		f.new.lined(7, shares{stack.User: 16 * ms})
	}, `18.3ms: at once switch 0.02, at once user 10, at once yield 0.28, at one user 6, idle 2
goroutines yield 90 times per operation and find nothing changed: 300.0µs of processor time
goroutines wait by looking again and again, for 16.00ms of processor time; they let others run 91 times per operation @7
a goroutine that is ready waits 200.0µs for a processor on average, one in ten 2.000ms or more
lines: @7`},
	{"oversubscription", "threads that take turns look for work", 9, func(f *facts) {
		f.procs, f.v.New.Procs = 2, 9
		f.new.spends(10*ms, shares{stack.User: 14 * ms, stack.Idle: 3 * ms})
		f.traced(exectrace.Facts{RunnableWait: exectrace.Dist{N: 0, Mean: 5}})
	}, `7ms: at once user 4, idle 3
GOMAXPROCS is 9 on 2 processors: threads take turns, which takes 7.000ms more of processor time than one does`},
	{"pool", "objects that do not come back, beside one that runs alone", 2, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 5 * ms, stack.Pool: 1 * ms, stack.PoolMiss: 2 * ms, stack.GC: 1 * ms, stack.Sweep: 1 * ms})
		f.one.spends(10*ms, shares{stack.User: 5 * ms, stack.Pool: 1 * ms, stack.PoolMiss: 2 * ms})
		f.base.spends(5*ms, shares{stack.User: 5 * ms})
		f.new.Allocs, f.base.Allocs = 70, 60
		f.traced(exectrace.Facts{Idle: exectrace.Idle{Total: 100 * ms, Serial: 50 * ms, Imbalance: 50 * ms}})
	}, `10ms: at once gc 1, at once sweep 1, at one pool 1, at one poolmiss 2, idle: imbalance 2.5, idle: serial 2.5
Get and Put of sync.Pool take 1.000ms of processor time per operation, 10% of all
Get finds nothing and calls New: making the objects takes 2.000ms, collecting them 2.000ms; objects are not put back, or not by the time they are wanted
it saves no allocation: 70 per operation, 60 in serial`},
	{"gc", "no one assists it", 8, func(f *facts) {
		collecting(f)
		f.new.Live, f.trace.Blocks = 9e9, nil
	}, `39.661ms: at once gc 7, at one gc 3.5, idle: gc 19, idle: imbalance 3.3871, idle: serial 6.7742
the collector takes 12.00ms of processor time per operation, 39% of all, and allocation 6.000ms; in serial the collector takes 1.500ms
9e+03 MB live in the heap, and each collection marks them: once in 4 operations`},
	{"select", "as much in two: the first", 8, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.Select: 24 * ms})
		f.new.lined(6, shares{stack.Select: 12 * ms})
		f.new.lined(7, shares{stack.Select: 12 * ms})
		f.new.Set.Selects = []evidence.Select{{Place: line(6), Cases: 8}, {Place: line(6), Cases: 4}, {Place: line(7), Cases: 8}}
	}, `18ms: at once select 18
select over 8 channels takes 24.00ms of processor time per operation, 71% of all @6
each time every one of the channels is locked, and where none is ready it is waited for at every one
lines: @6 @6 @7`},
	{"falseshare", "stores alone", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 30 * ms})
		f.one.waits(7, instr.Store, 2*ms)
		f.new.waits(7, instr.Store, 14*ms)
	}, `12ms: at once user 12
the same code takes 10.00ms of processor time on one processor and 30.00ms on 3
47% of the time is behind the instruction STORE @7
which words it reads and writes was not watched`},
	{"trueshare", "atomics, more than it takes more at once", 3, func(f *facts) {
		f.new.spends(20*ms, shares{stack.User: 16 * ms})
		f.new.waits(7, instr.RMW, 4*ms)
		f.new.waits(8, instr.Locked, 9*ms)
	}, `2ms: at once user 2
the same code takes 10.00ms of processor time on one processor and 16.00ms on 3
25% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "loads of what came along a plain channel", 3, func(f *facts) {
		shareable(f)
		f.new.waits(9, instr.Load, 8*ms)
		f.traced(exectrace.Facts{Blocks: []exectrace.Block{block(exectrace.ChanSend, 3, 6, ms), block(exectrace.ChanReceive, 3, 4, ms)}})
	}, `16ms: at once user 16
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"falseshare", "a reader beside a writer, of which the reader waits most", 3, func(f *facts) {
		shareable(f)
		x := met(300, 0)
		x.Seen.Pairs[0].A.Read = true
		f.new.Set.Sharing = x
		f.new.Set.Hot = slices.Insert(f.new.Set.Hot, 0, evidence.Hot{Where: cpuprof.Hot{Category: stack.User, Share: 0.9, Place: line(50)}, What: instr.Hot{Kind: instr.Load, Text: "LOAD"}})
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
90% of the time is behind the instruction LOAD @50
a goroutine writes s[v] where another reads s[w] (x.go:7): different words of one cache line @8
do: Keep the words of different goroutines on different cache lines
lines: @7 @8`},
	{"falseshare", "an interval that begins at one shows no difference", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 0), 1.2, 1, 1.4)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), no difference shows: 1.20x as fast [1.00, 1.40]
lines: @7 @8`},
	{"falseshare", "an interval above one does", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 0), 1.2, 1.01, 1.4)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), it ran 1.20x as fast [1.01, 1.40]
lines: @7 @8`},
	{"falseshare", "an interval that ends at one shows no difference", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 0), 0.9, 0.8, 1)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), no difference shows: 0.9x as fast [0.8, 1.00]
lines: @7 @8`},
	{"falseshare", "an interval below one does", 3, func(f *facts) {
		shareable(f)
		f.new.Set.Sharing = padded(met(300, 0), 0.9, 0.8, 0.99)
	}, `30ms: at once user 30
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
goroutines write s[w] and s[v] (x.go:8) in turns: different words of one cache line @7
moved apart for a trial (elements of s at x.go:3 have room around them), it ran 0.9x as fast [0.8, 0.99]
lines: @7 @8`},
	{"falseshare", "two at a time in several ways", 3, func(f *facts) {
		shareable(f)
		f.traced(exectrace.Facts{Running: []float64{0.5, 0.44, 0.03, 0.03}})
	}, `16ms: at once user 16
the same code takes 10.00ms of processor time on one processor and 40.00ms on 3
42% of the time is behind the instruction RMW @7
which words it reads and writes was not watched`},
	{"rwmutex", "no side of one processor", 9, func(f *facts) {
		f.new.spends(10*ms, shares{stack.User: 10 * ms, stack.RWMutex: 20 * ms})
		f.one = nil
	}, `20ms: at one rwmutex 20
RLock and RUnlock take 20.00ms of processor time per operation, 67% of all, and hardly any goroutine waits for a writer`},
}

// Time of the kernel that a profile has elsewhere is no page fault's; that of code
// that touches memory may be.
func TestTouching(t *testing.T) {
	touches := map[stack.Category]bool{stack.User: true, stack.Copy: true, stack.Alloc: true, stack.PoolMiss: true, stack.Map: true, stack.MapGrow: true, stack.GC: true, stack.Sweep: true, stack.Stack: true, stack.Reflect: true}
	for _, c := range append(slices.Collect(maps.Keys(touches)), stack.Syscall, stack.Switch, stack.Idle, stack.Net, stack.Chan, stack.Lock, stack.Pool, stack.AllocWait) {
		for _, procs := range []int{1, 8} {
			f := made(procs, func(f *facts) {
				f.new.spends(20*ms, shares{stack.User: 10 * ms, c: 8 * ms})
				if c == stack.User {
					f.new.spends(20*ms, shares{c: 18 * ms})
				}
				f.new.Faults, f.one.Faults, f.base.Faults = 9000, 9000, 0
				f.new.System = f.base.System + 8*ms
			})
			got := pageFaults(f).ns
			if want := map[bool]float64{true: 8 * ms}[touches[c]]; math.Abs(got-want) > 1 {
				t.Errorf("8 ms of the kernel and of %s, at %d: %v ms of page faults, want %v", c, procs, got/ms, want/ms)
			}
		}
	}
}
