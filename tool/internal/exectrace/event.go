package exectrace

import "github.com/gopayoff/payoff/tool/internal/source"

// An op is what an event does. Those about a goroutine name it in event.g.
type op uint8

const (
	opNone      op = iota
	opCreate       // event.to is its first state, event.by the creator
	opStart        // runnable → running on event.proc, event.thread
	opStop         // running → runnable; event.kind is Preempted, Yield or GC
	opBlock        // running → waiting for event.kind
	opUnblock      // waiting → runnable, by event.by
	opEnd          // running or in a system call → gone
	opSyscall      // running → in a system call
	opReturn       // in a system call → event.to, running or runnable
	opStatus       // it exists and is in event.to
	opSystem       // it belongs to the system
	opRetake       // processor event.proc was taken from a system call
	opProcs        // GOMAXPROCS is event.n
	opGCBegin      // a mark phase begins
	opGCEnd        // and ends
	opStopBegin    // by stops the world
	opStopEnd      // and lets it go on
	opOpen         // mark: a window opens, or is opened anew
	opReset        // mark: the open window starts anew
	opClose        // mark: the window closes

	opTaskBegin   // a task of runtime/trace begins: event.id, event.name
	opTaskEnd     // and ends
	opRegionBegin // by enters a region: event.name, and event.id of its task
	opRegionEnd   // and leaves it
	opAssistBegin // g begins to do a part of the collector's work
	opAssistEnd   // and is done
	opSample      // by computes at event.at
	opHeld        // by gives a lock back: event.id of [Held]
)

// A gstate is what a goroutine is doing.
type gstate uint8

const (
	unknown gstate = iota
	runnable
	running
	waiting
	syscalling
	gone
)

// none is the goroutine of events that happen outside of any, and the
// processor or thread that is not known.
const none = -1

// An event is one step of the trace, as the engine takes it. Times never
// decrease. The decoder of real traces and the simulator of the tests make them.
type event struct {
	op           op
	to           gstate
	kind         Kind
	time         int64
	by           int64 // in whose context it happened, or none
	g            int64
	proc, thread int64
	n            int
	at           *stance // stack of by
	start        *stance // opCreate, opStatus: where g begins; nil if not known
	id, parent   uint64  // of a task, and of the one that it is a part of
	name         string
}

// A stance is what the engine needs to know of a stack: where somebody stands.
type stance struct {
	site  site   // the user's nearest frame
	root  spot   // the outermost frame: the start function
	depth int    // of the site, counted from the root
	from  []site // the user's frames above it
	sync  Kind   // what it is in package sync that a "sync" wait waits for
	recv  bool   // in a channel receive
	inGC  bool   // in a call of runtime.GC, which yields in a loop
	inC   bool   // on the way to C
	sys   bool   // the start function is the runtime's

	// Of operations, where they are asked for.
	server  server // what kind of server the goroutine is of
	within  bool   // beneath the handler of a request, or in a call of Options.Func
	watches bool   // in net/http/pprof: what asks for the trace is no operation
	writes  bool   // on the way to answer on a connection
	own     bool   // on the way to read from it
	head    bool   // no other function of the user's called the nearest one
	first   site   // the outermost function of the user's
	called  bool   // only the function literal did that the goroutine starts with
	handler spot   // what handles the request; of head and called the nearest function
}

// A server is what a goroutine serves.
type server uint8

const (
	noServer server = iota
	conn            // the requests of a connection, one after the other
	stream          // one request
)

// nowhere is the stance of events without a stack.
var nowhere = &stance{sync: Sync}

// A site is the number of a place in sites. 0 is the unknown one.
type site int32

// sites number the sites of a trace.
type sites struct {
	all []source.Place
	no  map[source.Place]site
}

func newSites() *sites {
	return &sites{all: []source.Place{{}}, no: map[source.Place]site{{}: 0}}
}

// A spot is a site, and that of its function without a line, by which what is in one
// function counts as one.
type spot struct{ at, fn site }

func (s *sites) spot(x source.Place) spot {
	return spot{s.number(x), s.number(source.Place{Func: x.Func})}
}

func (s *sites) number(x source.Place) site {
	n, ok := s.no[x]
	if !ok {
		n = site(len(s.all))
		s.all = append(s.all, x)
		s.no[x] = n
	}
	return n
}
