package exectrace

// An account is what one goroutine did in the window of epoch. It is empty in
// a later one: see accounts.fresh.
type account struct {
	epoch   int
	charged int64 // its running time is accounted up to here
	born    bool  // created in this window
	counted bool  // it counts in accounts.locked, accounts.handing or accounts.outside
	tries   bool  // it counts in accounts.locked, ready: a mutex woke it, or it gave way to who gets one; see turn
	batch   int   // children that were alive since there was none last

	runTime  int64 // of the run at hand, up to charged
	lifeTime int64 // running time, up to charged
	late     int64 // time ready since its last run ended
	alone    alone // idle time of this run, held back until it is long or ends
	beside   alone // the same while others were ready

	path   track
	joints joints

	calls    bool // it has made a system call since it last blocked, at calledAt
	calledAt site

	forked  bool // it created others since it last blocked
	kids    int  // children from this window that are alive
	sending int  // of them, those that wait to send
	offers  bool // it counts in its creator's sending
}

// alone is idle processor time while a goroutine ran: as a worker, whose
// siblings have less to do, or as nobody's worker.
type alone struct {
	serial, unequal float64
	forked          float64 // of serial, see Idle.Forked
}

// shortRun is the length in ns below which a run between two blocks counts as
// a hand-over, and a system call as running: a few thread switches' worth, and
// the least time after which the runtime takes the processor of a system call.
const shortRun = 20_000

// The accounts say what the processors' time was spent on in the windows: who
// ran for how long and after whom, who waited for what, and to whom idle time
// is charged. They change nothing of who does what. The engine calls pass when
// time has passed, and one method for each transition, before it makes it.
type accounts struct {
	opt  Options
	crew *crew
	root *gor
	ev   *event      // at hand; nil at the end
	ops  *operations // nil: they are not asked for

	open   bool
	marked bool
	opened int64 // when
	epoch  int   // windows opened so far
	bench  *gor  // who opened the window
	// Goroutines that began to wait in this window.
	locked  int     // for locks; for a mutex until they run again, see turn
	conds   int     // of locked, for conditions
	handing int     // on channels
	outside int     // for timers and the network
	halted  bool    // the world is stopped
	pending float64 // idle time of waiting, until it shows for what
	held    float64 // of it, see Idle.Held

	win   tally // the open window
	total tally // those closed
}

// newAccounts returns accounts with a window open: without marks all counts.
func newAccounts(o Options, c *crew, root *gor) *accounts {
	a := &accounts{opt: o, crew: c, root: root, open: true, epoch: 1}
	a.win.reset()
	a.total.reset()
	return a
}

// fresh makes the account of g one of this window.
func (a *accounts) fresh(g *gor) {
	if g.acct.epoch != a.epoch {
		g.acct = account{epoch: a.epoch, charged: g.acct.charged, batch: g.alive}
	}
}

// pass accounts a time d during which nobody did anything else.
func (a *accounts) pass(d int64) {
	if !a.open {
		return
	}
	w, c, t := &a.win, a.crew, float64(d)
	busy := min(len(c.runners)+c.sysBusy, c.procs)
	for len(w.running) <= c.procs {
		w.running = append(w.running, 0)
	}
	a.draw(t)
	w.window += t
	w.running[busy] += t
	w.userRun += t * float64(c.running)
	w.work += t * float64(len(c.runners))
	w.systemRun += t * float64(c.sysBusy)
	w.syscall += t * float64(c.calling)
	if c.marking {
		w.gc += t
	}
	ready := w.idle.Runnable
	switch {
	case busy == c.procs:
	case a.ops != nil && a.ops.work != Whole:
		a.ops.pass(t, c.procs-busy)
	default:
		a.idle(t * float64(c.procs-busy))
	}
	if a.halted {
		w.stopped += w.idle.Runnable - ready
	}
	if a.ops != nil {
		a.ops.cut(false)
	}
}

// stops: the world is stopped, or goes on.
func (a *accounts) stops(ev *event) {
	if a.halted = ev.op == opStopBegin; a.halted {
		a.win.stops[ev.at.site]++
	}
}

// turn: g leaves its state. One that a mutex woke does not have it yet: whoever
// runs meanwhile may take it, and the wait starts anew. So it waits until it runs, and
// so does one that gave way where it gave the mutex back.
func (a *accounts) turn(g *gor) {
	if g.acct.counted && (g.state == waiting && !g.acct.tries || g.state == runnable) {
		n := &a.locked
		if !g.acct.tries {
			n = a.waiters(g.kind)
		}
		if n != nil {
			*n--
			if g.kind == Cond {
				a.conds--
			}
			g.acct.counted, g.acct.tries = false, false
		}
	}
	a.settle(g)
}

// waiters returns the number of those that wait for kind, if it is kept.
func (a *accounts) waiters(k Kind) *int {
	switch k {
	case Mutex, RWMutex, Cond, Once, World:
		return &a.locked
	case ChanSend, ChanReceive, Select:
		return &a.handing
	case Sleep, Net:
		return &a.outside
	}
	return nil
}

// takes reports whether a wait for k ends with something that others can take
// from whom it woke.
func takes(k Kind) bool { return k == Mutex || k == RWMutex }

// settle accounts the running time of g up to now.
func (a *accounts) settle(g *gor) {
	from := max(g.acct.charged, a.opened)
	g.acct.charged = a.crew.now
	if !g.busy || g.sys || !a.open || from >= a.crew.now {
		return
	}
	a.fresh(g)
	d := a.crew.now - from
	g.acct.path.run(d)
	g.acct.runTime += d
	g.acct.lifeTime += d
	if g == a.bench {
		a.win.opener += d
	}
}

// halt ends a piece of running, which is as far as g's path leads for now.
func (a *accounts) halt(g *gor) {
	a.settle(g)
	a.reach(g)
}

// runEnds accounts the run that ends with a block or the goroutine's end.
func (a *accounts) runEnds(g *gor) {
	a.halt(g)
	x := &g.acct
	if a.open && !g.sys && x.runTime > 0 {
		a.win.run.add(x.runTime)
		a.win.late += min(x.late, x.runTime)
		if x.runTime < shortRun {
			a.win.idle.Handoff += x.alone.serial + x.alone.unequal
			a.win.beside.Handoff += x.beside.serial + x.beside.unequal
			x.alone, x.beside = alone{}, alone{}
		}
		a.spend(g)
	}
	x.runTime, x.late = 0, 0
}

// stood: a goroutine showed a stack. What is outside of windows goes when the next
// one opens.
func (a *accounts) stood(p *stance) {
	for _, c := range p.from {
		a.win.callers[c]++
	}
}

// created: by, nil if that is not known, starts g at a site.
func (a *accounts) created(g, by *gor, at site) {
	g.acct = account{epoch: a.epoch, born: a.open}
	if by != nil {
		a.settle(by)
		parent := &by.acct
		if by.alive == 0 {
			parent.batch = 0
		}
		parent.batch++
		if a.open {
			parent.forked = true
			parent.kids++
		}
		if !g.sys && !by.sys && a.open && a.ops == nil {
			g.acct.path = parent.path.spawned(by.step(), a.opt.Spawn)
		}
	}
	if g.sys {
		return
	}
	if a.open {
		a.win.goroutines++
		a.win.spawns[at]++
	}
	a.awake(Other)
}

// started: g, which is ready, runs on a processor and a thread.
func (a *accounts) started(g *gor, proc, thread int64) {
	if g.sys {
		return
	}
	a.awake(Other) // if it was not seen to become runnable
	if !a.open || g.state != runnable {
		return
	}
	w := &a.win
	wait := a.crew.now - max(g.since, a.opened)
	w.wait.add(wait)
	g.acct.late += wait
	if g.kind == Preempted || g.kind == Yield {
		w.waited(g.kind, g.at, wait)
	}
	if g.blocked && takes(g.kind) {
		w.stoodReady(g.kind, g.at, wait)
	}
	if g.blocked && g.proc != none {
		w.resumed++
		if g.proc == proc {
			w.sameProc++
		}
		if g.thread == thread {
			w.sameThread++
		}
	}
}

// stopped: g, which runs, has to give up its processor.
func (a *accounts) stopped(g *gor, why Kind) {
	a.halt(g)
	if a.open && !g.sys && why == Preempted && takes(a.ev.at.sync) {
		// It hands a mutex to one that has waited for long, and its turn with it.
		a.locked++
		g.acct.counted, g.acct.tries = true, true
	}
	switch {
	case g.sys || !a.open:
	case why == Yield:
		a.win.yields++
	case why == Preempted && a.crew.runnable > 0:
		a.win.preempted++
	}
}

// blocked: g, which runs, has to wait.
func (a *accounts) blocked(g *gor, on Kind) {
	a.runEnds(g)
	x := &g.acct
	x.forked, x.calls = false, false
	if on == ChanSend && x.born && !x.offers {
		x.offers = true
		g.creator.acct.sending++
	}
	if n := a.waiters(on); n != nil && a.open && !g.sys {
		*n++
		if on == Cond {
			a.conds++
		}
		x.counted = true
	}
	switch on {
	case ChanReceive, Select, Cond:
		// Perhaps a worker that has run out of work.
		a.report(g, true)
	}
}

// woken: g, which waits, can run again, by the doing of by. That may be nil or
// g itself.
func (a *accounts) woken(g, by *gor, at *stance) {
	a.withdraw(g)
	g.acct.tries = g.acct.counted && takes(g.kind)
	if by == g {
		by = nil
	}
	if g.sys {
		return
	}
	if by == nil && (g.kind == ChanReceive || g.kind == Select) {
		a.awake(Sleep) // a timer's channel
	} else {
		a.awake(g.kind)
	}
	if !a.open {
		return
	}
	if g.state == waiting && g.kind != "" {
		a.win.waited(g.kind, g.at, a.crew.now-max(g.since, a.opened))
	}
	if by != nil && !by.sys && g.kind != Sleep && g.kind != GC {
		a.wake(by, g, at)
	}
}

// called: g, which runs, makes a system call, or calls C.
func (a *accounts) called(g *gor, kind Kind, at site) {
	a.settle(g)
	if g.sys || !a.open || kind == Cgo {
		return
	}
	a.win.syscalls++
	x := &g.acct
	if at != 0 && x.calls && x.calledAt == at {
		a.win.again[at]++
	}
	x.calls, x.calledAt = true, at
}

// returned: g has returned from a system call, or from C, and is running or ready.
func (a *accounts) returned(g *gor, to gstate) {
	if !g.sys && a.open && g.state == syscalling && !g.busy {
		kind := Syscall
		if g.kind == Cgo {
			kind = Cgo
		}
		a.awake(kind)
		a.win.waited(kind, g.at, a.crew.now-max(g.since, a.opened))
	}
	if to != running {
		a.halt(g)
	}
}

// ended: g is no more.
func (a *accounts) ended(g *gor) {
	a.halt(g)
	x := &g.acct
	if a.open && !g.sys {
		x.joints.join(&x.path, 0, false, 0)
		a.runEnds(g)
		if x.born {
			a.win.life.add(x.lifeTime)
		}
		a.report(g, false)
	}
	if x.born {
		g.creator.acct.kids--
	}
	a.withdraw(g)
	x.joints, x.path = nil, track{}
}

// withdraw takes g out of those who wait to send.
func (a *accounts) withdraw(g *gor) {
	if g.acct.offers {
		g.acct.offers = false
		g.creator.acct.sending--
	}
}

// disown: g was taken for the user's so far, and is the system's. One from
// before the trace shows no stack until it blocks.
func (a *accounts) disown(g *gor) {
	x := &g.acct
	if x.epoch == a.epoch && a.open {
		d := float64(x.lifeTime)
		a.win.work -= d
		a.win.userRun -= d
		a.win.systemRun += d
	}
	x.path, x.runTime, x.lifeTime, x.late, x.alone, x.beside = track{}, 0, 0, 0, alone{}, alone{}
}
