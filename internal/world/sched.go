package world

// What follows is the scheduler of Go. Names are those of runtime/proc.go.

// put makes c ready on p: to run next, or behind the others there.
func (w *World) put(p *proc, c *g, next bool) {
	switch w.prices.Order {
	case OneQueue:
		w.lock(p)
		w.global = append(w.global, c)
		return
	case Behind:
		next = false
	}
	if next {
		if c, p.runnext = p.runnext, c; c == nil {
			return
		}
	}
	p.queue = append(p.queue, c)
	if len(p.queue) > 256 {
		w.lock(p)
		w.global = append(w.global, p.queue[:128]...)
		p.queue = append([]*g(nil), p.queue[128:]...)
	}
}

// wakep wakes a thread to look for work if there is an idle processor, and nobody
// looks yet.
func (w *World) wakep(p *proc) {
	if w.spinning != 0 || len(w.idle) == 0 {
		return
	}
	w.lock(p)
	w.spinning++
	w.Wakes++
	p.now += w.prices.Wake
	w.come(w.takeIdle(), p.now+w.latency(), true)
}

func (w *World) takeIdle() *proc {
	q := w.idle[len(w.idle)-1]
	w.idle = w.idle[:len(w.idle)-1]
	return q
}

// latency is within a tenth of the price.
func (w *World) latency() int64 {
	l := w.prices.Latency
	return l - l/10 + w.rand.Int64N(l/5+1)
}

// come lets a thread come to q at some time.
func (w *World) come(q *proc, at int64, spins bool) {
	q.state = coming
	q.spinning = spins
	w.push(at, evSchedule, q, nil)
}

// run runs c on p.
func (w *World) run(p *proc, c *g, inherit bool) {
	if p.spinning {
		p.spinning = false
		w.spinning--
		w.wakep(p)
	}
	p.now += costSwitch
	p.ticks++
	p.state = running
	p.cur = c
	p.from = p.now
	c.p = p
	if !inherit {
		p.slice = p.now
	}
	w.push(p.now, evRun, p, nil)
}

// schedule finds a goroutine for p: findRunnable, but for the search.
func (w *World) schedule(p *proc) {
	p.state = searching
	w.fire(p, false)
	if p.ticks%61 == 0 && len(w.global) > 0 {
		w.lock(p)
		w.run(p, w.fromGlobal(p, 1), false)
		return
	}
	if c := p.runnext; c != nil {
		p.runnext = nil
		w.run(p, c, true)
		return
	}
	if len(p.queue) > 0 {
		c := p.queue[0]
		p.queue = p.queue[1:]
		w.run(p, c, false)
		return
	}
	if len(w.global) > 0 {
		w.lock(p)
		w.run(p, w.fromGlobal(p, 128), false)
		return
	}
	if !p.spinning && 2*w.spinning >= len(w.procs)-len(w.idle) {
		w.rest(p)
		return
	}
	if !p.spinning {
		p.spinning = true
		w.spinning++
	}
	p.pass = 0
	w.push(p.now+w.passCost(), evSearch, p, nil)
}

func (w *World) passCost() int64 {
	return costPass + costVictim*int64(len(w.procs)-len(w.idle))
}

// fromGlobal takes the first of the global queue, and more of them to p's.
func (w *World) fromGlobal(p *proc, most int) *g {
	if w.prices.Order == OneQueue {
		most = 1
	}
	n := min(most, len(w.global)/len(w.procs)+1, len(w.global))
	c := w.global[0]
	p.queue = append(p.queue, w.global[1:n]...)
	w.global = w.global[n:]
	return c
}

// search is one of four passes over the queues of others, in random order.
func (w *World) search(p *proc) {
	n := len(w.procs)
	if p.pass == 3 && w.fire(p, true) {
		w.schedule(p)
		return
	}
	p.at, p.start, p.step = 0, w.rand.IntN(n), coprime(w.rand, n)
	w.searchOn(p)
}

func coprime(r interface{ IntN(int) int }, n int) int {
	for {
		k := 1 + r.IntN(n)
		a, b := k, n
		for b != 0 {
			a, b = b, a%b
		}
		if a == 1 {
			return k
		}
	}
}

func (w *World) victim(p *proc) *proc { return w.procs[(p.start+p.at*p.step)%len(w.procs)] }

func (w *World) searchOn(p *proc) {
	for ; p.at < len(w.procs); p.at++ {
		q := w.victim(p)
		if q == p || q.state == idle {
			continue
		}
		if n := (len(q.queue) + 1) / 2; n > 0 {
			p.now += 2 * w.prices.transfer(p.id, q.id, len(w.procs))
			c := q.queue[n-1]
			p.queue = append(p.queue, q.queue[:n-1]...)
			q.queue = q.queue[n:]
			w.run(p, c, false)
			return
		}
		if p.pass == 3 && q.runnext != nil {
			if q.state == running || q.state == searching {
				s := w.prices.Slack
				w.push(p.now+s[0]+w.rand.Int64N(s[1]-s[0]+1), evGrab, p, nil)
				return
			}
			w.steal(p, q)
			return
		}
	}
	if p.pass++; p.pass < 4 {
		w.push(p.now+w.passCost(), evSearch, p, nil)
		return
	}
	w.rest(p)
}

// grab takes what p's victim would run next, if that is still there.
func (w *World) grab(p *proc) {
	if q := w.victim(p); len(q.queue) > 0 {
		w.searchOn(p)
	} else if q.runnext != nil {
		w.steal(p, q)
	} else {
		p.at++
		w.searchOn(p)
	}
}

func (w *World) steal(p, q *proc) {
	p.now += 2 * w.prices.transfer(p.id, q.id, len(w.procs))
	c := q.runnext
	q.runnext = nil
	w.run(p, c, false)
}

// rest lets p become idle, if there is nothing to do after all.
func (w *World) rest(p *proc) {
	w.lock(p)
	if len(w.global) > 0 {
		w.run(p, w.fromGlobal(p, 128), false)
		return
	}
	if p.spinning {
		p.spinning = false
		w.spinning--
		for _, q := range w.procs {
			if q != p && q.state != idle && (len(q.queue) > 0 || q.runnext != nil) {
				p.spinning = true
				w.spinning++
				w.push(p.now+costPass, evSchedule, p, nil)
				return
			}
		}
	}
	if w.fire(p, true) {
		w.push(p.now, evSchedule, p, nil)
		return
	}
	p.state = idle
	w.idle = append(w.idle, p)
	w.sleeps(p)
}

// timer is called when t is due. A processor that looks sees it; a thread that
// waits for it comes later, see poll.
func (w *World) timer(t *timer) { w.due = append(w.due, t) }

// fire readies those whose timers are due: those of p, or all.
func (w *World) fire(p *proc, all bool) (some bool) {
	if len(w.due) == 0 {
		return false
	}
	keep := w.due[:0]
	for _, t := range w.due {
		if t.at > p.now || t.p != p && !all {
			keep = append(keep, t)
			continue
		}
		t.fired, some = true, true
		p.now += costReady
		w.put(p, t.g, true)
		w.wakep(p)
	}
	clear(w.due[len(keep):])
	w.due = keep
	return some
}

// poll is called when the thread that sleeps until t wakes, if there is one: it
// needs an idle processor.
func (w *World) poll(t *timer) {
	if t.fired || len(w.idle) == 0 {
		return
	}
	q := w.takeIdle()
	t.p = q
	w.come(q, w.now+w.latency(), false)
}

// back: c, which was outside, is ready: on an idle processor at once, else for one that looks
// into the global queue.
func (w *World) back(c *g) {
	w.global = append(w.global, c)
	if len(w.idle) > 0 {
		w.come(w.takeIdle(), w.now, false)
	}
}
