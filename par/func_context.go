package par

import (
	"context"
	"errors"

	"github.com/gopayoff/payoff/internal/force"
)

// A FuncContext is a [Func] whose body may fail, and that stops early when its
// context is done. What is said of Func holds for it as well.
type FuncContext[A, R any] struct{ f Func[A, fallible[R]] }

// A fallible is what a body that may fail returns.
type fallible[R any] struct {
	r   R
	err error
}

// failed is the failed of all FuncContexts.
func failed[R any](f fallible[R]) bool { return f.err != nil }

// NewContext returns a FuncContext of f:
//
//	var total = par.NewContext(sum)
//
//	func sum(t *par.TaskContext[*Node, int], n *Node) (int, error) {
//		if n == nil {
//			return 0, nil
//		}
//		if !t.Serial() {
//			l, r, err := t.Fork(n.left, n.right)
//			return n.val + l + r, err
//		}
//		l, err := sum(t, n.left)
//		if err != nil {
//			return 0, err
//		}
//		r, err := sum(t, n.right)
//		return n.val + l + r, err
//	}
//
// NewContext panics if f is nil.
func NewContext[A, R any](f func(t *TaskContext[A, R], a A) (R, error)) *FuncContext[A, R] {
	if f == nil {
		panic("par.NewContext: f is nil")
	}
	fn := new(FuncContext[A, R])
	fn.f.begin(bodyContext(f))
	fn.f.failed = failed[R]
	return fn
}

func bodyContext[A, R any](f func(t *TaskContext[A, R], a A) (R, error)) func(*Task[A, fallible[R]], A) fallible[R] {
	return func(t *Task[A, fallible[R]], a A) fallible[R] {
		r, err := f((*TaskContext[A, R])(t), a)
		return fallible[R]{r, err}
	}
}

// Call calls the function with a, and returns what it does. Where several parts of
// the work fail, the error is the one that serial code would have come to first. So
// a half may be run to its end although the other one has failed. Where the first
// one has, the second does not begin, or is stopped if it has.
//
// Where ctx is done at the call, Call calls nothing and returns [context.Cause] of
// ctx. Where it is done later, Fork returns that, within some microseconds.
func (f *FuncContext[A, R]) Call(ctx context.Context, a A) (R, error) {
	if ctx.Err() != nil {
		var none R
		return none, context.Cause(ctx)
	}
	x := f.f.withContext(ctx, f.f.f, a)
	return x.r, x.err
}

func (f *Func[A, R]) withContext(ctx context.Context, body func(*Task[A, R], A) R, a A) R {
	t := f.task()
	returned := false
	defer func() {
		if !returned {
			if v := recover(); v != nil {
				panic(asPanic(v, t.carried))
			}
		}
	}()
	t.f, t.ctx = body, ctx
	r := body(t, a)
	returned = true
	t.f, t.ctx = f.f, nil
	f.put(t)
	return r
}

// A TaskContext is a [Task] of a [FuncContext].
type TaskContext[A, R any] Task[A, fallible[R]]

// Context returns the context of the call.
func (t *TaskContext[A, R]) Context() context.Context { return t.ctx }

// Serial is that of [Task].
func (t *TaskContext[A, R]) Serial() bool {
	t.n--
	return t.n >= 0
}

// Fork calls the function with a and with b, maybe at the same time, and returns
// both results. If one fails it returns the zero values and the error: that of a,
// if both do. If a fails b may not have been called. If the context is done neither
// is.
func (t *TaskContext[A, R]) Fork(a, b A) (ra, rb R, err error) {
	task := (*Task[A, fallible[R]])(t)
	if t.n >= 0 {
		t.n-- // nobody has asked Serial
		return t.both(a, b)
	}
	pulled := task.check()
	if err := t.stopped(); err != nil {
		return ra, rb, err
	}
	var x, y fallible[R]
	if force.Current() != force.Auto {
		x, y = task.apart(a, b)
	} else if pulled {
		x, y = task.pulled(func(own *Task[A, fallible[R]]) (x, y fallible[R]) {
			x.r, y.r, x.err = (*TaskContext[A, R])(own).Fork(a, b)
			return x, y
		})
	} else if task.beat() {
		x, y = task.fork(a, b)
	} else {
		return t.both(a, b)
	}
	if x.err != nil {
		return ra, rb, x.err
	}
	if y.err != nil {
		return ra, rb, y.err
	}
	return x.r, y.r, nil
}

// both is plain recursion.
func (t *TaskContext[A, R]) both(a, b A) (ra, rb R, err error) {
	task := (*Task[A, fallible[R]])(t)
	x := t.f(task, a)
	if x.err != nil {
		return ra, rb, x.err
	}
	y := t.f(task, b)
	if y.err != nil {
		return ra, rb, y.err
	}
	return x.r, y.r, nil
}

// stopped returns why the work is to stop: its context is done, or it is a half that
// is not wanted any more.
func (t *TaskContext[A, R]) stopped() error {
	if t.ctx.Err() != nil {
		return context.Cause(t.ctx)
	}
	if t.dropped != nil && t.dropped.Load() {
		return errDropped
	}
	return nil
}

// errDropped never comes out of a Call.
var errDropped = errors.New("par: the other half has failed")

// Join is Serial and Fork in one line. It costs several nanoseconds more, since it
// calls the function through two pointers and hands the error through each.
func (t *TaskContext[A, R]) Join(a, b A) (ra, rb R, err error) {
	if t.n--; t.n >= 0 {
		return t.both(a, b)
	}
	return t.Fork(a, b)
}
