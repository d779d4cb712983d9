package exectrace

// idle says where idle processor time t goes.
func (a *accounts) idle(t float64) {
	i, c := &a.win.idle, a.crew
	i.Total += t
	switch {
	case c.runnable > 0:
		i.Runnable += t
		// And what it would be if the ready ones had nothing to do.
		switch {
		case len(c.runners) > 0 && a.locked > 0:
			a.win.beside.Lock += t
		case len(c.runners) > 0:
			a.blame(t, true)
		}
	case len(c.runners) > 0 && a.locked > 0:
		i.Lock += t
	case len(c.runners) > 0:
		a.blame(t, false)
	case c.sysBusy > 0:
		i.GC += t
	default:
		a.pending += t // for what shows when it ends
		locked, outside := a.locked-a.conds, a.outside+c.calling
		switch {
		case locked > 0 && outside <= 1:
			a.held += t // with more workers more would wait for the lock
		case locked > 0:
			a.held += t * float64(locked) / float64(locked+outside)
		}
	}
}

// awake ends a time in which nobody ran: a wait of kind k is over.
func (a *accounts) awake(k Kind) {
	if a.pending == 0 {
		return
	}
	i := &a.win.idle
	switch k {
	case Sleep:
		i.Sleep += a.pending
	case Net:
		i.Net += a.pending
	case Syscall:
		i.Syscall += a.pending
	case Cgo:
		i.Cgo += a.pending
	}
	i.Waiting += a.pending
	i.Held += a.held
	a.pending, a.held = 0, 0
}

// blamed bounds how many of those who run are looked at for each event. With
// more of them they are much alike.
const blamed = 8

// blame splits idle time t among those who run. Whether a run is a hand-over
// shows at its end, so the share of a short one is held back.
func (a *accounts) blame(t float64, beside bool) {
	who := a.crew.runners[:min(len(a.crew.runners), blamed)]
	t /= float64(len(who))
	for _, g := range who {
		a.fresh(g)
		x := &g.acct
		held := &x.alone
		if beside {
			held = &x.beside
		}
		if a.works(g) {
			held.unequal += t
		} else {
			held.serial += t
			if x.forked && x.kids <= x.sending {
				held.forked += t
			}
		}
		if a.handing == 0 || x.runTime+a.crew.now-max(x.charged, a.opened) >= shortRun {
			a.spend(g)
		}
	}
}

// works reports whether g is one of several workers that somebody waits for.
func (a *accounts) works(g *gor) bool {
	if g == a.bench {
		return false
	}
	child := g
	for range generations {
		c, _ := child.live()
		if c == nil || c == a.root {
			break
		}
		if c.state == waiting && c.acct.batch > 1 && (joins(c.kind) || c.kind == ChanReceive || c.kind == ChanSend || c.kind == Select) {
			return true
		}
		if c == a.bench {
			return false
		}
		child = c
	}
	// A worker from before the window.
	b := a.bench
	return b != nil && g.creator != b && b.state == waiting &&
		(joins(b.kind) || b.kind == ChanReceive || b.kind == ChanSend || b.kind == Select)
}

// spend charges what was held back of g's run where g stands now.
func (a *accounts) spend(g *gor) {
	w, x := &a.win, &g.acct
	w.beside.Serial += x.beside.serial
	w.beside.Forked += x.beside.forked
	w.beside.Imbalance += x.beside.unequal
	w.idle.Forked += x.alone.forked
	x.beside = alone{}
	if x.alone == (alone{}) {
		return
	}
	at := a.stands(g)
	if x.alone.serial > 0 {
		w.idle.Serial += x.alone.serial
		w.serialAt[at] += x.alone.serial
	}
	if x.alone.unequal > 0 {
		w.idle.Imbalance += x.alone.unequal
		w.unequalAt[at] += x.alone.unequal
	}
	x.alone = alone{}
}

// stands is where g showed its next stack, or its last, or else where it starts.
func (a *accounts) stands(g *gor) site {
	switch ev := a.ev; {
	case ev != nil && ev.by == g.id && ev.at.site != 0:
		return ev.at.site
	case g.last != 0:
		return g.last
	}
	return g.start.at
}
