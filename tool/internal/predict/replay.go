package predict

import (
	"errors"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// A replay runs one graph on a modelled machine once.
type replay struct {
	*plan
	procs int
	c     choice
	off   float64 // ns that each stretch is shorter than the trace has it: what tracing and the runtime took
	scale float64 // of each stretch

	waits    []waiting
	passages []passage
	locks    []lock
	over     bool
	live     int
	end      time.Duration

	rate       float64 // of what the collector does to what the program computes
	debt       float64 // ns that the collector has still to do
	collectors int

	last *chain // of the goroutine that ended the replay
}

// A chain is what a goroutine's time was spent on, one thing after the other, and that of
// those it waited for: of what it computes, of whoever ended its last wait, and so on.
// Where it waited for a processor the chain has nothing.
type chain struct {
	before *chain
	at     int
	time   float64
}

// A runner is a goroutine of the replay.
type runner struct{ *chain }

func (x *runner) computes(at int, d float64) {
	if x.chain != nil && x.at == at {
		x.chain = &chain{x.before, at, x.time + d} // others may have the one before
		return
	}
	x.chain = &chain{x.chain, at, d}
}

// blame is the time of a chain by place.
func (c *chain) blame(places int) []float64 {
	b := make([]float64, places)
	for ; c != nil; c = c.before {
		b[c.at] += c.time
	}
	return b
}

// A waiting is where a wait of the graph stands. On the modelled machine one goroutine
// runs at a time: what is shared here is read and written when no processor is behind.
type waiting struct {
	have   int
	there  bool // its thread has come to it
	parked bool
	by     blocked
	meets  []blocked // they wait until it is there
}

// A result is what one replay says.
type result struct {
	time  float64 // ns
	blame []float64
	wakes uint64
}

var errStuck = errors.New("the graph of the trace does not run to its end on the modelled machine: traces of another version of Go may; please report it")

// run replays g under a choice. Locks are taken in another order than in the trace, and a
// wait of the trace may then be for a goroutine that waits for one, as for a reader of an
// RWMutex. Where that stops all, g runs as a trace without locks.
func run(g *exectrace.Graph, m Machine, procs int, c choice, off, scale float64, order world.Order) (result, error) {
	r, err := once(g, m, procs, c, off, scale, order)
	if err != nil && g.Locks > 0 {
		return once(unlocked(g), m, procs, c, off, scale, order)
	}
	return r, err
}

func once(g *exectrace.Graph, m Machine, procs int, c choice, off, scale float64, order world.Order) (result, error) {
	r := &replay{plan: newPlan(g, c.channels), procs: procs, c: c, off: off, scale: scale, waits: make([]waiting, len(g.Waits)), locks: make([]lock, g.Locks)}
	if c.even {
		r.plan.even()
	}
	r.passages = make([]passage, len(r.channels))
	for i := range r.passages {
		r.passages[i].left = r.channels[i]
		if c.channels != handed {
			r.passages[i].room = 1
		}
	}
	if _, work := g.Spawned(); work > 0 {
		r.rate = g.System / work
	}
	p := m.prices(c)
	p.Order = order
	w, err := world.Run(p, procs, 1, func() {
		first := &runner{}
		for i := range g.Threads {
			if i > 0 && g.Threads[i].Parent < 0 && len(g.Threads[i].Acts) > 0 {
				r.start(first, i)
			}
		}
		r.live++
		r.thread(first, 0)
	})
	if err != nil || r.end <= 0 {
		return result{}, errors.Join(errStuck, err)
	}
	return result{float64(r.end), r.last.blame(len(g.Places) + 1), w.Wakes}, nil
}

func (r *replay) start(by *runner, i int) {
	r.live++
	t := &runner{by.chain}
	world.Go(func() { r.thread(t, i) })
}

// cut reports whether the graph is a part of its window: then all threads end it, and not
// the first alone.
func (r *replay) cut() bool { return r.g.Whole > r.g.Window }

func (r *replay) thread(t *runner, i int) {
	r.steps(t, r.threads[i])
	for n := range r.locks {
		if r.locks[n].by == t { // the window ends before it gives it back
			r.unlock(t, n)
		}
	}
	r.live--
	if !r.over && (i == 0 && !r.cut() || r.live == 0) {
		r.last = t.chain
		r.finish()
	}
}

func (r *replay) steps(t *runner, all []step) {
	for _, a := range all {
		if r.over {
			return
		}
		switch a.op {
		case send:
			r.send(t, a.channel, a.value)
			continue
		case recv:
			r.receive(t, a.channel)
			continue
		case labour:
			for v := r.receive(t, a.channel); v >= 0; v = r.receive(t, a.channel) {
				r.steps(t, r.values[v])
			}
			continue
		}
		if waits := a.Do == exectrace.DoAwait || a.Do == exectrace.DoSignal; waits && len(r.locks) > 0 && r.g.Waits[a.N].Kind == exectrace.Mutex {
			continue // which goroutine waits for a lock is decided anew
		}
		switch a.Do {
		case exectrace.DoRun:
			r.compute(t, a.Act)
		case exectrace.DoSpawn:
			r.start(t, a.N)
		case exectrace.DoAwait:
			r.await(t, a.N)
		case exectrace.DoSignal:
			r.signal(t, a.N, r.c.channels == handed && rendezvous(r.g.Waits[a.N].Kind))
		case exectrace.DoMeet:
			r.signal(t, a.N, r.c.channels != streamed)
		case exectrace.DoYield:
			world.Gosched()
		case exectrace.DoOutside:
			world.Away(time.Duration(a.Time))
		case exectrace.DoLock:
			r.lock(t, a.N)
		case exectrace.DoUnlock:
			r.unlock(t, a.N)
		}
	}
}

// rendezvous reports whether what ends such a wait may have to wait for it.
func rendezvous(k exectrace.Kind) bool {
	return k == exectrace.ChanReceive || k == exectrace.Select
}

// finish ends the replay: all that wait are let go.
func (r *replay) finish() {
	r.over, r.end = true, world.Now()
	for i := range r.waits {
		x := &r.waits[i]
		if x.parked {
			x.parked = false
			world.Ready(x.by.self)
		}
		for _, y := range x.meets {
			world.Ready(y.self)
		}
		x.meets = nil
	}
	for i := range r.passages {
		x := &r.passages[i]
		for _, y := range append(x.senders, x.receivers...) {
			world.Ready(y.self)
		}
		x.senders, x.receivers = nil, nil
	}
	for i := range r.locks {
		x := &r.locks[i]
		for _, y := range x.waiters {
			world.Ready(y.self)
		}
		x.waiters = nil
	}
}

// least is the shortest time that a stretch is said to take.
const least = 20

func (r *replay) compute(t *runner, a exectrace.Act) {
	d := max(float64(a.Time)*r.scale-r.off, least)
	t.computes(a.At, d)
	world.Work(time.Duration(d))
	r.collect(d)
}

// collect lets the collector do its part after so much computing: on a quarter of the
// processors, and where that does not suffice the program helps.
func (r *replay) collect(ran float64) {
	r.debt += ran * r.rate
	const chunk = 50e3
	if r.debt < chunk {
		return
	}
	d := time.Duration(r.debt)
	r.debt = 0
	if r.collectors >= max(1, r.procs/4) {
		world.Work(d)
		return
	}
	r.collectors++
	world.Go(func() {
		if !r.over {
			world.Work(d)
		}
		r.collectors--
	})
}

// line is where the word of a wait lies: those at one place share one.
func (r *replay) line(w int) uintptr { return 1<<30 + uintptr(r.g.Waits[w].At)<<7 }

func (r *replay) await(t *runner, w int) {
	world.Touch(r.line(w), true)
	x := &r.waits[w]
	x.there = true
	for _, y := range x.meets {
		y.wake(t)
	}
	x.meets = nil
	need := r.g.Waits[w].Need
	world.ParkUnless(func() bool {
		if r.over || x.have >= need {
			return true
		}
		x.parked, x.by = true, blocked{self: world.Self(), t: t}
		return false
	})
}

func (r *replay) signal(t *runner, w int, meet bool) {
	x := &r.waits[w]
	world.Touch(r.line(w), true)
	if meet {
		world.ParkUnless(func() bool {
			if r.over || x.there {
				return true
			}
			x.meets = append(x.meets, blocked{self: world.Self(), t: t})
			return false
		})
	}
	x.have++
	if x.parked && x.have >= r.g.Waits[w].Need {
		x.parked = false
		x.by.wake(t)
	}
}
