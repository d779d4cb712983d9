package size

import "time"

// hold keeps n until a trial by step sixteenths of it.
func (r *Rule) hold(v View, step int) {
	r.phase, r.step, r.up = holding, step, true
	r.refused, r.gained, r.pause, r.next = 0, false, 0, v.Now
	r.base = window{}
	r.restart(v)
}

// notice looks for another load: hardly a task ends. Then it begins a climb, and reports
// that it did.
func (r *Rule) notice(v View) bool {
	w := &r.window
	expected := r.base.rate() * float64(w.took)
	if expected < climbTasks || 4*float64(w.tasks) >= expected {
		return false
	}
	r.lap = lap{}
	r.lap.begin(v)
	r.climb(v)
	return true
}

// held goes on to hold, or begins a trial.
func (r *Rule) held(v View) {
	if w := &r.window; r.base.tasks >= shiftTasks && w.tasks >= shiftTasks && shifted(&r.base, w) {
		now := *w
		r.hold(v, mostStep/2)
		r.base = now
	} else {
		r.base.add(w)
		r.begin(v)
	}
	r.try(v)
}

// try begins a trial, if it is time to.
func (r *Rule) try(v View) {
	if v.Now < r.next || r.base.tasks < uint64(r.needed()) {
		return
	}
	n := r.another()
	if n == r.n {
		r.rest(v, fullPause)
		return
	}
	r.phase = trying
	r.base.size = r.n
	r.set(v, n)
}

// another is the size to try next, or n where there is nothing to try. Where the
// processors are in use it is not to be larger, but after a rest: others may have them.
func (r *Rule) another() int {
	full := r.base.full()
	for range 2 {
		n := r.n
		switch {
		case r.up && (!full || r.pause > 0):
			n = r.Bounded(r.more(&r.base, r.step))
		case !r.up && !full:
			n = r.Bounded(r.n - max(1, r.n*r.step/(wholeStep+r.step)))
		case !r.up && r.n > r.procs:
			n = r.Bounded(max(r.procs, r.n-max(1, r.n*r.step/(wholeStep+r.step))))
		}
		if n != r.n {
			return n
		}
		r.up = !r.up
	}
	return r.n
}

// compared ends a trial: the new size stays, and more in the same direction is tried at
// once; or it was refused, and less is tried, the other way.
func (r *Rule) compared(v View) {
	w := r.window
	w.size = r.n
	r.phase = holding
	if w.size > r.base.size == pays(smaller(&r.base, &w)) {
		if r.gained {
			r.step = min(2*r.step, mostStep)
		}
		r.refused, r.gained, r.pause, r.next = 0, true, 0, v.Now
		r.base = w
		r.begin(v)
		r.try(v)
		return
	}
	least := r.step == leastStep || w.size-r.base.size == 1 || r.base.size-w.size == 1
	r.set(v, r.base.size)
	r.up, r.gained = !r.up, false
	if !least {
		r.step /= 2
	} else if r.refused++; r.refused >= 2 {
		r.rest(v, pauseShare*time.Duration(max(1, wholeStep/2/r.n))*(v.Now-r.next))
	}
}

func smaller(a, b *window) (small, large *window) {
	if a.size > b.size {
		a, b = b, a
	}
	return a, b
}

// rest puts the next trial off.
func (r *Rule) rest(v View, pause time.Duration) {
	r.step, r.refused, r.pause = firstStep, 0, pause
	r.next = v.Now + pause
}
