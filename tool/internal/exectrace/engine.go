package exectrace

import "cmp"

// An engine follows the events of a trace: it knows which goroutine does what
// and on which processor, and tells its accounts of each transition before it
// makes it. It takes constant time for each event, amortised.
type engine struct {
	opt   Options
	sites *sites
	acct  *accounts
	tasks *tasker     // nil: no graphs are wanted
	ops   *operations // nil: they are not asked for

	crew
	began bool
	gs    map[int64]*gor
	near  [256]*gor // of gs, some that were asked for last, by the low bits of their numbers
	root  *gor      // stands for the creators that are not known
	said  int       // GOMAXPROCS, as the trace says; 0 before it does
	maxP  int64     // the highest processor seen

	// calls are the recent system calls, oldest first: those that still keep
	// a processor busy. nextCall numbers them.
	calls    []call
	nextCall int
	onCall   map[int64]*gor // by processor: who holds it in a system call
}

func newEngine(o Options) *engine {
	e := &engine{opt: o, sites: newSites(), root: &gor{id: none}, gs: make(map[int64]*gor), onCall: make(map[int64]*gor), maxP: none}
	e.guessProcs()
	e.acct = newAccounts(o, &e.crew, e.root)
	if o.Serve {
		e.ops = newOperations(e.acct, e.sites, o.Ops)
		e.acct.ops = e.ops
	}
	return e
}

// guessProcs keeps crew.procs.
func (e *engine) guessProcs() {
	switch {
	case e.opt.Procs > 0:
		e.procs = e.opt.Procs
	case e.said > 0:
		e.procs = e.said
	default:
		e.procs = max(int(e.maxP)+1, 1)
	}
}

// step takes the next event.
func (e *engine) step(ev *event) {
	if ev.op == opSample {
		if g := e.gs[ev.by]; g != nil && e.ops != nil {
			e.ops.sees(g, ev.at)
		}
		return
	}
	if !e.began {
		e.began, e.now = true, ev.time
		e.acct.opened = ev.time // without marks all counts
	}
	if ev.proc > e.maxP {
		e.maxP = ev.proc
		e.guessProcs()
	}
	e.acct.ev = ev
	e.advance(ev.time)
	if e.tasks != nil {
		e.tasks.step(ev)
	}
	switch ev.op {
	case opProcs:
		e.said = max(e.said, ev.n)
		e.guessProcs()
		return
	case opGCBegin, opGCEnd:
		e.marking = ev.op == opGCBegin
		return
	case opStopBegin, opStopEnd:
		e.acct.stops(ev)
		return
	case opRetake:
		if g := e.onCall[ev.proc]; g != nil {
			e.expire(g)
		}
		return
	case opOpen, opReset, opClose:
		if e.ops == nil {
			e.mark(ev)
		}
		return
	case opTaskBegin, opTaskEnd, opRegionBegin, opRegionEnd, opAssistBegin, opAssistEnd:
		if e.ops != nil {
			e.operation(ev)
		}
		return
	case opNone:
		return
	}
	g := e.get(ev.g)
	if ev.by == ev.g {
		e.sees(g, ev.at)
	}
	switch ev.op {
	case opCreate:
		e.create(g, ev)
	case opStart:
		e.begin(g, ev)
	case opStop:
		e.acct.stopped(g, ev.kind)
		g.kind, g.at = ev.kind, ev.at.site
		e.enter(g, runnable)
	case opBlock:
		e.acct.blocked(g, ev.kind)
		if e.ops != nil {
			g.kind = ev.kind
			e.ops.blocked(g, ev.at)
		}
		g.kind, g.at, g.blocked = ev.kind, ev.at.site, true
		e.enter(g, waiting)
	case opUnblock:
		by := e.by(ev)
		e.acct.woken(g, by, ev.at)
		if e.ops != nil && g.state == waiting && !g.sys {
			e.ops.woken(g, by, ev.at)
		}
		e.enter(g, runnable)
	case opEnd:
		e.acct.ended(g)
		if e.ops != nil {
			e.ops.ended(g)
		}
		g.creator.alive--
		e.enter(g, gone)
		delete(e.gs, g.id)
		e.near[uint8(g.id)] = nil
	case opSyscall:
		e.acct.called(g, ev.kind, ev.at.site)
		if e.ops != nil {
			e.ops.delays.acts(g)
		}
		g.kind, g.at = cmp.Or(ev.kind, Syscall), ev.at.site
		e.enter(g, syscalling)
	case opReturn:
		e.acct.returned(g, ev.to)
		if ev.to == running {
			g.proc, g.thread = ev.proc, ev.thread
		}
		g.kind = Other
		e.enter(g, ev.to)
	case opStatus:
		if ev.start != nil {
			e.sees(g, ev.start)
		}
		if g.state == unknown && ev.to != unknown {
			e.enter(g, ev.to)
		}
	case opSystem:
		e.ofSystem(g)
	}
}

// get returns goroutine id, which may be one not seen before.
func (e *engine) get(id int64) *gor {
	near := &e.near[uint8(id)]
	g := *near
	if g == nil || g.id != id {
		if g = e.gs[id]; g == nil {
			g = &gor{id: id, creator: e.root, proc: none, thread: none}
			e.gs[id] = g
		}
		*near = g
	}
	e.acct.fresh(g)
	return g
}

// by returns the goroutine in whose context ev happened, nil if there is none.
func (e *engine) by(ev *event) *gor {
	if ev.by == none {
		return nil
	}
	by := e.get(ev.by)
	e.sees(by, ev.at)
	return by
}

// sees notes what a stack of g tells.
func (e *engine) sees(g *gor, p *stance) {
	if p.site != 0 {
		g.last = p.site
		e.acct.stood(p)
	}
	if e.ops != nil {
		e.ops.sees(g, p)
	}
	if g.start.at == 0 && p.root.at != 0 {
		g.start = p.root
		if p.sys {
			e.ofSystem(g)
		}
	}
}

// ofSystem notes that g belongs to the system, whatever it does now.
func (e *engine) ofSystem(g *gor) {
	if g.sys {
		return
	}
	s, since := g.state, g.since
	e.enter(g, unknown)
	e.acct.disown(g)
	g.sys = true
	e.enter(g, s)
	g.since = since
}

// enter takes g from its state to the next.
func (e *engine) enter(g *gor, to gstate) {
	e.acct.turn(g)
	if e.ops != nil {
		e.ops.leaves(g)
	}
	if g.state == syscalling && e.onCall[g.proc] == g {
		delete(e.onCall, g.proc)
	}
	e.crew.enter(g, to)
	if e.ops != nil {
		e.ops.enters(g)
	}
	if to == syscalling && g.busy {
		e.nextCall++
		g.call = e.nextCall
		e.calls = append(e.calls, call{g, g.call, e.now + shortRun})
		e.onCall[g.proc] = g
	}
}

func (e *engine) create(g *gor, ev *event) {
	if g.state != unknown { // the trace reuses no numbers; a broken one might
		e.enter(g, unknown)
	}
	*g = gor{id: g.id, creator: e.root, proc: none, thread: none, kind: Other}
	if ev.start != nil {
		g.start, g.last, g.sys = ev.start.root, ev.start.root.at, ev.start.sys
	}
	by := e.by(ev)
	e.acct.created(g, by, ev.at.site)
	if by != nil {
		by.live() // so that a line of creators does not hold those gone
		g.creator, g.depth = by, ev.at.depth
		by.alive++
	}
	if e.ops != nil && !g.sys {
		e.ops.created(g, by, ev.at.site, ev.start)
	}
	e.enter(g, ev.to)
}

// begin: a runnable goroutine runs.
func (e *engine) begin(g *gor, ev *event) {
	e.acct.started(g, ev.proc, ev.thread)
	g.blocked = false
	g.proc, g.thread = ev.proc, ev.thread
	e.enter(g, running)
	g.kind = Other
}

// mark opens or closes a window.
func (e *engine) mark(ev *event) {
	e.acct.marked = true
	switch open := e.acct.open; {
	case ev.op == opOpen, ev.op == opReset && open:
		e.acct.openWindow(e.by(ev))
	case ev.op == opClose && open:
		e.by(ev)
		e.acct.closeWindow()
	}
}

// operation: a task or a region begins or ends, or a goroutine does the collector's
// work for a while.
func (e *engine) operation(ev *event) {
	switch ev.op {
	case opTaskBegin, opTaskEnd:
		e.ops.task(e.by(ev), ev)
	case opRegionBegin, opRegionEnd:
		if g := e.by(ev); g != nil {
			e.ops.region(g, ev)
		}
	default:
		e.ops.assists(e.get(ev.g), ev.op == opAssistBegin)
	}
}

// facts ends the trace.
func (e *engine) facts() *Facts {
	e.acct.ev = nil
	if e.ops == nil {
		return e.acct.facts(e.sites)
	}
	for _, g := range e.gs {
		e.ops.leaves(g)
	}
	e.ops.cut(true)
	f := e.acct.facts(e.sites)
	e.ops.facts(f)
	return f
}
