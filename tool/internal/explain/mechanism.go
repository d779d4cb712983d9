package explain

import (
	"math"
	"regexp"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A mechanism is a way in which concurrent code spends time on its own
// running: in code of its own, in the scheduler that its events call, in
// processors that stand idle meanwhile.
type mechanism struct {
	cats   []stack.Category
	own    float64 // user code that does it by hand
	events float64 // per operation: each makes the scheduler work once
	each   float64 // the most of scheduling and idle time for one of them; 0 if that is not known
	idle   []Kind  // kinds of idle time that are its own
}

// and joins two mechanisms that are one here.
func (m mechanism) and(x mechanism) mechanism {
	return mechanism{slices.Concat(m.cats, x.cats), m.own + x.own, m.events + x.events, max(m.each, x.each), slices.Concat(m.idle, x.idle)}
}

// handovers pass values from one goroutine to another.
func (f *facts) handovers() mechanism {
	if f.joinsByChannel() {
		return f.conds()
	}
	return f.conds().and(f.allChannels())
}

// joinsByChannel reports whether goroutines use channels a few times in their
// lives: the channel is how they are awaited, and its price is that of the
// goroutine. What counts are operations. Over a buffer they need not block, so
// blocks are the least that there are, and time over the price of a hand-off, a
// send and a receive, tells of the rest.
func (f *facts) joinsByChannel() bool {
	const few = 4 // hand-offs: a result, an error, a place in a semaphore
	n := f.spawned()
	m := f.allChannels()
	if f.trace == nil || n < 1 || m.events > 2*n {
		return false
	}
	return f.alone(m.cats...) <= few*n*f.prices.HandoffSameP.NS || f.prices.HandoffSameP.NS == 0
}

// alone is the time in categories beyond that of the base where it is not made
// longer by running at once.
func (f *facts) alone(cs ...stack.Category) float64 {
	if f.one == nil {
		return f.excess(cs...)
	}
	return sure(f.one, f.base, cs, math.Inf(1))
}

// allChannels are channels, whatever they are for. To look at one without
// waiting is no hand-off.
func (f *facts) allChannels() mechanism {
	m := mechanism{cats: []stack.Category{stack.Chan}, events: f.blocks(exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select), idle: []Kind{IdleHandoff}}
	if !f.polls() {
		m.cats = append(m.cats, stack.Select)
	}
	return m
}

// polls reports whether goroutines look into channels rather than hand over:
// where values pass through a select, somebody blocks once in a while, when the
// buffer is empty or full. A plain send or receive always passes something.
func (f *facts) polls() bool {
	const longest = 200e3 // ns of selects between two blocks: a buffer of some thousand
	n := f.blocks(exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select)
	return f.trace != nil && n*longest < f.excess(stack.Select)
}

// forks start and await goroutines. What that costs grows with their number, at
// the price of a wake-up here. A processor that comes later than that comes late
// to large goroutines as well.
func (f *facts) forks() mechanism {
	m := mechanism{cats: []stack.Category{stack.Spawn, stack.WaitGroup, stack.Stack}, events: f.spawned() + f.blocks(exectrace.WaitGroup), each: f.wake()}
	if f.joinsByChannel() {
		return m.and(f.allChannels())
	}
	return m
}

func (f *facts) locks() mechanism {
	if f.queues() {
		return mechanism{} // its mutex belongs to the hand-over
	}
	return f.allLocks()
}

func (f *facts) allLocks() mechanism {
	m := mechanism{cats: []stack.Category{stack.Lock, stack.Once}, events: f.blocks(exectrace.Mutex, exectrace.RWMutex, exectrace.Once), idle: []Kind{IdleLock}}
	if !f.onlyReaders() {
		m.cats = append(m.cats, stack.RWMutex)
	}
	if own := f.spun(); own > 0 {
		y := f.allYields()
		m = m.and(y)
		m.own = own
	}
	return m
}

// spun is the time of user code in loops until a lock of its own is free: a
// mutex by hand, whose yields are its waits.
func (f *facts) spun() float64 {
	return min(f.in(f.new, evidence.Spin), f.excess(stack.User))
}

// conds are hand-overs by sync.Cond: one goroutine waits for what another one
// brings. Where most who wait do so there, the lock beside it is part of that.
func (f *facts) conds() mechanism {
	m := mechanism{cats: []stack.Category{stack.Cond}, events: f.blocks(exectrace.Cond)}
	if f.queues() {
		return m.and(f.allLocks())
	}
	return m
}

// queues reports whether goroutines wait for a sync.Cond as often as for locks.
func (f *facts) queues() bool {
	n := f.blocks(exectrace.Cond)
	return n > 0 && n >= f.blocks(exectrace.Mutex, exectrace.RWMutex)
}

func (f *facts) sleeps() mechanism {
	m := mechanism{events: f.blocks(exectrace.Sleep), idle: []Kind{IdleOutside}}
	if f.messages().cats == nil {
		m.events += f.blocks(exectrace.Net) // pipes and the like
	}
	return m
}

// messages pass through package net.
func (f *facts) messages() mechanism {
	m := mechanism{cats: []stack.Category{stack.Net, stack.Dial}, events: f.blocks(exectrace.Net)}
	if f.running || f.excess(m.cats...) <= 0 {
		return mechanism{}
	}
	return m
}

func (f *facts) syscalls() mechanism {
	n := f.blocks(exectrace.Syscall)
	if f.trace != nil {
		n = max(n, float64(f.trace.Syscalls)/f.n/100) // few lose their processor
	}
	m := mechanism{cats: []stack.Category{stack.Syscall}, events: n, idle: []Kind{IdleSyscall}}
	if f.running && InARow(f.new.Set.CPU, f.trace) > 0 {
		m.cats = append(m.cats, stack.Net) // see running
	}
	return m
}

// foreign are calls of C. Where they take long they give their processor up, and
// come back for one. Then, and only then, their time is a system call's if no
// other code makes any.
func (f *facts) foreign() mechanism {
	m := mechanism{cats: []stack.Category{stack.Cgo}, events: f.blocks(exectrace.Cgo), each: f.wake(), idle: []Kind{IdleCgo}}
	if f.trace != nil && f.trace.Syscalls == 0 && m.events > 0 {
		m.cats = append(m.cats, stack.Syscall)
	}
	return m
}

func (f *facts) yields() mechanism {
	if f.spun() > 0 {
		return mechanism{}
	}
	return f.allYields()
}

func (f *facts) allYields() mechanism {
	n := 0.0
	if f.trace != nil {
		n = float64(f.trace.Yields) / f.n
	}
	return mechanism{cats: []stack.Category{stack.Yield}, events: n}
}

func (f *facts) mechanisms() []mechanism {
	return []mechanism{f.handovers(), f.forks(), f.locks(), f.sleeps(), f.messages(), f.syscalls(), f.foreign(), f.yields()}
}

// onlyReaders reports whether the time in RWMutexes went into their count of
// readers and not into waiting for a writer.
func (f *facts) onlyReaders() bool {
	return f.blocks(exectrace.RWMutex)*max(f.prices.Wake.NS, 1000) < f.new.by(stack.RWMutex)/4
}

// A want is time that a mechanism may claim, and the buckets it is in.
type want struct {
	ns   float64
	from []bucket
}

// wants are what a mechanism took: its own code, its part of the scheduler, and
// the processors that were idle because of it. Idle time beside a goroutine
// that runs alone is charged to what that one does: as much of it to the
// mechanism as the mechanism has of the processor time.
func (f *facts) wants(m mechanism) []want {
	direct := f.excess(m.cats...)
	part := 0.0 // of what the scheduler did
	all := 0.0
	for _, x := range f.mechanisms() {
		all += x.events
	}
	if all > 0 {
		part = m.events / all
	}
	held := f.book.opened
	most, late := math.Inf(1), m.events*f.latency()
	if m.each > 0 {
		most = m.events * m.each
		late = most
	}
	out := []want{
		{direct, at(m.cats, AtOne, AtOnce)},
		{m.own, at([]stack.Category{stack.User}, AtOne, AtOnce)},
		{min(part*f.excess(stack.Switch), most), at([]stack.Category{stack.Switch}, AtOne, AtOnce)},
		{min(part*held[bucket{kind: IdleUnknown}], most), []bucket{{kind: IdleUnknown}}},
		{min(part*held[bucket{kind: IdleReady}], late), []bucket{{kind: IdleReady}}},
	}
	for _, kind := range m.idle {
		out = append(out, want{min(held[bucket{kind: kind}], most), []bucket{{kind: kind}}})
	}
	return append(out, f.idleBeside(direct+m.own)...)
}

// idleBeside are the parts of idle time beside a goroutine that runs alone that
// go to what took ns of the processor time.
func (f *facts) idleBeside(ns float64) []want {
	var out []want
	for _, b := range []bucket{{kind: IdleSerial}, {kind: IdleImbalance}} {
		beside := 1.0
		if b.kind == IdleImbalance && f.away.Imbalance > 0 {
			beside -= min(1, f.away.Unrun/f.away.Imbalance)
		}
		out = append(out, want{beside * f.book.opened[b] * f.busyWith(ns), []bucket{b}})
	}
	return out
}

// pay takes what is wanted from the ledger.
func (f *facts) pay(all []want) float64 {
	got := 0.0
	for _, w := range all {
		got += f.book.take(w.ns, w.from...)
	}
	return got
}

// cost is what a mechanism wants, as far as there was that much.
func (f *facts) cost(m mechanism) float64 {
	total := 0.0
	for _, w := range f.wants(m) {
		there := 0.0
		for _, b := range w.from {
			there += f.book.opened[b]
		}
		total += min(w.ns, there)
	}
	return total
}

// wake is the price of a wake-up.
func (f *facts) wake() float64 { return max(f.prices.Wake.NS, wakes) }

// latency is the longest that a wake-up takes by itself: what is ready and
// waits longer, waits for a thread that the system does not run.
func (f *facts) latency() float64 {
	return 20 * max(f.prices.Wake.High, wakes)
}

const wakes = 2500 // ns: a wake-up takes no less

// busyWith is the share of the processor time, scheduling left out, that ns is.
func (f *facts) busyWith(ns float64) float64 {
	busy := f.new.CPU - f.new.by(stack.Idle, stack.Switch)
	if busy <= 0 {
		return 0
	}
	return min(1, ns/busy)
}

// crowded reports whether goroutines are ready that no processor is free for:
// without, who yields or spins takes nobody's turn.
func (f *facts) crowded() bool { return ready(f.trace) }

func ready(t *exectrace.Facts) bool {
	return float64(t.RunnableWait.N)*t.RunnableWait.Mean > 0.5*t.Window
}

// looked is the time of user code in loops that wait by looking: what they take
// on one processor already, as far as they take it here, too, and what running at
// once adds. By the source they do nothing else; by the traces goroutines yield
// there, or use up their time slices, while others that could run are ready.
func (f *facts) looked() (alone, more float64) {
	here := f.looking(f.new)
	if f.one != nil && f.vain(f.one) {
		alone = min(f.looking(f.one), here)
	}
	if f.one != f.new && f.vain(f.new) {
		more = here - alone
	}
	return alone, more
}

// looking is the time on lines that look, less that behind the updates that stand
// on them, too: those are made when the wait is over.
func (f *facts) looking(x *Side) float64 {
	ns := f.in(x, evidence.Look)
	if ns == 0 {
		return 0
	}
	for _, h := range x.Set.Hot {
		if h.Where.Category == stack.User && h.What.Kind == instr.Locked && x.Set.Shaped(evidence.Look, userSite(h)) {
			ns -= h.Where.Share * x.CPU
		}
	}
	return max(0, ns)
}

// vain reports whether the looks find nothing. They are most of what its own code
// takes, and the turns that end in a yield or with a time slice, while others are
// ready, make up a good part of that: other turns count as long as these.
func (f *facts) vain(x *Side) bool {
	if x.Set == nil || x.Set.Trace == nil || x.Set.Traced == nil || !ready(x.Set.Trace) {
		return false
	}
	t, looking := x.Set.Trace, f.looking(x)
	turn := t.UserRun / float64(t.RunnableWait.N)
	return looking > 0.5*(x.by(stack.User)-f.base.by(stack.User)) && float64(t.Yields)*turn+float64(t.Preempted)*max(turn, slice) >= 0.3*looking*float64(x.Set.Traced.N)
}

// loops is the time of user code on lines where goroutines wait by running on one
// processor, and what they take of it there. These lines take three times the processor
// time on one, in time slices that end while others are ready. Here what they wait for runs
// beside them, and nothing else tells these waits from work.
func (f *facts) loops() (here, alone float64) {
	const more, some = 3, 0.1
	x := f.one
	if f.running || x == nil || x == f.new || x.CPU <= more*f.new.CPU || x.Set == nil || x.Set.CPU == nil || x.Set.Trace == nil || x.Set.Traced == nil || f.new.Set.CPU == nil {
		return 0, 0
	}
	if t := x.Set.Trace; !ready(t) || float64(t.Preempted)*slice < x.by(stack.User)*float64(x.Set.Traced.N)/2 {
		return 0, 0
	}
	now := map[source.Place]float64{}
	for _, l := range f.new.Set.CPU.Lines {
		now[l.Place] += l.By[stack.User] * f.new.CPU
	}
	for _, l := range x.Set.CPU.Lines {
		if ns := l.By[stack.User] * x.CPU; ns > some*x.by(stack.User) && ns > more*now[l.Place] {
			here += now[l.Place]
			alone += ns
		}
	}
	return min(here, f.excess(stack.User)), alone
}

// turns is how often goroutines yield, or use up their time slices, per operation.
func turns(x *Side) float64 {
	return float64(x.Set.Trace.Yields+x.Set.Trace.Preempted) / float64(x.Set.Traced.N)
}

// slice is how long a goroutine may run while others are ready.
const slice = 10e6

// spins reports whether the excess of user code is goroutines that run in a
// tight loop until their time slice is over: what they wait for needs
// the processor they hold.
func (f *facts) spins() bool {
	if f.trace == nil || f.new.Set.CPU == nil || !f.crowded() {
		return false
	}
	over := f.excess(stack.User) - f.spun()
	if f.running {
		return over >= least*f.new.CPU
	}
	if over < least*f.new.CPU || float64(f.trace.Preempted)*slice/f.n < over/2 {
		return false
	}
	if f.beside() != nil {
		return true // whatever its loops look like
	}
	tight := 0.0
	for i, h := range f.new.Set.Hot {
		if i == 4 {
			break
		}
		switch k := h.What.Kind; {
		case h.Where.Category == stack.User && (k == instr.Load || k == instr.Pause || k == instr.Locked):
			tight += h.Where.Share // it looks whether something has changed
		}
	}
	return tight > 0.5*f.new.Set.CPU.Share[stack.User]
}

// InARow is the part of a profile in package net at lines where short system calls of one
// goroutine follow each other. 0 where these are not most calls.
func InARow(cpu *cpuprof.Digest, t *exectrace.Facts) (share float64) {
	if cpu == nil || t == nil || t.InARow() == 0 {
		return 0
	}
	for _, l := range cpu.Lines {
		if slices.ContainsFunc(t.Again, func(s exectrace.SiteCount) bool { return s.Site.Spot() == l.Spot() }) {
			share += l.By[stack.Net]
		}
	}
	return share
}

// Polling is the part of a profile on lines of user code that load a word again and
// again, where that is most of user code, their functions give the turn of their goroutines
// up, and others are ready: they wait by running. 0 where that is not so: to go through a
// list by atomic pointers takes no yield.
func Polling(cpu *cpuprof.Digest, t *exectrace.Facts) (share float64) {
	if cpu == nil || t == nil || !ready(t) {
		return 0
	}
	loads := map[source.Place]float64{}
	for _, h := range cpu.Hot {
		if h.Category == stack.User && atomicLoad.MatchString(h.Func) {
			loads[h.User] += h.Share
		}
	}
	in := map[string]bool{}
	for _, l := range cpu.Lines {
		if loads[l.Place] > polls*l.By[stack.User] {
			share += l.By[stack.User]
			in[l.Func] = true
		}
	}
	turns := 0.0
	for _, b := range t.Blocks {
		if b.Kind == exectrace.Yield && in[b.Site.Func] {
			turns += float64(b.N) * slice / t.Window
		}
	}
	if share < 0.5*cpu.Share[stack.User] || turns < share/2 {
		return 0
	}
	return share
}

// atomicLoad are functions that do nothing else. polls is what part of a line they are
// where that line does little besides.
var atomicLoad = regexp.MustCompile(`^sync/atomic\.(Load|\(\*\w+(\[.*\])?\)\.Load$)`)

const polls = 0.2

// beside returns the same code on more processors where it takes less than a third of
// the processor time there; nil if it does not. Work stays what it is; a wait by running
// is over at once where what it waits for runs beside it.
func (f *facts) beside() *Side {
	if f.running {
		return nil
	}
	for _, procs := range f.s.Procs {
		if procs <= f.v.New.Procs {
			continue
		}
		if x := NewSide(f.s, measure.Cell{Bench: f.v.New.Bench, Procs: procs}); x != nil && x.CPU < f.new.CPU/3 {
			return x
		}
	}
	return nil
}
