package par

import (
	"context"
	"slices"
	"sync"
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
// elements each where that can be had, so a join that copies both of them, such
// as [slices.Concat], copies an element few times.
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
// Reduce returns the zero R and calls nothing where s is empty. It panics where
// part or join is nil.
func Reduce[T, R any](s []T, part func(part []T) R, join func(a, b R) R) R {
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
	key := code(part)
	if small(key, len(s)) {
		return part(s[:len(s):len(s)])
	}
	return reduceSlice(key, s, part, join)
}

func reduceSlice[T, R any](key uintptr, s []T, part func(part []T) R, join func(a, b R) R) R {
	return reduce(key, len(s), func(lo, hi int) R { return part(s[lo:hi:hi]) }, join)
}

// ReduceN is [Reduce] of the numbers 0 to n-1, of which part gets those from lo
// to hi-1. It returns the zero R for n = 0, and panics where n is negative, or
// part or join is nil.
func ReduceN[R any](n int, part func(lo, hi int) R, join func(a, b R) R) R {
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
	key := code(part)
	if small(key, n) {
		return part(0, n)
	}
	return reduce(key, n, part, join)
}

func reduce[R any](key uintptr, n int, part func(lo, hi int) R, join func(a, b R) R) R {
	j := joiner[R]{join: join}
	run(key, n, func(lo, hi int) bool {
		j.add(lo, hi, part(lo, hi))
		return true
	})
	return j.all()
}

// ReduceContext is [Reduce] with parts that may fail, and that stops when ctx
// is done: see [ForContext]. The result is the zero R where the error is not nil.
func ReduceContext[T, R any](ctx context.Context, s []T, part func(part []T) (R, error), join func(a, b R) R) (R, error) {
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
	key := code(part)
	if small(key, len(s)) {
		r, err := part(s[:len(s):len(s)])
		if err != nil {
			return zero, err
		}
		return r, nil
	}
	return reduceContext(ctx, key, s, part, join)
}

func reduceContext[T, R any](ctx context.Context, key uintptr, s []T, part func(part []T) (R, error), join func(a, b R) R) (R, error) {
	j := joiner[R]{join: join}
	err := runContext(ctx, key, len(s), func(lo, hi int) (int, error) {
		r, err := part(s[lo:hi:hi])
		if err == nil {
			j.add(lo, hi, r)
		}
		return lo, err
	})
	if err != nil {
		var zero R
		return zero, err
	}
	return j.all(), nil
}

// A joiner joins results of parts that come in any order. What it holds is
// small: of parts that come from left to right, some log n results.
type joiner[R any] struct {
	join func(a, b R) R

	mu   sync.Mutex
	done []result[R] // by lo; disjoint; whoever joins one has taken it out
}

// A result is that of elements lo to hi-1.
type result[R any] struct {
	lo, hi int
	r      R
}

// add enters the result of a part, and joins it with its neighbours as far as
// these are not much larger than what it has become. It is tempting to let the
// leftmost result grow by one part after another; a join that costs as much as
// both its operands are long would make that quadratic.
func (j *joiner[R]) add(lo, hi int, r R) {
	j.mu.Lock()
	for {
		i := len(j.done)
		if i > 0 && j.done[i-1].lo > lo {
			i, _ = slices.BinarySearchFunc(j.done, lo, func(d result[R], lo int) int { return d.lo - lo })
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
			r, lo = j.join(d.r, r), d.lo
		case right > 0 && (gap || right/2 <= hi-lo):
			d := j.take(i)
			r, hi = j.join(r, d.r), d.hi
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
