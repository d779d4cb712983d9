package exectrace

import (
	"slices"

	"github.com/google/pprof/profile"

	"github.com/gopayoff/payoff/tool/internal/source"
)

// Facts are what a trace says about its timed windows, taken together. All
// times are in nanoseconds. The zero Facts are those of an empty window.
//
// A site is the place of the user's frame nearest to an event, or, if no frame
// is the user's, of the nearest of any; the zero Place means unknown.
type Facts struct {
	Window  float64 // length of the windows
	Procs   int     // processors: [Options.Procs], or what the trace says
	Events  int64   // events read, inside the windows and outside
	Bytes   int64   // bytes of trace read
	Marked  bool    // the trace carries marks; without any it counts whole
	Damaged bool    // the trace ends before its end, or is broken

	// Running[k] is the share of the window with k processors running
	// goroutines, of the user or of the system, for k from 0 to Procs.
	Running []float64

	Goroutines int // user goroutines created

	// Run is how long a user goroutine runs between two blocks, or from its
	// creation, or to its end. Being preempted and yielding do not end a run;
	// neither do they count as running.
	Run Dist
	// Life is the running time of each user goroutine that was created and
	// ended in one window: the grain of the program.
	Life   Dist
	Opener float64 // running time of the goroutines that opened the windows
	// RunnableWait is the time of a user goroutine from runnable to running.
	RunnableWait Dist

	// Resumptions counts how often a user goroutine ran again after it had
	// blocked; SameProc and SameThread are the shares of them that were on the
	// processor, and on the thread, where it had run before.
	Resumptions          int
	SameProc, SameThread float64

	Preempted int // a user goroutine was preempted while another was runnable
	Yields    int // calls of runtime.Gosched by user goroutines

	// Blocks say what user goroutines waited for, most time first. At most 64
	// have a site; the rest is merged by kind, without one.
	Blocks []Block

	Idle Idle // where idle processor time went

	// Beside takes Idle.Runnable apart once more, as if those who were ready
	// did not count. What runs next to a goroutine that is ready for long and
	// then runs briefly kept the processor idle, not the wait: Late, the sum
	// over all runs of the shorter of the run and the ready time before it, is
	// all that could have been done earlier.
	Beside Beside
	Late   float64

	SystemRun float64 // processor time of system goroutines, such as GC workers
	UserRun   float64 // processor time of user goroutines outside of system calls
	Syscall   float64 // time of user goroutines in system calls, and in C
	Syscalls  int     // system calls of user goroutines
	// Again are those that follow one of the same goroutine at the same line, without a
	// block between: most first, at most 8 lines.
	Again []SiteCount `json:",omitempty"`

	GC float64 // share of the window with a GC cycle in its mark phase

	// Stops are where goroutines stopped the world, most often first, at most 8 lines: for
	// runtime.ReadMemStats, GOMAXPROCS and their like, not for the collector, traces and
	// profiles. Stopped is the part of Idle.Runnable in which it was.
	Stops   []SiteCount `json:",omitempty"`
	Stopped float64     `json:",omitempty"`

	// Work is UserRun and the system calls while they kept a processor, for
	// 20 µs at most each. Span is the longest chain of running time that the
	// program's order forces: along each goroutine, from a creator to its
	// child, from a waker to whom it wakes, from the children that ended to
	// the wait for them. BurdenedSpan is the same with Options.Handoff on each
	// wake-up and Options.Spawn on each creation.
	//
	// Spans are lower bounds, and Parallelism so an upper bound: a channel
	// operation that finds its buffer ready, a lock found free and memory that
	// is polled leave no trace. On one processor locks are mostly found free.
	// The other way about, what one goroutine did counts as one after the
	// other, though its order be that of this run's scheduling: if one worker
	// of a pool took all jobs, as happens on one processor, the pool shows no
	// parallelism. A wait for children takes those into account that ended
	// before it, by the depth of their go statements; it may take one too many.
	Work, Span, BurdenedSpan float64

	// Path is the chain that makes up Span, merged by start function and
	// line, most time first, at most 16 steps. PathSpawns and PathUnblocks
	// count the edges on it.
	Path                     []Step
	PathSpawns, PathUnblocks int

	// SpawnSites are where user goroutines were created, most first, at most 8.
	SpawnSites []SiteCount

	// Callers are the lines of the user's frames above the sites of all events:
	// where goroutines came from, most often first, at most 64. Records of before
	// have none.
	Callers []source.Place `json:",omitempty"`

	// Timeline is nil where none was asked for, or the windows end before it.
	Timeline *Timeline `json:",omitempty"`

	// What the program does for those who ask, with Options.Serve. Idle is only what
	// there was something to do for; Served has the rest.
	Doing   Work             `json:",omitempty"`
	Served  Served           `json:",omitzero"`
	Delays  Delays           `json:",omitzero"`
	Ops     []Op             `json:",omitempty"` // most time first
	Unended int              `json:",omitempty"` // operations that went on when the trace ended
	Holders []Holder         `json:",omitempty"` // what gave back a lock that others waited for; most time first, at most 8
	Pieces  []Piece          `json:",omitempty"` // of the trace, in order
	Samples *profile.Profile `json:"-"`          // of processor time; nil if it has none
}

// Parallelism returns Work/Span: how many processors the program could keep
// busy if hand-overs were free. It is 0 if nothing ran.
func (f *Facts) Parallelism() float64 { return ratio(f.Work, f.Span) }

// BurdenedParallelism returns Work/BurdenedSpan: as [Facts.Parallelism], with
// the prices of wake-ups and creations on the path.
func (f *Facts) BurdenedParallelism() float64 { return ratio(f.Work, f.BurdenedSpan) }

// Asked reports whether a program of which no operations are known had something to
// do when it was idle: it hardly ever was, or goroutines waited to hand over what they
// had, for what they had started, or for locks. Where operations are known, [Served]
// has that.
func (f *Facts) Asked() bool { return f.asked(ChanSend, WaitGroup, Mutex, RWMutex) }

// Queued is Asked without those that waited for what they had started: this may have
// waited outside, and more workers would do nothing for it.
func (f *Facts) Queued() bool { return f.asked(ChanSend, Mutex, RWMutex) }

func (f *Facts) asked(kinds ...Kind) bool {
	queued := 0.0
	for _, b := range f.Blocks {
		if slices.Contains(kinds, b.Kind) {
			queued += b.Total
		}
	}
	return f.Doing != Whole || f.Idle.Waiting < f.Window*float64(f.Procs)/10 || queued > f.Idle.Waiting/10
}

// InARow is the share of system calls that are [Facts.Again], where that is most of them
// and they are short: those that carry much take longer.
func (f *Facts) InARow() float64 {
	n := 0
	for _, s := range f.Again {
		n += s.N
	}
	if 2*n < f.Syscalls || f.Syscall > shortCall*float64(f.Syscalls) {
		return 0
	}
	return ratio(float64(n), float64(f.Syscalls))
}

// shortCall is how long a call takes that carries some bytes, over loopback too, in ns.
const shortCall = 8e3

func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}

// A SiteCount is how often something happened at a site.
type SiteCount struct {
	Site source.Place
	N    int
}

// A SiteTime is how much time something took at a site.
type SiteTime struct {
	Site source.Place
	Time float64
}

// A Block sums up the waits of user goroutines for one kind of thing at one
// site. A wait that reaches over an edge of the window counts with the part
// inside, and one that does not end there does not count. Runnable time after
// the wake-up is no part of it; of Preempted and Yield it is all there is. Of
// system calls only those count that lost their processor.
type Block struct {
	Kind  Kind
	Site  source.Place
	N     int
	Total float64
	// Ready is the runnable time after those wake-ups, of Mutex and RWMutex:
	// the goroutine does not have the lock yet. Records of before have none.
	Ready float64 `json:",omitempty"`
}

// A Kind says what a goroutine waited for.
type Kind string

// The kinds of waits.
const (
	Mutex       Kind = "mutex"
	RWMutex     Kind = "rwmutex"
	Once        Kind = "once"
	World       Kind = "world" // to stop it: one does that at a time
	WaitGroup   Kind = "waitgroup"
	Cond        Kind = "cond"
	ChanSend    Kind = "chan send"
	ChanReceive Kind = "chan receive"
	Select      Kind = "select"
	Sleep       Kind = "sleep"
	Net         Kind = "net"
	Syscall     Kind = "syscall"
	Cgo         Kind = "cgo" // in C that took so long that the processor went on without it
	GC          Kind = "gc"
	Preempted   Kind = "preempted"
	Yield       Kind = "yield"
	Sync        Kind = "sync" // a semaphore of package sync, not known which
	Other       Kind = "other"
)

// Idle says where idle processor time went: at each instant with k of Procs
// processors running, (Procs-k)·dt goes to the first of the fields below that
// fits. All but the parts of Serial, Imbalance and Waiting add up to Total.
type Idle struct {
	Total float64
	// Runnable: a user goroutine was runnable and no processor had taken it.
	Runnable float64
	// Lock: somebody ran while another was blocked on a mutex, a rwmutex, a
	// cond or a once. Of Beside it is as well while one that a mutex or a
	// rwmutex woke has not run yet.
	Lock float64
	// Handoff: those who ran did so for less than 20 µs between two blocks
	// while others were blocked on channels: control went to and fro.
	Handoff float64
	// Serial: who ran was nobody's worker, such as the goroutine that opened
	// the window, while it was not waiting for others.
	Serial float64
	// Forked is the part of Serial in which who ran had started others since
	// it last waited, and those had ended or were waiting to send: perhaps it
	// does a share of its own, and the shares are unequal. The trace does not
	// show a wait that finds all done.
	Forked float64
	// Imbalance: a worker ran while the goroutine it works for waited and its
	// siblings had ended or had nothing to do.
	Imbalance float64
	// Unrun is the part of Imbalance in which no goroutine ran: the worker waited for
	// something outside, operations for that worker, and its siblings for others.
	Unrun float64
	// Waiting: nobody ran and nobody was runnable. Its parts are Sleep, Net,
	// Syscall, Cgo and what is left, of which there is no field. What C does
	// meanwhile is not known: it may compute.
	Waiting                  float64
	Sleep, Net, Syscall, Cgo float64
	// Held is the part of Waiting that locks have: all while one that may hold a lock
	// waits for something outside and others for the lock; of several that wait outside
	// and may hold none, as much as there are at locks.
	Held float64
	// GC: only goroutines of the system ran.
	GC float64

	// SerialSites and ImbalanceSites say who ran at those times: where the
	// goroutine showed its next stack, or its last, or else where it starts.
	// Most time first, at most 8.
	SerialSites, ImbalanceSites []SiteTime
}

// And is the idle time of two traces together, without their sites.
func (i Idle) And(x Idle) Idle {
	return Idle{
		Total: i.Total + x.Total, Runnable: i.Runnable + x.Runnable, Lock: i.Lock + x.Lock, Handoff: i.Handoff + x.Handoff,
		Serial: i.Serial + x.Serial, Forked: i.Forked + x.Forked, Imbalance: i.Imbalance + x.Imbalance, Unrun: i.Unrun + x.Unrun,
		Waiting: i.Waiting + x.Waiting, Sleep: i.Sleep + x.Sleep, Net: i.Net + x.Net, Syscall: i.Syscall + x.Syscall, Cgo: i.Cgo + x.Cgo, Held: i.Held + x.Held, GC: i.GC + x.GC,
	}
}

// A Step is a part of the critical path: time that goroutines with one start
// function spent on it in front of one line.
type Step struct {
	Func  string       // start function of the goroutines
	Site  source.Place // the line at which these pieces ended
	Time  float64      // running time on the path
	Count int          // pieces merged into this step
}

// Beside is idle processor time while a user goroutine was ready, by what it
// would count as in [Idle] otherwise. Times when nobody ran are left out.
type Beside struct{ Lock, Handoff, Serial, Forked, Imbalance float64 }
