package pool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gopayoff/payoff/internal/derived"
	"github.com/gopayoff/payoff/internal/outcome"
	"github.com/gopayoff/payoff/par"
)

var (
	// ErrClosed says that the pool is closed and has not taken the task.
	ErrClosed = errors.New("pool: closed")

	// ErrFull says that as many tasks wait as may: [Pool.TrySubmit] did not take the task.
	ErrFull = errors.New("pool: full")

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

// TaskOptions say how tasks run that do not run as all others: the last argument of the
// calls that submit.
type TaskOptions struct {
	// Priority says which tasks that wait begin first.
	Priority Priority
	// Timeout is how long the task may take from when it begins: then its context is done. It
	// is done also when the task has ended, so no result may live on it, as an *http.Response
	// does until its body is read. 0 is no bound. For a bound from the call that submits it,
	// see [context.WithTimeout]: a task whose context is done does not begin.
	Timeout time.Duration
}

// A Priority is that of tasks. A worker prefers higher ones, but not always. One in
// sixteen tasks that it takes is of the lowest priority of which any wait. Three
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
		if t.job.own.labelled {
			return p.doLabelled(t)
		}
		return p.doJob(t)
	}
	if p.source.Over() {
		p.failed(p.source.Cause())
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
	if !p.begins(t) {
		return 0
	}
	out, err := p.call(t.job.ctx, t.job.timeout, t.in)
	p.result(t, out, err)
	return 1
}

// begins reports whether a task is the caller's to run: it may have been withdrawn. Those
// that were are counted apart. They say nothing of how long tasks take, and the watch must
// not take them for progress.
func (p *Pool[In, Out]) begins(t task[In, Out]) bool {
	if b := t.job.batch; b == nil || b.claim(t.at) {
		return true
	}
	p.crew.withdrawn.Add(1)
	return false
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
	case p.source.Over():
		return out, p.source.Cause()
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
// one, which is also done when the pool is stopped. It is not done when the task has
// ended: what the task returns may live on it.
type joined struct {
	derived.Context
	pool     context.Context // the pool's
	depth    int32           // of the task, where others of the pool run it: see nested
	labelled bool            // it has profiler labels
}

// join returns ctx, also done when the pool is stopped, as c; nil for one that is nothing
// of its own.
func (p *Pool[In, Out]) join(ctx context.Context, c *joined) context.Context {
	ctx = p.given(ctx)
	if ctx == background || ctx == p.ctx {
		return nil
	}
	c.Derive(ctx, &p.source)
	c.pool = p.ctx
	return c
}

// under has the tasks of j run under ctx.
func (p *Pool[In, Out]) under(ctx context.Context, j *job[In, Out]) {
	if j.ctx = p.join(ctx, &j.own); j.ctx != nil {
		j.own.labelled = labelled(ctx)
	}
}

// given returns what ctx was joined from, or ctx. What was joined before is not joined
// again: so a task's successors do not hang on its context, each on that of the one
// before.
func (p *Pool[In, Out]) given(ctx context.Context) context.Context {
	for {
		j, ok := ctx.(*joined)
		if !ok || j.pool != p.ctx {
			return ctx
		}
		ctx = j.Parent()
	}
}

// Value also says that c is of a task of the pool.
func (c *joined) Value(key any) any {
	if k, ok := key.(inside); ok && c.pool.Value(k) != nil {
		return int(c.depth)
	}
	return c.Context.Value(key)
}

// inside is the key under which the context of a pool's tasks knows the pool. Its value
// is how many tasks of the pool are under way on the goroutine, below this one.
type inside struct{ pool any }
