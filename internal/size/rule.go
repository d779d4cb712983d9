package size

import (
	"math"
	"time"
)

// A Rule decides how many workers there are to be. The zero Rule is not ready; use
// [New]. One goroutine at a time may call it: the owner holds a lock.
type Rule struct {
	least, most int
	n           int // how many workers are wanted; 0 before the first Decide
	procs       int // GOMAXPROCS by the last View

	phase phase
	lap   lap

	// window is what is measured now. It begins when the tasks have ended that were
	// begun at another size: when settled have.
	window  window
	settled uint64
	unready bool // it has not begun

	// base is what n is compared with. Climbing it is the window before, trying the
	// size to go back to, and holding n itself, as measured so far.
	base window

	doubt bool // climbing: the window showed no clear gain, and is made longer

	// lulled: no task waited when it was asked last; whole: since then there was none at
	// all. peak is the most tasks that there were at once since some wait, and last before
	// that; it fades from lull to lull.
	lulled, whole bool
	peak, last    int
	check         check

	// Trials change n by step sixteenths of it, up or down.
	step    int
	up      bool
	refused int           // trials at the least step that changed nothing, in a row
	gained  bool          // the last one did not
	pause   time.Duration // after them
	next    time.Duration // when the next may begin
}

// A View is what the owner sees at a moment.
type View struct {
	// Now is the time of a clock that only moves forward.
	Now time.Duration
	// Begun and Ended count the tasks since the owner began. Whoever has just ended
	// one adds it before the call.
	Begun, Ended uint64
	// Waiting is how many tasks wait for a worker: [Many] where nobody knows, as where
	// a submitter is blocked as well.
	Waiting int
	// Since is when the first task began, or began to wait, since there was none. It is
	// looked at where none is there: the owner calls then as well, if it can.
	Since time.Duration
	// Procs is GOMAXPROCS; Idle is how many processors are idle, and Runnable how many
	// goroutines wait for one, of the whole program. Idle is -1 where that is not known.
	// Whoever has asked is taken to have a processor.
	Procs, Idle, Runnable int
}

// idleShare is the share of processors that are idle, in units of 1/whole. Whoever
// looks has a processor, so none of the others may be. If there are no others, nobody
// waits for this one. Where it is not known, none is taken to be in use.
func (v *View) idleShare() int {
	switch {
	case v.Idle < 0, v.Procs == 1 && v.Runnable == 0:
		return whole
	case v.Procs == 1:
		return 0
	}
	return min(v.Idle*whole/(v.Procs-1), whole)
}

// room reports whether n workers may be too few for the processors: one is idle, or
// where there are more workers than processors, nobody waits for one. Then one is idle
// as soon as a task sleeps. It is tempting to go by idle processors alone; but those
// who look have often waited for a processor, and see few.
func (v *View) room(n int) bool {
	if v.Idle < 0 || n > v.Procs {
		return v.Runnable == 0
	}
	return v.idleShare() > 0
}

// Many is more tasks than there are ever workers. Half of the range is left to add to it.
const Many = math.MaxInt32 / 2

// Most is how many workers there are at most, where the owner says nothing else.
const Most = 1024

// A phase says what a window is for.
type phase uint8

const (
	climbing phase = iota // n grows with each lap, for as long as the rate follows
	holding               // n stays until the next trial
	trying                // n is another size than base's, to be compared with it
)

const (
	// There is a worker for each processor at first, but no more than that: a server
	// may be slow.
	startMost = 8

	// The owner is to call again after so long: perLap times in a lap, within bounds.
	perLap    = 32
	leastTick = 100 * time.Microsecond
	mostTick  = 10 * time.Millisecond

	// Where tasks have lasted for t and none has ended, √(t/blind) workers are no risk:
	// the rate at which they begin tasks falls as time goes on.
	blind = 8 * time.Microsecond

	// Trials are by a quarter at first, up to twice as many, down to a sixteenth.
	leastStep, firstStep, climbStep, mostStep, wholeStep = 1, 4, 8, 16, 16

	// Where the least trials have changed nothing there is none for so many times as
	// long as they took; where there was nothing to try, for so long.
	pauseShare = 3
	fullPause  = time.Second

	// A window has so many tasks, and looks, at least. That of a trial by s sixteenths
	// has more (needed): the less there is to be seen, the less noise must there be.
	leastTasks = 16
	climbTasks = 64
	mostTasks  = 2048
	leastLooks = 16
	climbLooks = 4
	mostLooks  = 64
	// Fewer tasks do not show that the load has changed.
	shiftTasks = 256
)

// New returns a Rule for least to most workers; 0 stands for 1, and for [Most].
func New(least, most int) *Rule {
	r := new(Rule)
	r.Bound(least, most)
	return r
}

// Bound sets other bounds, as New does. They hold from the next Decide on.
func (r *Rule) Bound(least, most int) {
	if least <= 0 {
		least = 1
	}
	if most <= 0 {
		most = Most
	}
	r.least, r.most = least, max(least, most)
}

// Bounded is n, or the bound that is nearest.
func (r *Rule) Bounded(n int) int { return max(r.least, min(n, r.most)) }

// Want is the last answer of [Rule.Decide]; 0 before the first.
func (r *Rule) Want() int { return r.n }

// Decide returns how many workers there are to be from now on, and the time from which
// the owner is to call again, if tasks wait then.
func (r *Rule) Decide(v View) (want int, next time.Duration) {
	r.procs = v.Procs
	if r.n == 0 {
		r.n = r.Bounded(min(v.Procs, startMost))
		r.lap.begin(v)
		r.climb(v)
	} else if n := r.Bounded(r.n); n != r.n {
		r.set(v, n)
		r.hold(v, firstStep)
	}
	if v.Waiting <= 0 {
		r.lull(v)
		return r.n, v.Now + r.tick(v.Now)
	}
	r.resume(v)
	// Where workers that were wanted have not come, more would not either.
	arrived := int(v.Begun-v.Ended) >= r.n-max(1, r.n/8)
	r.lap.look(v)
	switch {
	case r.checking(v):
	case arrived && r.spread(v):
	case r.unready:
		if v.Ended >= r.settled {
			r.begin(v)
		}
	default:
		r.window.look(v, r.n)
		if r.phase != climbing && r.notice(v) {
			break
		}
		// A burst's first looks see few workers, and tell nothing of more.
		if r.complete(v) && (arrived || !r.window.broken) {
			r.judge(v, arrived)
		}
	}
	if v.Ended >= r.lap.begun {
		r.lap.end(v)
	}
	return r.n, v.Now + r.tick(v.Now)
}

// tick is how long the owner need not call.
func (r *Rule) tick(now time.Duration) time.Duration {
	return max(leastTick, min(max(r.lap.took, now-r.lap.from)/perLap, mostTick))
}

// set makes n the size. What is measured next begins when the tasks have ended that
// were begun before.
func (r *Rule) set(v View, n int) {
	r.n = n
	r.unready, r.settled = true, v.Begun
}

// begin begins a window.
func (r *Rule) begin(v View) {
	r.unready = false
	r.window = beginWindow(v)
}

// restart begins the window anew, if it has begun.
func (r *Rule) restart(v View) {
	if !r.unready {
		r.begin(v)
	}
}

// complete reports whether the window shows what it is for. It has at least one lap,
// so that tasks which run in step with each other are each counted once.
func (r *Rule) complete(v View) bool {
	w := &r.window
	need, looks := leastTasks, leastLooks
	switch r.phase {
	case climbing:
		looks = climbLooks
		switch {
		case r.base.inFlight == 0 && w.inFlight == 0:
			need = 4 // nothing is judged by it
		case r.doubt:
			need = 4 * climbTasks
		default:
			need = min(max(climbTasks/2, 2*r.n), climbTasks)
		}
		if r.base.inFlight > 0 && !r.doubt && w.took > 2*r.base.took && w.tasks >= leastTasks && w.looks >= climbLooks {
			return true // twice as many do no more: to wait for all is to flood for longer
		}
	case trying:
		need, looks = r.needed(), r.looks()
	case holding:
		if v.Now < r.next {
			need = max(shiftTasks, 2*r.n)
		} else {
			need = max(need, r.needed()-int(r.base.tasks))
			looks = max(looks, r.looks()-r.base.looks)
		}
	}
	return v.Ended >= w.begun && w.tasks >= uint64(need) && w.looks >= looks
}

// needed is how many tasks show whether a trial pays.
func (r *Rule) needed() int {
	step := max(r.step, wholeStep/r.n) // it changes n by one at least
	return max(leastTasks, min(8192/(step*step), mostTasks), 2*r.n*r.looks()/mostLooks)
}

// looks is how many looks do.
func (r *Rule) looks() int {
	if r.step > firstStep {
		return mostLooks / 2
	}
	return mostLooks
}

// judge decides by a complete window.
func (r *Rule) judge(v View, arrived bool) {
	switch r.phase {
	case climbing:
		r.climbed(v, arrived)
	case holding:
		r.held(v)
	case trying:
		r.compared(v)
	}
}
