// Package world is a machine of up to 256 processors on which Go programs run in
// time that is simulated: the same in each run, byte for byte.
//
// Goroutines are coroutines of one real goroutine. Each has a virtual processor,
// which has a clock of its own, and the one whose clock is least goes on. Clocks
// advance by what the program says that it computes ([Work]), and by the prices of
// what it does to others: cache lines that come from another processor, one after
// the other to those that wait for them; looks at the clock; questions to the
// runtime; goroutines started, parked and woken. Between two such steps no time
// passes.
//
// Go's scheduler is modelled as far as it decides who runs when (runtime/proc.go,
// Go 1.26): the goroutine that runs next and is stolen last, after a sleep; queues
// of which thieves take half; the global queue; the gate that lets one searching
// thread be woken at a time; threads that wake another when they have found work;
// preemption after 10 ms; timers, that fire late where no processor looks. It
// leaves out the collector, threads bound to goroutines, and what memory bandwidth
// and caches do to computing; of system calls it has that they leave their processor.
//
// It is for tests, and for the tool's package predict, which runs task graphs of traces
// on it. Code under test is not written for the machine: package overlay
// builds a copy in which sync/atomic, time and the like are those of package shim.
package world

import (
	"fmt"
	"iter"
	"math/rand/v2"
	"runtime/debug"
	"time"
)

// A World is a machine and what runs on it.
type World struct {
	prices Prices
	rand   *rand.Rand
	procs  []*proc
	idle   []*proc // the last to become idle is the first to be woken
	global []*g
	locked int64 // until then somebody has the scheduler's lock
	locker int   // the processor that had it last; kept for [OneQueue]

	// spinning is how many threads look for work, or have been woken to do so.
	spinning int

	events events
	seq    uint64
	now    int64 // of the last event
	cur    *g    // the goroutine that runs
	due    []*timer
	live   int // goroutines that have not ended
	made   int
	stack  []byte // of a panic

	lines map[uintptr]*line

	Stats
}

// Stats are what happened.
type Stats struct {
	Events, Looks, Asks, Wakes, Spawns, Parks, Preempted uint64
	Taken                                                uint64 // processors, by the system
}

// A proc is a processor, with the thread that has it.
type proc struct {
	id       int
	cpu      *cpu // nil: it has one of the machine's for itself
	now      int64
	state    uint8
	spinning bool // its thread looks for work, or is on its way
	runnext  *g
	queue    []*g
	cur      *g
	ticks    int
	slice    int64 // when the goroutine's time began
	busy     int64 // ns in goroutines
	from     int64 // since when cur runs

	// The search that is under way.
	pass, at, start, step int
}

// States of a proc.
const (
	idle = iota
	coming
	searching
	running
)

// A g is a goroutine.
type g struct {
	id    int
	next  func() (struct{}, bool)
	yield func(struct{}) bool
	p     *proc
	why   uint8
}

// Why a goroutine gave control back.
const (
	goesOn = iota // others come first
	parks
	yields
	preempted
)

type timer struct {
	at    int64
	g     *g
	p     *proc
	fired bool
}

// events is a heap, the first to come at 0.
type events []event

type event struct {
	at   int64
	seq  uint64
	kind uint8
	p    *proc
	t    *timer
	c    *cpu
}

const (
	evRun      = iota // p's goroutine goes on
	evSchedule        // p's thread looks for a goroutine
	evSearch          // p's thread has passed over all queues
	evGrab            // p's thread has slept before it takes what its victim runs next
	evTimer
	evPoll // a thread sleeps until a timer
	evBack // t's goroutine comes back from outside
	evTurn // the turn of a busy process is over
)

func (e events) less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].seq < e[j].seq
}

func (w *World) push(at int64, kind uint8, p *proc, t *timer) {
	w.add(event{at: at, kind: kind, p: p, t: t})
}

func (w *World) add(v event) {
	w.seq++
	v.seq = w.seq
	e := append(w.events, v)
	for i := len(e) - 1; i > 0 && e.less(i, (i-1)/2); i = (i - 1) / 2 {
		e[i], e[(i-1)/2] = e[(i-1)/2], e[i]
	}
	w.events = e
}

func (w *World) pop() event {
	e := w.events
	first := e[0]
	last := len(e) - 1
	e[0] = e[last]
	e[last] = event{}
	e = e[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c+1 < last && e.less(c+1, c) {
			c++
		}
		if c >= last || !e.less(c, i) {
			break
		}
		e[i], e[c] = e[c], e[i]
		i = c
	}
	w.events = e
	return first
}

// this is the machine that runs; nil: none.
var this *World

// tooMany events are a sign that nothing goes forward.
const tooMany = 400_000_000

// Run runs main on a machine of so many processors until all goroutines have
// ended, and returns what happened. Chance is drawn from seed.
func Run(prices Prices, procs int, seed uint64, main func()) (*World, error) {
	w := &World{prices: prices, rand: rand.New(rand.NewPCG(seed, 1)), lines: map[uintptr]*line{}}
	for i := range procs {
		w.procs = append(w.procs, &proc{id: i})
	}
	w.beside(prices.Others)
	for i := procs - 1; i > 0; i-- {
		w.idle = append(w.idle, w.procs[i])
	}
	p := w.procs[0]
	p.queue = append(p.queue, w.newG(main))
	p.state = searching
	w.push(0, evSchedule, p, nil)
	this = w
	var err error
	over := make(chan struct{})
	go func() { // Goexit in a coroutine comes out of here
		defer close(over)
		w.loop(&err)
	}()
	<-over
	this = nil
	return w, err
}

// loop goes from event to event. Where a goroutine of the machine ends by Goexit,
// this one does too, and goes on in the deferred function.
func (w *World) loop(err *error) {
	over := false
	defer func() {
		if over {
			return
		}
		if v := recover(); v != nil {
			*err = fmt.Errorf("panic: %v\n%s", v, w.stack)
			return
		}
		w.ended(w.cur)
		w.loop(err)
	}()
	for len(w.events) > 0 && w.live > 0 {
		e := w.pop()
		w.now = e.at
		if w.Events++; w.Events > tooMany {
			*err = fmt.Errorf("nothing goes forward: %d events in %v", w.Events, time.Duration(w.now))
			over = true
			return
		}
		if e.p != nil && !w.has(e) {
			continue
		}
		switch e.kind {
		case evRun:
			w.resume(e.p)
		case evSchedule:
			e.p.now = e.at
			w.schedule(e.p)
		case evSearch:
			e.p.now = e.at
			w.search(e.p)
		case evGrab:
			e.p.now = e.at
			w.grab(e.p)
		case evTimer:
			w.timer(e.t)
		case evPoll:
			w.poll(e.t)
		case evBack:
			w.back(e.t.g)
		case evTurn:
			w.turns(e)
		}
	}
	if w.live > 0 {
		*err = fmt.Errorf("%d goroutines wait for ever, at %v", w.live, time.Duration(w.now))
	}
	over = true
}

func (w *World) newG(f func()) *g {
	w.live++
	w.made++
	n := &g{id: w.made}
	n.next, _ = iter.Pull(func(yield func(struct{}) bool) {
		n.yield = yield
		defer func() {
			if v := recover(); v != nil {
				w.stack = debug.Stack()
				panic(v)
			}
		}()
		f()
	})
	return n
}

// resume lets p's goroutine go on until it gives back control.
func (w *World) resume(p *proc) {
	c := p.cur
	w.cur = c
	_, more := c.next()
	if !more {
		w.ended(c)
		return
	}
	w.cur = nil
	switch c.why {
	case goesOn:
		w.push(p.now, evRun, p, nil)
		return
	case yields, preempted:
		w.lock(p)
		w.global = append(w.global, c)
		w.leave(p)
		w.wakep(p)
	case parks:
		w.leave(p)
	}
	w.push(p.now, evSchedule, p, nil)
}

// leave takes p from its goroutine.
func (w *World) leave(p *proc) {
	p.busy += p.now - p.from
	p.cur.p = nil
	p.cur = nil
	p.state = searching
}

func (w *World) ended(c *g) {
	w.cur = nil
	w.live--
	p := c.p
	w.leave(p)
	w.push(p.now, evSchedule, p, nil)
}

// suspend gives back control.
func (w *World) suspend(why uint8) {
	c := w.cur
	c.why = why
	c.yield(struct{}{})
}

// sync returns when no other processor is behind the caller's.
func (w *World) sync() *proc {
	p := w.cur.p
	for len(w.events) > 0 && w.events[0].at < p.now {
		w.suspend(goesOn)
		p = w.cur.p
	}
	return p
}

// lock is the scheduler's. Where all goroutines go through one queue, its line and that
// of the queue travel with it; elsewhere it is rare, and they count as a part of its price.
func (w *World) lock(p *proc) {
	held := int64(costLocked)
	if w.prices.Order == OneQueue && w.locker != p.id {
		held += 2 * w.prices.transfer(p.id, w.locker, len(w.procs))
		w.locker = p.id
	}
	p.now = w.lockFor(p.now, held)
}

func (w *World) lockFor(now, held int64) int64 {
	w.locked = max(w.locked, now) + held
	return w.locked
}

// Busy is how long the processors have run goroutines, all together.
func (w *World) Busy() (d time.Duration) {
	for _, p := range w.procs {
		d += time.Duration(p.busy)
	}
	return d
}
