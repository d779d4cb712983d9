package size

// lull is a look while no task waits: the workers keep up. What is measured goes on when
// tasks wait again.
func (r *Rule) lull(v View) {
	r.lap.begin(v)
	if !r.lulled {
		r.lulled = true
		r.window.pause(v)
	}
	if v.Begun == v.Ended {
		r.whole = true
		r.burst(v)
	}
}

// resume is called with each look while tasks wait. Bursts that end are compared as a
// whole. Beside a task that goes on for long none does, and none may be as long as a
// window: so that goes on from one to the next.
func (r *Rule) resume(v View) {
	if r.lulled {
		r.lulled = false
		r.lap.begin(v) // else the lull would count as a time in which no task ended
		if r.whole {
			r.restart(v)
		} else {
			r.window.resume(v)
		}
		r.last, r.peak, r.whole = max(r.peak, r.last-r.last/4), 0, false
	}
	at := int(v.Begun-v.Ended) + v.Waiting
	r.peak, r.check.peak = max(r.peak, at), max(r.check.peak, at)
}

// A check compares whole bursts: some at a size, and some at up to twice or at half of it.
// Where tasks come in bursts it does so in the place of windows. These need many looks
// while tasks wait, and where each task has a worker there are none. Where there are some
// they deceive. The timers of tasks that began together fire together, and with them that
// of the look: it sees each worker wait for a processor.
type check struct {
	ended uint64 // tasks, when none was there last
	peak  int    // the most tasks at once that a look saw since, where some waited

	size   int     // of which it tells, and
	bursts int     // how many it has seen
	best   float64 // their most tasks in a time

	// No other size is tried before so many bursts. It is to be larger by so many
	// sixteenths, or, if less, this one is to be that much larger than it.
	pause, step int
	less        bool

	// Another size is on trial while back, the one to return to, is not 0; was is the best
	// of that. The trial ends without a result when until tasks have ended: they come in
	// no bursts any more.
	back  int
	was   float64
	until uint64
}

const (
	// So many bursts are compared: the best of each, since all but that waits for others.
	// More workers stay sooner where they clearly pay, and so few bursts go before.
	checkBursts, clearBursts = 3, 2
	// Where neither more nor less pays, the next check comes after so many bursts, and each
	// time after twice as many.
	checkPause, mostCheckPause = 64, 1024
	// A burst of more tasks for each worker is left to windows.
	checkLaps = 64
)

// burst is called where no task is there: one has ended.
func (r *Rule) burst(v View) {
	c := &r.check
	tasks, took := int(v.Ended-c.ended), v.Now-v.Since
	all := tasks <= r.n || c.peak < r.n // had a worker at once
	if tasks == 0 {
		return
	}
	if c.back == 0 && c.size != r.n {
		// This one was in part of another size.
		*c = check{ended: v.Ended, size: r.n, step: mostStep}
		return
	}
	c.ended, c.peak = v.Ended, 0
	if took <= 0 || tasks <= c.size/2 || tasks > checkLaps*max(c.size, startMost) {
		return
	}
	if all && c.back == 0 {
		r.lap.took = took
	}
	c.bursts++
	c.best = max(c.best, float64(tasks)/float64(took))
	switch {
	case c.back > 0:
		r.checked(v, tasks)
	case !all && !c.less && c.bursts >= max(c.pause, clearBursts):
		r.compare(v, min(c.size+max(1, c.size*c.step/wholeStep), tasks), tasks)
	case (all && c.size > r.procs || c.less) && c.bursts >= max(c.pause, checkBursts) && c.size > startMost:
		r.compare(v, c.size*wholeStep/(wholeStep+c.step), tasks)
	}
}

// compare begins a trial of n workers, while bursts are of so many tasks.
func (r *Rule) compare(v View, n, tasks int) {
	c := &r.check
	if n = r.Bounded(n); n == c.size {
		return
	}
	c.back, c.was, c.until = c.size, c.best, v.Ended+uint64(4*checkBursts*tasks)
	c.bursts, c.best = 0, 0
	r.set(v, n)
}

// checked ends a trial, if it has seen enough. The last burst was of so many tasks.
func (r *Rule) checked(v View, tasks int) {
	c := &r.check
	gain, more := c.best/c.was-1, float64(r.n)/float64(c.back)-1
	enough := c.bursts >= checkBursts
	switch {
	case more > 0 && (gain >= more/2 || enough && gain >= more/4), more < 0 && enough && gain > 1./8:
		*c = check{ended: c.ended, size: r.n, bursts: 1, best: c.best, step: mostStep, less: more < 0 && r.n > startMost}
		if more > 0 && tasks <= r.n {
			c.pause = checkPause // half as many had been too few
		}
		r.hold(v, firstStep)
	case enough:
		r.unchecked(v, tasks)
	}
}

// checking reports whether the size is what a check tries.
func (r *Rule) checking(v View) bool {
	if r.check.back > 0 && v.Ended >= r.check.until {
		r.unchecked(v, 0)
	}
	return r.check.back > 0
}

// unchecked ends a trial of a size that does not stay. If tasks wait at the size to return
// to, the next is of one that is nearer, and then of less. Then there is none for some time.
func (r *Rule) unchecked(v View, tasks int) {
	c := &r.check
	waited := tasks > c.back
	switch {
	case waited && c.step > firstStep:
		c.step /= 2
	case waited && !c.less && c.back > startMost:
		c.step, c.less = mostStep, true
	default:
		c.step, c.less = mostStep, false
		c.pause = min(max(checkPause, 2*c.pause), mostCheckPause)
	}
	r.set(v, r.Bounded(c.back))
	c.back, c.bursts, c.best = 0, 0, 0
}
