package exectrace

import (
	"strings"

	"golang.org/x/exp/trace"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// A decoder turns events of x/exp/trace into those of the engine.
type decoder struct {
	e      *engine
	user   func(fn, file string) bool
	places map[trace.Stack]*place // of this generation, whose stacks they are
	ev     event
}

func newDecoder(e *engine) *decoder {
	d := &decoder{e: e, user: e.opt.User, places: make(map[trace.Stack]*place)}
	if d.user == nil {
		d.user = notStd
	}
	return d
}

func notStd(fn, _ string) bool {
	first, _, nested := strings.Cut(fn, "/")
	if nested {
		return strings.Contains(first, ".")
	}
	// No slash: the package is what comes before the first dot.
	return strings.HasPrefix(fn, "main.")
}

func (d *decoder) event(x *trace.Event) {
	ev := &d.ev
	*ev = event{time: int64(x.Time()), by: int64(x.Goroutine()), proc: int64(x.Proc()), thread: int64(x.Thread()), at: nowhere}
	switch x.Kind() {
	case trace.EventSync:
		clear(d.places)
		return // its time is that of the generation, not of an event
	case trace.EventStateTransition:
		d.transition(x)
	case trace.EventMetric:
		if m := x.Metric(); m.Name == "/sched/gomaxprocs:threads" && m.Value.Kind() == trace.ValueUint64 {
			ev.op, ev.n = opProcs, int(min(m.Value.Uint64(), 1<<16))
		}
	case trace.EventRangeBegin, trace.EventRangeActive:
		if r := x.Range(); r.Name == "GC concurrent mark phase" {
			ev.op = opGCBegin
		}
	case trace.EventRangeEnd:
		if r := x.Range(); r.Name == "GC concurrent mark phase" {
			ev.op = opGCEnd
		}
	case trace.EventLabel:
		// The runtime labels its GC workers, and nobody else.
		if l := x.Label(); strings.HasPrefix(l.Label, "GC ") {
			ev.op, ev.g = opSystem, int64(l.Resource.Goroutine())
		}
	case trace.EventLog:
		l := x.Log()
		if l.Category != "payoff" {
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
		ev.at = d.place(x.Stack())
	}
	d.e.step(ev)
}

func (d *decoder) transition(x *trace.Event) {
	ev := &d.ev
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
		ev.at = d.place(s)
	}
	switch {
	case from == to || from == trace.GoUndetermined:
		ev.op = opStatus
		if st.Stack != trace.NoStack {
			ev.start = d.place(st.Stack)
		}
	case from == trace.GoNotExist:
		ev.op = opCreate
		if st.Stack != trace.NoStack {
			ev.start = d.place(st.Stack)
		}
	case to == trace.GoNotExist:
		ev.op = opEnd
	case to == trace.GoSyscall:
		ev.op = opSyscall
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
func kindOf(reason string, at *place) Kind {
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

// place returns what the stack tells.
func (d *decoder) place(s trace.Stack) *place {
	if s == trace.NoStack {
		return nowhere
	}
	p := d.places[s]
	if p == nil {
		p = d.read(s)
		d.places[s] = p
	}
	return p
}

func (d *decoder) read(s trace.Stack) *place {
	p := &place{sync: Sync}
	var leaf, mine, root trace.StackFrame
	above := 0 // frames from the user's nearest to the root
	placed := false
	for f := range s.Frames() {
		// Marks are made by the probe, whose file is on no disk.
		if leaf.Func == "" && !strings.HasPrefix(f.Func, "testing/internal/testdeps.") && !strings.HasPrefix(f.Func, "runtime/trace.") {
			leaf = f
		}
		root = f
		if above > 0 {
			above++
			if !placed && d.user(f.Func, f.File) && d.e.opt.Place(f.Func, f.File) {
				mine, placed = f, true
			}
			continue
		}
		if d.user(f.Func, f.File) {
			mine, above = f, 1
			placed = d.e.opt.Place == nil || d.e.opt.Place(f.Func, f.File)
			continue
		}
		// Frames come leaf first, so the outermost that says it stays.
		if k := syncKind(f.Func); k != "" {
			p.sync = k
		}
		if strings.HasPrefix(f.Func, "runtime.chanrecv") {
			p.recv = true
		}
		if f.Func == "runtime.GC" {
			p.inGC = true
		}
	}
	if root.Func == "" {
		return p // a stack without frames
	}
	if above == 0 {
		mine = leaf
	}
	p.site, p.root, p.depth = d.site(mine), d.site(root), above
	p.sys = isSystem(root.Func)
	return p
}

func (d *decoder) site(f trace.StackFrame) site {
	return d.e.sites.number(source.Place{Func: f.Func, File: f.File, Line: int(f.Line)})
}

// syncKind returns what a function that calls for a semaphore waits for, "" if
// it says nothing. Cond.Wait does not: it waits for its own lock with reason "sync".
func syncKind(fn string) Kind {
	fn, _ = strings.CutPrefix(fn, "internal/")
	switch {
	case strings.HasPrefix(fn, "sync.(*Mutex)."), strings.HasPrefix(fn, "sync.(*HashTrieMap["), strings.HasPrefix(fn, "poll.(*fdMutex)."):
		return Mutex
	case strings.HasPrefix(fn, "sync.(*RWMutex)."):
		return RWMutex
	case strings.HasPrefix(fn, "sync.(*WaitGroup)."):
		return WaitGroup
	case strings.HasPrefix(fn, "sync.(*Once)."):
		return Once
	case strings.HasPrefix(fn, "runtime.gc"), fn == "runtime.GC", fn == "runtime.stopTheWorldGC":
		return GC // the runtime's own semaphores have reason "sync" too
	}
	return ""
}

// isSystem reports whether goroutines that start at fn are the runtime's. The
// one that writes the trace is: the program does not run it otherwise.
func isSystem(fn string) bool {
	return strings.HasPrefix(fn, "runtime.") && fn != "runtime.main" || strings.HasPrefix(fn, "runtime/trace.")
}
