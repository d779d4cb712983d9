package par

import (
	"fmt"

	"github.com/gopayoff/payoff/par/internal/loop"
)

// Do calls the functions, maybe at the same time, and returns when all have
// returned. It is for work of a microsecond and more: closures cost 20 to 50 ns
// each to make. Recursions are better off with a [Func], which knows how deep it
// is.
//
// A panic or [runtime.Goexit] of one comes out of Do; those that have not begun
// by then do not. Do panics where one of them is nil, before it calls any.
func Do(fs ...func()) {
	for i, f := range fs {
		if f == nil {
			panic(fmt.Sprintf("par.Do: fs[%d] is nil", i))
		}
	}
	if len(fs) > 0 {
		do(doKey(fs[0], len(fs)), fs)
	}
}

// doKey: the same function with another number of others is another work. Code
// begins at multiples of 16 at least.
func doKey[F any](first F, n int) uintptr { return code(first) + uintptr(min(n, 15)) }

func do(key uintptr, fs []func()) {
	if len(fs) == 1 || small(key, len(fs)) {
		for _, f := range fs {
			f()
		}
		return
	}
	loop.RunCoarse(key, len(fs), func(lo, hi int) bool {
		for _, f := range fs[lo:hi] {
			f()
		}
		return true
	})
}
