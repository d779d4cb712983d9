package sched

import (
	"math/rand/v2"
	"slices"
)

// A Policy is one of the schedulers.
type Policy int

const (
	Global  Policy = iota // Go 1.0: one queue behind one lock
	Local                 // Go 1.1: a queue for each processor, first in first out
	RunNext               // Go 1.5: and a slot for the goroutine that runs next
)

func (p Policy) String() string { return [...]string{"Go 1.0", "Go 1.1", "Go 1.5"}[p] }

// A machine runs goroutines on processors. Time is in picoseconds, so that all
// sums are exact.
type machine struct {
	policy Policy
	price  Prices
	procs  []*processor
	queue  queue      // the global one
	lock   lock       // of the global queue
	rand   *rand.Rand // order of the victims of stealing
	woken  *processor // the one that was woken and has not found work yet
	born   int        // goroutines so far
	ended  bool       // the main goroutine has
	Result
}

// A Result is what a run has done, and what it took. Times are in picoseconds.
type Result struct {
	Time        int64 // until the main goroutine ended
	Work        int64 // of the goroutines' own, on all processors
	Busy        int64 // of all processors, but while they sleep
	LockWait    int64 // for the lock of the global queue
	HandOffs    int   // values that went through channels
	ChannelOps  int   // sends and receives that were begun, and closes
	Switches    int   // goroutines that a processor began to run
	Spawns      int
	Locks       int // times that the global queue was locked
	Interrupts  int // times that a processor was taken away
	Same, Moved int // goroutines that went on where they had run before, and elsewhere
}

// SameShare is the share of resumptions on the same processor as before.
func (r Result) SameShare() float64 {
	return float64(r.Same) / float64(r.Same+r.Moved)
}

// A processor is a P with its thread. Only its own clock tells when it acts.
type processor struct {
	id     int
	clock  int64
	asleep bool
	g      *goroutine // what it runs, if anything
	next   *goroutine // what it runs next; Go 1.5 only
	queue  queue
	ends   int64 // of the time slice
	ticks  int   // slices begun
	waited bool  // it has waited once for a victim to run its next goroutine itself

	interrupted int64 // when it will be
}

// A goroutine is a body that says, operation by operation, what it does.
type goroutine struct {
	id    int
	body  body
	last  int // processor that it ran on last; -1: none
	rest  int64
	value int // of the receive before
	ok    bool
	main  bool
}

// A body returns the next operation. It is told the time, and what the last
// receive gave.
type body func(now int64, value int, ok bool) operation

// An operation is one step of a goroutine.
type operation struct {
	kind  kind
	ch    *channel
	value int
	time  int64
	start body
}

type kind int

const (
	compute kind = iota // for time
	send                // value to ch
	receive             // from ch
	closeCh             // ch
	spawn               // start
	yield               // to all that are ready
	exit
)

// A channel has no buffer, one sender and one receiver.
type channel struct {
	sender, receiver *goroutine // who waits
	value            int        // of the sender
	closed           bool
	last             int // processor that used it last, plus 1
}

// A lock hands out turns in the order in which they are asked for.
type lock struct {
	free int64
	last int // processor that had it last, plus 1
}

// run runs main on procs processors until it ends.
func run(policy Policy, price Prices, procs int, seed uint64, main body) Result {
	m := &machine{policy: policy, price: price, rand: rand.New(rand.NewPCG(seed, 0))}
	for i := range procs {
		m.procs = append(m.procs, &processor{id: i, asleep: i > 0})
	}
	first := m.newGoroutine(main)
	first.main = true
	m.procs[0].g = first
	m.beginSlice(m.procs[0])
	for !m.ended {
		p := m.earliest()
		if p == nil {
			panic("sched: all goroutines are asleep")
		}
		before := p.clock
		if p.g == nil {
			m.schedule(p)
		} else {
			m.step(p)
		}
		m.Busy += p.clock - before
	}
	return m.Result
}

// earliest returns the processor that acts next, nil if all sleep.
func (m *machine) earliest() (first *processor) {
	for _, p := range m.procs {
		if !p.asleep && (first == nil || p.clock < first.clock) {
			first = p
		}
	}
	return first
}

func (m *machine) newGoroutine(b body) *goroutine {
	m.born++
	return &goroutine{id: m.born, body: b, last: -1}
}

// step makes the next operation of the goroutine that p runs.
func (m *machine) step(p *processor) {
	m.interrupt(p)
	g := p.g
	if m.policy == RunNext && p.clock >= p.ends {
		// The slice is over, whichever goroutines have shared it.
		p.g = nil
		m.toGlobal(p, g)
		return
	}
	if g.rest > 0 {
		m.compute(p, g.rest)
		return
	}
	op := g.body(p.clock, g.value, g.ok)
	switch op.kind {
	case compute:
		m.compute(p, op.time)
	case send:
		m.use(p, op.ch)
		if r := op.ch.receiver; r != nil {
			op.ch.receiver = nil
			r.value, r.ok = op.value, true
			m.HandOffs++
			m.ready(p, r)
			return
		}
		op.ch.sender, op.ch.value = g, op.value
		p.g = nil
	case receive:
		m.use(p, op.ch)
		switch s := op.ch.sender; {
		case s != nil:
			op.ch.sender = nil
			g.value, g.ok = op.ch.value, true
			m.HandOffs++
			m.ready(p, s)
		case op.ch.closed:
			g.value, g.ok = 0, false
		default:
			op.ch.receiver = g
			p.g = nil
		}
	case closeCh:
		m.use(p, op.ch)
		op.ch.closed = true
		if r := op.ch.receiver; r != nil {
			op.ch.receiver = nil
			r.value, r.ok = 0, false
			m.ready(p, r)
		}
	case spawn:
		p.clock += m.price.Spawn
		m.Spawns++
		m.ready(p, m.newGoroutine(op.start))
	case yield:
		p.g = nil
		m.toGlobal(p, g)
	case exit:
		p.g = nil
		if g.main {
			m.Time, m.ended = p.clock, true
		}
	}
}

// interrupt takes p away from the program now and then.
func (m *machine) interrupt(p *processor) {
	if m.price.Every == 0 || p.clock < p.interrupted {
		return
	}
	if p.interrupted > 0 {
		p.clock += m.price.Interrupt
		m.Interrupts++
	}
	p.interrupted = p.clock + m.price.Every/2 + m.rand.Int64N(m.price.Every)
}

// compute works for a time, in Go 1.5 no longer than the slice lasts.
func (m *machine) compute(p *processor, time int64) {
	now := time
	if m.policy == RunNext {
		now = min(time, p.ends-p.clock)
	}
	p.clock += now
	m.Work += now
	p.g.rest = time - now
}

// use begins an operation on a channel.
func (m *machine) use(p *processor, ch *channel) {
	m.ChannelOps++
	p.clock += m.price.ChannelOp
	if ch.last != 0 && ch.last != p.id+1 {
		p.clock += channelLines * m.price.Line
	}
	ch.last = p.id + 1
}

// ready makes g ready to run, where p is.
func (m *machine) ready(p *processor, g *goroutine) {
	switch m.policy {
	case Global:
		m.locked(p)
		m.queue.put(g)
	case Local:
		p.queue.put(g)
	case RunNext:
		if p.next != nil {
			p.queue.put(p.next)
		}
		p.next = g
	}
	m.wake(p)
}

// toGlobal puts g at the end of the global queue.
func (m *machine) toGlobal(p *processor, g *goroutine) {
	m.locked(p)
	m.queue.put(g)
	m.wake(p)
}

// locked is what it takes p to lock the global queue, change it, and unlock it.
func (m *machine) locked(p *processor) {
	m.Locks++
	if wait := m.lock.free - p.clock; wait > 0 {
		m.LockWait += wait
		p.clock += wait
	}
	p.clock += m.price.Lock
	if m.lock.last != 0 && m.lock.last != p.id+1 {
		p.clock += lockLines * m.price.Line
	}
	m.lock.free, m.lock.last = p.clock, p.id+1
}

// wake wakes a processor that sleeps. From Go 1.1 on there is at most one that
// was woken and still looks for work.
func (m *machine) wake(p *processor) {
	if m.policy != Global && m.woken != nil {
		return
	}
	for _, w := range m.procs {
		if w.asleep {
			w.asleep = false
			w.clock = max(w.clock, p.clock+m.price.Wake)
			m.woken = w
			return
		}
	}
}

// schedule finds a goroutine for p, which has none, or puts p to sleep.
func (m *machine) schedule(p *processor) {
	g, inherits := m.find(p)
	if g == nil {
		if m.policy == RunNext && !p.waited && m.someNext() {
			// The victim is likely to run it itself in a moment.
			p.waited = true
			p.clock += m.price.StealWait
			return
		}
		p.waited = false
		p.asleep = true
		if m.woken == p {
			m.woken = nil
		}
		return
	}
	p.waited = false
	if m.woken == p {
		m.woken = nil
		if m.policy != Global {
			m.wake(p)
		}
	}
	m.start(p, g, inherits)
}

// start lets p run g.
func (m *machine) start(p *processor, g *goroutine, inherits bool) {
	p.g = g
	p.clock += m.price.Switch
	m.Switches++
	switch {
	case g.last == p.id:
		m.Same++
	case g.last >= 0:
		m.Moved++
		p.clock += goroutineLines * m.price.Line
	}
	g.last = p.id
	if !inherits {
		m.beginSlice(p)
	}
}

func (m *machine) beginSlice(p *processor) {
	p.ends = p.clock + m.price.Slice
	p.ticks++
	if p.g != nil {
		p.g.last = p.id
	}
}

// find takes a goroutine that is ready, and says whether it inherits the slice of
// the one before it.
func (m *machine) find(p *processor) (g *goroutine, inherits bool) {
	if m.policy == Global {
		m.locked(p)
		return m.queue.take(), false
	}
	if p.ticks%61 == 0 && m.queue.len() > 0 { // so that nobody waits there forever
		m.locked(p)
		return m.queue.take(), false
	}
	if p.next != nil {
		g, p.next = p.next, nil
		return g, true
	}
	if g := p.queue.take(); g != nil {
		return g, false
	}
	if m.queue.len() > 0 {
		m.locked(p)
		return m.queue.take(), false
	}
	return m.steal(p), false
}

// steal takes half of another processor's queue and returns the first of it.
// What a processor would run next is taken if it has nothing else, and has not
// run it for a while.
func (m *machine) steal(p *processor) *goroutine {
	for _, i := range m.rand.Perm(len(m.procs)) {
		v := m.procs[i]
		if v == p {
			continue
		}
		p.clock += m.price.Line // to look
		if n := (v.queue.len() + 1) / 2; n > 0 {
			p.clock += stealLines * m.price.Line
			for range n {
				p.queue.put(v.queue.take())
			}
			return p.queue.take()
		}
		if p.waited && v.next != nil {
			g := v.next
			v.next = nil
			return g
		}
	}
	return nil
}

// someNext reports whether a processor has a goroutine that it runs next.
func (m *machine) someNext() bool {
	return slices.ContainsFunc(m.procs, func(p *processor) bool { return p.next != nil })
}
