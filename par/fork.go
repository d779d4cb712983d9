package par

import (
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/shelf"
	"github.com/gopayoff/payoff/par/internal/help"
	"github.com/gopayoff/payoff/par/internal/outcome"
)

// A Func is a recursive function whose halves may run at the same time. It keeps
// what is learned of the function, so it belongs into a package variable, not into
// the function that calls it. It also keeps the Tasks of calls that are over, four
// to eight for each processor, of 0.9 KB where A and R are a word each.
//
// The zero Func is not ready; see [New]. Any number of goroutines may call it at
// once.
type Func[A, R any] struct {
	f     func(t *Task[A, R], a A) R
	tasks shelf.Shelf[Task[A, R]]
	pace  pace
	// What is above is read by each call, and seldom written.
	_       cacheline.Pad
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
// body needs goes into A, and errors into R. A is copied at each fork that is
// registered; a struct of more than four words is not kept in registers, so
// where A is one, let the body call a function that takes the words one by one,
// and the plain recursion call that.
//
// New panics if f is nil.
func New[A, R any](f func(t *Task[A, R], a A) R) *Func[A, R] {
	if f == nil {
		panic("par.New: f is nil")
	}
	fn := &Func[A, R]{f: f, tasks: shelf.New[Task[A, R]]()}
	fn.pace.forks.Store(1)
	fn.pace.perFork.Store(int64(help.Beat) * 1000)
	fn.account.Open()
	return fn
}

// Call calls the function with a and returns its result. Panics and
// [runtime.Goexit] in any part of the work come out of Call, when no part of it
// runs any more; of several, one does. Halves that have not begun by then are not
// begun.
//
// It costs 15 to 25 ns more than a plain call, and in general allocates nothing.
// Call panics if f is the zero Func.
func (f *Func[A, R]) Call(a A) R {
	t := f.task()
	defer rethrowFrom(&t.carried)
	r := f.f(t, a)
	if t.clocked {
		t.settle()
		t.carried = nil
	}
	f.tasks.Put(t)
	return r
}

// task returns a Task for a new call.
func (f *Func[A, R]) task() *Task[A, R] {
	t := f.tasks.Get()
	if t == nil {
		t = f.newTask()
	}
	t.gen++
	t.n = int(f.pace.first.Load())
	if t.again || t.gen%sampleCall == 0 {
		t.n, t.again = 0, false
	}
	t.set = t.n
	return t
}

func (f *Func[A, R]) newTask() *Task[A, R] {
	t := &Task[A, R]{f: f.f, fn: f}
	t.account = &f.account
	t.pace = &f.pace
	t.offer.Work = (*offered[A, R])(t)
	t.gate.Lock()
	return t
}

// A Task is a call of a [Func], or a part of one, that runs in one goroutine. Its
// methods are for the body that was given it, while that runs and in its
// goroutine, and for what the body calls: not for the functions of a loop or of
// Do inside it, which may run elsewhere. Fork without Serial, and Serial without
// Fork, do no harm.
type Task[A, R any] struct {
	// Helpers that look at frames also read the first word, to see whether the Task
	// is nil. What is counted down at each fork must lie elsewhere; but not so far
	// that instructions need more than a byte for the distance.
	_ [cacheline.Size - 8]byte
	core
	f  func(t *Task[A, R], a A) R
	fn *Func[A, R]
	// carried is the panic of a half that ran elsewhere and that this goroutine
	// raised again, or nil.
	carried *outcome.Outcome

	// Helpers read what follows.
	_      cacheline.Pad
	frames [window]frame[A, R]
}

// A frame is a half that has not begun. Its Task's goroutine runs the other half
// and then takes it back, unless somebody has taken it before.
type frame[A, R any] struct {
	state  atomic.Uint64 // gen<<stateBits | one of the states
	b      A
	r      R
	expect int              // forks in b; 0: not known
	forks  int              // there were in b
	worth  time.Duration    // what it would have cost the Task
	out    *outcome.Outcome // of b, if it did not return
	// thief is the Task that runs b while it does, in its generation thiefGen.
	thief    atomic.Pointer[Task[A, R]]
	thiefGen uint64
}

// States of a frame.
const (
	_      = iota // empty, or private: nobody else knows of it
	ready         // may be taken
	taken         // by thief
	parked        // by thief, and the Task's goroutine sleeps until it is done
	done

	stateBits = 3
)

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
	} else if t.beat() {
		return t.fork(a, b)
	}
	return t.f(t, a), t.f(t, b)
}

// fork registers b, runs a, and takes b back or waits for it.
func (t *Task[A, R]) fork(a, b A) (ra, rb R) {
	k := t.depth
	fr := &t.frames[k]
	fr.b = b
	fr.expect = t.expect / 2
	t.depth++
	t.pushed()
	before := t.done
	returned, taken := false, false
	defer func() {
		if !returned {
			t.abandon(k, taken)
		}
	}()

	ra = t.f(t, a)

	size := t.popped(k, before)
	if t.published > k && !t.takeBack(k) {
		taken = true
		t.await(fr, true)
		returned = true
		rb, out := fr.r, fr.out
		fr.clear()
		t.after(size)
		if out != nil {
			t.carried = out
			out.RaiseValue()
		}
		return ra, rb
	}
	returned = true
	b = fr.b
	fr.clear()
	t.between(size)
	rb = t.f(t, b)
	t.after(size)
	return ra, rb
}

func (fr *frame[A, R]) clear() {
	var a A
	var r R
	fr.b, fr.r, fr.out = a, r, nil
}

// publish offers the frames before n to helpers.
func (t *Task[A, R]) publish(n int) {
	for ; t.published < n; t.published++ {
		t.frames[t.published].state.Store(t.gen<<stateBits | ready)
	}
}

// takeBack ends the offer of frame k, and reports whether nobody has taken it.
func (t *Task[A, R]) takeBack(k int) bool {
	t.published = k
	if k == 0 {
		help.Sched.Remove(&t.offer)
	}
	fr := &t.frames[k]
	return fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)
}

// abandon ends frame k after a panic or Goexit in its first half, or after Goexit
// in what was taken while waiting for the second.
func (t *Task[A, R]) abandon(k int, taken bool) {
	t.popped(k, t.done)
	fr := &t.frames[k]
	if taken || t.published > k && !t.takeBack(k) {
		t.await(fr, false)
	}
	fr.clear()
}

// await returns when the frame is done, which another goroutine has taken. Until
// then it takes parts of that very work: anything else might wait for a lock that
// this goroutine holds (leapfrogging: Wagner and Calder, PPoPP 1993).
func (t *Task[A, R]) await(fr *frame[A, R], work bool) {
	from := help.Clock()
	t.worked(from)
	w := help.NewWait(from)
	defer w.Settled()
	for {
		s := fr.state.Load()
		if s&(1<<stateBits-1) == done {
			break
		}
		if work {
			w.Seek() // whoever runs b is to offer more of it
			if thief := fr.thief.Load(); thief != nil && thief.steal(fr.thiefGen, &w.Helper) {
				w.Begin(help.Clock())
				continue
			}
		}
		if !w.Spin() {
			w.Settled() // who sleeps takes nothing
			if fr.state.CompareAndSwap(s, t.gen<<stateBits|parked) {
				help.Sched.Counts.Parks.Add(1)
				help.Park(&t.gate)
			}
		}
	}
	now := help.Clock()
	t.saved += fr.worth
	t.waited += now - from
	t.done += fr.forks
	t.helped, t.learned = true, true
	t.last, t.lastDone = now, t.done
}

// offered is a Task as helpers see it.
type offered[A, R any] Task[A, R]

func (o *offered[A, R]) Help(h *help.Helper) bool { return (*Task[A, R])(o).steal(0, h) }

func (o *offered[A, R]) Publish(n int) { (*Task[A, R])(o).publish(n) }

// steal takes a frame and runs it: the oldest, which is the largest. With gen
// other than 0 it takes none of another generation.
func (t *Task[A, R]) steal(gen uint64, h *help.Helper) bool {
	for k := range t.frames {
		fr := &t.frames[k]
		s := fr.state.Load()
		if s&(1<<stateBits-1) == ready && (gen == 0 || s>>stateBits == gen) &&
			fr.state.CompareAndSwap(s, s&^(1<<stateBits-1)|taken) {
			h.Took(t.account)
			t.run(h, fr)
			return true
		}
	}
	return false
}

// run runs the frame's half, for a Task that waits for it, or will.
func (t *Task[A, R]) run(h *help.Helper, fr *frame[A, R]) {
	h.Steals++
	own := t.fn.task()
	from := help.Clock()
	own.begin(from, fr.expect)
	fr.thiefGen = own.gen
	fr.thief.Store(own)
	returned := false
	defer func() {
		if !returned {
			fr.out = outcome.Of(recover(), own.carried)
		}
		fr.thief.Store(nil)
		own.rearm(own.n)
		fr.forks = own.done
		own.worked(help.Clock())
		fr.worth = own.busy + own.saved
		if returned {
			own.reset()
			own.carried = nil
			t.fn.tasks.Put(own)
		}
		old := fr.state.Load()
		for !fr.state.CompareAndSwap(old, old&^(1<<stateBits-1)|done) {
			old = fr.state.Load()
		}
		if old&(1<<stateBits-1) == parked {
			help.Unpark(&t.gate)
			help.Yield() // to let it run
		}
	}()
	fr.r = t.f(own, fr.b)
	returned = true
}
