package world

// What follows is the scheduler of the system, as far as it decides how long a thread
// waits for others: for processes that compute and never wait, and for threads of the
// program that have one processor of the machine with it (kernel/sched/fair.go,
// Linux 6.12). Threads stay where they are.

// Others are what a program has the machine with.
type Others struct {
	On   []int // on which processor of the machine each of the program's threads runs
	Busy []int // likewise each process that computes and never waits
}

const (
	// turn is how long a thread runs where others wait: base_slice_ns of Linux.
	turn = 3e6
	// glimpse is how long a thread computes until it sees that its turn is over.
	glimpse = 20_000
)

// A cpu is a processor of the machine.
type cpu struct {
	thread *proc  // that runs; nil: none, or a busy process
	busy   bool   // a busy process runs
	since  int64  // when its turn began
	wait   []wait // the first is the next one
}

// A wait is that of a thread for the processor, with what it does then; of a busy process
// where that has no thread.
type wait struct{ event }

// beside puts the threads on processors of the machine, and busy processes beside them.
func (w *World) beside(o *Others) {
	if o == nil {
		return
	}
	all := map[int]*cpu{}
	at := func(i int) *cpu {
		if all[i] == nil {
			all[i] = new(cpu)
		}
		return all[i]
	}
	for _, i := range o.Busy {
		if c := at(i); c.busy {
			c.wait = append(c.wait, wait{})
		} else {
			w.busy(c, -w.rand.Int64N(turn))
		}
	}
	for i, p := range w.procs {
		p.cpu = at(o.On[i])
	}
}

// busy begins the turn of a busy process.
func (w *World) busy(c *cpu, at int64) {
	c.thread, c.busy, c.since = nil, true, at
	w.add(event{at: at + turn, kind: evTurn, c: c})
}

// has reports whether the thread of an event has its processor. If not, the event comes
// when it has. A thread that has slept comes before the one that runs, half of the time.
func (w *World) has(e event) bool {
	p, c := e.p, e.p.cpu
	switch {
	case c == nil:
		return true
	case c.thread == p && (e.at-c.since < turn || len(c.wait) == 0):
		return true
	case c.thread == p:
		w.Taken++
		c.wait = append(c.wait, wait{e})
		w.next(c, e.at)
		return false
	case c.thread == nil && !c.busy:
	case p.state == coming && w.rand.IntN(2) == 0:
		if c.busy {
			c.wait = append(c.wait, wait{})
		} else {
			w.Taken++ // its own event is on the way, and will wait
		}
	default:
		c.wait = append(c.wait, wait{e})
		return false
	}
	c.thread, c.busy, c.since = p, false, e.at
	return true
}

// next gives c to the one that waits first.
func (w *World) next(c *cpu, at int64) {
	c.thread, c.busy = nil, false
	if len(c.wait) == 0 {
		return
	}
	e := c.wait[0].event
	c.wait = c.wait[1:]
	if e.p == nil {
		w.busy(c, at)
		return
	}
	c.thread, c.since = e.p, at
	e.p.now = max(at, e.at)
	w.push(e.p.now, e.kind, e.p, e.t)
}

// turns is called when the turn of a busy process is over.
func (w *World) turns(e event) {
	c := e.c
	if !c.busy || e.at != c.since+turn {
		return // it was over before
	}
	c.wait = append(c.wait, wait{})
	w.next(c, e.at)
}

// sleeps gives up the processor of p, which is idle.
func (w *World) sleeps(p *proc) {
	if c := p.cpu; c != nil && c.thread == p {
		w.next(c, p.now)
	}
}
