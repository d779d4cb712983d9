package pipe

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/help"
)

// A run is a pipe that runs. All but parked and bell is the goroutine's that has called
// the sink, the caller.
type run struct {
	ctx  context.Context
	done <-chan struct{} // of ctx; nil: it never is

	// inner is the context of functions; nil: none has asked for one.
	inner  context.Context
	cancel context.CancelCauseFunc

	// over: nothing more is delivered. err is what the sink returns then, but for what
	// was gathered.
	over     bool
	err      error
	gathered []error
	omitted  int

	runs uint32 // of the site, with this run

	// segs are those that run, downstream first; but none while there is only first.
	segs     []*segment
	first    segment
	timeouts []timeout
	inlets   map[any]func(s *segment) // of branches: what their source does

	// parked is 1 while the caller sleeps, or is about to. Who changes what it waits for
	// does so under the lock that the caller looks under after it has stored 1. Whoever
	// makes it 0 by compare-and-swap, if not the caller, sends one token to bell; the
	// caller, if it has not, receives that.
	parked atomic.Int32
	bell   chan struct{}
	timer  *time.Timer // wakes the caller to look at staffs; nil: it has not yet
}

// errEnded is the cause of the context of functions when the run has ended.
var errEnded = errors.New("pipe: the run has ended")

// flow runs d with t as the sink.
func flow(ctx context.Context, d *desc, t taker) error {
	if d.from == nil {
		panic("pipe: a zero Pipe has no source")
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	st, known := siteOf(d)
	r := st.spare.Swap(nil)
	if r == nil {
		r = new(run)
	}
	r.runs++
	r.ctx, r.done = ctx, ctx.Done()
	s := &r.first
	s.begin(r, d, st, known, t, nil)
	returned := false
	defer func() {
		if !returned {
			r.close()
		}
	}()
	d.from.drive(s)
	returned = true
	r.close()
	err := r.result()
	if r.bell == nil && r.segs == nil && r.reset() {
		st.spare.Store(r)
	}
	return err
}

// close waits until nobody but the caller works on the run.
func (r *run) close() {
	for _, s := range r.all() {
		s.metered(-1)
	}
	if r.cancel != nil {
		r.cancel(errEnded)
	}
	if r.bell == nil {
		return
	}
	for _, s := range r.all() {
		s.close()
	}
	if r.timer != nil {
		r.timer.Stop()
	}
}

// all returns the segments.
func (r *run) all() []*segment {
	if r.segs == nil {
		return []*segment{&r.first}
	}
	return r.segs
}

// result is what the sink returns.
func (r *run) result() error {
	if len(r.gathered) == 0 {
		return r.err
	}
	errs := r.gathered
	if r.omitted > 0 {
		errs = append(errs, omitted(r.omitted))
	}
	if r.err != nil {
		errs = append(errs, r.err)
	}
	return errors.Join(errs...)
}

// reset makes r ready for the next run, and reports whether that is worth it.
func (r *run) reset() bool {
	r.ctx, r.done, r.err, r.over, r.gathered, r.omitted = nil, nil, nil, false, nil, 0
	r.inner, r.cancel = nil, nil
	return r.first.reset()
}

// fail ends the run with an error.
func (r *run) fail(err error) {
	if !r.over {
		r.over, r.err = true, err
	}
}

// alive reports whether the run goes on; it does not where the context is done.
func (r *run) alive() bool {
	if !r.over && r.ctx.Err() != nil {
		r.fail(context.Cause(r.ctx))
	}
	return !r.over
}

// ended ends the run as a batch has ended.
func (r *run) ended(e *ending) {
	r.over = true
	switch {
	case e.panicked != nil:
		panic(e.panicked.raised(e.elsewhere))
	case e.exited:
		runtime.Goexit()
	}
	r.err = e.err
	if err := r.ctx.Err(); err != nil && errors.Is(e.err, err) {
		r.err = context.Cause(r.ctx)
	}
}

// segment returns a new segment of the run, upstream of down.
func (r *run) segment(d *desc, t taker, down *segment) *segment {
	if r.segs == nil {
		r.segs = append(r.segs, &r.first)
	}
	s := new(segment)
	st, known := siteOf(d)
	s.begin(r, d, st, known, t, down)
	s.index = len(r.segs)
	r.segs = append(r.segs, s)
	return s
}

// drain delivers what came out of s and is still on its way to the sink, before the run
// ends. It reports whether the run goes on so far.
func (r *run) drain(s *segment) bool {
	for i := s.index - 1; i >= 0 && !r.over; i-- {
		down := r.segs[i]
		if down.collecting != nil {
			down.collecting.flush()
		}
		down.drain()
	}
	return !r.over
}

// idle is called where the caller has nothing to do in s before it has waited. What
// segments downstream hold goes on, and what is ready there is delivered. It reports
// whether there was anything.
func (r *run) idle(s *segment) bool {
	did := false
	for _, a := range r.timeouts {
		if a.due() {
			a.ring()
			did = true
		}
	}
	return r.serve(s) || did
}

// serve has the segments downstream of s get on, and reports whether there was anything.
func (r *run) serve(s *segment) bool {
	did := false
	for i := s.index - 1; i >= 0 && !r.over; i-- {
		if r.segs[i].service() {
			did = true
		}
	}
	return did
}

// busy reports whether others work on batches of s, or of a segment downstream.
func (r *run) busy(s *segment) bool {
	if s.shared != nil && s.shared.inFlight() {
		return true
	}
	for i := s.index - 1; i >= 0; i-- {
		if sh := r.segs[i].shared; sh != nil && sh.inFlight() {
			return true
		}
	}
	return false
}

// due reports whether a timeout is over.
func (r *run) due() bool {
	for _, a := range r.timeouts {
		if a.due() {
			return true
		}
	}
	return false
}

// ready likewise reports whether there is something to deliver.
func (r *run) ready(s *segment) bool {
	if s.shared != nil && s.shared.hasReady() {
		return true
	}
	for i := s.index - 1; i >= 0; i-- {
		if sh := r.segs[i].shared; sh != nil && sh.hasReady() {
			return true
		}
	}
	return false
}

// open makes the run one that others than the caller work on.
func (r *run) open() {
	if r.bell == nil {
		r.bell = make(chan struct{}, 1)
		r.context()
	}
}

// context returns the context of functions, which ends with the run.
func (r *run) context() context.Context {
	if r.inner == nil {
		r.inner, r.cancel = context.WithCancelCause(r.ctx)
	}
	return r.inner
}

// wake lets the caller go on, if it sleeps.
func (r *run) wake() {
	if r.parked.Load() == 1 && r.parked.CompareAndSwap(1, 0) {
		r.bell <- struct{}{}
	}
}

// park says that the caller is about to sleep.
func (r *run) park() { r.parked.Store(1) }

// unpark says that it is not; rang: it has received the token.
func (r *run) unpark(rang bool) {
	if !rang && !r.parked.CompareAndSwap(1, 0) {
		<-r.bell
	}
	help.Sched.Counts.Parks.Add(1)
}
