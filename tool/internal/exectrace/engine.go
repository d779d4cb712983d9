package exectrace

// A gor is a goroutine. Fields of the second group hold for the window of
// epoch only; [engine.fresh] resets them in a later one.
type gor struct {
	id      int64
	creator *gor // never nil but for the root; jumps over those gone, see live
	depth   int  // of the go statement in creator's stack
	start   site // start function
	last    site // where it last showed a stack
	state   gstate
	sys     bool
	busy    bool // on a processor: running, or briefly in a system call
	blocked bool // it has blocked since it last ran
	isSend  bool // what it waits for is known to be a send on a channel
	runner  int  // index in engine.runners while busy and the user's
	call    int  // number of its system call, see engine.calls
	since   int64
	charged int64 // running time is accounted up to here
	kind    Kind  // what it waits for, or why it was stopped
	at      site  // where it does
	proc    int64 // where it last ran
	alive   int   // children
	thread  int64

	epoch    int
	born     bool // created in this window
	counted  bool // it counts in engine.locked or engine.handing
	batch    int  // children that were alive since there was none last
	runTime  int64
	lifeTime int64
	path     track
	joints   joints
	forked   bool  // it created others since it last blocked
	kids     int   // children from this window that are alive
	sending  int   // of them, those that wait to send
	offers   bool  // it counts in its creator's sending
	late     int64 // time ready since its last run ended
	alone    alone // idle time of this run, held back until it is long or ends
	beside   alone // the same while others were ready
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

// An engine follows the events of a trace. It takes constant time for each,
// amortised.
type engine struct {
	opt   Options
	sites *sites

	now   int64
	began bool
	gs    map[int64]*gor
	root  *gor // stands for the creators that are not known
	procs int  // as the trace says
	maxP  int64

	// Numbers of goroutines by what they do now.
	runnable int    // the user's
	running  int    // the user's, system calls not counted
	calling  int    // the user's in system calls
	runners  []*gor // the user's that are busy
	sysBusy  int    // the system's that run
	marking  bool   // a GC cycle is in its mark phase

	// calls are the recent system calls, oldest first: those that still keep
	// a processor busy. nextCall numbers them.
	calls    []call
	nextCall int
	onCall   map[int64]*gor // by processor: who holds it in a system call

	open   bool
	marked bool
	opened int64 // when
	epoch  int   // windows opened so far
	bench  *gor  // who opened the window
	// Goroutines that began to wait in this window.
	locked  int     // for locks
	handing int     // on channels
	pending float64 // idle time of waiting, until it shows for what
	ev      *event  // at hand; nil at the end

	win   tally // the open window
	total tally // those closed
}

func newEngine(o Options) *engine {
	e := &engine{opt: o, sites: newSites(), gs: make(map[int64]*gor), onCall: make(map[int64]*gor), maxP: -1}
	e.root = &gor{id: none}
	// Without marks all counts: assume so until the first.
	e.open, e.epoch = true, 1
	e.win.reset()
	e.total.reset()
	return e
}

// step takes the next event.
func (e *engine) step(ev *event) {
	if !e.began {
		e.began, e.now, e.opened = true, ev.time, ev.time
	}
	if ev.proc > e.maxP {
		e.maxP = ev.proc
	}
	e.ev = ev
	e.advance(ev.time)
	switch ev.op {
	case opProcs:
		e.procs = max(e.procs, ev.n)
		return
	case opGCBegin, opGCEnd:
		e.marking = ev.op == opGCBegin
		return
	case opRetake:
		if g := e.onCall[ev.proc]; g != nil {
			e.expire(g)
		}
		return
	case opOpen, opReset, opClose:
		e.mark()
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
		e.create(g)
	case opStart:
		e.begin(g)
	case opStop:
		e.halt(g)
		g.kind, g.at = ev.kind, ev.at.site
		e.enter(g, runnable)
		if !g.sys && e.open {
			switch {
			case ev.kind == Yield:
				e.win.yields++
			case ev.kind == Preempted && e.runnable > 1:
				e.win.preempted++
			}
		}
	case opBlock:
		e.block(g)
	case opUnblock:
		e.unblock(g)
	case opEnd:
		e.end(g)
	case opSyscall:
		e.syscall(g)
	case opReturn:
		e.sysreturn(g)
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
	g := e.gs[id]
	if g == nil {
		g = &gor{id: id, creator: e.root, proc: none, thread: none}
		e.gs[id] = g
	}
	e.fresh(g)
	return g
}

// fresh makes g one of this window.
func (e *engine) fresh(g *gor) {
	if g.epoch != e.epoch {
		g.epoch = e.epoch
		g.born, g.counted, g.batch = false, false, g.alive
		g.runTime, g.lifeTime, g.late, g.alone, g.beside = 0, 0, 0, alone{}, alone{}
		g.forked, g.kids, g.sending, g.offers = false, 0, 0, false
		g.path, g.joints = track{}, nil
	}
}

// sees notes what a stack of g tells.
func (e *engine) sees(g *gor, p *place) {
	if p.site != 0 {
		g.last = p.site
	}
	if g.start == 0 && p.root != 0 {
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
	s := g.state
	since := g.since
	e.enter(g, unknown)
	g.sys = true
	if g.epoch == e.epoch && e.open {
		// It ran as a user's so far: one from before the trace shows no
		// stack until it blocks.
		d := float64(g.lifeTime)
		e.win.work -= d
		e.win.userRun -= d
		e.win.systemRun += d
	}
	g.path, g.runTime, g.lifeTime, g.late, g.alone, g.beside = track{}, 0, 0, 0, alone{}, alone{}
	e.enter(g, s)
	g.since = since
}

// enter takes g from its state to the next and keeps the numbers.
func (e *engine) enter(g *gor, to gstate) {
	e.count(g, -1)
	if g.busy {
		e.settle(g)
		if to != running && to != syscalling {
			e.unbusy(g)
		}
	}
	if g.state == syscalling && e.onCall[g.proc] == g {
		delete(e.onCall, g.proc)
	}
	g.state, g.since = to, e.now
	e.count(g, 1)
	switch {
	case to == running && !g.busy:
		g.busy, g.charged = true, e.now
		if g.sys {
			e.sysBusy++
			return
		}
		g.runner = len(e.runners)
		e.runners = append(e.runners, g)
	case to == syscalling && g.busy:
		e.nextCall++
		g.call = e.nextCall
		e.calls = append(e.calls, call{g, g.call, e.now + shortRun})
		e.onCall[g.proc] = g
	}
}

// count counts g in or out of those in its state.
func (e *engine) count(g *gor, d int) {
	if g.sys {
		return
	}
	switch g.state {
	case runnable:
		e.runnable += d
	case running:
		e.running += d
	case syscalling:
		e.calling += d
	case waiting:
		n := e.counter(g.kind)
		if n == nil || d < 0 && !g.counted || d > 0 && !e.open {
			return
		}
		*n += d
		g.counted = d > 0
	}
}

// counter returns the number of those that wait for kind, if it is kept.
func (e *engine) counter(k Kind) *int {
	switch k {
	case Mutex, RWMutex, Cond, Once:
		return &e.locked
	case ChanSend, ChanReceive, Select:
		return &e.handing
	}
	return nil
}

// unbusy takes g off its processor.
func (e *engine) unbusy(g *gor) {
	g.busy = false
	if g.sys {
		e.sysBusy--
		return
	}
	n := len(e.runners) - 1
	moved := e.runners[n]
	e.runners[g.runner], moved.runner = moved, g.runner
	e.runners[n] = nil
	e.runners = e.runners[:n]
}

// settle accounts the running time of g up to now.
func (e *engine) settle(g *gor) {
	from := max(g.charged, e.opened)
	g.charged = e.now
	if !g.busy || g.sys || !e.open || from >= e.now {
		return
	}
	e.fresh(g)
	d := e.now - from
	g.path.run(d)
	g.runTime += d
	g.lifeTime += d
}

// halt ends a piece of running, which is as far as g's path leads for now.
func (e *engine) halt(g *gor) {
	e.settle(g)
	e.reach(g)
}

// reach notes the path of g if none was longer.
func (e *engine) reach(g *gor) {
	if !e.open || g.sys {
		return
	}
	w := &e.win
	if g.path.length > w.best.length {
		w.best, w.bestStep = g.path, g.step()
	}
	w.burdened = max(w.burdened, g.path.burdened)
}

func (g *gor) step() step { return step{g.start, g.last} }

func (e *engine) create(g *gor) {
	ev := e.ev
	if g.state != unknown { // the trace reuses no numbers; a broken one might
		e.enter(g, unknown)
	}
	*g = gor{id: g.id, creator: e.root, proc: none, thread: none, epoch: e.epoch, born: e.open}
	if ev.start != nil {
		g.start, g.last, g.sys = ev.start.root, ev.start.root, ev.start.sys
	}
	g.kind, g.at = Other, 0
	if ev.by != none {
		by := e.get(ev.by)
		e.sees(by, ev.at)
		e.settle(by)
		by.live() // so that a line of creators does not hold those gone
		g.creator, g.depth = by, ev.at.depth
		if by.alive == 0 {
			by.batch = 0
		}
		by.alive++
		by.batch++
		if e.open {
			e.fresh(by)
			by.forked = true
			by.kids++
		}
		if !g.sys && !by.sys && e.open {
			g.path = by.path
			g.path.tail = by.path.seal(by.step())
			g.path.open, g.path.via = 0, viaSpawn
			g.path.burdened += e.opt.Spawn
		}
	}
	if !g.sys && e.open {
		e.win.goroutines++
		e.win.spawns[ev.at.site]++
	}
	if !g.sys {
		e.awake(Other)
	}
	e.enter(g, ev.to)
}

// begin: a runnable goroutine runs.
func (e *engine) begin(g *gor) {
	ev := e.ev
	if !g.sys {
		e.awake(Other) // if it was not seen to become runnable
		if e.open && g.state == runnable {
			w := &e.win
			wait := e.now - max(g.since, e.opened)
			w.wait.add(wait)
			e.fresh(g)
			g.late += wait
			if g.kind == Preempted || g.kind == Yield {
				w.waited(g.kind, g.at, wait)
			}
			if g.blocked && g.proc != none {
				w.resumed++
				if g.proc == ev.proc {
					w.sameProc++
				}
				if g.thread == ev.thread {
					w.sameThread++
				}
			}
		}
	}
	g.blocked = false
	g.proc, g.thread = ev.proc, ev.thread
	e.enter(g, running)
	g.kind = Other
}

func (e *engine) block(g *gor) {
	ev := e.ev
	e.halt(g)
	e.runEnds(g)
	g.kind, g.at, g.blocked = ev.kind, ev.at.site, true
	g.isSend = ev.kind == ChanSend
	g.forked = false
	if g.isSend && g.born && !g.offers {
		g.offers = true
		g.creator.sending++
	}
	e.enter(g, waiting)
	switch ev.kind {
	case ChanReceive, Select, Cond:
		// Perhaps a worker that has run out of work.
		e.report(g, true)
	}
}

func (e *engine) end(g *gor) {
	e.halt(g)
	if e.open && !g.sys {
		g.joints.join(&g.path, 0, false, 0)
		e.reach(g)
		e.runEnds(g)
		if g.born {
			e.win.life.add(g.lifeTime)
		}
		e.report(g, false)
	}
	g.creator.alive--
	if g.born && g.epoch == e.epoch {
		g.creator.kids--
	}
	g.withdraw()
	e.enter(g, gone)
	g.joints, g.path = nil, track{}
	delete(e.gs, g.id)
}

// withdraw takes g out of those who wait to send.
func (g *gor) withdraw() {
	if g.offers {
		g.offers = false
		g.creator.sending--
	}
}

// unblock: a waiting goroutine can run again.
func (e *engine) unblock(g *gor) {
	g.withdraw()
	ev := e.ev
	kind := g.kind
	var by *gor
	if ev.by != none && ev.by != ev.g {
		by = e.get(ev.by)
		e.sees(by, ev.at)
	}
	if !g.sys {
		switch {
		case by == nil && (kind == ChanReceive || kind == Select):
			e.awake(Sleep) // a timer's channel
		default:
			e.awake(kind)
		}
		if e.open && g.state == waiting && kind != "" {
			e.win.waited(kind, g.at, e.now-max(g.since, e.opened))
		}
	}
	if by != nil && !by.sys && !g.sys && e.open && kind != Sleep && kind != GC {
		e.wake(by, g, ev.at)
	}
	e.enter(g, runnable)
}

// runEnds accounts the run that ends with a block or the goroutine's end.
func (e *engine) runEnds(g *gor) {
	if e.open && !g.sys && g.runTime > 0 {
		e.win.run.add(g.runTime)
		e.win.late += min(g.late, g.runTime)
		if g.runTime < shortRun {
			e.win.idle.Handoff += g.alone.serial + g.alone.unequal
			e.win.beside.Handoff += g.beside.serial + g.beside.unequal
			g.alone, g.beside = alone{}, alone{}
		}
		e.spend(g)
	}
	g.runTime, g.late = 0, 0
}
