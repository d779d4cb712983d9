package par

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/internal/force"
)

// Scan returns a new slice of what op makes of the first element of s, of the
// first two, the first three, and so on. For + those are the running sums.
//
//	out[0] = s[0], out[1] = op(s[0], s[1]), out[2] = op(op(s[0], s[1]), s[2]), …
//
// op has to be associative, and need not be commutative: operands keep their
// order. Which are put together first varies from call to call, and so do the
// last bits of sums of floats. See [Reduce] for a way out.
//
// Calls of op may overlap. On one processor it is called len(s)-1 times, on
// several up to twice as often. That bounds what these can gain: two of them are
// at best 1.5 times as fast as one. Many are half as fast as many loops of their
// own would be. Panics and [runtime.Goexit] of op come out of Scan as they do of
// [ForEach].
//
// The result has the length of s and is never nil. Scan panics where op is nil.
func Scan[S ~[]E, E any](s S, op func(a, b E) E, limit ...Limit) S {
	if op == nil {
		panic("par.Scan: op is nil")
	}
	defer rethrow()
	out := make(S, len(s))
	key := code(op)
	if small(key, len(s)) {
		if len(s) > 0 {
			scanFrom(s[0], s, out, op)
		}
		return out
	}
	scan(key, s, out, limit, op)
	return out
}

func scan[T any](key uintptr, s, out []T, limit []Limit, op func(a, b T) T) {
	c := scanner[T]{s: s, out: out, op: op}
	unit := c.unit()
	runLimit(key, (len(s)+unit-1)/unit, limit, func(lo, hi int) bool {
		c.part(lo*unit, min(hi*unit, len(s)))
		return true
	})
	if n := c.late(); n > 0 {
		runLimit(key+1, n, limit, func(lo, hi int) bool {
			c.raisePart(lo, hi)
			return true
		})
	}
}

// ScanContext is [Scan] that stops when ctx is done: see [ForContext]. The slice
// is nil where the error is not. What cannot be put together is for E to say:
// operations on other operands than those of a plain loop have no first error.
func ScanContext[S ~[]E, E any](ctx context.Context, s S, op func(a, b E) E, limit ...Limit) (S, error) {
	if op == nil {
		panic("par.ScanContext: op is nil")
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	defer rethrow()
	out := make(S, len(s))
	key := code(op)
	if small(key, len(s)) {
		if len(s) > 0 {
			scanFrom(s[0], s, out, op)
		}
		return out, nil
	}
	if err := scanContext(ctx, key, s, out, limit, op); err != nil {
		return nil, err
	}
	return out, nil
}

func scanContext[T any](ctx context.Context, key uintptr, s, out []T, limit []Limit, op func(a, b T) T) error {
	c := scanner[T]{s: s, out: out, op: op}
	unit := c.unit()
	err := runContext(ctx, key, (len(s)+unit-1)/unit, limit, func(_ context.Context, lo, hi int) (int, error) {
		c.part(lo*unit, min(hi*unit, len(s)))
		return 0, nil
	})
	if n := c.late(); err == nil && n > 0 {
		err = runContext(ctx, key+1, n, limit, func(_ context.Context, lo, hi int) (int, error) {
			c.raisePart(lo, hi)
			return 0, nil
		})
	}
	return err
}

// A scanner scans parts that come in any order. A part before which all is
// known is scanned for good; if parts come one after the other, all are, and
// the scan is the plain loop. Others are scanned on their own, so that their
// last element is their sum, and raised by what comes before them when that is
// known. The sum of a part that waits is enough for the front to pass it: that
// costs one op, not one for each element.
type scanner[T any] struct {
	s, out []T
	op     func(a, b T) T

	// out[front-1] is final, and so are those before it, less the parts in low.
	// The only one to change front is he who scanned the part that begins there,
	// and he does so under mu.
	front atomic.Int64

	mu      sync.Mutex
	waiting []span // scanned on their own, beyond front, by lo
	low     []span // behind front, to be raised by the element before each; their last one is final
	ends    []int  // of late: where the parts in low end if laid end to end
}

// A span is that of elements lo to hi-1.
type span struct{ lo, hi int }

// unit is how many elements are not cut apart. Where parts are spread, each of them
// is to call op by itself: parts of one element only wait for others.
func (c *scanner[T]) unit() int {
	if force.Current() == force.Spread {
		return 2
	}
	return 1
}

// part scans a part.
func (c *scanner[T]) part(lo, hi int) {
	// Where parts are spread, the load would order this one after that before it.
	first := lo == 0 || force.Current() != force.Spread && c.front.Load() == int64(lo)
	if first {
		v := c.s[lo]
		if lo > 0 {
			v = c.op(c.out[lo-1], v)
		}
		scanFrom(v, c.s[lo:hi], c.out[lo:hi], c.op)
		// On with the next part, which is at the front too if the others keep
		// up: they do what is left to do behind it.
		c.advance(hi)
		return
	}
	scanFrom(c.s[lo], c.s[lo:hi], c.out[lo:hi], c.op)
	c.mu.Lock()
	if first = c.front.Load() == int64(lo); !first {
		i, _ := slices.BinarySearchFunc(c.waiting, lo, func(w span, lo int) int { return w.lo - lo })
		c.waiting = slices.Insert(c.waiting, i, span{lo, hi})
	}
	c.mu.Unlock()
	// Who has added a part that is to be raised raises one, and one more where
	// there is: then few are left in the end.
	parts := 2
	if first {
		c.pass(lo, hi)
		c.advance(hi)
		c.raise(lo, hi-1)
		parts = 1
	}
	for range parts {
		c.mu.Lock()
		last := len(c.low) - 1
		if last < 0 {
			c.mu.Unlock()
			return
		}
		l := c.low[last]
		c.low = c.low[:last]
		c.mu.Unlock()
		c.raise(l.lo, l.hi-1)
	}
}

// advance moves the front to a place, and on over the parts that wait there.
func (c *scanner[T]) advance(front int) {
	c.mu.Lock()
	c.front.Store(int64(front))
	for len(c.waiting) > 0 && c.waiting[0].lo == front {
		w := c.waiting[0]
		c.waiting = slices.Delete(c.waiting, 0, 1)
		c.mu.Unlock() // nobody else moves the front: the part that begins there is ours
		c.pass(w.lo, w.hi)
		c.mu.Lock()
		front = w.hi
		c.front.Store(int64(front))
		c.low = append(c.low, w)
	}
	c.mu.Unlock()
}

// pass makes the last element of a part final.
func (c *scanner[T]) pass(lo, hi int) { c.out[hi-1] = c.op(c.out[lo-1], c.out[hi-1]) }

// raise makes elements lo to hi-1 final: all are after out[lo-1] only.
func (c *scanner[T]) raise(lo, hi int) { raise(c.out[lo-1], c.out[lo:hi], c.op) }

// late returns how many elements are left to be raised when all parts are done.
func (c *scanner[T]) late() (n int) {
	for _, l := range c.low {
		n += l.hi - 1 - l.lo
		c.ends = append(c.ends, n)
	}
	return n
}

// raisePart raises the elements lo to hi-1 of those counted by late.
func (c *scanner[T]) raisePart(lo, hi int) {
	for lo < hi {
		i, _ := slices.BinarySearch(c.ends, lo+1) // the first to end after lo
		to := min(hi, c.ends[i])
		l := c.low[i]
		end := l.hi - 1 // in out, which ends[i] is here
		raise(c.out[l.lo-1], c.out[end-(c.ends[i]-lo):end-(c.ends[i]-to)], c.op)
		lo = to
	}
}

// scanFrom scans s into out, where v stands for the first element.
func scanFrom[T any](v T, s, out []T, op func(a, b T) T) {
	out[0] = v
	s = s[1:]
	out = out[1:][:len(s)]
	for i, w := range s {
		v = op(v, w)
		out[i] = v
	}
}

// raise puts v before each element.
func raise[T any](v T, out []T, op func(a, b T) T) {
	for i, w := range out {
		out[i] = op(v, w)
	}
}
