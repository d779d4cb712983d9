package par

import (
	"context"
	"errors"
	"fmt"
	"sync"
)

// ForContext is [For] with a body that may fail, and that stops when ctx is
// done. The other functions named …Context are to theirs what it is to For.
//
// Once a body returned an error or ctx is done, no further part begins: a part
// holds some hundred microseconds of work at most, if elements take about the
// same time. ForContext returns when those under way have ended: nil if all ran
// and none failed, also where ctx is done by then; the error of the lowest lo, of
// those that ran, if one failed; else [context.Cause] of ctx. Which have run
// varies from call to call.
//
// Where ctx is done at the call, nothing is called. A context that is never
// done costs nothing. ForContext panics where body is nil or n is negative.
func ForContext(ctx context.Context, n int, body func(lo, hi int) error) error {
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
	key := code(body)
	if small(key, n) {
		return body(0, n)
	}
	return forContext(ctx, key, n, body)
}

func forContext(ctx context.Context, key uintptr, n int, body func(lo, hi int) error) error {
	return runContext(ctx, key, n, func(lo, hi int) (int, error) { return lo, body(lo, hi) })
}

// DoContext is [Do] with functions that may fail. The first error to be
// returned, as time goes, cancels the context that all of them get, is its
// cause, and is what DoContext returns when those that were called have
// returned. A panic or [runtime.Goexit] cancels that context too. None is called
// once it is done: where ctx ends before, DoContext returns [context.Cause] of
// ctx, unless an error came first; where all were called and none failed, nil.
//
// As of Do, there is no promise that two functions run at the same time: none
// may wait for another. DoContext panics where one of them is nil, before it
// calls any. The context that they got is done when DoContext returns.
func DoContext(ctx context.Context, fs ...func(ctx context.Context) error) error {
	for i, f := range fs {
		if f == nil {
			panic(fmt.Sprintf("par.DoContext: fs[%d] is nil", i))
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if len(fs) == 0 {
		return nil
	}
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var (
		first  error
		once   sync.Once
		called = make([]func(), len(fs))
	)
	stop := func(err error) {
		once.Do(func() {
			first = err
			cancel(err)
		})
	}
	for i, f := range fs {
		called[i] = func() {
			if inner.Err() != nil {
				stop(context.Cause(inner))
				return
			}
			err := errEnded
			defer func() {
				if err != nil {
					stop(err)
				}
			}()
			err = f(inner)
		}
	}
	do(doKey(fs[0], len(fs)), called)
	return first
}

// errEnded is the cause of a context of DoContext that a function ended which
// did not return.
var errEnded = errors.New("par: a function of DoContext panicked or called runtime.Goexit")

// runContext is run for bodies that may fail: body returns an index and what
// went wrong there. It returns the error of the lowest index; without one, nil
// if all parts ran, else the cause of ctx.
func runContext(ctx context.Context, key uintptr, n int, body func(lo, hi int) (int, error)) error {
	var first struct {
		sync.Mutex
		at  int
		err error
	}
	watched := ctx.Done() != nil
	if run(key, n, func(lo, hi int) bool {
		if watched && ctx.Err() != nil {
			return false
		}
		at, err := body(lo, hi)
		if err == nil {
			return true
		}
		first.Lock()
		if first.err == nil || at < first.at {
			first.at, first.err = at, err
		}
		first.Unlock()
		return false
	}) {
		return nil
	}
	if first.err != nil {
		return first.err
	}
	return context.Cause(ctx)
}
