package par

import (
	"context"
	"errors"
	"sync"

	"github.com/gopayoff/payoff/internal/derived"
)

// ForContext is [For] with a body that may fail, and that stops when ctx is done.
// The other functions named …Context are to theirs what it is to For.
//
// Once a body returned an error or ctx is done, no further part begins. A part holds some
// hundred microseconds of work at most, where elements take about the same time and one does
// not take longer. The functions that call theirs for each element look at ctx within a part
// too: no more elements of it begin than have ended. The context that bodies get is ctx or one
// derived from it. That one is also done when another body has failed, with that error as its
// cause, so that those under way can stop. ForContext returns when they have. It returns nil
// if all ran and none failed, also where ctx is done by then. If one failed, it returns the
// error of the lowest lo of those that ran; else [context.Cause] of ctx. An error that only
// says that the context is done, as ctx.Err does, is not a failure. Which bodies have run
// varies from call to call.
//
// Where ctx is done at the call, ForContext calls nothing. ForContext panics
// where body is nil or n is negative.
func ForContext(ctx context.Context, n int, body func(ctx context.Context, lo, hi int) error, limit ...Limit) error {
	if body == nil {
		panic("par.ForContext: body is nil")
	}
	if n < 0 {
		panic("par.ForContext: n < 0")
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if n == 0 {
		return nil
	}
	defer rethrow()
	key := code(body)
	if small(key, n) {
		return failure(ctx, body(ctx, 0, n))
	}
	return forContext(ctx, key, n, limit, body)
}

func forContext(ctx context.Context, key uintptr, n int, limit []Limit, body func(ctx context.Context, lo, hi int) error) error {
	return runContext(ctx, key, n, limit, func(ctx context.Context, lo, hi int) (int, error) {
		return lo, body(ctx, lo, hi)
	})
}

// failure returns what a call returns whose body has returned err, or nil.
func failure(ctx context.Context, err error) error {
	if err != nil && onlyDone(ctx, err) {
		return context.Cause(ctx)
	}
	return err
}

// onlyDone reports whether err only says that ctx is done.
func onlyDone(ctx context.Context, err error) bool {
	done := ctx.Err()
	return done != nil && errors.Is(err, done)
}

// errEnded is the cause of the context of bodies where one of them did not
// return.
var errEnded = errors.New("par: a body panicked or called runtime.Goexit")

// runContext is run for bodies that may fail: body returns an index and what
// went wrong there. It returns the error of the lowest index; without one, nil
// if all parts ran, else the cause of ctx.
func runContext(ctx context.Context, key uintptr, n int, limit []Limit, body func(ctx context.Context, lo, hi int) (int, error)) error {
	return newFailing(ctx, body).result(func(part func(lo, hi int) bool) bool { return runLimit(key, n, limit, part) })
}

// looks reports whether the context is looked at before element i of a part. That an
// element is short is a guess, so it is looked at soon; and where they are short it costs
// little, since it is seldom. The part goes on for as long at most as it has taken.
func looks(i int) bool { return i&(i-1) == 0 }

// A failing is a loop with bodies that may fail.
type failing struct {
	inner nested
	body  func(ctx context.Context, lo, hi int) (int, error)

	mu  sync.Mutex
	at  int   // the index of err
	err error // of the lowest index that failed, or nil
}

func newFailing(ctx context.Context, body func(ctx context.Context, lo, hi int) (int, error)) *failing {
	f := &failing{body: body}
	f.inner.begin(ctx)
	return f
}

// result runs the parts by way of run, and returns what the call returns.
func (f *failing) result(run func(part func(lo, hi int) bool) bool) error {
	defer f.inner.Stop(nil)
	switch {
	case run(f.part):
		return nil
	case f.err != nil:
		return f.err
	}
	return context.Cause(f.inner.Parent())
}

// part does a part, and reports whether others may begin.
func (f *failing) part(lo, hi int) bool {
	if f.inner.Err() != nil {
		return false
	}
	returned := false
	defer func() {
		if !returned {
			f.inner.Stop(errEnded)
		}
	}()
	at, err := f.body(&f.inner, lo, hi)
	returned = true
	if err == nil {
		return true
	}
	if !onlyDone(&f.inner, err) && !onlyDone(f.inner.Parent(), err) { // that is done a moment before
		f.mu.Lock()
		if f.err == nil || at < f.at {
			f.at, f.err = at, err
		}
		f.mu.Unlock()
		f.inner.Stop(err)
	}
	return false
}

// A nested is the context of bodies: the caller's, that is also done when Stop has been
// called.
type nested struct {
	derived.Context
	derived.Source
}

func (c *nested) begin(ctx context.Context) { c.Derive(ctx, &c.Source) }
