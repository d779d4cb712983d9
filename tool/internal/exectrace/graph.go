package exectrace

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A Graph is what the goroutines of one window did, without when they did it: for each
// the stretches that it ran, and between them what it did to others and what it waited
// for. It is what is fixed of a program where its processors, and so its schedule, are
// others.
//
// A trace shows no channel operation that finds its partner ready, no lock that is free
// ([Held] apart), no wait that finds all done, and no access to memory. What the graph cannot say for
// that is named at [Graphs].
type Graph struct {
	Procs   int
	Window  float64        // ns from its opening to its end
	Whole   float64        // of it and of what was cut off, see Options.Acts; as Window where nothing was
	System  float64        // processor time of the runtime's own goroutines, such as the collector's
	Threads []Thread       // the first opened the window, and is the one that ends it
	Waits   []Await        // by number
	Locks   int            // how many there are
	Places  []source.Place // by number; 0 is the unknown one
}

// A Thread is what one goroutine did.
type Thread struct {
	Func   int // place of its start function
	Parent int // thread that started it; -1: it was there before
	From   int // place of the go statement
	Acts   []Act
}

// An Await is one that a goroutine made. It ends after so many signals.
type Await struct {
	Kind   Kind
	At     int // place
	Thread int // which waits
	Need   int // signals; 0 of one that did not end in the window
}

// An Act is a step of a thread.
type Act struct {
	Do   Deed
	At   int   // place at which it ends
	N    int   // DoSpawn: thread; DoAwait, DoSignal, DoMeet: wait; DoLock, DoUnlock: lock
	Time int64 // ns; DoRun, DoOutside
	end  int64 // when it ended in the trace
}

// A Deed is what an act does.
type Deed uint8

const (
	DoRun     Deed = iota // computes
	DoSpawn               // starts a thread
	DoAwait               // waits
	DoSignal              // gives a wait one of its signals
	DoMeet                // the same, once that thread has come there: a receive from a sender that waits
	DoYield               // lets others run
	DoOutside             // is outside: a timer, the network, a system call that lost its processor
	DoLock                // takes a lock that no other thread can have meanwhile
	DoUnlock              // gives it back
)

// Held is the category of a user's log in a trace that says for how long a lock was held
// that is given back now: package probe lets a program write it. Its task has the time in
// ns in the lower 40 bits, and above them what tells the lock from others.
const Held = "payoff.held"

// Graphs reads the graphs of the windows of a trace. o.Acts bounds how many acts one has;
// default [MostActs].
//
// The order of what waits for a lock, and which goroutine took which value from a
// channel that several read, is that of the trace. Of goroutines that a wait group waits
// for, a trace shows the last alone: the graph takes those that the waiting goroutine
// had started and that have ended or gone idle by then. On several processors a wait
// that finds all done shows nothing: where all that a goroutine started had ended before
// it started more, the graph has a wait for them.
func Graphs(r io.Reader, o Options) ([]*Graph, error) {
	e := newEngine(o)
	e.tasks = newTasker(e, o.Acts)
	_, err := newDecoder(e).run(&counter{r: r}, e.step)
	for _, g := range e.tasks.done {
		g.Places = slices.Clone(e.sites.all)
	}
	if err == nil && !e.acct.marked {
		err = &damage{"trace has no marks of a timed region: take one with payoff predict"}
	}
	return e.tasks.done, err
}

// GraphsOf is [Graphs] of what is in memory.
func GraphsOf(data []byte, o Options) ([]*Graph, error) { return Graphs(bytes.NewReader(data), o) }

// MostActs is how many acts a graph has at most: what comes after is cut off.
const MostActs = 40_000

// A tasker makes graphs of the events that the engine takes. It sees each before the
// engine does, with the time advanced.
type tasker struct {
	e     *engine
	most  int
	gs    map[int64]*tasking
	graph *Graph // of the open window; nil where none is, or it is full
	open  bool
	cut   *Graph // that of the open window, where it is full
	since int64  // when the window opened
	last  int64  // the last event
	acts  int
	locks map[uint64]int // numbers, by what tells them
	done  []*Graph
}

// A tasking is what the tasker knows of one goroutine.
type tasking struct {
	thread int // its number in the open window; -1: it did nothing there yet
	start  site
	sys    bool

	runs    bool
	from    int64 // since when it runs, or up to where that is accounted
	calls   bool  // it is in a system call
	called  int64 // since then
	waits   bool
	kind    Kind
	at      site
	blocked int64 // since when it waits
	wait    int   // the number of its wait in the window; -1: none

	kids   []*tasking // it started them, and has not waited for them yet
	ended  int64      // when it did; 0: it has not
	worked bool       // it ran since the one that started it waited for it
}

func newTasker(e *engine, most int) *tasker {
	if most <= 0 {
		most = MostActs
	}
	return &tasker{e: e, most: most, gs: map[int64]*tasking{}, locks: map[uint64]int{}}
}

func (t *tasker) get(id int64) *tasking {
	x := t.gs[id]
	if x == nil {
		x = &tasking{thread: -1, wait: -1}
		t.gs[id] = x
	}
	return x
}

// by is the goroutine that did ev, nil where that is not known or is the runtime.
func (t *tasker) by(ev *event) *tasking {
	if ev.by == none {
		return nil
	}
	x := t.get(ev.by)
	if t.ofSystem(ev.by, x) {
		return nil
	}
	return x
}

func (t *tasker) ofSystem(id int64, x *tasking) bool {
	if g := t.e.gs[id]; g != nil && g.sys {
		x.sys = true
	}
	return x.sys
}

func (t *tasker) step(ev *event) {
	if t.graph != nil {
		t.graph.System += float64(t.e.sysBusy) * float64(ev.time-t.last)
	}
	t.last = ev.time
	switch ev.op {
	case opOpen:
		t.openWindow(ev)
		return
	case opReset:
		if t.open {
			t.openWindow(ev)
		}
		return
	case opClose:
		t.closeWindow(ev)
		return
	case opHeld:
		if by := t.by(ev); by != nil && t.graph != nil {
			t.held(by, ev)
		}
		return
	case opCreate, opStart, opStop, opBlock, opUnblock, opEnd, opSyscall, opReturn, opStatus, opSystem:
	default:
		return
	}
	x := t.get(ev.g)
	if ev.op == opCreate {
		*x = tasking{thread: -1, wait: -1}
		if ev.start != nil {
			x.start, x.sys = ev.start.root.at, ev.start.sys
		}
	}
	if ev.op == opSystem {
		x.sys = true
	}
	sys := t.ofSystem(ev.g, x)
	now, at := ev.time, ev.at.site
	switch ev.op {
	case opCreate:
		t.create(x, ev)
	case opStart:
		x.runs, x.from, x.worked = true, now, true
	case opStop:
		t.flush(x, now, at)
		x.runs = false
		if ev.kind == Yield && t.graph != nil && !sys {
			t.add(x, Act{Do: DoYield, At: int(at)})
		}
	case opBlock:
		t.flush(x, now, at)
		x.runs = false
		if t.graph != nil && !sys && waitsFor(ev.kind) {
			t.thread(x)
			t.await(x, ev.kind, at)
		}
		x.waits, x.kind, x.at, x.blocked = true, ev.kind, at, now
	case opUnblock:
		t.unblock(x, ev)
		x.waits, x.wait = false, -1
	case opEnd:
		t.flush(x, now, at)
		x.runs, x.ended = false, now
		delete(t.gs, ev.g)
	case opSyscall:
		t.flush(x, now, at)
		x.runs, x.calls, x.called, x.at = false, true, now, at
	case opReturn:
		d := now - max(x.called, t.since)
		switch {
		case !x.calls || t.graph == nil || sys || d <= 0:
		case d < shortRun && ev.to == running:
			t.ran(x, now, d, x.at)
		default:
			t.add(x, Act{Do: DoOutside, At: int(x.at), Time: d})
		}
		x.calls, x.runs, x.from = false, ev.to == running, now
	case opStatus:
		if ev.start != nil && x.start == 0 {
			x.start = ev.start.root.at
		}
		switch {
		case x.runs || x.waits || x.calls:
		case ev.to == running:
			x.runs, x.from, x.worked = true, now, true
		case ev.to == waiting:
			x.waits, x.kind, x.blocked = true, Other, now
		case ev.to == syscalling:
			x.calls, x.called = true, now
		}
	}
	if t.graph != nil && t.acts >= t.most {
		t.full(now)
	}
}

// waitsFor reports whether a wait for k is ended by another goroutine of the user, as a rule.
func waitsFor(k Kind) bool { return k != Sleep && k != Net && k != GC }

func (t *tasker) openWindow(ev *event) {
	for _, x := range t.gs {
		x.thread, x.wait = -1, -1
		x.kids = slices.DeleteFunc(x.kids, func(k *tasking) bool { return k.ended != 0 })
	}
	t.open, t.since, t.acts, t.cut = true, ev.time, 0, nil
	t.graph = &Graph{Procs: t.e.procs}
	if by := t.by(ev); by != nil {
		t.thread(by) // the first
		by.from = ev.time
	}
}

func (t *tasker) closeWindow(ev *event) {
	if !t.open {
		return
	}
	if t.graph != nil {
		t.full(ev.time)
	}
	t.open = false
	if g := t.cut; g != nil {
		g.Whole = float64(ev.time - t.since)
		if len(g.Threads) > 0 {
			t.done = append(t.done, g)
		}
	}
	t.graph, t.cut = nil, nil
}

// full ends the graph of the window.
func (t *tasker) full(now int64) {
	g := t.graph
	for _, x := range t.gs {
		if x.runs && !x.sys && x.thread >= 0 {
			t.joined(x, now)
			t.flush(x, now, x.at)
		}
	}
	for id, x := range t.gs {
		// One from before the trace shows no stack, and so not whose it is, until it blocks.
		if th := x.thread; th > 0 && t.ofSystem(id, x) && !slices.ContainsFunc(g.Threads[th].Acts, func(a Act) bool { return a.Do == DoSignal || a.Do == DoMeet || a.Do == DoSpawn }) {
			g.Threads[th].Acts = nil
		}
	}
	t.graph, t.cut = nil, g
	g.Window, g.Locks = float64(now-t.since), len(t.locks)
	for i := range g.Threads {
		acts := g.Threads[i].Acts
		for k, a := range acts {
			if a.Do == DoAwait && g.Waits[a.N].Need == 0 {
				g.Threads[i].Acts = acts[:k]
				break
			}
		}
	}
}

// thread is the number of x in the open window.
func (t *tasker) thread(x *tasking) int {
	if x.thread < 0 {
		x.thread = len(t.graph.Threads)
		t.graph.Threads = append(t.graph.Threads, Thread{Func: int(x.start), Parent: -1})
		if x.waits && waitsFor(x.kind) {
			t.await(x, x.kind, x.at)
		}
	}
	return x.thread
}

func (t *tasker) add(x *tasking, a Act) {
	if a.end == 0 {
		a.end = t.last
	}
	th := &t.graph.Threads[t.thread(x)]
	th.Acts = append(th.Acts, a)
	t.acts++
}

// await lets x, which has a thread, wait.
func (t *tasker) await(x *tasking, k Kind, at site) {
	x.wait = len(t.graph.Waits)
	t.graph.Waits = append(t.graph.Waits, Await{Kind: k, At: int(at), Thread: x.thread})
	t.add(x, Act{Do: DoAwait, At: int(at), N: x.wait})
}

// flush accounts what x ran up to now.
func (t *tasker) flush(x *tasking, now int64, at site) {
	if !x.runs {
		return
	}
	d := now - max(x.from, t.since)
	x.from = now
	if t.graph != nil && !x.sys && d > 0 {
		t.ran(x, now, d, at)
	}
}

// ran accounts d that x ran, up to now. What another goroutine ran in between is apart, so
// that an act that runs is as long as it took.
func (t *tasker) ran(x *tasking, now, d int64, at site) {
	th := &t.graph.Threads[t.thread(x)]
	if n := len(th.Acts); n > 0 && th.Acts[n-1].Do == DoRun && th.Acts[n-1].end == now-d {
		th.Acts[n-1].Time += d
		th.Acts[n-1].At, th.Acts[n-1].end = int(at), now
		return
	}
	t.add(x, Act{Do: DoRun, At: int(at), Time: d, end: now})
}

// held lets x give a lock back that it took before: what it did since, it did with it. Of
// two sections one is in the other, so that one which ends later began before one that
// seems to have begun some ns before: when either did is not known better.
func (t *tasker) held(x *tasking, ev *event) {
	const bits = 40
	t.flush(x, ev.time, ev.at.site)
	from := ev.time - int64(ev.id&(1<<bits-1))
	lock, ok := t.locks[ev.id>>bits]
	if !ok {
		lock = len(t.locks)
		t.locks[ev.id>>bits] = lock
	}
	th := &t.graph.Threads[t.thread(x)]
	i := len(th.Acts)
	for i > 0 && th.Acts[i-1].end > from {
		i--
	}
	const slack = 2000
	nested := false
	for i > 0 && th.Acts[i-1].Do == DoLock && th.Acts[i-1].N != lock && from-th.Acts[i-1].end < slack {
		nested = true
		i--
	}
	take := Act{Do: DoLock, At: int(ev.at.site), N: lock, end: from}
	if nested {
		take.end = th.Acts[i].end
	}
	if i < len(th.Acts) && th.Acts[i].Do == DoRun && !nested {
		if before := th.Acts[i]; before.Time > before.end-from {
			th.Acts[i].Time = before.end - from
			before.Time -= before.end - from
			before.end = from
			th.Acts = slices.Insert(th.Acts, i, before)
			t.acts++
			i++
		}
	}
	th.Acts = slices.Insert(th.Acts, i, take)
	t.acts++
	t.add(x, Act{Do: DoUnlock, At: int(ev.at.site), N: lock})
}

func (t *tasker) create(x *tasking, ev *event) {
	by := t.by(ev)
	if by != nil && !x.sys {
		if t.graph != nil {
			t.joined(by, ev.time)
		}
		by.kids = append(by.kids, x)
	}
	if t.graph == nil || x.sys {
		return
	}
	i := t.thread(x)
	if by == nil { // a timer's function
		t.add(x, Act{Do: DoOutside, At: int(ev.at.site), Time: ev.time - t.since})
		return
	}
	t.flush(by, ev.time, ev.at.site)
	g := t.graph
	t.add(by, Act{Do: DoSpawn, At: int(ev.at.site), N: i})
	g.Threads[i].Parent, g.Threads[i].From = by.thread, int(ev.at.site)
}

// joined lets x wait for those that it had started, where all had ended before now on
// several processors: a wait that finds all done shows nothing. On one it waits, as a
// rule.
func (t *tasker) joined(x *tasking, now int64) {
	if t.e.procs < 2 || len(x.kids) == 0 || !x.runs {
		return
	}
	end := int64(0)
	for _, k := range x.kids {
		if k.ended == 0 || k.thread < 0 {
			return
		}
		end = max(end, k.ended)
	}
	if end > x.from {
		t.flush(x, end, x.at)
	}
	if len(t.graph.Threads[t.thread(x)].Acts) == 0 {
		return
	}
	t.await(x, WaitGroup, x.at)
	t.collect(x, x.wait, nil)
	x.wait = -1
}

// unblock: x, which waits, can go on.
func (t *tasker) unblock(x *tasking, ev *event) {
	if t.graph == nil || x.sys || x.kind == GC {
		return
	}
	by := t.by(ev)
	if by == nil || by == x || !waitsFor(x.kind) {
		d := ev.time - max(x.blocked, t.since)
		if x.wait >= 0 { // it was taken for one that another ends
			th := &t.graph.Threads[x.thread]
			th.Acts[len(th.Acts)-1] = Act{Do: DoOutside, At: int(x.at), Time: d, end: ev.time}
			t.graph.Waits[x.wait].Thread = -1
			return
		}
		x.waits = false // so that a thread that is made now has no wait
		t.add(x, Act{Do: DoOutside, At: int(x.at), Time: d})
		return
	}
	t.flush(by, ev.time, ev.at.site)
	t.thread(x)
	if x.wait < 0 {
		return
	}
	do := DoSignal
	if x.kind == ChanSend || x.kind == Select && ev.at.recv {
		do = DoMeet
	}
	t.add(by, Act{Do: do, At: int(ev.at.site), N: x.wait})
	t.graph.Waits[x.wait].Need++
	if joins(x.kind) {
		t.collect(x, x.wait, by)
	}
}

// collect lets x's wait be for all that x had started and that have ended, or have run
// and wait for more to do. by has given its signal.
func (t *tasker) collect(x *tasking, wait int, by *tasking) {
	signal := Act{Do: DoSignal, N: wait, At: t.graph.Waits[wait].At}
	x.kids = slices.DeleteFunc(x.kids, func(k *tasking) bool {
		idle := k.waits && (k.kind == ChanReceive || k.kind == Select || k.kind == Cond)
		switch {
		case k == by || k.thread < 0:
			k.worked = false
			return k.ended != 0
		case k.ended != 0:
			t.add(k, signal)
			t.graph.Waits[wait].Need++
			return true
		case idle && k.worked:
			th := &t.graph.Threads[k.thread]
			at := len(th.Acts)
			if k.wait >= 0 {
				at-- // before it waits
			}
			at = max(at, 0)
			if at > 0 {
				signal.end = th.Acts[at-1].end
			}
			th.Acts = slices.Insert(th.Acts, at, signal)
			t.acts++
			t.graph.Waits[wait].Need++
			k.worked = false
		}
		return false
	})
}

// Spawned is how many threads the window started, and Work how long all ran.
func (g *Graph) Spawned() (n int, work float64) {
	for _, th := range g.Threads {
		if th.Parent >= 0 {
			n++
		}
		for _, a := range th.Acts {
			if a.Do == DoRun {
				work += float64(a.Time)
			}
		}
	}
	return n, work
}

// Yields is how often threads let others run of their own accord.
func (g *Graph) Yields() (n int) {
	for _, th := range g.Threads {
		for _, a := range th.Acts {
			if a.Do == DoYield {
				n++
			}
		}
	}
	return n
}

// check says what makes a graph one that cannot be run: for tests.
func (g *Graph) check() error {
	given := make([]int, len(g.Waits))
	spawned := make([]int, len(g.Threads))
	for i, th := range g.Threads {
		for _, a := range th.Acts {
			switch a.Do {
			case DoSignal, DoMeet:
				given[a.N]++
			case DoSpawn:
				spawned[a.N]++
			}
			if a.Time < 0 {
				return fmt.Errorf("thread %d has an act of %d ns", i, a.Time)
			}
		}
	}
	for w, n := range given {
		if x := g.Waits[w]; n != x.Need {
			return fmt.Errorf("wait %d has %d signals, needs %d (%+v)", w, n, x.Need, x)
		}
	}
	for i, n := range spawned {
		if want := min(1, g.Threads[i].Parent+1); n != want {
			return fmt.Errorf("thread %d is started %d times, want %d", i, n, want)
		}
	}
	return nil
}
