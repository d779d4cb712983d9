package exectrace

// elapse accounts the time up to t, during which nothing changed.
func (e *engine) elapse(t int64) {
	d := float64(t - e.now)
	if d <= 0 {
		return
	}
	e.now = t
	if !e.open {
		return
	}
	w := &e.win
	procs := e.numProcs()
	busy := min(len(e.runners)+e.sysBusy, procs)
	for len(w.running) <= procs {
		w.running = append(w.running, 0)
	}
	w.window += d
	w.running[busy] += d
	w.userRun += d * float64(e.running)
	w.work += d * float64(len(e.runners))
	w.systemRun += d * float64(e.sysBusy)
	w.syscall += d * float64(e.calling)
	if e.marking {
		w.gc += d
	}
	if busy < procs {
		e.idle(d * float64(procs-busy))
	}
}

// numProcs is the best guess so far.
func (e *engine) numProcs() int {
	switch {
	case e.opt.Procs > 0:
		return e.opt.Procs
	case e.procs > 0:
		return e.procs
	}
	return max(int(e.maxP)+1, 1)
}

// idle says where idle processor time a goes.
func (e *engine) idle(a float64) {
	i := &e.win.idle
	i.Total += a
	switch {
	case e.runnable > 0:
		i.Runnable += a
		// And what it would be if the ready ones had nothing to do.
		switch {
		case len(e.runners) > 0 && e.locked > 0:
			e.win.beside.Lock += a
		case len(e.runners) > 0:
			e.blame(a, true)
		}
	case len(e.runners) > 0 && e.locked > 0:
		i.Lock += a
	case len(e.runners) > 0:
		e.blame(a, false)
	case e.sysBusy > 0:
		i.GC += a
	default:
		e.pending += a // for what shows when it ends
	}
}

// awake ends a time in which nobody ran: a wait of kind k is over.
func (e *engine) awake(k Kind) {
	if e.pending == 0 {
		return
	}
	i := &e.win.idle
	switch k {
	case Sleep:
		i.Sleep += e.pending
	case Net:
		i.Net += e.pending
	case Syscall:
		i.Syscall += e.pending
	}
	i.Waiting += e.pending
	e.pending = 0
}

// blamed bounds how many of those who run are looked at for each event. With
// more of them they are much alike.
const blamed = 8

// blame splits idle time a among those who run. Whether a run is a hand-over
// shows at its end, so the share of a short one is held back.
func (e *engine) blame(a float64, beside bool) {
	who := e.runners[:min(len(e.runners), blamed)]
	a /= float64(len(who))
	for _, g := range who {
		e.fresh(g)
		held := &g.alone
		if beside {
			held = &g.beside
		}
		if e.works(g) {
			held.unequal += a
		} else {
			held.serial += a
			if g.forked && g.kids <= g.sending {
				held.forked += a
			}
		}
		if e.handing == 0 || g.runTime+e.now-max(g.charged, e.opened) >= shortRun {
			e.spend(g)
		}
	}
}

// works reports whether g is one of several workers that somebody waits for.
func (e *engine) works(g *gor) bool {
	if g == e.bench {
		return false
	}
	child := g
	for range generations {
		c, _ := child.live()
		if c == nil || c == e.root {
			break
		}
		if c.state == waiting && c.batch > 1 && (joins(c.kind) || c.kind == ChanReceive || c.kind == ChanSend || c.kind == Select) {
			return true
		}
		if c == e.bench {
			return false
		}
		child = c
	}
	// A worker from before the window.
	b := e.bench
	return b != nil && g.creator != b && b.state == waiting &&
		(joins(b.kind) || b.kind == ChanReceive || b.kind == ChanSend || b.kind == Select)
}

// spend charges what was held back of g's run where g stands now.
func (e *engine) spend(g *gor) {
	w := &e.win
	w.beside.Serial += g.beside.serial
	w.beside.Forked += g.beside.forked
	w.idle.Forked += g.alone.forked
	w.beside.Imbalance += g.beside.unequal
	g.beside = alone{}
	if g.alone == (alone{}) {
		return
	}
	at := g.last
	if ev := e.ev; ev != nil && ev.by == g.id && ev.at.site != 0 {
		at = ev.at.site
	}
	if at == 0 {
		at = g.start
	}
	if g.alone.serial > 0 {
		w.idle.Serial += g.alone.serial
		w.serialAt[at] += g.alone.serial
	}
	if g.alone.unequal > 0 {
		w.idle.Imbalance += g.alone.unequal
		w.unequalAt[at] += g.alone.unequal
	}
	g.alone = alone{}
}
