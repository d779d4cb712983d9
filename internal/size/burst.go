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
		r.burst(v)
	}
}

// resume is called with each look while tasks wait.
func (r *Rule) resume(v View) {
	if r.lulled {
		r.lulled = false
		r.lap.begin(v) // else the lull would count as a time in which no task ended
		r.window.resume(v)
		r.last, r.peak = max(r.peak, r.last-r.last/4), 0
	}
	r.peak = max(r.peak, int(v.Begun-v.Ended)+v.Waiting)
}

// A check asks whether a size is too large that leaves no task of a burst waiting: then
// there are no windows. So it compares whole bursts, at that size and at half of it.
type check struct {
	ended uint64 // tasks, when none was there last

	size   int     // of which it tells, and
	bursts int     // how many it has seen
	best   float64 // their most tasks in a time

	// pause is for how many bursts it does not try less.
	pause int

	// Less is on trial while back, the size to return to, is not 0; was is the best of
	// that. The trial ends without a result when until tasks have ended: they come in no
	// bursts any more.
	back  int
	was   float64
	until uint64
}

const (
	// So many bursts are compared: the best of each, since all but that waits for others.
	checkBursts = 3
	// The next check comes after so many bursts, and each time after twice as many.
	checkPause, mostCheckPause = 64, 1024
)

// burst is called where no task is there: one has ended. Those count that leave nothing
// waiting at the size that is checked, and have tasks wait at half of it.
func (r *Rule) burst(v View) {
	c := &r.check
	tasks, took := v.Ended-c.ended, v.Now-v.Since
	c.ended = v.Ended
	size := max(r.n, c.back)
	if size <= max(startMost, r.procs) || tasks > uint64(size) || 2*tasks <= uint64(size) || took <= 0 {
		return
	}
	if size != c.size {
		*c = check{ended: v.Ended, size: size, pause: checkBursts}
	}
	if c.back == 0 {
		r.lap.took = took // all have begun at once
	}
	c.bursts++
	c.best = max(c.best, float64(tasks)/float64(took))
	switch {
	case c.back == 0 && c.bursts >= c.pause:
		half := r.Bounded(size / 2)
		if half == size {
			return
		}
		c.back, c.was, c.until = size, c.best, v.Ended+uint64(4*checkBursts*size)
		c.bursts, c.best = 0, 0
		r.set(v, half)
	case c.back > 0 && c.bursts == checkBursts:
		slows := c.best > c.was*9/8
		c.over()
		if slows {
			r.hold(v, climbStep)
			r.up = false
			return
		}
		r.set(v, r.Bounded(size))
	}
}

// checking reports whether the size is what a check tries.
func (r *Rule) checking(v View) bool {
	c := &r.check
	if c.back > 0 && v.Ended >= c.until {
		r.set(v, r.Bounded(c.back))
		c.over()
	}
	return c.back > 0
}

// over ends a trial.
func (c *check) over() {
	c.back, c.bursts, c.best = 0, 0, 0
	c.pause = min(max(checkPause, 2*c.pause), mostCheckPause)
}
