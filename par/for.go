package par

import "github.com/gopayoff/payoff/par/internal/loop"

// For calls body for parts [lo, hi) of [0, n), which are not empty and cover each
// element once. It returns when all calls have returned.
//
// There may be one part or many. Measured time decides where they are cut and
// whether calls overlap; For assumes that it grows with hi-lo. Calls may come in
// any order. Where one panics or calls [runtime.Goexit], no further part begins.
// For ends the same way once the calls under way have ended: with a [*Panic], of
// several with one, or by Goexit. For does not call body for n = 0.
//
//	par.For(len(from), func(lo, hi int) {
//		from, to := from[lo:hi], to[lo:hi]
//		for i, v := range from {
//			to[i] = f(v)
//		}
//	})
//
// Slice what the body captures, as here. Indexed as to[lo+i] instead, a captured
// slice costs a load and a check of its bounds for each element.
//
// For panics if n < 0 or body is nil. A call costs 10 to 20 ns, and a body that
// captures variables 20 to 60 ns more, since it moves to the heap.
func For(n int, body func(lo, hi int), limit ...Limit) {
	if n < 0 {
		panic("par.For: n < 0")
	}
	if body == nil {
		panic("par.For: body is nil")
	}
	defer rethrow()
	key := code(body)
	if small(key, n) {
		if n > 0 {
			body(0, n)
		}
		return
	}
	runLimit(key, n, limit, func(lo, hi int) bool { body(lo, hi); return true })
}

// A Limit, as the last argument of a call, is how many goroutines work on that
// call at most, the caller's among them:
//
//	par.For(n, body, par.Limit(4))
//
// It is for calls that are to leave processors to others, or of which each part
// holds something that is scarce. There is no need for one to keep calls from
// hindering each other, and none to make a call parallel. Without a Limit, or with
// one below 1, it is GOMAXPROCS. Of several, the least that is not below 1 counts.
type Limit int

// least returns the least limit that is one, or 0.
func least(limits []Limit) (n int) {
	for _, l := range limits {
		if l > 0 && (n == 0 || int(l) < n) {
			n = int(l)
		}
	}
	return n
}

// runLimit, small, first, more and code are the loops' own.
func runLimit(key uintptr, n int, limit []Limit, body func(lo, hi int) bool) bool {
	return loop.Run(key, n, least(limit), body)
}

func small(key uintptr, n int) bool { return loop.Small(key, n) }

func first(key uintptr, n int) int { return loop.First(key, n) }

func more(key uintptr, done, n int) int { return loop.More(key, done, n) }

func code[F any](f F) uintptr { return loop.Code(f) }
