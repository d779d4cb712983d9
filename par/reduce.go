package par

import (
	"context"
	"slices"
	"sync"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/par/internal/loop"
)

// Reduce cuts s into parts, calls part for each of them, and joins the results.
//
//	sum := par.Reduce(s, func(part []int) int {
//		t := 0
//		for _, v := range part {
//			t += v
//		}
//		return t
//	}, func(a, b int) int { return a + b })
//
// The parts are not empty and cover s. Operands keep their order: a of join(a, b)
// is of elements just before those of b. So join has to be associative, and
// need not be commutative. Each result is an operand once: join may change its
// operands and return one of them. Operands that are joined span about as many
// elements each where that can be had. So a join that copies both of them, such as
// [slices.Concat], copies an element few times. Reduce measures what joins take.
// Where they take long, parts are some 32 to 64 times as long as a join, so that
// joins are few. On one processor Reduce and [ReduceN] have one part. A loop that
// stops early ends when parts have.
//
// Where the cuts are varies from call to call. If the order of operations shows
// in the result, as rounding does in sums of floats, results vary too. Sums of
// blocks of a fixed length do not: make them with [MapN], and add them up in a
// plain loop.
//
// Calls of part and join may overlap, also those of join with each other, if on
// other operands. Panics and [runtime.Goexit] of both come out of Reduce as
// they do of [ForEach].
//
// Reduce returns the zero R and calls nothing where s is empty. Where R is a map,
// that is nil, to which nothing can be added. [Fold] is for what begins with
// something else. It panics where part or join is nil.
func Reduce[S ~[]E, E, R any](s S, part func(part S) R, join func(a, b R) R, limit ...Limit) R {
	if part == nil {
		panic("par.Reduce: part is nil")
	}
	if join == nil {
		panic("par.Reduce: join is nil")
	}
	if len(s) == 0 {
		var zero R
		return zero
	}
	defer rethrow()
	key := code(part)
	if small(key, len(s)) {
		return part(s[:len(s):len(s)])
	}
	return reduceSlice(key, s, limit, part, join)
}

func reduceSlice[S ~[]E, E, R any](key uintptr, s S, limit []Limit, part func(part S) R, join func(a, b R) R) R {
	return reduce(key, len(s), limit, func(lo, hi int) R { return part(s[lo:hi:hi]) }, join)
}

// ReduceN is [Reduce] of the numbers 0 to n-1, of which part gets those from lo
// to hi-1. It returns the zero R for n = 0, and panics where n is negative, or
// part or join is nil. There is no FoldN: part has the loop, and begins it with what
// is neutral in join.
func ReduceN[R any](n int, part func(lo, hi int) R, join func(a, b R) R, limit ...Limit) R {
	if part == nil {
		panic("par.ReduceN: part is nil")
	}
	if join == nil {
		panic("par.ReduceN: join is nil")
	}
	if n < 0 {
		panic("par.ReduceN: n < 0")
	}
	if n == 0 {
		var zero R
		return zero
	}
	defer rethrow()
	key := code(part)
	if small(key, n) {
		return part(0, n)
	}
	return reduce(key, n, limit, part, join)
}

func reduce[R any](key uintptr, n int, limit []Limit, part func(lo, hi int) R, join func(a, b R) R) R {
	j := joiner[R]{join: join}
	j.overhead.Each = true
	j.run(key, n, limit, func(lo, hi int) bool {
		j.add(lo, hi, part(lo, hi))
		return true
	})
	return j.all()
}

// Fold is [Reduce] by elements: the result of a part begins as what zero returns,
// and add puts one element after the other to it.
//
//	least := par.Fold(s, func() float64 { return math.Inf(1) }, math.Min, math.Min)
//
// What zero returns must change nothing where it is joined, and is the result where
// s is empty. Fold calls it for each part that does not follow one that is done
// already. So its result may be a map or a slice, which add and join may change and
// return. Fold goes on with what a part before has become. So where a result costs
// something to make or to join, it does better than Reduce.
//
// A call for each element takes a nanosecond or two, which the loop in a part of
// Reduce does not. Fold panics where zero, add or join is nil.
func Fold[S ~[]E, E, R any](s S, zero func() R, add func(r R, v E) R, join func(a, b R) R, limit ...Limit) R {
	if zero == nil {
		panic("par.Fold: zero is nil")
	}
	if add == nil {
		panic("par.Fold: add is nil")
	}
	if join == nil {
		panic("par.Fold: join is nil")
	}
	defer rethrow()
	key := code(add)
	if len(s) == 0 {
		return zero()
	}
	hi := first(key, len(s))
	if hi == 0 {
		var none R
		return fold(key, none, 0, s, limit, zero, add, join)
	}
	r := zero()
	for lo := 0; lo < hi; {
		for _, v := range s[lo:hi] {
			r = add(r, v)
		}
		lo, hi = hi, more(key, hi, len(s))
	}
	if hi == len(s) {
		return r
	}
	return fold(key, r, hi, s[hi:], limit, zero, add, join)
}

// fold folds s, behind so many elements of which r is the result.
func fold[E, R any](key uintptr, r R, before int, s []E, limit []Limit, zero func() R, add func(r R, v E) R, join func(a, b R) R) R {
	j := joiner[R]{join: join}
	j.start(r, before)
	j.run(key, len(s), limit, func(lo, hi int) bool {
		from, r := j.resume(lo, zero)
		for _, v := range s[lo:hi] {
			r = add(r, v)
		}
		j.add(from, hi, r)
		return true
	})
	return j.all()
}

// ReduceContext is [Reduce] with parts that may fail, and that stops when ctx
// is done: see [ForContext]. The result is the zero R where the error is not nil.
func ReduceContext[S ~[]E, E, R any](ctx context.Context, s S, part func(ctx context.Context, part S) (R, error), join func(a, b R) R, limit ...Limit) (R, error) {
	if part == nil {
		panic("par.ReduceContext: part is nil")
	}
	if join == nil {
		panic("par.ReduceContext: join is nil")
	}
	var zero R
	if ctx.Err() != nil {
		return zero, context.Cause(ctx)
	}
	if len(s) == 0 {
		return zero, nil
	}
	defer rethrow()
	key := code(part)
	if small(key, len(s)) {
		r, err := part(ctx, s[:len(s):len(s)])
		if err != nil {
			return zero, failure(ctx, err)
		}
		return r, nil
	}
	return reduceContextSlice(ctx, key, s, limit, part, join)
}

func reduceContextSlice[S ~[]E, E, R any](ctx context.Context, key uintptr, s S, limit []Limit, part func(ctx context.Context, part S) (R, error), join func(a, b R) R) (R, error) {
	return reduceNContext(ctx, key, len(s), limit, func(ctx context.Context, lo, hi int) (R, error) {
		return part(ctx, s[lo:hi:hi])
	}, join)
}

// ReduceNContext is to [ReduceN] what [ReduceContext] is to [Reduce].
func ReduceNContext[R any](ctx context.Context, n int, part func(ctx context.Context, lo, hi int) (R, error), join func(a, b R) R, limit ...Limit) (R, error) {
	if part == nil {
		panic("par.ReduceNContext: part is nil")
	}
	if join == nil {
		panic("par.ReduceNContext: join is nil")
	}
	if n < 0 {
		panic("par.ReduceNContext: n < 0")
	}
	var zero R
	if ctx.Err() != nil {
		return zero, context.Cause(ctx)
	}
	if n == 0 {
		return zero, nil
	}
	defer rethrow()
	key := code(part)
	if small(key, n) {
		r, err := part(ctx, 0, n)
		if err != nil {
			return zero, failure(ctx, err)
		}
		return r, nil
	}
	return reduceNContext(ctx, key, n, limit, part, join)
}

func reduceNContext[R any](ctx context.Context, key uintptr, n int, limit []Limit, part func(ctx context.Context, lo, hi int) (R, error), join func(a, b R) R) (R, error) {
	j := joiner[R]{join: join}
	j.overhead.Each, j.overhead.Stops = true, true
	return j.runContext(ctx, key, n, limit, func(ctx context.Context, lo, hi int) (int, error) {
		r, err := part(ctx, lo, hi)
		if err == nil {
			j.add(lo, hi, r)
		}
		return lo, err
	})
}

// FoldContext is [Fold] with an add that may fail, and that stops when ctx is done:
// see [ForContext]. A part ends at its first error. The result is the zero R where
// the error is not nil.
func FoldContext[S ~[]E, E, R any](ctx context.Context, s S, zero func() R, add func(ctx context.Context, r R, v E) (R, error), join func(a, b R) R, limit ...Limit) (R, error) {
	if zero == nil {
		panic("par.FoldContext: zero is nil")
	}
	if add == nil {
		panic("par.FoldContext: add is nil")
	}
	if join == nil {
		panic("par.FoldContext: join is nil")
	}
	var none R
	if ctx.Err() != nil {
		return none, context.Cause(ctx)
	}
	defer rethrow()
	key := code(add)
	if len(s) == 0 {
		return zero(), nil
	}
	hi := first(key, len(s))
	if hi == 0 {
		return foldContext(ctx, key, none, 0, s, limit, zero, add, join)
	}
	r := zero()
	for lo := 0; lo < hi; {
		var err error
		for _, v := range s[lo:hi] {
			if r, err = add(ctx, r, v); err != nil {
				return none, failure(ctx, err)
			}
		}
		if lo, hi = hi, more(key, hi, len(s)); lo < len(s) && ctx.Err() != nil {
			return none, context.Cause(ctx)
		}
	}
	if hi == len(s) {
		return r, nil
	}
	return foldContext(ctx, key, r, hi, s[hi:], limit, zero, add, join)
}

func foldContext[E, R any](ctx context.Context, key uintptr, r R, before int, s []E, limit []Limit, zero func() R, add func(ctx context.Context, r R, v E) (R, error), join func(a, b R) R) (R, error) {
	j := joiner[R]{join: join}
	j.start(r, before)
	return j.runContext(ctx, key, len(s), limit, func(ctx context.Context, lo, hi int) (int, error) {
		from, r := j.resume(lo, zero)
		r, at, err := foldPart(ctx, r, lo, s[lo:hi], add)
		if err == nil {
			j.add(from, hi, r)
		}
		return at, err
	})
}

// foldPart puts a part that begins at index lo to r. With an error it returns the
// index of it.
func foldPart[E, R any](ctx context.Context, r R, lo int, part []E, add func(ctx context.Context, r R, v E) (R, error)) (R, int, error) {
	for i, v := range part {
		if looks(i) && ctx.Err() != nil {
			return r, lo + i, ctx.Err()
		}
		var err error
		if r, err = add(ctx, r, v); err != nil {
			return r, lo + i, err
		}
	}
	return r, 0, nil
}

// A joiner joins results of parts that come in any order. What it holds is
// small: of parts that come from left to right, some log n results.
//
// A join may cost as much as its operands are large, and there is one less than
// there are results. So there are to be few: what joins take is the overhead of the
// loop, and where elements are put to a result, a part goes on with that of the
// part just before it.
type joiner[R any] struct {
	join     func(a, b R) R
	overhead loop.Overhead

	// Where parts are spread, each puts its result where it began, and nothing else
	// is used: the lock would hide from the race detector what joins do.
	at      []int
	results []R

	mu   sync.Mutex
	done []result[R] // by lo; disjoint; whoever joins one has taken it out
}

// A result is that of elements lo to hi-1.
type result[R any] struct {
	lo, hi int
	r      R
}

// start begins with the result of so many elements before the first.
func (j *joiner[R]) start(r R, before int) {
	if before > 0 {
		j.done = append(j.done, result[R]{-before, 0, r})
	}
}

// run runs the loop that calls add for each part.
func (j *joiner[R]) run(key uintptr, n int, limit []Limit, body func(lo, hi int) bool) bool {
	if force.Current() != force.Spread {
		return loop.RunOverhead(key, n, least(limit), &j.overhead, body)
	}
	j.at = force.Cuts(n, least(limit))
	j.results = make([]R, len(j.at)-1)
	return force.Tree(j.at, body, func(i, k int) { j.results[i] = j.join(j.results[i], j.results[k]) })
}

// runContext is run for bodies that may fail, and returns what the call returns.
func (j *joiner[R]) runContext(ctx context.Context, key uintptr, n int, limit []Limit, body func(ctx context.Context, lo, hi int) (int, error)) (r R, err error) {
	err = newFailing(ctx, body).result(func(part func(lo, hi int) bool) bool { return j.run(key, n, limit, part) })
	if err == nil {
		r = j.all()
	}
	return r, err
}

// resume takes out the result that ends before element lo, and returns where it
// begins; where there is none, it returns a new one that begins there.
func (j *joiner[R]) resume(lo int, zero func() R) (from int, r R) {
	if j.results == nil {
		j.mu.Lock()
		i := len(j.done)
		if i > 0 && j.done[i-1].lo > lo {
			i = j.find(lo)
		}
		if i > 0 && j.done[i-1].hi == lo {
			d := j.take(i - 1)
			return d.lo, d.r
		}
		j.mu.Unlock()
	}
	return lo, zero()
}

// find returns how many results begin before element lo.
func (j *joiner[R]) find(lo int) int {
	i, _ := slices.BinarySearchFunc(j.done, lo, func(d result[R], lo int) int { return d.lo - lo })
	return i
}

// add enters the result of a part, and joins it with its neighbours as far as
// these are not much larger than what it has become. It is tempting to let the
// leftmost result grow by one part after another; a join that costs as much as
// both its operands are long would make that quadratic.
func (j *joiner[R]) add(lo, hi int, r R) {
	if j.results != nil {
		i, _ := slices.BinarySearch(j.at, lo)
		j.results[i] = r
		return
	}
	j.mu.Lock()
	for {
		i := len(j.done)
		if i > 0 && j.done[i-1].lo > lo {
			i = j.find(lo)
		}
		left, right := 0, 0 // lengths of neighbours, 0 where there is none
		if i > 0 && j.done[i-1].hi == lo {
			left = lo - j.done[i-1].lo
		}
		if i < len(j.done) && j.done[i].lo == hi {
			right = j.done[i].hi - hi
		}
		// Who fills a gap joins in any case, or gaps would leave results that
		// nobody joins before the end.
		gap := left > 0 && right > 0
		switch {
		case left > 0 && (right == 0 || left <= right) && (gap || left/2 <= hi-lo):
			d := j.take(i - 1)
			j.overhead.Pay(func() { r, lo = j.join(d.r, r), d.lo })
		case right > 0 && (gap || right/2 <= hi-lo):
			d := j.take(i)
			j.overhead.Pay(func() { r, hi = j.join(r, d.r), d.hi })
		default:
			j.done = slices.Insert(j.done, i, result[R]{lo, hi, r})
			j.mu.Unlock()
			return
		}
		j.mu.Lock()
	}
}

// take takes a result out and unlocks, so that others go on while it is joined.
func (j *joiner[R]) take(i int) result[R] {
	d := j.done[i]
	j.done = slices.Delete(j.done, i, i+1)
	j.mu.Unlock()
	return d
}

// all joins what is left, short ones first, when all parts have come.
func (j *joiner[R]) all() R {
	if j.results != nil {
		return j.results[0]
	}
	for len(j.done) > 1 {
		least := 0
		for i := range j.done[1:] {
			if j.done[i+1].hi-j.done[i].lo < j.done[least+1].hi-j.done[least].lo {
				least = i
			}
		}
		a, b := j.done[least], j.done[least+1]
		j.done[least] = result[R]{a.lo, b.hi, j.join(a.r, b.r)}
		j.done = slices.Delete(j.done, least+1, least+2)
	}
	return j.done[0].r
}
