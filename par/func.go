package par

import (
	"context"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/outcome"
	"github.com/gopayoff/payoff/internal/shelf"
)

// A Func is a recursive function whose halves may run at the same time. It keeps
// what is learned of the function, so it belongs into a package variable, not into
// the function that calls it. Where that is not possible, see [Call]. It also keeps
// the Tasks of calls that are over, four to eight for each processor. A Task takes
// 1.5 KB where A and R are a word each.
//
// The zero Func is not ready, and calls of a nil one panic; see [New]. Any number of
// goroutines may call a Func at once.
type Func[A, R any] struct {
	f     func(t *Task[A, R], a A) R // nil where each call brings its own
	tasks shelf.Shelf[Task[A, R]]
	// failed, if not nil, reports whether a result is that of a failure, after which
	// serial code does not go on.
	failed func(r R) bool
	made   bool // it is not the zero Func
	// What is above is only read.
	_       cacheline.Pad
	history history
	account help.Account
	_       cacheline.Pad
}

// New returns a Func of f, which goes on with halves of its work through the Task
// it is given:
//
//	var total = par.New(sum)
//
//	func sum(t *par.Task[*Node, int], n *Node) int {
//		if n == nil {
//			return 0
//		}
//		if t.Serial() { // nearly always
//			return n.val + sum(t, n.left) + sum(t, n.right)
//		}
//		l, r := t.Fork(n.left, n.right)
//		return n.val + l + r
//	}
//
// Where there are more than two parts, fork the first and the rest. What else a
// body needs goes into A. A body that may fail is for [NewContext].
//
// Each fork that is registered copies an A, and each call hands one down. The
// compiler keeps a struct in registers only where it has four fields and four words
// at most. Where it has more, write the recursion over its fields, and unpack it
// for New:
//
//	var count = par.New(func(t *Rows, b board) int {
//		return rows(t, b.all, b.cols, b.left, b.right)
//	})
//
//	type Rows = par.Task[board, int]
//
//	func rows(t *Rows, all, cols, left, right uint32) int
//
// If the compiler says
//
//	initialization cycle: fib refers to itself
//
// then f calls the Func itself: go on by [Task.Fork] and by calling f, or use
// [Call]. If it says "cannot infer A" then f is generic: use Call.
//
// New panics if f is nil.
func New[A, R any](f func(t *Task[A, R], a A) R) *Func[A, R] {
	if f == nil {
		panic("par.New: f is nil")
	}
	fn := new(Func[A, R])
	fn.begin(f)
	return fn
}

func (f *Func[A, R]) begin(body func(t *Task[A, R], a A) R) {
	f.f = body
	f.tasks = shelf.New[Task[A, R]]()
	f.made = true
	f.account.Open()
}

// Call calls the function with a and returns its result. A panic in any part of the
// work comes out of Call as a [*Panic], when no part of it runs any more; of several,
// one does. A [runtime.Goexit] ends the caller in the same way. Halves that have not
// begun by then are not begun. A body that recovers a panic of its halves gets the
// value itself.
//
// It costs 15 to 25 ns more than a plain call, and in general allocates nothing.
// Call panics if f is the zero Func.
func (f *Func[A, R]) Call(a A) R {
	t := f.task()
	returned := false
	defer func() {
		if !returned { // recover takes a nanosecond or two
			if v := recover(); v != nil {
				panic(asPanic(v, t.carried))
			}
		}
	}()
	r := t.f(t, a)
	returned = true
	f.put(t)
	return r
}

// task returns a Task for a new call.
func (f *Func[A, R]) task() *Task[A, R] {
	t := f.tasks.Get()
	if t == nil {
		t = f.newTask()
	}
	t.start()
	t.owner = goroutine.ID()
	if force.Current() != force.Auto {
		return t.forced()
	}
	return t
}

// put ends the call of a Task, which may be used for another.
func (f *Func[A, R]) put(t *Task[A, R]) {
	if t.clocked {
		t.end()
		t.carried = nil
	}
	t.n, t.owner, t.puller = 0, nobody, 0 // so that a later use of it is told
	if force.Current() != force.Spread {
		f.tasks.Put(t)
	}
}

func (f *Func[A, R]) newTask() *Task[A, R] {
	if !f.made {
		panic("par: call of a zero Func or FuncContext: make one with par.New or par.NewContext")
	}
	t := &Task[A, R]{f: f.f, fn: f}
	t.account = &f.account
	t.history = &f.history
	t.core.frames = (*offered[A, R])(t)
	t.offer.Work = (*offered[A, R])(t)
	t.gate.Lock()
	return t
}

// A Task is a call of a [Func], or a part of one, that runs in one goroutine. Its
// methods are for the body that was given it, while that runs and in its
// goroutine. They are also for what the body calls, a sequence that it pulls by
// [iter.Pull] included. They are not for the functions of a loop or of Do inside
// it, which may run elsewhere. Fork without Serial, and Serial without Fork, do
// no harm.
//
// A Task that is used elsewhere, or after its body has returned, panics there. It
// does so not at once, but at its next look at the clock, some microseconds of
// forks later.
type Task[A, R any] struct {
	// Helpers that look at frames also read the first word, to see whether the Task
	// is nil. What is counted down at each fork must lie elsewhere; but not so far
	// that instructions need more than a byte for the distance.
	_ [cacheline.Size - 8]byte
	core
	f     func(t *Task[A, R], a A) R
	fn    *Func[A, R]
	ctx   context.Context // of a call of a FuncContext
	owner uintptr         // the goroutine of the body, or nobody
	// puller is the goroutine of iter.Pull that used the Task last.
	puller uintptr
	// carried is the panic of a half that ran elsewhere and that this goroutine
	// raised again, or nil.
	carried *outcome.Outcome

	// Helpers read what follows.
	_      cacheline.Pad
	frames [mostFrames]frame[A, R]
}

// Serial reports whether the caller is to go on with plain recursion, by calling
// itself with the same Task. If not, it is to call [Task.Fork] with its halves. It
// is called once for each fork, and takes a fraction of a nanosecond.
func (t *Task[A, R]) Serial() bool {
	t.n--
	return t.n >= 0
}

// Join is Serial and Fork in one line. It costs two or three nanoseconds more,
// since it calls the function through a pointer.
func (t *Task[A, R]) Join(a, b A) (R, R) {
	if t.n--; t.n >= 0 {
		return t.f(t, a), t.f(t, b)
	}
	return t.Fork(a, b)
}

// Fork calls the function with a and with b, maybe at the same time, and returns
// both results.
func (t *Task[A, R]) Fork(a, b A) (ra, rb R) {
	if t.n >= 0 {
		t.n-- // nobody has asked Serial
	} else if pulled := t.check(); force.Current() != force.Auto {
		return t.apart(a, b)
	} else if pulled {
		return t.pulled(func(own *Task[A, R]) (R, R) { return own.Fork(a, b) })
	} else if t.beat() {
		return t.fork(a, b)
	}
	return t.f(t, a), t.f(t, b)
}

// check panics where the Task is not the calling goroutine's. It reports whether that
// is one of iter.Pull, which runs while the Task's waits.
func (t *Task[A, R]) check() (pulled bool) {
	id := goroutine.ID()
	if t.owner == id {
		return false
	}
	if t.owner == nobody || t.puller != id && !inPull() {
		misused(t.owner != nobody)
	}
	t.puller = id
	return true
}

// nobody is no goroutine.
const nobody = ^uintptr(0)

func misused(running bool) {
	if running {
		panic("par: a Task was used in a goroutine other than the one of its body; what runs elsewhere must make a call of its own, with Func.Call or par.Call")
	}
	panic("par: a Task was used after its body had returned; a Task must not be kept")
}
