package pool

import (
	"context"
	"math"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/size"
	"github.com/gopayoff/payoff/internal/wait"
	"github.com/gopayoff/payoff/queue"
)

// A crew is workers and the tasks that wait for them. See protocol.md.
type crew[T any] struct {
	// These are set before the first task, and read by all.

	// run does a task, and returns how many it has counted as. end is called, on the task's goroutine, where run did not return:
	// with what panicked, or nil for Goexit; it reports whether there is more of the task.
	// A nil end leaves panics alone, which then end the program.
	run func(t T) int
	end func(t T, panicked any) (more bool)
	// rings have the tasks that wait, by priority; that of Normal is there from the
	// start, the others from the first task on. more: there is another than Normal.
	rings [levels]atomic.Pointer[queue.MPMC[T]]
	room  int // of a ring
	// labels has the profiler labels of workers; nil: each has those of the goroutine that
	// started it.
	labels context.Context

	_ cacheline.Pad
	// signs is what those who submit or work are to do; it is stored under mu where it
	// changes, and so read more often than written.
	signs atomic.Uint32
	// split is moved by whoever wants parts of slices to end at the next task: each task
	// looks.
	split atomic.Uint32
	_     cacheline.Pad

	// mean is how long a task takes, waits included, in ns; 0: not known. ended and busy
	// are how many have ended, and the time that took. Workers write them, at a beat.
	mean, busy atomic.Int64
	ended      atomic.Uint64
	withdrawn  atomic.Uint64 // tasks that never run; not in ended
	spread     atomic.Int64  // tasks of slices that were not taken
	parts      atomic.Int32  // of slices, with several tasks, that are under way
	next       atomic.Int64  // the time from which the rule may be asked; never: there is none
	_          cacheline.Pad

	// looking is how many workers look for a task again, and entering how many callers wait
	// for one of those to give way: who does draws one. Each adds its own.
	looking, entering atomic.Int32
	_                 cacheline.Pad

	mu   sync.Mutex // for all that follows
	rule *size.Rule // nil: want stays
	idle wait.Stack // workers that are parked
	rest sync.Cond  // of mu: nobody works, and no task waits

	// active is how many workers are not parked, and callers that run a task of their
	// own. coming is how many of them have been woken, or look for work and said so, and
	// have found none yet: 0 or 1, but for those who relay. live is how many goroutines
	// there are.
	active, coming, live int
	want                 int // so many may be active

	// For the rule: whether tasks waited when it was asked last, when the first came or
	// began since there was none (0: not known), and the most that were active since.
	pressed bool
	since   time.Duration
	crowd   int

	watch  wait.Timer // looks after tasks that wait while nobody is coming
	period time.Duration
	seen   uint64 // ended, when watch fired last
	sweep  wait.Timer

	closed bool // no task comes any more
	ending bool // who finds nothing leaves, and does not park
	lent   int  // tasks that wait for others of the crew, and are not active meanwhile

	ids idents // goroutines that are active, but for those that wait for a task
}

// Signs.
const (
	// alert: who has submitted a task is to see whether a worker must be woken.
	alert = 1 << iota
	// short of hands: a worker may be woken, so who works looks whether that pays.
	may
	// over: more are active than wanted, so a worker that ends a task parks.
	over
	// several: there are tasks that are not Normal.
	several
	// watching: the watch is set.
	watching
)

const (
	// shortTask: to wake a worker for one task that takes less costs more than the task.
	shortTask = 2 * time.Microsecond
	// worthWake is how much work is to wait before another worker is woken for tasks that
	// are short: about what the wake costs.
	worthWake = 10 * time.Microsecond
	// longTask is what tasks are taken to take that have not ended when watch looked
	// twice.
	longTask = time.Millisecond

	// beat is how long a worker goes on with short tasks without looking at the clock,
	// and mostBeat how many.
	beat     = 2 * time.Microsecond
	mostBeat = 64

	// linger is for how long a worker that finds nothing looks again before it parks: in
	// about that time it would be woken. It looks after pauses, in units of help.Pause, a
	// third of a ns, that get longer: each look takes the cache line of who submits.
	linger     = 5 * time.Microsecond
	leastPause = 256
	mostPause  = 2048

	// One that has done short tasks for long looks longer, as that pays for: to be woken
	// takes it 20 to 200 µs, and where it is one of two, as much from those who wait.
	longLinger  = 100 * time.Microsecond
	lingerShare = 16

	// The watch looks after so long at first, and later, while nothing changes, each
	// time after twice as long; sooner where the rule asks for it.
	firstWatch = time.Millisecond
	lastWatch  = time.Second
	leastWatch = 100 * time.Microsecond

	// A worker leaves that nobody has needed for one to two times as long.
	idleTime = time.Second
)

func (c *crew[T]) init(room, want int, rule *size.Rule, run func(t T) int, end func(t T, panicked any) bool) {
	c.run, c.end = run, end
	c.room = room
	c.govern(want, rule)
	c.period = firstWatch
	c.rest.L = &c.mu
	c.rings[Normal].Store(queue.NewMPMC[T](room))
	c.tell()
}

// ring returns the ring of a priority.
func (c *crew[T]) ring(p Priority) *queue.MPMC[T] {
	if r := c.rings[p].Load(); r != nil {
		return r
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.rings[p].Load()
	if r == nil {
		r = queue.NewMPMC[T](c.room)
		if c.closed {
			r.Close()
		}
		c.rings[p].Store(r)
		c.signs.Or(several)
	}
	return r
}

// waiting is how many tasks wait.
func (c *crew[T]) waiting() int {
	n := c.rings[Normal].Load().Len()
	if c.signs.Load()&several != 0 {
		for _, p := range [...]Priority{High, Low} {
			if r := c.rings[p].Load(); r != nil {
				n += r.Len()
			}
		}
	}
	return n
}

// put has t done by a worker. It waits while the ring is full, and returns what Send
// does.
func (c *crew[T]) put(ctx context.Context, p Priority, t T) (err error) {
	if ctx == background {
		err = c.ring(p).Send(t)
	} else {
		err = c.ring(p).SendContext(ctx, t)
	}
	if err == nil && c.signs.Load()&alert != 0 {
		c.see()
	}
	return err
}

// try is put that does not wait.
func (c *crew[T]) try(p Priority, t T) error {
	err := c.ring(p).TrySend(t)
	if err == nil && c.signs.Load()&alert != 0 {
		c.see()
	}
	return err
}

// see wakes a worker, or has the watch look, where tasks wait and nobody is coming.
func (c *crew[T]) see() {
	c.mu.Lock()
	w, wakes := c.bring(false)
	c.mu.Unlock()
	c.wake(w, wakes)
}

// hire wakes a worker for tasks that are worth it, whatever the mean of a task that waits
// says. It is called where the signs have may.
func (c *crew[T]) hire() {
	c.mu.Lock()
	w, wakes := c.bring(true)
	c.mu.Unlock()
	c.wake(w, wakes)
}

// The rule: while a task waits a worker is coming, or the watch is set, unless as many
// are active as are wanted.
//
// bring decides whether a worker is to be woken, and if so, counts it: the caller has
// mu, and calls wake with the result after it. It is where "a task that waits has
// somebody coming" is made true again. long: whatever the tasks take.
func (c *crew[T]) bring(long bool) (w *wait.Sleeper, wakes bool) {
	c.tell() // before it is looked whether tasks wait
	n := c.waiting()
	if n == 0 || c.coming > 0 {
		return nil, false
	}
	period := firstWatch
	if c.rule != nil && (c.since == 0 || c.active >= c.want) {
		now := help.Clock()
		if c.since == 0 {
			c.since = now
		}
		if c.active >= c.want && !c.short() {
			c.decide(now)
			c.tell()
			period = c.within(period, now)
		}
	}
	if c.active < c.want && (long || c.active == 0 || c.pays(n)) {
		c.active++
		c.coming++
		w = c.idle.Pop()
		if w == nil {
			c.live++
		}
		c.tell()
		return w, true
	}
	c.arm(period)
	return nil, false
}

// within is period, or less where the rule is to be asked before.
func (c *crew[T]) within(period, now time.Duration) time.Duration {
	return max(leastWatch, min(period, time.Duration(c.next.Load())-now))
}

// short reports whether tasks take so little that they do not wait for anything.
func (c *crew[T]) short() bool {
	mean := time.Duration(c.mean.Load())
	return mean != 0 && mean < shortTask
}

// pays reports whether n tasks are worth a wake.
func (c *crew[T]) pays(n int) bool {
	mean := time.Duration(c.mean.Load())
	return mean == 0 || mean >= shortTask || time.Duration(n)*mean >= worthWake
}

// arm has the watch look, unless it will anyway, or could do nothing.
func (c *crew[T]) arm(period time.Duration) {
	if !c.watch.IsSet() && !c.stays() {
		c.period = period
		c.watch.Set(period, c.watched)
		c.tell()
	}
}

// beginPart and endPart are called around parts of several tasks. The watch ends them
// where their tasks are not short.
func (c *crew[T]) beginPart() {
	c.parts.Add(1)
	if c.signs.Load()&watching == 0 {
		c.mu.Lock()
		c.rearm(firstWatch)
		c.mu.Unlock()
	}
}

func (c *crew[T]) endPart() { c.parts.Add(-1) }

// rearm is arm, also where nothing but a part may be to be ended.
func (c *crew[T]) rearm(period time.Duration) {
	if c.parts.Load() > 0 && !c.watch.IsSet() {
		c.period = period
		c.watch.Set(period, c.watched)
		c.tell()
		return
	}
	c.arm(period)
}

// stays reports whether nothing but the end of a task can bring another to begin.
func (c *crew[T]) stays() bool { return c.rule == nil && c.active >= c.want }

// wake wakes what bring has returned.
func (c *crew[T]) wake(w *wait.Sleeper, wakes bool) {
	if !wakes {
		return
	}
	if w != nil {
		w.Wake()
	} else {
		c.start()
	}
	if help.Sched.Procs(help.Clock()) > 1 {
		// What was started last waits in its processor's "runnext" place, where other
		// processors look last, and only after a sleep: see internal/help.
		go func() {}()
	}
}

// The rule: a submitter need not lock where a worker is coming, where the watch looks
// after tasks, or where no more workers are wanted; the signs say so.
//
// tell stores the signs, where they have changed. The caller has mu.
func (c *crew[T]) tell() {
	old := c.signs.Load()
	s := old & several
	full := c.active >= c.want
	mean := time.Duration(c.mean.Load())
	quiet := c.coming > 0 || full && c.rule == nil ||
		c.watch.IsSet() && (full || c.active > 0 && mean != 0 && mean < shortTask)
	if !quiet {
		s |= alert
	}
	if !full && c.coming == 0 {
		s |= may
	}
	if c.active > c.want {
		s |= over
	}
	if c.watch.IsSet() {
		s |= watching
	}
	if s != old {
		c.signs.Store(s)
	}
}

// watched looks after tasks that wait while nobody is coming: they may wait for one that
// takes long where they were short, or for the rule to want more workers.
func (c *crew[T]) watched() {
	c.mu.Lock()
	if !c.watch.Fired() {
		c.mu.Unlock()
		return
	}
	c.tell() // before it is looked whether tasks wait: from here on submitters see to them
	var w *wait.Sleeper
	wakes := false
	if c.waiting() > 0 || c.parts.Load() > 0 {
		ended := c.ended.Load()
		stuck := ended == c.seen
		c.seen = ended
		if stuck && c.mean.Load() < int64(longTask) {
			c.mean.Store(int64(longTask))
		}
		if stuck {
			c.split.Add(1)
		}
		now := help.Clock()
		c.decide(now)
		period := firstWatch
		if w, wakes = c.bring(stuck); stuck && !wakes {
			period = min(2*c.period, lastWatch)
		}
		if c.rule != nil {
			period = c.within(period, now)
		}
		if c.parts.Load() > 0 || c.waiting() > 0 {
			c.rearm(period)
		}
	}
	if c.pressed && c.waiting() == 0 {
		c.decideNow()
	}
	c.mu.Unlock()
	c.wake(w, wakes)
}

// decide asks the rule how many workers there are to be. The caller has mu.
func (c *crew[T]) decide(now time.Duration) {
	if int64(now) < c.next.Load() || c.rule == nil {
		return
	}
	v := size.View{Now: now, Since: c.since, Ended: c.ended.Load(), Waiting: c.waiting()}
	v.Begun = v.Ended + uint64(c.working())
	if v.Waiting >= c.room {
		v.Waiting = size.Many // and somebody waits for room
	} else {
		v.Waiting += int(c.spread.Load())
	}
	v.Procs, v.Idle, v.Runnable = help.Load(now)
	short := c.short()
	if short {
		v.Waiting = 0 // they do not sleep: nothing is to be learned
	}
	want, next := c.rule.Decide(v)
	if short {
		want = max(want, c.rule.Bounded(v.Procs)) // as many as compute
	}
	c.want = want
	c.pressed = v.Waiting > 0
	c.next.Store(int64(next))
}

// lull has the watch tell the rule where no task waits any more: time in which nothing
// waits tells nothing of how many workers were too few. It is tempting to do so at once;
// but tasks that began together end together, and the rule would see the first of them
// end and not the others. Where all have ended it asks: how long they took says whether
// so many workers are too many. The caller has mu.
func (c *crew[T]) lull() {
	if c.rule == nil || c.waiting() > 0 {
		return
	}
	c.crowd = max(c.crowd, c.active)
	over := c.lent == 0 && c.working() == 0
	switch {
	case over && (c.pressed || c.crowd > 1 && 2*c.crowd > c.want && !c.short()):
		c.decideNow()
	case c.pressed:
		c.arm(c.within(firstWatch, help.Clock()))
	}
	if over {
		c.since, c.crowd = 0, 0
	}
}

// working is how many are active and do not look for a task. The caller has mu.
func (c *crew[T]) working() int {
	return max(0, c.active-max(c.coming, int(c.looking.Load())))
}

// decideNow is decide whatever the time.
func (c *crew[T]) decideNow() {
	c.next.Store(math.MinInt64)
	c.decide(help.Clock())
	c.tell()
}

// ask is decide where it is time and nobody is at it. It reports whether it was.
func (c *crew[T]) ask(now time.Duration) bool {
	if int64(now) < c.next.Load() || !c.mu.TryLock() {
		return false
	}
	c.decide(now)
	w, wakes := c.bring(false)
	c.mu.Unlock()
	c.wake(w, wakes)
	return true
}

// close ends what comes in. Workers that find nothing to do leave, and those that are
// parked do so now.
func (c *crew[T]) close() {
	c.mu.Lock()
	c.closed, c.ending = true, true
	for i := range c.rings {
		if r := c.rings[i].Load(); r != nil {
			r.Close()
		}
	}
	c.dismiss()
}

// dismiss has those leave that are parked, and releases mu.
func (c *crew[T]) dismiss() {
	var out []*wait.Sleeper
	for w := c.idle.Pop(); w != nil; w = c.idle.Pop() {
		out = append(out, w)
	}
	c.release(out)
}

// release releases mu and ends workers that were parked.
func (c *crew[T]) release(out []*wait.Sleeper) {
	c.live -= len(out)
	if c.idle.Len() == 0 {
		c.sweep.Stop()
	}
	c.mu.Unlock()
	for _, w := range out {
		w.Leave = true
		w.Wake()
	}
}

// swept has workers leave that nobody has needed since it was called last.
func (c *crew[T]) swept() {
	c.mu.Lock()
	if !c.sweep.Fired() {
		c.mu.Unlock()
		return
	}
	out := c.idle.Unused()
	if c.idle.Len() > 0 {
		c.sweep.Set(idleTime, c.swept)
	}
	c.release(out)
}

// drain returns when no task waits and none runs.
func (c *crew[T]) drain() {
	c.mu.Lock()
	for c.active > 0 || c.lent > 0 || c.waiting() > 0 {
		c.rest.Wait()
	}
	c.watch.Stop()
	c.tell()
	c.mu.Unlock()
}

// enter reports whether the caller may run a task of its own: nothing waits, and fewer
// are active than wanted. Then it is one of them until leave.
func (c *crew[T]) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.active >= c.want || c.closed || c.waiting() > 0 {
		return false
	}
	c.active++
	c.ids.add()
	c.tell()
	return true
}

// reserve counts up to n as active, as far as fewer are than wanted and nothing waits, and
// returns how many. Each ends with enlist and leave, or cede.
func (c *crew[T]) reserve(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.waiting() > 0 {
		return 0
	}
	n = max(0, min(n, c.want-c.active))
	c.active += n
	c.tell()
	return n
}

// cede gives back n that were reserved.
func (c *crew[T]) cede(n int) {
	if n <= 0 {
		return
	}
	c.mu.Lock()
	c.active -= n
	w, wakes := c.bring(false)
	c.rested()
	c.mu.Unlock()
	c.wake(w, wakes)
}

// enterSoon is enter that waits while workers only look for work: one of them gives way.
func (c *crew[T]) enterSoon() bool {
	if c.enter() {
		return true
	}
	if c.looking.Load() == 0 {
		return false
	}
	c.entering.Add(1)
	entered := false
	for until := help.Clock() + linger; !entered && c.looking.Load() > 0 && help.Clock() < until; {
		help.Pause(leastPause)
		entered = c.enter()
	}
	draw(&c.entering)
	return entered || c.enter()
}

// draw takes one of n, and reports whether there was one.
func draw(n *atomic.Int32) bool {
	for {
		switch old := n.Load(); {
		case old == 0:
			return false
		case n.CompareAndSwap(old, old-1):
			return true
		}
	}
}

// leave ends what enter began. ran is how many tasks it did, and took the time.
func (c *crew[T]) leave(ran int, now, took time.Duration) {
	c.learn(ran, took)
	c.mu.Lock()
	if c.since == 0 {
		c.since = now - took
	}
	c.crowd = max(c.crowd, c.active)
	c.active--
	c.ids.remove()
	c.decide(now)
	w, wakes := c.bring(false)
	c.rested()
	c.mu.Unlock()
	c.wake(w, wakes)
}

// rested is called by a worker that is not active any more. It tells the rule that no
// task waits, and a drain that all is done. The caller has mu.
func (c *crew[T]) rested() {
	c.lull()
	if c.active == 0 && c.lent == 0 && c.waiting() == 0 {
		c.rest.Broadcast()
	}
}

// learn books n tasks that took so long.
func (c *crew[T]) learn(n int, took time.Duration) {
	if n == 0 {
		return
	}
	each := int64(min(max(0, took), time.Second)) / int64(n)
	if mean := c.mean.Load(); mean == 0 {
		c.mean.Store(max(1, each))
	} else {
		c.mean.Store(max(1, mean+(each-mean)/4))
	}
	c.ended.Add(uint64(n))
	c.busy.Add(int64(took))
}

// govern sets the size, and the rule that changes it, or nil.
func (c *crew[T]) govern(want int, r *size.Rule) {
	c.want, c.rule, c.pressed = want, r, false
	if r != nil {
		c.next.Store(math.MinInt64)
	} else {
		c.next.Store(never)
	}
}

// sized reports whether a rule may change the size.
func (c *crew[T]) sized() bool { return c.next.Load() != never }

const never = math.MaxInt64

var background = context.Background()

// resize changes how many workers there may be.
func (c *crew[T]) resize(want int, r *size.Rule) {
	c.mu.Lock()
	c.govern(want, r)
	w, wakes := c.bring(false)
	var out []*wait.Sleeper
	for c.live > c.want {
		s := c.idle.Pop()
		if s == nil {
			break
		}
		out = append(out, s)
		c.live--
	}
	c.live += len(out) // release takes them off
	c.release(out)
	c.wake(w, wakes)
}

// await calls wait, which waits for tasks of the crew. Where the caller is in a task,
// that one is not active meanwhile: else all might wait for each other. inner says that
// its context is that of a task; where it is not, the goroutine may tell.
func (c *crew[T]) await(inner bool, wait func()) {
	if !inner && !c.inside() {
		wait()
		return
	}
	c.mu.Lock()
	if c.active == 0 { // the task has ended, or has given its place up already
		c.mu.Unlock()
		wait()
		return
	}
	c.active--
	c.lent++
	w, wakes := c.bring(false)
	c.mu.Unlock()
	c.wake(w, wakes)
	wait()
	c.mu.Lock()
	c.active++
	c.lent--
	c.tell()
	c.mu.Unlock()
}
