package par

import (
	"context"
	"fmt"

	"github.com/gopayoff/payoff/par/internal/loop"
)

// Do calls the functions, maybe at the same time, and returns when all have
// returned. It is for work of a microsecond and more: closures cost 20 to 50 ns
// each to make. Recursions are better off with a [Func], which knows how deep it
// is. Do has no [Limit]; a [ForEach] over the functions may.
//
// A panic of one comes out of Do as a [*Panic], and [runtime.Goexit] ends the caller
// too. Functions that have not begun by then do not begin. Do panics where one of
// them is nil, before it calls any.
func Do(fs ...func()) {
	for i, f := range fs {
		if f == nil {
			panic(fmt.Sprintf("par.Do: fs[%d] is nil", i))
		}
	}
	if len(fs) == 0 {
		return
	}
	defer rethrow()
	key := doKey(fs[0], len(fs))
	lo, hi := 0, first(key, len(fs))
	for lo < hi {
		for _, f := range fs[lo:hi] {
			f()
		}
		lo, hi = hi, more(key, hi, len(fs))
	}
	if lo < len(fs) {
		doRest(key, fs[lo:])
	}
}

func doRest(key uintptr, fs []func()) {
	loop.RunCoarse(key, len(fs), 0, func(lo, hi int) bool {
		for _, f := range fs[lo:hi] {
			f()
		}
		return true
	})
}

// doKey: the same function with another number of others is another work. Code
// begins at multiples of 16 at least.
func doKey[F any](first F, n int) uintptr { return code(first) + uintptr(min(n, 15)) }

// DoContext is [Do] with functions that may fail. When one has failed, or ctx
// has ended, DoContext calls no further one, and the context of those under way
// is done. DoContext returns when they have returned, and what [ForContext]
// returns. Of several errors that is the one of the lowest index, and not one
// that only says that the context is done. The context that they got is done
// when it returns.
//
// As of Do, there is no promise that two functions run at the same time: none
// may wait for another. DoContext panics where one of them is nil, before it
// calls any.
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
	defer rethrow()
	key := doKey(fs[0], len(fs))
	return newFailing(ctx, func(ctx context.Context, lo, hi int) (int, error) {
		for i, f := range fs[lo:hi] {
			if err := ctx.Err(); err != nil {
				return lo + i, err
			}
			if err := f(ctx); err != nil {
				return lo + i, err
			}
		}
		return 0, nil
	}).result(func(part func(lo, hi int) bool) bool {
		done, hi := 0, first(key, len(fs))
		for done < hi {
			if !part(done, hi) {
				return false
			}
			done, hi = hi, more(key, hi, len(fs))
		}
		if done == len(fs) {
			return true
		}
		return loop.RunCoarse(key, len(fs)-done, 0, func(lo, hi int) bool { return part(done+lo, done+hi) })
	})
}
