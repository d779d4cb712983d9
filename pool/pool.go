package pool

import (
	"context"
	"fmt"
	"runtime"
	"time"

	"github.com/gopayoff/payoff/internal/derived"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/size"
	"github.com/gopayoff/payoff/queue"
)

// A Pool calls a function for what is submitted to it, on goroutines of its own, as
// many as do the work soonest. Make it with [New], and end it with [Pool.Close] or
// [Pool.Stop]; it must not be copied. All methods may be called at once, also from
// tasks, but for Close and Stop.
//
// A task synchronizes after the call that submitted it, and before whatever waits for
// it returns: [Pool.Do], [Pool.SubmitAll], [Batch.Wait], [Batch.Results], Close, Stop.
type Pool[In, Out any] struct {
	crew crew[task[In, Out]]
	fn   func(ctx context.Context, in In) (Out, error)

	source derived.Source  // of the contexts of tasks; when it is over, none begins
	base   derived.Context // Options.Context, also done when the pool is stopped
	ctx    context.Context // of tasks that have none of their own
	parent func() bool     // ends what waits for Options.Context

	errs failures
}

// Options are what [New] need not be told.
type Options struct {
	// Min and Max bound the number of workers. 0 is no bound: then the pool finds its
	// size between 1 and 1024. Where they are the same, that is its size.
	Min, Max int
	// Queue is how many tasks may wait before Submit does, for each priority; 0: 1024.
	Queue int
	// Context is that of the tasks. When it is done, the pool stops; nil is one that
	// never is.
	Context context.Context
	// OnError gets each error of a task of [Pool.Submit]. A panic is a [*par.Panic],
	// which has the stack. The errors of other tasks go to their callers. It runs on
	// the goroutine of the task, as a part of it, and several calls may be active at
	// once. Close and Stop return after them, and have no errors to return. A panic of
	// OnError, or Goexit in it, ends the program.
	//
	// If it is nil, Close and Stop return the errors. As a server may never call them,
	// package log gets the first error, and then the second, the fourth, the eighth
	// and so on. After Stop nothing is logged.
	OnError func(err error)
}

const usualQueue = 1024

// New returns a Pool whose tasks are calls of fn. Of several options the last counts.
// New panics where fn is nil, or a bound is negative or Min above a Max that is not 0.
func New[In, Out any](fn func(ctx context.Context, in In) (Out, error), options ...Options) *Pool[In, Out] {
	if fn == nil {
		panic("pool.New: fn is nil")
	}
	o := Options{}
	if len(options) > 0 {
		o = options[len(options)-1]
	}
	if o.Queue < 0 {
		panic("pool.New: Queue < 0")
	}
	mustBound("New", o.Min, o.Max)
	if o.Queue == 0 {
		o.Queue = usualQueue
	}
	p := &Pool[In, Out]{fn: fn}
	p.errs.handler = o.OnError
	want, rule := sizing(o.Min, o.Max)
	p.crew.init(o.Queue, want, rule, p.do, p.ended)
	if o.Context == nil {
		o.Context = background
	}
	p.crew.labels = o.Context
	p.base.Derive(o.Context, &p.source)
	p.ctx = context.WithValue(&p.base, inside{p}, 0)
	if o.Context.Done() != nil {
		p.parent = context.AfterFunc(o.Context, func() { p.halt(context.Cause(o.Context)) })
	}
	return p
}

func mustBound(name string, least, most int) {
	if least < 0 || most < 0 || most > 0 && least > most {
		panic(fmt.Sprintf("pool.%s: bounds %d, %d", name, least, most))
	}
}

// Submit has in worked on by a worker, and returns when it is queued: it waits while as
// many tasks wait as may. Submit drops the result. An error, or a panic, goes to
// [Options.OnError], or into the log and out of Close.
//
// The task's context is ctx, also done when the pool is stopped or closed. It is not
// done when the task has ended, but under a [TaskOptions.Timeout]. Where ctx is done
// before there is room, Submit returns its cause, and after Close [ErrClosed]. A task
// whose context is done when its turn comes does not begin, and has that as its error.
//
// In a task, Submit with the context of that task, or a derived one, does not wait for
// room: it runs the new task itself. With another context it waits, and another worker
// takes the place of its task.
//
// Submit allocates nothing where ctx is context.Background() and how is not given, and
// otherwise once; see [Batch] for many tasks under one context.
func (p *Pool[In, Out]) Submit(ctx context.Context, in In, how ...TaskOptions) error {
	if ctx == background && len(how) == 0 {
		t := task[In, Out]{in: in}
		err := p.crew.try(Normal, t)
		if err == nil { // most calls end here, without another
			return nil
		}
		return p.tried(background, Normal, t, err)
	}
	t, level := p.single(ctx, in, how)
	return p.submit(ctx, level, t)
}

// TrySubmit is [Pool.Submit] that never waits: where there is no room it returns [ErrFull],
// also in a task. So a server can refuse what it has no time for.
func (p *Pool[In, Out]) TrySubmit(ctx context.Context, in In, how ...TaskOptions) error {
	t, level := p.single(ctx, in, how)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return ringErr(p.crew.try(level, t))
}

// single returns in as a task that no call waits for.
func (p *Pool[In, Out]) single(ctx context.Context, in In, how []TaskOptions) (t task[In, Out], level Priority) {
	h := last(how)
	t.in = in
	if ctx != background || h.Timeout > 0 {
		t.job = &job[In, Out]{timeout: h.Timeout}
		p.under(ctx, t.job)
	}
	return t, h.Priority
}

// submit queues t.
func (p *Pool[In, Out]) submit(ctx context.Context, level Priority, t task[In, Out]) error {
	if ctx != background && ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return p.tried(ctx, level, t, p.crew.try(level, t))
}

// tried goes on after an attempt to queue t.
func (p *Pool[In, Out]) tried(ctx context.Context, level Priority, t task[In, Out], err error) error {
	if err == queue.ErrFull {
		depth, inner := p.depth(ctx)
		switch {
		case inner && depth < mostNested:
			p.nested(ctx, t, depth+1)
			return nil
		default: // where this is a task, another worker takes its place, and makes room
			p.crew.await(inner, func() { err = p.crew.put(ctx, level, t) })
		}
	}
	return ringErr(err)
}

// mostNested bounds how deep tasks that a task submits run on its stack.
const mostNested = 100

// ringErr is err, with the errors of the queue replaced by the pool's.
func ringErr(err error) error {
	switch err {
	case queue.ErrClosed:
		return ErrClosed
	case queue.ErrFull:
		return ErrFull
	}
	return err
}

// nested runs t, on the goroutine of another task, as one of so many.
func (p *Pool[In, Out]) nested(ctx context.Context, t task[In, Out], depth int) {
	if !p.begins(t) {
		return
	}
	own := &joined{pool: p.ctx, depth: int32(depth)}
	own.Derive(p.given(ctx), &p.source)
	p.apart(own, t.job.timeout, t.in, func(out Out, err error) { p.result(t, out, err) })
	p.crew.ended.Add(1)
}

// apart calls fn on the caller's goroutine, and hands on what comes of it: a panic as an
// error. Goexit passes.
func (p *Pool[In, Out]) apart(ctx context.Context, timeout time.Duration, in In, result func(out Out, err error)) {
	var out Out
	var err error = ErrGoexit
	defer func() {
		if v := recover(); v != nil {
			err = asError(v)
		}
		result(out, err)
	}()
	out, err = p.call(ctx, timeout, in)
}

// isInside reports whether ctx is that of a task of p.
func (p *Pool[In, Out]) isInside(ctx context.Context) bool { return ctx.Value(inside{p}) != nil }

// depth is isInside, with how many tasks run that one on their stack.
func (p *Pool[In, Out]) depth(ctx context.Context) (n int, ok bool) {
	n, ok = ctx.Value(inside{p}).(int)
	return n, ok
}

func last(how []TaskOptions) TaskOptions {
	if len(how) == 0 {
		return TaskOptions{}
	}
	h := how[len(how)-1]
	if h.Priority >= levels || h.Timeout < 0 {
		panic(fmt.Sprintf("pool: TaskOptions%+v", h))
	}
	return h
}

// Do has in worked on and returns the result, which may live on ctx. The task's context
// ends with that or with the pool. It ends with the task only under a
// [TaskOptions.Timeout]. So the body of an *http.Response can be read. Where no task
// waits and a worker would have to wake for this one, Do runs it on the goroutine of
// the caller. So it costs little more than a call of the function. A panic of the task
// comes out as the error; runtime.Goexit ends the caller, where the task runs on its
// goroutine.
//
// A task that has not begun when ctx is done is withdrawn: it never runs, and Do returns
// the cause at once. One that has begun is to see for itself that ctx is done; Do returns
// when it has ended. With the context of a task of the same pool Do runs the task itself,
// and so never waits for a worker.
func (p *Pool[In, Out]) Do(ctx context.Context, in In, how ...TaskOptions) (out Out, err error) {
	h := last(how)
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	inner := ctx != background && p.isInside(ctx)
	if !inner && !p.crew.enter() {
		return p.doQueued(ctx, in, h)
	}
	if !inner {
		from := help.Clock()
		defer func() {
			now := help.Clock()
			p.crew.leave(1, now, now-from)
		}()
	}
	var own context.Context
	if ctx != background {
		own = p.join(ctx, new(joined))
	}
	p.apart(own, h.Timeout, in, func(o Out, e error) { out, err = o, e })
	if inner {
		p.crew.ended.Add(1)
	}
	return out, err
}

// doQueued is Do of a task that a worker runs: a batch of one. No other call has it, so it
// is not locked.
func (p *Pool[In, Out]) doQueued(ctx context.Context, in In, h TaskOptions) (out Out, err error) {
	b := p.Batch(ctx, h)
	one := make([]slot[Out], 1)
	b.slots[0].Store(&one) // in the place of 64
	if err := b.Submit(in); err != nil {
		return out, err
	}
	b.await(1)
	return one[0].value, one[0].err
}

// Close ends the pool when all its tasks are done. No call submits any more. It returns
// the errors of those tasks that were given to Submit, joined: the first hundred, and
// how many more there were. With [Options.OnError] it returns nil.
//
// Any number of goroutines may call Close. It panics where a task calls it, which would
// wait for itself.
func (p *Pool[In, Out]) Close() error {
	p.mustBeOutside("Close")
	p.crew.close()
	p.crew.drain()
	p.crew.close() // those who were woken in the meantime
	if p.parent != nil {
		p.parent()
	}
	p.source.Stop(ErrClosed)
	return p.errs.all()
}

// Stop ends the pool soon. Tasks that have not begun fail with [ErrStopped], and the
// contexts of those that run end, with that as their cause. It waits until those have
// returned, and returns errors as Close does. It panics where a task calls it.
func (p *Pool[In, Out]) Stop() error {
	p.mustBeOutside("Stop")
	p.halt(ErrStopped)
	return p.Close()
}

// halt has tasks that wait fail, and tells those that run.
func (p *Pool[In, Out]) halt(cause error) {
	p.source.Stop(cause)
	p.crew.split.Add(1) // parts of slices end
	p.crew.close()
}

func (p *Pool[In, Out]) mustBeOutside(name string) {
	if p.crew.inside() {
		panic("pool: " + name + " called by a task of the pool, for which it would wait")
	}
}

// Resize bounds the number of workers anew, as Options do. Those that are too many
// leave when their task has ended.
func (p *Pool[In, Out]) Resize(least, most int) {
	mustBound("Resize", least, most)
	want, rule := sizing(least, most)
	p.crew.resize(want, rule)
}

// Stats say what a pool does and has done.
type Stats struct {
	Items   uint64        // tasks that have ended, with those that were withdrawn
	Errors  uint64        // of those, that were given to Submit and have failed
	Busy    time.Duration // in tasks, waits included
	Waiting int           // tasks that wait for a worker, or were withdrawn and are still in line
	Workers int           // that work or look for work, with callers that run their own
	Parked  int           // that wait to be woken, or to leave
	Want    int           // how many may work at once now
}

// Stats returns the statistics. They are read one after the other, while others change
// them, and workers count short tasks some microseconds late.
func (p *Pool[In, Out]) Stats() Stats {
	c := &p.crew
	c.mu.Lock()
	defer c.mu.Unlock()
	return Stats{
		Items: c.ended.Load() + c.withdrawn.Load(), Errors: p.errs.count(), Busy: time.Duration(c.busy.Load()),
		Waiting: c.waiting(), Workers: c.active, Parked: c.idle.Len(), Want: c.want,
	}
}

// String is for logs.
func (s Stats) String() string {
	return fmt.Sprintf("items=%d errors=%d busy=%v waiting=%d workers=%d parked=%d want=%d",
		s.Items, s.Errors, s.Busy.Round(time.Microsecond), s.Waiting, s.Workers, s.Parked, s.Want)
}

// failed hands on the error of a task that was given to Submit.
func (p *Pool[In, Out]) failed(err error) { p.errs.add(err, p.source.Over()) }

// sizing returns the size to begin with, and the rule, or nil where it stays.
func sizing(least, most int) (int, *size.Rule) {
	if least == most && least > 0 {
		return least, nil
	}
	r := size.New(least, most)
	return r.Bounded(runtime.GOMAXPROCS(0)), r
}
