package size

import "math"

// climb begins to look for the size, from n on.
func (r *Rule) climb(v View) {
	r.phase, r.doubt = climbing, false
	r.base = window{}
	r.begin(v)
}

// climbed goes on with a climb, or ends it. n has grown when the window began: it tells
// of the tasks that were in flight then, and is compared with the one before.
func (r *Rule) climbed(v View, arrived bool) {
	w := &r.window
	w.size = r.n
	switch {
	case r.n >= r.most:
		r.hold(v, firstStep)
		r.rest(v, pauseShare*w.took)
		r.step = leastStep // nothing says that fewer would do
		return
	case w.full() && r.n >= r.procs:
		r.hold(v, firstStep)
		return
	case r.base.inFlight == 0 || w.size <= r.base.size || pays(&r.base, w):
	case !r.doubt && w.rate() > r.base.rate():
		r.doubt = true
		return
	default:
		// At the rate of now, and in the time that a task took when fewer were in flight,
		// so many are (Little).
		knee := int(w.rate() / r.base.rate() * float64(r.base.inFlight))
		r.set(v, r.Bounded(min(max(r.base.inFlight, knee), r.n)))
		r.hold(v, climbStep)
		return
	}
	r.doubt = false
	r.base = *w
	if arrived {
		r.n = r.useful(r.more(w, mostStep))
	}
	r.begin(v)
}

// more is n and step sixteenths of it; less where the processors, by what w shows, will
// all be in use before.
func (r *Rule) more(w *window, step int) int {
	grow := float64(step) / wholeStep
	if use := 1 - w.idleShare(); use > 0 && r.n >= r.procs {
		grow = min(grow, 1.25/use-1)
	}
	return r.n + max(1, int(grow*float64(r.n)))
}

// useful is n within the bounds, and no more than there are, or were, tasks at once. It is
// tempting to go by those of now; but where a window ends as a burst does, few are left.
func (r *Rule) useful(n int) int {
	return r.Bounded(max(r.n, min(n, max(r.peak, r.last))))
}

// spread grows where there is no need to wait for tasks to end, and reports whether it
// did.
func (r *Rule) spread(v View) bool {
	if !r.lap.idled(v) || v.Idle == 0 && r.procs > 1 {
		return false
	}
	n := r.n
	if r.phase == climbing {
		n = max(n, startMost) // no more of a flood than where there are as many processors
	}
	if t := v.Now - r.lap.from; v.Ended == r.lap.ended && !r.unready && t > 4*r.lap.took {
		n = int(math.Sqrt(float64(t / blind)))
	}
	if busy := int(v.Begun - v.Ended); busy < v.Procs-v.Idle {
		// All may be computing, and so flood nobody.
		n = max(n, min(2*r.n, v.Procs))
	}
	if n = r.useful(n); n <= r.n {
		return false
	}
	if r.phase != climbing {
		r.climb(v)
	}
	r.n = n
	r.window.inFlight = 0 // what it measures now is not comparable
	r.lap.busy, r.lap.idle = r.lap.from, 0
	return true
}
