package world

import (
	"math/rand/v2"
	"time"
	"unsafe"
)

// What follows is what goroutines do: each is a step in the time of a machine, or
// in an order of an [Explorer].

// Now returns the time of the caller's processor, which costs it nothing.
func Now() time.Duration { return time.Duration(this.cur.p.now) }

// On reports whether a machine runs.
func On() bool { return exploring != nil || this != nil && this.cur != nil }

// Procs returns the number of processors.
func Procs() int {
	if o := exploring; o != nil {
		return o.x.Procs
	}
	return len(this.procs)
}

// Look is Now as a program sees it.
func Look() time.Duration {
	if o := exploring; o != nil {
		return o.look()
	}
	w := this
	w.Looks++
	p := w.sync()
	p.now += costLook
	return time.Duration(p.now)
}

// Work lets the caller compute for d. It may be preempted.
func Work(d time.Duration) {
	if o := exploring; o != nil {
		o.pass(d)
		return
	}
	w := this
	for left := int64(d); ; {
		p := w.cur.p
		if p.cpu != nil && left > glimpse {
			p.now += glimpse
			left -= glimpse
			w.suspend(goesOn)
			continue
		}
		if rest := p.slice + slice - p.now; left < rest {
			p.now += left
			return
		} else if rest > 0 {
			p.now += rest
			left -= rest
		}
		w.sync()
		w.Preempted++
		w.suspend(preempted)
	}
}

// Taken is how often the system has taken a processor from the program.
func Taken() int64 {
	if exploring != nil {
		return 0
	}
	return int64(this.Stats.Taken)
}

// Go starts f in a goroutine.
func Go(f func()) {
	if o := exploring; o != nil {
		o.say(said{kind: stGo})
		o.spawn(f)
		return
	}
	w := this
	p := w.sync()
	w.Spawns++
	p.now += costSpawn
	w.put(p, w.newG(f), true)
	w.wakep(p)
}

// Gosched lets others run.
func Gosched() {
	if o := exploring; o != nil {
		o.say(said{kind: stYield})
		return
	}
	this.sync()
	this.suspend(yields)
}

// A Waiter is a goroutine that parks.
type Waiter struct {
	g *g
	t *thread
}

// Self returns the caller.
func Self() Waiter {
	if o := exploring; o != nil {
		return Waiter{t: o.self()}
	}
	return Waiter{g: this.cur}
}

// Park returns when the caller has been made ready.
func Park() {
	if o := exploring; o != nil {
		o.say(said{kind: stPark})
		return
	}
	this.Parks++
	this.sync()
	this.suspend(parks)
}

// ParkUnless parks the caller unless so holds, which is asked when no other processor is
// behind: what so notes, others see before they make the caller ready. It is for a
// machine alone.
func ParkUnless(so func() bool) {
	w := this
	w.sync()
	if so() {
		return
	}
	w.Parks++
	w.suspend(parks)
}

// Away lets the caller be outside for d, in a system call or where the network is: its
// processor goes on without it. It is for a machine alone.
func Away(d time.Duration) {
	w := this
	p := w.sync()
	w.push(p.now+int64(d), evBack, nil, &timer{g: w.cur})
	w.suspend(parks)
}

// Ready makes r ready.
func Ready(r Waiter) {
	if o := exploring; o != nil {
		o.say(said{kind: stReady, other: r.t})
		return
	}
	w := this
	p := w.sync()
	p.now += costReady
	w.put(p, r.g, true)
	w.wakep(p)
}

// Wait returns when until holds, which is true or not by what goroutines do. It is for
// an [Explorer] alone.
func Wait(until func() bool) {
	o := exploring
	if o == nil {
		panic("world: what waits for a channel is run by an Explorer alone")
	}
	o.say(said{kind: stWait, until: until})
	o.endIfLoose()
}

// Soon waits as [Wait] does, and reports whether until holds: it returns, too, where no
// other thread can go on but by the time that passes. It is for an [Explorer] alone.
func Soon(until func() bool) bool {
	o := exploring
	if o == nil {
		panic("world: what is to be soon is run by an Explorer alone")
	}
	o.say(said{kind: stWait, until: until, idle: true})
	o.endIfLoose()
	return until()
}

// Later returns when d has passed: where no other thread can go on, or by chance at any
// time. It does not where over holds then. It is for an [Explorer] alone.
func Later(d time.Duration, over func() bool) {
	o := exploring
	if o == nil {
		panic("world: what has timers is run by an Explorer alone")
	}
	o.say(said{kind: stWait, at: o.in(d), until: func() bool { return !over() }})
	o.endIfLoose()
}

// Sleep parks the caller for d, at least.
func Sleep(d time.Duration) {
	if o := exploring; o != nil {
		o.pass(d)
		o.say(said{kind: stYield})
		return
	}
	w := this
	p := w.sync()
	t := &timer{at: p.now + int64(d), g: w.cur, p: p}
	p.now += costReady
	w.push(t.at, evTimer, nil, t)
	// The thread that waits for timers counts in milliseconds.
	const ms = 1_000_000
	w.push(p.now+(int64(d)+ms-1)/ms*ms, evPoll, nil, t)
	w.suspend(parks)
}

// Ask is what the runtime says of its processors: goroutines that run, among them
// threads that look for one, and those that could.
func Ask() (run, ready int) {
	if o := exploring; o != nil {
		if o.x.Crowded && Choose(2) == 1 {
			return o.x.Procs, 2 * o.x.Procs
		}
		return 1, 0
	}
	w := this
	w.Asks++
	p := w.sync()
	p.now = w.lockFor(p.now, costAsk(len(w.procs)))
	w.sync()
	for _, q := range w.procs {
		if q.state == running || q.state == searching {
			run++
		}
		ready += len(q.queue)
		if q.runnext != nil {
			ready++
		}
	}
	return run, ready + len(w.global)
}

// Rand is chance.
func Rand() *rand.Rand {
	if o := exploring; o != nil {
		return o.self().rand
	}
	return this.rand
}

// Stack stands for the address p of something on the caller's stack.
func Stack(p unsafe.Pointer) uintptr {
	if o := exploring; o != nil {
		return 1<<30 + uintptr(o.self().id)<<13
	}
	if !On() {
		return uintptr(p)
	}
	return 1<<30 + uintptr(this.cur.id)<<13
}

// Proc is the number of the caller's processor.
func Proc() int {
	if o := exploring; o != nil {
		return o.self().id
	}
	return this.cur.p.id
}

// Pause is a short wait: where orders are explored, others come before it is over.
func Pause(d time.Duration) {
	if o := exploring; o != nil {
		o.say(said{kind: stYield})
		return
	}
	Work(d)
}

// Spin lets the caller look at a lock for a while, if a machine runs where that is
// done, and reports whether it did.
func Spin() bool {
	if exploring != nil || this.prices.Spin == 0 || len(this.procs) == 1 {
		return false
	}
	Work(time.Duration(this.prices.Spin))
	return true
}

// Step is a step that conflicts with all others on x.
func Step(x *byte) { Touch(uintptr(unsafe.Pointer(x)), true) }
