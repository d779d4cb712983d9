package pool

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/outcome"
	"github.com/gopayoff/payoff/par"
)

var (
	// ErrClosed says that the pool is closed: the task was not taken.
	ErrClosed = errors.New("pool: closed")

	// ErrStopped says that [Pool.Stop] came before the task began. It is also the cause of
	// the contexts of tasks that run then.
	ErrStopped = errors.New("pool: stopped")

	// ErrGoexit says that the task called [runtime.Goexit].
	ErrGoexit = errors.New("pool: a task called runtime.Goexit")
)

// An Error is that of one of several tasks.
type Error struct {
	Index int // of the task, from 0, in the order of submission
	Err   error
}

func (e *Error) Error() string { return fmt.Sprintf("task %d: %v", e.Index, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// A Task is how tasks are to be run, where they are not to be run as all others: the
// last argument of the calls that submit.
type Task struct {
	// Priority says which tasks that wait begin first.
	Priority Priority
	// Timeout is how long the task may take from when it begins: then its context is
	// done. 0 is no bound. For a bound from when it is submitted, see
	// [context.WithTimeout]: a task whose context is done does not begin.
	Timeout time.Duration
}

// A Priority is that of tasks. A worker prefers higher ones, but not always: one in
// sixteen tasks that it takes is of the lowest priority of which any wait, and three
// more are not High where others wait.
type Priority uint8

const (
	Normal Priority = iota
	High
	Low
	levels
)

// task is what lies in a ring.
type task[In, Out any] struct {
	in  In
	at  int           // its index
	job *job[In, Out] // nil: it has nothing of its own, and its result goes nowhere
}

// A job is what tasks that were submitted together share.
type job[In, Out any] struct {
	ctx     context.Context // nil: the pool's
	timeout time.Duration
	batch   *Batch[In, Out] // where results go; nil: nowhere
	slice   *slice[In, Out] // not nil: the task stands for all of the slice that is left
	own     joined          // what ctx is, where that is the job's own
}

// do runs a task that a worker has taken. It returns how many tasks that was.
func (p *Pool[In, Out]) do(t task[In, Out]) int {
	if t.job != nil {
		return p.doJob(t)
	}
	if p.stopped.Load() {
		p.failed(p.cause())
		return 1
	}
	if _, err := p.fn(p.ctx, t.in); err != nil {
		p.failed(err)
	}
	return 1
}

func (p *Pool[In, Out]) doJob(t task[In, Out]) int {
	if s := t.job.slice; s != nil {
		return s.help()
	}
	out, err := p.call(t.job.ctx, t.job.timeout, t.in)
	p.result(t, out, err)
	return 1
}

// result hands on how a task ended.
func (p *Pool[In, Out]) result(t task[In, Out], out Out, err error) {
	if t.job != nil && t.job.batch != nil {
		t.job.batch.done(t.at, out, err)
		return
	}
	if err != nil {
		p.failed(err)
	}
	if t.job != nil {
		t.job.own.end()
	}
}

// ended is called where a task has not returned. It reports whether there is more of it,
// for another goroutine.
func (p *Pool[In, Out]) ended(t task[In, Out], panicked any) (more bool) {
	if t.job != nil && t.job.slice != nil {
		return true // Goexit; what has ended the slice has counted
	}
	var out Out
	p.result(t, out, asError(panicked))
	return false
}

// asError returns what a task's error is that has panicked, or called Goexit where
// panicked is nil. It is called while the stack of the panic is still there.
func asError(panicked any) error {
	switch v := panicked.(type) {
	case nil:
		return ErrGoexit
	case *par.Panic:
		return v
	}
	return &par.Panic{Value: panicked, Stack: outcome.Stack()}
}

// call calls fn under a context.
func (p *Pool[In, Out]) call(ctx context.Context, timeout time.Duration, in In) (out Out, err error) {
	switch {
	case p.stopped.Load():
		return out, p.cause()
	case ctx == nil:
		ctx = p.ctx
	case ctx.Err() != nil:
		return out, context.Cause(ctx)
	}
	if timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, timeout)
		defer cancel()
	}
	return p.fn(ctx, in)
}

// A joined is the context of tasks that were submitted under one of their own: that
// one, which is also done when the pool is stopped. Most tasks never ask whether it is,
// so it becomes a context of package context only where one does.
type joined struct {
	context.Context                 // the caller's
	pool            context.Context // the pool's

	depth int // of the task, where others of the pool run it: see nested

	mu    sync.Mutex
	real  atomic.Pointer[real] // stored under mu
	ended bool                 // guarded by mu: real is done, or would be
}

// A real is what has to be told to those who know of it, until it is done.
type real struct {
	context.Context
	cancel context.CancelCauseFunc
}

// join returns ctx, also done when the pool is stopped, as c; nil for one that is nothing
// of its own. What was joined before is not joined again: so a task's successors do not
// hang on its context, each on that of the one before.
func (p *Pool[In, Out]) join(ctx context.Context, c *joined) context.Context {
	for {
		j, ok := ctx.(*joined)
		if !ok || j.pool != p.ctx {
			break
		}
		ctx = j.Context
	}
	if ctx == background || ctx == p.ctx {
		return nil
	}
	c.Context, c.pool = ctx, p.ctx
	return c
}

// make returns the context that stands for c from now on.
func (c *joined) make() context.Context {
	if r := c.real.Load(); r != nil {
		return r
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.real.Load()
	if r == nil {
		ctx, cancel := context.WithCancelCause(c.Context)
		r = &real{ctx, cancel}
		switch {
		case c.pool.Err() != nil:
			cancel(context.Cause(c.pool))
		case c.ended:
			cancel(nil)
		default:
			stop := context.AfterFunc(c.pool, func() { cancel(context.Cause(c.pool)) })
			// Where it is done first, the pool's need not keep it.
			context.AfterFunc(ctx, func() { stop() })
		}
		c.real.Store(r)
	}
	return r
}

// end is called when all tasks have ended whose context c is: nobody needs to keep it.
func (c *joined) end() {
	if c.Context == nil {
		return
	}
	c.mu.Lock()
	c.ended = true
	r := c.real.Load()
	c.mu.Unlock()
	if r != nil {
		r.cancel(nil)
	}
}

// release is end where tasks may come later, and unused says that none is there now.
func (c *joined) release(unused func() bool) {
	c.mu.Lock()
	r := c.real.Load()
	if r == nil {
		c.mu.Unlock()
		return
	}
	// A task that has loaded it was counted before it did, and so is one that is there. One
	// that comes now finds none, and waits for mu.
	c.real.Store(nil)
	if !unused() {
		c.real.Store(r)
		r = nil
	}
	c.mu.Unlock()
	if r != nil {
		r.cancel(nil)
	}
}

func (c *joined) Done() <-chan struct{} { return c.make().Done() }

func (c *joined) Err() error {
	if c.pool.Err() != nil {
		return c.make().Err()
	}
	return c.Context.Err()
}

// Value is also what [context.Cause], and contexts derived from c, find out by what c
// is. What it finds in the pool's says that it is of a task of that pool.
func (c *joined) Value(key any) any {
	if k, ok := key.(inside); ok {
		if v := c.pool.Value(k); v != nil {
			return c.depth
		}
		return c.Context.Value(k)
	}
	if r := c.real.Load(); r != nil {
		return r.Value(key)
	}
	if c.pool.Err() != nil {
		return c.make().Value(key)
	}
	return c.Context.Value(key)
}

// inside is the key under which the context of a pool's tasks knows the pool. Its value
// is how many tasks of the pool are under way on the goroutine, below this one.
type inside struct{ pool any }
