package exectrace

import (
	"iter"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A sim runs programs of simulated goroutines on simulated processors, and
// feeds what happens to an engine. Time is virtual: only work, sleep and
// system calls take any. It schedules like the runtime: who becomes runnable
// is next on the processor where that happened, and those before go to a
// queue that all processors share.
type sim struct {
	e        *engine
	procs    []*simProc
	queue    []*simG
	sleepers []*simG
	now      int64
	ids      int64
	slice    int64 // of time before preemption; 0: never
	stances  map[string]*stance
	record   func(event) // nil: they are not wanted
}

type simProc struct {
	no   int64
	g    *simG
	next *simG
	turn int64 // what is left of the slice
}

// A simG is a goroutine. Its methods may be called by its own function only.
type simG struct {
	s     *sim
	id    int64
	fn    string
	depth int
	p     *simProc
	left  int64 // of its work
	wakes int64
	box   int // what it sends or has received
	timed *simChan
	wake  func() bool
	yield func(struct{}) bool
}

func newSim(procs int, o Options) *sim {
	o.Procs = procs
	s := &sim{e: newEngine(o), stances: map[string]*stance{}}
	for p := range procs {
		s.procs = append(s.procs, &simProc{no: int64(p)})
	}
	return s
}

// simulate runs main between marks and returns the facts.
func simulate(procs int, main func(g *simG)) *Facts {
	return newSim(procs, Options{}).run(func(g *simG) {
		g.mark(opOpen)
		main(g)
		g.mark(opClose)
	})
}

func (s *sim) emit(ev event) {
	ev.time = s.now
	if ev.at == nil {
		ev.at = nowhere
	}
	if s.record != nil {
		s.record(ev)
	}
	s.e.step(&ev)
}

// stance is where g stands, in a line called what.
func (g *simG) stance(what string) *stance {
	key := g.fn + "/" + what + string(rune('0'+g.depth))
	p := g.s.stances[key]
	if p == nil {
		p = &stance{
			site: g.s.e.sites.number(source.Place{Func: "user." + g.fn, File: what}),
			root: g.s.e.sites.spot(source.Place{Func: "user." + g.fn}), depth: g.depth, sync: Sync,
		}
		p.first = p.root.fn
		g.s.stances[key] = p
	}
	return p
}

func (s *sim) newG(fn string, body func(g *simG)) *simG {
	s.ids++
	g := &simG{s: s, id: s.ids, fn: fn, depth: 1}
	next, _ := iter.Pull(func(yield func(struct{}) bool) {
		g.yield = yield
		body(g)
	})
	g.wake = func() bool { _, ok := next(); return ok }
	return g
}

// run runs main and all it starts, until nobody is left or nobody can run.
func (s *sim) run(main func(g *simG)) *Facts {
	g := s.newG("main", main)
	s.emit(event{op: opStatus, by: none, g: g.id, to: runnable, start: g.stance("start"), proc: none, thread: none})
	s.queue = append(s.queue, g)
	for {
		s.fill()
		d := int64(1) << 60
		for _, p := range s.procs {
			if p.g != nil {
				d = min(d, p.g.left)
				if s.slice > 0 {
					d = min(d, p.turn)
				}
			}
		}
		for _, g := range s.sleepers {
			d = min(d, g.wakes-s.now)
		}
		if d == 1<<60 {
			break // all wait for each other, or have ended
		}
		s.now += d
		for _, p := range s.procs {
			if p.g != nil {
				p.g.left -= d
				p.turn -= d
			}
		}
		for _, g := range slices.Clone(s.sleepers) {
			if g.wakes <= s.now {
				if c := g.timed; c != nil {
					g.timed, g.box = nil, -1
					c.receivers = slices.DeleteFunc(c.receivers, func(x *simG) bool { return x == g })
				}
				s.sleepers = slices.DeleteFunc(s.sleepers, func(x *simG) bool { return x == g })
				s.emit(event{op: opUnblock, by: none, g: g.id, proc: none, thread: none})
				s.queue = append(s.queue, g)
			}
		}
		for _, p := range s.procs {
			switch g := p.g; {
			case g == nil:
			case g.left == 0:
				s.resume(g)
			case s.slice > 0 && p.turn <= 0:
				s.emit(event{op: opStop, kind: Preempted, by: g.id, g: g.id, proc: p.no, thread: p.no})
				p.g, g.p = nil, nil
				s.queue = append(s.queue, g)
			}
		}
	}
	return s.e.facts()
}

// fill lets idle processors take who is runnable.
func (s *sim) fill() {
	for again := true; again; {
		again = false
		for _, p := range s.procs {
			if p.g != nil {
				continue
			}
			g := p.next
			p.next = nil
			if g == nil {
				p.turn = s.slice
				if len(s.queue) > 0 {
					g, s.queue = s.queue[0], s.queue[1:]
				} else {
					for _, o := range s.procs { // steal
						if o.g != nil && o.next != nil {
							g, o.next = o.next, nil
							break
						}
					}
				}
			}
			if g != nil {
				again = true
				p.g, g.p = g, p
				s.emit(event{op: opStart, by: none, g: g.id, proc: p.no, thread: p.no})
				if g.left == 0 {
					s.resume(g)
				}
			}
		}
	}
}

// resume runs g's function until it works, blocks or ends.
func (s *sim) resume(g *simG) {
	if !g.wake() {
		s.emit(event{op: opEnd, by: g.id, g: g.id, proc: g.p.no, thread: g.p.no, at: nowhere})
		g.p.g, g.p = nil, nil
	}
}

func (g *simG) emit(ev event) {
	ev.by, ev.proc, ev.thread = g.id, g.p.no, g.p.no
	g.s.emit(ev)
}

func (g *simG) mark(o op) { g.emit(event{op: o, at: g.stance("mark")}) }

// work takes d ns.
func (g *simG) work(d int64) {
	if d > 0 {
		g.left = d
		g.yield(struct{}{})
	}
}

// ready makes x, which waits for nobody any more, next on g's processor.
func (g *simG) ready(x *simG) {
	if old := g.p.next; old != nil {
		g.s.queue = append(g.s.queue, old)
	}
	g.p.next = x
}

func (g *simG) spawn(fn string, body func(g *simG)) {
	x := g.s.newG(fn, body)
	start := x.stance("start")
	g.emit(event{op: opCreate, g: x.id, to: runnable, at: g.stance("go " + fn), start: start})
	g.ready(x)
}

// call calls f one frame deeper.
func (g *simG) call(f func()) {
	g.depth++
	f()
	g.depth--
}

func (g *simG) block(k Kind) {
	g.emit(event{op: opBlock, g: g.id, kind: k, at: g.stance(string(k))})
	g.p.g, g.p = nil, nil
	g.yield(struct{}{})
}

func (g *simG) unblock(x *simG) {
	g.emit(event{op: opUnblock, g: x.id, at: g.stance("wake")})
	g.ready(x)
}

func (g *simG) sleep(d int64) {
	g.wakes = g.s.now + d
	g.s.sleepers = append(g.s.sleepers, g)
	g.block(Sleep)
}

// syscall takes d ns; a long one loses the processor for them.
func (g *simG) syscall(d int64) { g.calls("", d) }

func (g *simG) calls(kind Kind, d int64) {
	g.emit(event{op: opSyscall, g: g.id, to: syscalling, kind: kind, at: g.stance("syscall")})
	g.work(d)
	g.emit(event{op: opReturn, g: g.id, to: running, at: nowhere})
}

type simGroup struct {
	n       int
	waiters []*simG
}

func (g *simG) done(w *simGroup) {
	if w.n--; w.n == 0 {
		for _, x := range w.waiters {
			g.unblock(x)
		}
		w.waiters = nil
	}
}

func (g *simG) wait(w *simGroup) {
	if w.n > 0 {
		w.waiters = append(w.waiters, g)
		g.block(WaitGroup)
	}
}

type simChan struct {
	cap        int
	closed     bool
	buf        []int
	senders    []*simG
	receivers  []*simG
	asSelector bool     // waits on it show as select
	reply      *simChan // see back
}

func (c *simChan) kind(k Kind) Kind {
	if c.asSelector {
		return Select
	}
	return k
}

func (g *simG) send(c *simChan, v int) {
	switch {
	case len(c.receivers) > 0:
		x := c.receivers[0]
		c.receivers = c.receivers[1:]
		x.box = v
		if x.timed != nil {
			x.timed = nil
			g.s.sleepers = slices.DeleteFunc(g.s.sleepers, func(y *simG) bool { return y == x })
		}
		g.unblock(x)
	case len(c.buf) < c.cap:
		c.buf = append(c.buf, v)
	default:
		g.box = v
		c.senders = append(c.senders, g)
		g.block(c.kind(ChanSend))
	}
}

// recv returns -1 from a closed channel.
func (g *simG) recv(c *simChan) int {
	wake := func() (v int) {
		x := c.senders[0]
		c.senders = c.senders[1:]
		v = x.box
		p := *g.stance("recv")
		p.recv = true
		g.emit(event{op: opUnblock, g: x.id, at: &p})
		g.ready(x)
		return v
	}
	switch {
	case len(c.buf) > 0:
		v := c.buf[0]
		c.buf = c.buf[1:]
		if len(c.senders) > 0 {
			c.buf = append(c.buf, wake())
		}
		return v
	case len(c.senders) > 0:
		return wake()
	case c.closed:
		return -1
	}
	c.receivers = append(c.receivers, g)
	g.block(c.kind(ChanReceive))
	return g.box
}

// recvFor is recv with a time limit, after which it returns -1.
func (g *simG) recvFor(c *simChan, d int64) int {
	if len(c.buf) == 0 && len(c.senders) == 0 && !c.closed {
		g.timed, g.wakes = c, g.s.now+d
		g.s.sleepers = append(g.s.sleepers, g)
	}
	return g.recv(c)
}

func (g *simG) close(c *simChan) {
	c.closed = true
	for _, x := range c.receivers {
		x.box = -1
		g.unblock(x)
	}
	c.receivers = nil
}

type simMutex struct {
	held    bool
	waiters []*simG
}

func (g *simG) lock(m *simMutex) {
	for m.held {
		m.waiters = append(m.waiters, g)
		g.block(Mutex)
	}
	m.held = true
}

func (g *simG) unlock(m *simMutex) {
	m.held = false
	if len(m.waiters) > 0 {
		x := m.waiters[0]
		m.waiters = m.waiters[1:]
		g.unblock(x)
	}
}
