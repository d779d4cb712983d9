package explain

import (
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A Side is one cell with its times per operation, ns, taken apart by the
// shares of its CPU profile.
type Side struct {
	Cell      measure.Cell
	Wall, CPU float64
	// Stolen is the time its threads stood ready while the system ran others.
	Stolen float64
	By     map[cpuprof.Category]float64 // sums to CPU; nil without a profile
	Allocs float64
	Set    *evidence.Set
}

// newSide returns the side of a cell. Its times are those of its samples; a
// cell that was not timed has those of its profiled run. It is nil if neither
// is known.
func newSide(s *measure.Series, c measure.Cell) *Side {
	x := &Side{Cell: c, Set: s.Evidence[c]}
	var wall, cpu, allocs, stolen []float64
	for _, sample := range s.Samples[c] {
		wall = append(wall, sample.Wall)
		if !math.IsNaN(sample.CPU) {
			cpu = append(cpu, sample.CPU)
			stolen = append(stolen, sample.CPU*(1/float64(sample.Got)-1))
		}
		allocs = append(allocs, float64(sample.Allocs))
	}
	if len(cpu) > 0 {
		x.Wall, x.CPU, x.Allocs, x.Stolen = stats.Median(wall), stats.Median(cpu), stats.Median(allocs), stats.Median(stolen)
	} else if x.Set != nil && x.Set.Profiled != nil && x.Set.Profiled.CPU > 0 {
		x.Wall, x.CPU = x.Set.Profiled.Wall, x.Set.Profiled.CPU
	} else {
		return nil
	}
	if x.Set != nil && x.Set.CPU != nil {
		x.By = map[cpuprof.Category]float64{}
		if x.Set.CPU.Samples == 0 {
			x.By[cpuprof.User] = x.CPU // it waits all the time
		}
		for c, share := range x.Set.CPU.Share {
			x.By[c] = share * x.CPU
		}
	}
	return x
}

// by is the time in categories; 0 for a side that is not known.
func (x *Side) by(cs ...cpuprof.Category) float64 {
	total := 0.0
	if x != nil {
		for _, c := range cs {
			total += x.By[c]
		}
	}
	return total
}

// deviation is the standard deviation of by that comes from sampling.
func (x *Side) deviation(cs ...cpuprof.Category) float64 {
	if x == nil || x.Set == nil || x.Set.CPU == nil || x.Set.CPU.Samples == 0 || x.CPU <= 0 {
		return 0
	}
	p := min(x.by(cs...)/x.CPU, 1)
	return x.CPU * math.Sqrt(p*(1-p)/float64(x.Set.CPU.Samples))
}

// kind is the time in user code on instructions of a kind that reach memory
// others can reach.
func (x *Side) kind(kinds ...instr.Kind) float64 {
	total := 0.0
	if x == nil || x.Set == nil {
		return 0
	}
	for _, h := range x.Set.Hot {
		if h.Where.Category == cpuprof.User && !h.What.Stack {
			for _, k := range kinds {
				if h.What.Kind == k {
					total += h.Where.Share * x.CPU
				}
			}
		}
	}
	return total
}

// effort are the categories in which a serial program spends its time, too:
// the work itself, by whatever means. Time in the others buys concurrency.
var effort = []cpuprof.Category{cpuprof.User, cpuprof.Copy, cpuprof.Map, cpuprof.Alloc, cpuprof.GC, cpuprof.Syscall, cpuprof.Net, cpuprof.Reflect, cpuprof.Sort, cpuprof.Timer, cpuprof.Defer, cpuprof.Runtime}

// facts are what rules look at: one verdict and the evidence on its sides.
type facts struct {
	s      *measure.Series
	v      judge.Verdict
	prices machine.Prices
	procs  int // processors it could use

	new  *Side // at the processors of the verdict
	one  *Side // the same code on one processor; new itself there; nil if unknown
	base *Side // what it is compared with

	avail, useful, lost float64 // see Finding
	idle                float64 // processor time nobody used, by the clock

	trace *exectrace.Facts // of new; nil if there is none
	n     float64          // operations in the trace
	away  exectrace.Idle   // of the trace, settled
}

// newFacts opens the account; nil without a profile of the new side.
func newFacts(s *measure.Series, v judge.Verdict, prices machine.Prices) *facts {
	f := &facts{s: s, v: v, prices: prices, procs: usable(s, v.New.Procs), new: newSide(s, v.New)}
	if f.new == nil {
		return nil
	}
	if f.new.By == nil && unfit(f) == nil {
		return nil
	}
	f.one = f.new
	if v.New.Procs > 1 {
		if f.one = newSide(s, measure.Cell{Bench: v.New.Bench, Procs: 1}); f.one != nil && f.one.By == nil {
			f.one = nil
		}
	}
	if v.Kind == measure.Variant {
		// The base on one processor is free of what more of them add, such as
		// a collector beside it.
		for _, p := range []int{1, v.BaseCell.Procs} {
			if f.base = newSide(s, measure.Cell{Bench: v.BaseCell.Bench, Procs: p}); f.base != nil && f.base.By != nil {
				break
			}
		}
		if f.base == nil {
			return nil
		}
		if f.base.By == nil { // no profile: a serial program mostly works
			f.base.By = map[cpuprof.Category]float64{cpuprof.User: f.base.CPU}
		}
		f.useful = f.base.CPU
	} else {
		// Without a base the work is what the code does on one processor, less
		// what it does for the sake of concurrency.
		if f.one == nil {
			return nil
		}
		only := *f.one
		only.By = map[cpuprof.Category]float64{}
		for _, c := range effort {
			only.By[c] = f.one.By[c]
		}
		f.base = &only
		f.useful = f.one.by(effort...)
	}
	// What the system gave to others was not there to be used.
	f.avail = max(f.new.CPU, float64(f.procs)*f.new.Wall-f.new.Stolen)
	f.idle = max(0, f.avail-f.new.CPU)
	f.lost = max(0, f.avail-f.useful)
	if set := f.new.Set; set != nil && set.Trace != nil && set.Traced != nil && set.Trace.Window > 0 {
		f.trace, f.n = set.Trace, float64(set.Traced.N)
		f.away = settle(set.Trace)
		// Who runs alone after it has started others, in the same functions,
		// does the largest share of a divided work.
		if p := set.CPU; p != nil && p.Own > 0 {
			share := f.away.Forked * p.Common / p.Own
			f.away.Serial -= share
			f.away.Imbalance += share
		}
	}
	return f
}

// settle charges idle time beside goroutines that were ready to them only as
// far as they had work for it; the rest belongs to those who ran.
func settle(t *exectrace.Facts) exectrace.Idle {
	i := t.Idle
	rest := i.Runnable - t.Late
	b := t.Beside
	sum := b.Lock + b.Handoff + b.Serial + b.Imbalance
	if rest <= 0 || sum <= 0 {
		return i
	}
	rest = min(rest, sum)
	i.Runnable -= rest
	i.Lock += rest * b.Lock / sum
	i.Handoff += rest * b.Handoff / sum
	i.Serial += rest * b.Serial / sum
	i.Forked += rest * b.Forked / sum
	i.Imbalance += rest * b.Imbalance / sum
	return i
}

// excess is the time in categories beyond that of the base, 0 if it may come
// from the sampling of the profiles.
func (f *facts) excess(cs ...cpuprof.Category) float64 {
	return sure(f.new, f.base, cs, math.Inf(1))
}

// sure is by of a less by of b, but no more than most; 0 unless that is more
// than two standard deviations.
func sure(a, b *Side, cs []cpuprof.Category, most float64) float64 {
	d := min(a.by(cs...)-b.by(cs...), most)
	if d <= 2*math.Hypot(a.deviation(cs...), b.deviation(cs...)) {
		return 0
	}
	return d
}

// inflation is the part of the excess that running at once adds, overhead the
// part that is there on one processor. Without the figures of one processor
// they cannot be told apart, and neither is claimed.
func (f *facts) inflation(cs ...cpuprof.Category) float64 {
	if f.one == nil || f.one == f.new {
		return 0
	}
	return max(0, f.new.by(cs...)-f.one.by(cs...))
}

func (f *facts) overhead(cs ...cpuprof.Category) float64 {
	if f.one == nil {
		return 0
	}
	// No more than the whole: what a profile moves from one category to
	// another is no overhead.
	return sure(f.one, f.base, cs, max(0, f.one.CPU-f.base.CPU))
}

// A mechanism is a way in which concurrent code spends time on its own
// running: in code of its own, in the scheduler that its events call, in
// processors that stand idle meanwhile.
type mechanism struct {
	cats   []cpuprof.Category
	events float64                      // per operation: each makes the scheduler work once
	idle   func(exectrace.Idle) float64 // idle time that is of its kind
}

func (f *facts) channels() mechanism {
	if f.joinsByChannel() {
		return mechanism{idle: func(exectrace.Idle) float64 { return 0 }}
	}
	return f.allChannels()
}

// joinsByChannel reports whether goroutines hand over about once in their
// lives: the channel is how they are awaited, and its price is that of the
// goroutine.
func (f *facts) joinsByChannel() bool {
	return f.trace != nil && f.spawned() >= 1 && f.allChannels().events <= 2*f.spawned()
}

func (f *facts) allChannels() mechanism {
	return mechanism{[]cpuprof.Category{cpuprof.Chan, cpuprof.Select}, f.blocks(exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select),
		func(i exectrace.Idle) float64 { return i.Handoff }}
}

func (f *facts) forks() mechanism {
	m := mechanism{[]cpuprof.Category{cpuprof.Spawn, cpuprof.WaitGroup, cpuprof.Stack}, f.spawned() + f.blocks(exectrace.WaitGroup),
		func(exectrace.Idle) float64 { return 0 }}
	if f.joinsByChannel() && !f.polls() {
		by := f.allChannels()
		m.cats, m.events, m.idle = append(m.cats, by.cats...), m.events+by.events, by.idle
	}
	return m
}

func (f *facts) locks() mechanism {
	m := mechanism{[]cpuprof.Category{cpuprof.Lock, cpuprof.Once}, f.blocks(exectrace.Mutex, exectrace.RWMutex, exectrace.Cond, exectrace.Once),
		func(i exectrace.Idle) float64 { return i.Lock }}
	if !f.onlyReaders() {
		m.cats = append(m.cats, cpuprof.RWMutex)
	}
	return m
}

func (f *facts) sleeps() mechanism {
	return mechanism{nil, f.blocks(exectrace.Sleep, exectrace.Net),
		func(i exectrace.Idle) float64 { return i.Waiting - i.Syscall }}
}

func (f *facts) syscalls() mechanism {
	n := f.blocks(exectrace.Syscall)
	if f.trace != nil {
		n = max(n, float64(f.trace.Syscalls)/f.n/100) // few lose their processor
	}
	return mechanism{[]cpuprof.Category{cpuprof.Syscall, cpuprof.Net}, n, func(i exectrace.Idle) float64 { return i.Syscall }}
}

func (f *facts) yields() mechanism {
	n := 0.0
	if f.trace != nil {
		n = float64(f.trace.Yields) / f.n
	}
	return mechanism{[]cpuprof.Category{cpuprof.Yield}, n, func(exectrace.Idle) float64 { return 0 }}
}

func (f *facts) mechanisms() []mechanism {
	return []mechanism{f.channels(), f.forks(), f.locks(), f.sleeps(), f.syscalls(), f.yields()}
}

// onlyReaders reports whether the time in RWMutexes went into their count of
// readers and not into waiting for a writer.
func (f *facts) onlyReaders() bool {
	return f.blocks(exectrace.RWMutex)*max(f.prices.Wake.NS, 1000) < f.new.by(cpuprof.RWMutex)/4
}

// cost is what a mechanism took: its own code, its part of the scheduler, and
// the processors that were idle because of it. Idle time beside a goroutine
// that runs alone is charged to what that one does: as much of it to the
// mechanism as the mechanism has of the processor time.
func (f *facts) cost(m mechanism) float64 {
	direct := f.excess(m.cats...)
	part := 0.0 // of what the scheduler did
	all := 0.0
	for _, x := range f.mechanisms() {
		all += x.events
	}
	if all > 0 {
		part = m.events / all
	}
	ns := direct + part*f.excess(cpuprof.Switch)
	rest := f.idle + f.excess(cpuprof.Idle)
	if f.away.Total <= 0 {
		return ns + part*rest
	}
	i := f.away
	ns += rest * m.idle(i) / i.Total
	ns += min(part*rest*i.Runnable/i.Total, m.events*f.latency())
	return ns + rest*(i.Serial+i.Imbalance)/i.Total*f.busyWith(direct)
}

// latency is the longest that a wake-up takes by itself: what is ready and
// waits longer, waits for a thread that the system does not run.
func (f *facts) latency() float64 {
	return 20 * max(f.prices.Wake.High, 2500)
}

// busyWith is the share of the processor time, scheduling left out, that ns is.
func (f *facts) busyWith(ns float64) float64 {
	busy := f.new.CPU - f.new.by(cpuprof.Idle, cpuprof.Switch)
	if busy <= 0 {
		return 0
	}
	return min(1, ns/busy)
}

// alone is the idle time of a kind beside goroutines that do the work itself.
func (f *facts) alone(idle func(exectrace.Idle) float64) float64 {
	if f.away.Total <= 0 {
		return 0
	}
	left := 1.0
	for _, m := range f.mechanisms() {
		left -= f.busyWith(f.excess(m.cats...))
	}
	return (f.idle + f.excess(cpuprof.Idle)) * idle(f.away) / f.away.Total * max(0, left)
}

// blocks is how often goroutines block for such reasons, per operation.
func (f *facts) blocks(kinds ...exectrace.Kind) float64 {
	n := 0
	for _, b := range f.blockSites(kinds...) {
		n += b.N
	}
	if f.n == 0 {
		return 0
	}
	return float64(n) / f.n
}

func (f *facts) blockSites(kinds ...exectrace.Kind) []exectrace.Block {
	var out []exectrace.Block
	if f.trace != nil {
		for _, b := range f.trace.Blocks {
			for _, k := range kinds {
				if b.Kind == k {
					out = append(out, b)
				}
			}
		}
	}
	return out
}

// spawned is how many goroutines start, per operation.
func (f *facts) spawned() float64 {
	var n []float64
	for _, x := range f.s.Samples[f.v.New] {
		if g := float64(x.Goroutines); !math.IsNaN(g) {
			n = append(n, g)
		}
	}
	if len(n) > 0 {
		return stats.Median(n)
	}
	if f.trace != nil && f.n > 0 {
		return float64(f.trace.Goroutines) / f.n
	}
	return 0
}

// bound takes work and span from the trace.
func (f *facts) bound() *Bound {
	if f.trace == nil || f.trace.Span <= 0 {
		return nil
	}
	t := f.trace
	return &Bound{Parallelism: t.Parallelism(), Burdened: t.BurdenedParallelism(), Work: t.Work / f.n, Span: t.Span / f.n, Procs: f.v.New.Procs, Path: t.Path}
}

func (f *facts) missing() []string {
	var out []string
	for _, x := range []*Side{f.new, f.one, f.base} {
		if x != nil && x.Set != nil {
			for _, m := range x.Set.Missing {
				if !slices.Contains(out, m) {
					out = append(out, m)
				}
			}
		}
	}
	return out
}
