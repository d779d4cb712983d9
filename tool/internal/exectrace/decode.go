package exectrace

import (
	"slices"
	"strings"

	"golang.org/x/exp/trace"

	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// A decoder turns events of x/exp/trace into those of the engine.
type decoder struct {
	e       *engine // its options and sites
	stacks  *stack.Reader
	frames  []source.Place          // of the current stack
	stances map[trace.Stack]*stance // of this generation, whose stacks they are
	recent  [4]known                // of stances, some that were asked for last
	oldest  int                     // of recent
	samples *sampler                // nil: they are not asked for
	last    int64                   // time of the last event
	maxP    int64                   // the highest processor in events so far
}

func newDecoder(e *engine) *decoder {
	d := &decoder{e: e, stacks: stack.NewReader(e.opt.User, e.opt.Place), stances: make(map[trace.Stack]*stance), maxP: none}
	if e.opt.Serve {
		d.samples = newSampler()
	}
	return d
}

// event makes ev of x, and reports whether there is anything to do for the engine.
func (d *decoder) event(x *trace.Event, ev *event) bool {
	*ev = event{time: int64(x.Time()), by: int64(x.Goroutine()), proc: int64(x.Proc()), thread: int64(x.Thread()), at: nowhere}
	switch x.Kind() {
	case trace.EventSync:
		clear(d.stances)
		clear(d.recent[:])
		return false // its time is that of the generation, not of an event
	case trace.EventStateTransition:
		d.transition(x, ev)
	case trace.EventMetric:
		if m := x.Metric(); m.Name == "/sched/gomaxprocs:threads" && m.Value.Kind() == trace.ValueUint64 {
			ev.op, ev.n = opProcs, int(min(m.Value.Uint64(), 1<<16))
		}
	case trace.EventRangeBegin, trace.EventRangeActive:
		switch r := x.Range(); {
		case r.Name == "GC concurrent mark phase":
			ev.op = opGCBegin
		case r.Name == assisting:
			d.assist(ev, r, opAssistBegin)
		case stopped(r):
			if ev.op = opStopBegin; x.Stack() != trace.NoStack {
				ev.at = d.stance(x.Stack())
			}
		}
	case trace.EventRangeEnd:
		switch r := x.Range(); {
		case r.Name == "GC concurrent mark phase":
			ev.op = opGCEnd
		case r.Name == assisting:
			d.assist(ev, r, opAssistEnd)
		case stopped(r):
			ev.op = opStopEnd
		}
	case trace.EventTaskBegin, trace.EventTaskEnd:
		t := x.Task()
		ev.op, ev.id, ev.parent, ev.name = opTaskBegin, uint64(t.ID), uint64(t.Parent), t.Type
		if x.Kind() == trace.EventTaskEnd {
			ev.op = opTaskEnd
		}
	case trace.EventRegionBegin, trace.EventRegionEnd:
		r := x.Region()
		ev.op, ev.id, ev.name = opRegionBegin, uint64(r.Task), r.Type
		if x.Kind() == trace.EventRegionEnd {
			ev.op = opRegionEnd
		}
	case trace.EventStackSample:
		if d.samples != nil {
			d.samples.add(x.Stack())
			if d.e.opt.Ops == Requests && ev.by != none { // of code that does nothing else there is no other stack
				ev.op, ev.at = opSample, d.stance(x.Stack())
				return true
			}
		}
		return false
	case trace.EventLabel:
		// The runtime labels its GC workers, and nobody else.
		if l := x.Label(); strings.HasPrefix(l.Label, "GC ") {
			ev.op, ev.g = opSystem, int64(l.Resource.Goroutine())
		}
	case trace.EventLog:
		l := x.Log()
		if l.Category == Held && d.e.tasks != nil {
			ev.op, ev.id = opHeld, uint64(l.Task)
		} else if l.Category != "payoff" {
			break
		}
		switch l.Message {
		case "start":
			ev.op = opOpen
		case "reset":
			ev.op = opReset
		case "stop":
			ev.op = opClose
		}
		ev.at = d.stance(x.Stack())
	}
	nothing := ev.op == opNone && ev.proc <= d.maxP && d.last > 0
	d.last, d.maxP = ev.time, max(d.maxP, ev.proc)
	return !nothing
}

// end makes ev of the end of the trace.
func (d *decoder) end(ev *event) {
	*ev = event{time: d.last, by: none, proc: none, thread: none, at: nowhere}
}

// assisting is the range in which a goroutine does a part of the collector's work.
const assisting = "GC mark assist"

// stopped reports whether the world is stopped in a range, by a call of the program's: not
// for the collector, and not for traces and profiles.
func stopped(r trace.Range) bool {
	reason, ok := strings.CutPrefix(r.Name, "stop-the-world (")
	return ok && !strings.HasPrefix(reason, "GC ") && reason != "start trace)" && reason != "stop trace)" && !strings.HasPrefix(reason, "goroutine profile")
}

func (d *decoder) assist(ev *event, r trace.Range, what op) {
	if d.e.opt.Serve && r.Scope.Kind == trace.ResourceGoroutine {
		ev.op, ev.g = what, int64(r.Scope.Goroutine())
	}
}

func (d *decoder) transition(x *trace.Event, ev *event) {
	st := x.StateTransition()
	switch st.Resource.Kind {
	case trace.ResourceProc:
		p := int64(st.Resource.Proc())
		from, to := st.Proc()
		if from == trace.ProcRunning && to == trace.ProcIdle {
			// Of a processor that stops by itself nobody is in a system call.
			ev.op, ev.proc = opRetake, p
		}
		return
	case trace.ResourceGoroutine:
	default:
		return
	}
	ev.g = int64(st.Resource.Goroutine())
	from, to := st.Goroutine()
	ev.to = stateOf[to]
	if s := x.Stack(); s != trace.NoStack {
		ev.at = d.stance(s)
	}
	switch {
	case from == to || from == trace.GoUndetermined:
		ev.op = opStatus
		if st.Stack != trace.NoStack {
			ev.start = d.stance(st.Stack)
		}
	case from == trace.GoNotExist:
		ev.op = opCreate
		if st.Stack != trace.NoStack {
			ev.start = d.stance(st.Stack)
		}
	case to == trace.GoNotExist:
		ev.op = opEnd
	case to == trace.GoSyscall:
		if ev.op = opSyscall; ev.at.inC {
			ev.kind = Cgo
		}
	case from == trace.GoSyscall:
		ev.op = opReturn
	case to == trace.GoRunning:
		ev.op = opStart
	case to == trace.GoWaiting:
		ev.op = opBlock
		ev.kind = kindOf(st.Reason, ev.at)
	case from == trace.GoWaiting:
		ev.op = opUnblock
	default:
		ev.op, ev.kind = opStop, Preempted
		switch {
		case st.Reason == "runtime.Gosched" && ev.at.inGC:
			ev.kind = GC
		case st.Reason == "runtime.Gosched":
			ev.kind = Yield
		}
	}
}

var stateOf = [...]gstate{
	trace.GoUndetermined: unknown,
	trace.GoNotExist:     gone,
	trace.GoRunnable:     runnable,
	trace.GoRunning:      running,
	trace.GoWaiting:      waiting,
	trace.GoSyscall:      syscalling,
}

// kindOf returns what the runtime's reason to block means. The reasons are
// those of traceBlockReasonStrings in runtime/traceruntime.go, Go 1.22 to 1.27.
func kindOf(reason string, at *stance) Kind {
	switch reason {
	case "sync":
		return at.sync
	case "sync.(*Cond).Wait":
		return Cond
	case "chan send":
		return ChanSend
	case "chan receive":
		return ChanReceive
	case "select":
		return Select
	case "sleep":
		return Sleep
	case "network":
		return Net
	case "preempted":
		return Preempted
	case "GC mark assist wait for work", "GC background sweeper wait", "wait until GC ends", "GC weak to strong wait":
		return GC
	}
	return Other
}

// stance returns what the stack tells.
func (d *decoder) stance(s trace.Stack) *stance {
	if s == trace.NoStack {
		return nowhere
	}
	for i := range d.recent {
		if d.recent[i].stack == s {
			return d.recent[i].stance
		}
	}
	p := d.stances[s]
	if p == nil {
		p = d.read(s)
		d.stances[s] = p
	}
	d.recent[d.oldest] = known{s, p}
	d.oldest = (d.oldest + 1) % len(d.recent)
	return p
}

// A known is a stack that was read.
type known struct {
	stack  trace.Stack
	stance *stance
}

func (d *decoder) read(s trace.Stack) *stance {
	d.frames = d.frames[:0]
	for f := range s.Frames() {
		d.frames = append(d.frames, source.Place{Func: f.Func, File: f.File, Line: int(f.Line)})
	}
	p := &stance{sync: Sync}
	if len(d.frames) == 0 {
		return p
	}
	root, at := d.frames[len(d.frames)-1], source.Place{}
	var callers []source.Place
	nearest, shown := d.stacks.Mine(d.frames)
	if kind, ok := semaphores[d.stacks.Lock(d.frames, nearest)]; ok {
		p.sync = kind
	}
	for _, f := range stack.Below(d.frames, nearest) {
		p.recv = p.recv || strings.HasPrefix(f.Func, "runtime.chanrecv")
		p.inGC = p.inGC || f.Func == "runtime.GC"
		p.inC = p.inC || f.Func == "runtime.cgocall"
	}
	if nearest >= 0 {
		at, p.depth = d.frames[shown], len(d.frames)-nearest
		callers = d.stacks.Callers(d.frames, shown)
		for _, c := range callers {
			p.from = append(p.from, d.e.sites.number(c))
		}
	} else if i := slices.IndexFunc(d.frames, worked); i >= 0 {
		at = d.frames[i]
	}
	if d.e.opt.Serve {
		d.serves(p, nearest, root.Func, callers)
	}
	p.site, p.root, p.sys = d.e.sites.number(at), d.e.sites.spot(root), stack.System(root.Func)
	return p
}

// worked reports whether a frame is not of how marks are made.
func worked(f source.Place) bool {
	return !stack.Probe(f) && !strings.HasPrefix(f.Func, "testing/internal/testdeps.") && !strings.HasPrefix(f.Func, "runtime/trace.")
}

// semaphores are what a wait with reason "sync" is for.
var semaphores = map[stack.Category]Kind{stack.Lock: Mutex, stack.RWMutex: RWMutex, stack.WaitGroup: WaitGroup, stack.Once: Once, stack.GC: GC, stack.World: World}
