package par

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/force"
)

// Find returns the lowest index i for which ok(s[i]) is true, or -1.
//
// It stops early: no part of s begins when all before it have begun and one of
// them holds such an element. Elements beyond the lowest one may be tried, and
// each is at most once. Since it may be near, Find begins with few elements, and
// tries no more of them at the same time than it has tried before. So processors
// woken in vain do not slow down a search that ends early.
//
// Calls of ok may overlap and come in any order. Where trying one element takes
// long, Find waits for the calls under way, also for those beyond the result.
// Panics and [runtime.Goexit] of ok come out of Find as they do of [ForEach],
// also from beyond the result. Find panics where ok is nil.
func Find[S ~[]E, E any](s S, ok func(v E) bool, limit ...Limit) int {
	if ok == nil {
		panic("par.Find: ok is nil")
	}
	defer rethrow()
	return findSlice(code(ok), s, false, limit, ok)
}

// FindN returns the lowest i of 0 to n-1 for which ok(i) is true, or -1. It is
// [Find] without a slice, and panics where n is negative or ok is nil. Whether there
// is any i is FindN(n, ok) >= 0.
func FindN(n int, ok func(i int) bool, limit ...Limit) int {
	if ok == nil {
		panic("par.FindN: ok is nil")
	}
	if n < 0 {
		panic("par.FindN: n < 0")
	}
	defer rethrow()
	return findN(code(ok), n, limit, ok)
}

// Any reports whether ok is true of some element of s. It is [Find] that stops
// at the first hit, be it the lowest or not.
func Any[S ~[]E, E any](s S, ok func(v E) bool, limit ...Limit) bool {
	if ok == nil {
		panic("par.Any: ok is nil")
	}
	defer rethrow()
	return findSlice(code(ok), s, true, limit, ok) >= 0
}

func findSlice[E any](key uintptr, s []E, any bool, limit []Limit, ok func(v E) bool) int {
	w := before(key, len(s))
	lo, hi := 0, min(1, w)
	for lo < hi {
		for i, v := range s[lo:hi] {
			if ok(v) {
				return lo + i
			}
		}
		lo, hi = hi, more(key, hi, w)
	}
	if lo == len(s) {
		return -1
	}
	return findRest(key, s, lo, any, limit, ok)
}

func findRest[E any](key uintptr, s []E, first int, any bool, limit []Limit, ok func(v E) bool) int {
	q := search{any: any, limit: limit, try: func(lo, hi int) (int, error) {
		for i, v := range s[lo:hi] {
			if ok(v) {
				return lo + i, nil
			}
		}
		return -1, nil
	}}
	i, _ := q.find(key, first, len(s))
	return i
}

func findN(key uintptr, n int, limit []Limit, ok func(i int) bool) int {
	w := before(key, n)
	lo, hi := 0, min(1, w)
	for lo < hi {
		for ; lo < hi; lo++ {
			if ok(lo) {
				return lo
			}
		}
		hi = more(key, lo, w)
	}
	if lo == n {
		return -1
	}
	return findRestN(key, n, lo, limit, ok)
}

func findRestN(key uintptr, n, first int, limit []Limit, ok func(i int) bool) int {
	q := search{limit: limit, try: func(lo, hi int) (int, error) {
		for i := lo; i < hi; i++ {
			if ok(i) {
				return i, nil
			}
		}
		return -1, nil
	}}
	i, _ := q.find(key, first, n)
	return i
}

// FindContext is [Find] with a function that may fail, and that stops when ctx is
// done. It returns what a plain loop returns: the lowest index for which ok is
// true, or else -1. If the lowest index for which ok fails comes before, it returns
// -1 and that error. Elements before that one are tried in any case, so unlike
// other bodies, ok gets ctx itself, which a failure does not end. Where ctx is done
// before the result is known, it returns -1 and [context.Cause] of ctx. If it is
// done at the call, FindContext calls nothing.
func FindContext[S ~[]E, E any](ctx context.Context, s S, ok func(ctx context.Context, v E) (bool, error), limit ...Limit) (int, error) {
	if ok == nil {
		panic("par.FindContext: ok is nil")
	}
	return findContext(ctx, s, false, limit, ok)
}

// FindNContext is to [FindN] what [FindContext] is to [Find].
func FindNContext(ctx context.Context, n int, ok func(ctx context.Context, i int) (bool, error), limit ...Limit) (int, error) {
	if ok == nil {
		panic("par.FindNContext: ok is nil")
	}
	if n < 0 {
		panic("par.FindNContext: n < 0")
	}
	if ctx.Err() != nil {
		return -1, context.Cause(ctx)
	}
	defer rethrow()
	key := code(ok)
	w := before(key, n)
	lo, hi := 0, min(1, w)
	for lo < hi {
		for ; lo < hi; lo++ {
			found, err := ok(ctx, lo)
			if err != nil {
				return -1, failure(ctx, err)
			}
			if found {
				return lo, nil
			}
		}
		if hi = more(key, lo, w); lo < n && ctx.Err() != nil {
			return -1, context.Cause(ctx)
		}
	}
	if lo == n {
		return -1, nil
	}
	return findRestContext(ctx, key, n, lo, false, limit, ok)
}

// AnyContext is [Any] with a function that may fail, and that stops when ctx is
// done: see [ForContext]. Any hit and any failure end it; a hit counts more, and
// the context of the calls that are under way is done then.
func AnyContext[S ~[]E, E any](ctx context.Context, s S, ok func(ctx context.Context, v E) (bool, error), limit ...Limit) (bool, error) {
	if ok == nil {
		panic("par.AnyContext: ok is nil")
	}
	i, err := findContext(ctx, s, true, limit, ok)
	return i >= 0, err
}

func findContext[E any](ctx context.Context, s []E, any bool, limit []Limit, ok func(ctx context.Context, v E) (bool, error)) (int, error) {
	if ctx.Err() != nil {
		return -1, context.Cause(ctx)
	}
	defer rethrow()
	key := code(ok)
	w := before(key, len(s))
	lo, hi := 0, min(1, w)
	for lo < hi {
		for i, v := range s[lo:hi] {
			found, err := ok(ctx, v)
			if err != nil {
				return -1, failure(ctx, err)
			}
			if found {
				return lo + i, nil
			}
		}
		if lo, hi = hi, more(key, hi, w); lo < len(s) && ctx.Err() != nil {
			return -1, context.Cause(ctx)
		}
	}
	if lo == len(s) {
		return -1, nil
	}
	return findRestSlice(ctx, key, s, lo, any, limit, ok)
}

func findRestSlice[E any](ctx context.Context, key uintptr, s []E, first int, any bool, limit []Limit, ok func(ctx context.Context, v E) (bool, error)) (int, error) {
	return findRestContext(ctx, key, len(s), first, any, limit, func(ctx context.Context, i int) (bool, error) { return ok(ctx, s[i]) })
}

func findRestContext(ctx context.Context, key uintptr, n, first int, any bool, limit []Limit, ok func(ctx context.Context, i int) (bool, error)) (int, error) {
	q := search{any: any, limit: limit, ctx: ctx}
	if any {
		inner := new(nested)
		inner.begin(ctx)
		defer inner.Stop(nil)
		q.ctx, q.inner = inner, inner
	}
	try := q.ctx
	q.try = func(lo, hi int) (int, error) {
		for i := lo; i < hi; i++ {
			if looks(i-lo) && try.Err() != nil {
				return i, try.Err()
			}
			if found, err := ok(try, i); found || err != nil {
				return i, err
			}
		}
		return -1, nil
	}
	if ctx.Done() == nil && !any {
		q.ctx = nil
	}
	i, err := q.find(key, first, n)
	if err != nil {
		return -1, failure(ctx, err)
	}
	return i, nil
}

// A search looks for the lowest hit.
type search struct {
	try   func(lo, hi int) (int, error) // the lowest hit in [lo, hi), or -1; a hit may be an error
	any   bool                          // any hit will do, and one that is no error is better
	limit []Limit
	ctx   context.Context // nil where it cannot be done
	inner *nested         // ctx, where a hit is to make that done, or nil

	best atomic.Int64 // lowest hit so far, math.MaxInt64 at first; stored under mu

	// Each part runs on its own, and nothing is to order it after others: so front
	// is where the first part is that did not begin, which ctx alone keeps out.
	spread bool

	mu    sync.Mutex
	err   error  // of best
	front int    // elements before it have begun to be tried
	ahead []span // begun beyond front, by lo
}

// before returns how many of n elements are to be tried in a plain loop, before
// anything is spent on more: as many as are known to be too little for two
// processors, but one where nothing is known and one does not matter.
func before(key uintptr, n int) int {
	if force.Current() == force.Spread {
		return 0
	}
	if first(key, n) > 0 {
		return n
	}
	w := n / 4
	for w > 0 && !small(key, w) {
		w /= 4
	}
	if w == 0 && (n == 1 || n >= 32) {
		return 1
	}
	return w
}

// find searches [from, n) when those before are known to hold nothing. It does
// so in windows, each as large as all before it: so what waking other processors
// costs stays a small part of what was spent before. The first is at least one
// element for each of them: the first of those takes no longer when others are
// tried beside it.
func (q *search) find(key uintptr, from, n int) (int, error) {
	q.best.Store(math.MaxInt64)
	q.front = from
	window := max(from, runtime.GOMAXPROCS(0))
	if q.spread = force.Current() == force.Spread; q.spread {
		// Where windows end depends on what was learned: parts of different ones
		// may run at once.
		q.front, window = n, n
	}
	for lo := from; lo < n; {
		hi := lo + min(window, n-lo)
		if !q.window(key, lo, hi) {
			break
		}
		lo, window = hi, hi
	}
	return q.result(n)
}

// inOne searches [0, n) in one window: that it ends early is not expected.
func (q *search) inOne(key uintptr, n int) (int, error) {
	q.best.Store(math.MaxInt64)
	if q.spread = force.Current() == force.Spread; q.spread {
		q.front = n
	}
	q.window(key, 0, n)
	return q.result(n)
}

// result returns what is known of [0, n) when nothing is being tried.
func (q *search) result(n int) (int, error) {
	switch {
	case q.over():
		return int(q.best.Load()), q.err
	case q.front < n:
		return -1, context.Cause(q.ctx) // nothing else keeps parts out
	}
	return -1, nil
}

// window searches [from, to) and reports whether there is reason to go on.
func (q *search) window(key uintptr, from, to int) bool {
	return runLimit(key, to-from, q.limit, func(lo, hi int) bool { return q.part(from+lo, from+hi) }) &&
		q.best.Load() == math.MaxInt64
}

// tries is how many elements are tried between two looks at what others found.
const tries = 256

// part searches a part, and reports whether there is reason to begin others.
func (q *search) part(lo, hi int) bool {
	if q.ctx != nil && q.ctx.Err() != nil {
		if q.spread {
			q.mu.Lock()
			q.front = min(q.front, lo)
			q.mu.Unlock()
		}
		return q.spread
	}
	if !q.spread {
		q.begin(lo, hi)
	}
	for lo < hi && int64(lo) < q.best.Load() {
		next := lo + min(tries, hi-lo)
		if i, err := q.try(lo, next); i >= 0 {
			q.hit(i, err)
			break
		}
		lo = next
	}
	return q.spread && !q.any || !q.over()
}

// begin notes that elements lo to hi-1 are being tried.
func (q *search) begin(lo, hi int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if lo != q.front {
		i, _ := slices.BinarySearchFunc(q.ahead, lo, func(a span, lo int) int { return a.lo - lo })
		q.ahead = slices.Insert(q.ahead, i, span{lo, hi})
		return
	}
	q.front = hi
	n := 0
	for n < len(q.ahead) && q.ahead[n].lo == q.front {
		q.front = q.ahead[n].hi
		n++
	}
	q.ahead = slices.Delete(q.ahead, 0, n)
}

// hit notes a hit, and has those under way end that cannot change the result.
func (q *search) hit(i int, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	better := int64(i) < q.best.Load()
	if q.any && q.best.Load() != math.MaxInt64 {
		better = q.err != nil && (err == nil || better && !(q.ctx != nil && onlyDone(q.ctx, err)))
	}
	if better {
		q.best.Store(int64(i))
		q.err = err
	}
	if q.inner != nil {
		q.inner.Stop(err)
	}
}

// over reports whether no part that has yet to begin can change the result.
func (q *search) over() bool {
	best := q.best.Load()
	if best == math.MaxInt64 {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.any || int64(q.front) > best
}
