package par

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/gopayoff/payoff/internal/force"
)

// Filter returns a new slice of those elements of s for which keep returns
// true, in the order of s.
//
// keep is called once for each element. Calls may overlap and come in any
// order; panics and [runtime.Goexit] come out of Filter as they do of [ForEach].
//
// The result is never nil. Its capacity may exceed its length, as append makes it.
// While several processors work, Filter takes up to twice the memory of the result,
// and some. It panics where keep is nil.
func Filter[S ~[]E, E any](s S, keep func(v E) bool, limit ...Limit) S {
	if keep == nil {
		panic("par.Filter: keep is nil")
	}
	defer rethrow()
	key := code(keep)
	out := S{}
	lo, hi := 0, first(key, len(s))
	for lo < hi {
		for _, v := range s[lo:hi] {
			if keep(v) {
				out = append(out, v)
			}
		}
		lo, hi = hi, more(key, hi, len(s))
	}
	if lo == len(s) {
		return out
	}
	return filter(key, out, lo, s[lo:], limit, keep)
}

// filter filters s, and puts what it keeps behind kept, which it has of the elements
// before.
func filter[E any](key uintptr, kept []E, before int, s []E, limit []Limit, keep func(v E) bool) []E {
	var c collector[E]
	c.start(kept, before)
	runLimit(key, len(s), limit, func(lo, hi int) bool {
		p := c.begin(lo, hi)
		out := p.kept
		for _, v := range s[lo:hi] {
			if keep(v) {
				out = append(out, v)
			}
		}
		c.end(p, hi, out)
		return true
	})
	return c.all(limit)
}

// FilterContext is [Filter] with a function that may fail, and that stops when
// ctx is done: see [ForContext]. A part ends at its first error. The slice is
// nil where the error is not.
func FilterContext[S ~[]E, E any](ctx context.Context, s S, keep func(ctx context.Context, v E) (bool, error), limit ...Limit) (S, error) {
	if keep == nil {
		panic("par.FilterContext: keep is nil")
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	defer rethrow()
	key := code(keep)
	out := S{}
	lo, hi := 0, first(key, len(s))
	for lo < hi {
		for _, v := range s[lo:hi] {
			ok, err := keep(ctx, v)
			if err != nil {
				return nil, failure(ctx, err)
			}
			if ok {
				out = append(out, v)
			}
		}
		if lo, hi = hi, more(key, hi, len(s)); lo < len(s) && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	if lo == len(s) {
		return out, nil
	}
	return filterContext(ctx, key, out, lo, s[lo:], limit, keep)
}

func filterContext[E any](ctx context.Context, key uintptr, kept []E, before int, s []E, limit []Limit, keep func(ctx context.Context, v E) (bool, error)) ([]E, error) {
	var c collector[E]
	c.start(kept, before)
	err := runContext(ctx, key, len(s), limit, func(ctx context.Context, lo, hi int) (int, error) {
		p := c.begin(lo, hi)
		out := p.kept
		for i, v := range s[lo:hi] {
			if looks(i) && ctx.Err() != nil {
				return lo + i, ctx.Err()
			}
			ok, err := keep(ctx, v)
			if err != nil {
				return lo + i, err
			}
			if ok {
				out = append(out, v)
			}
		}
		c.end(p, hi, out)
		return 0, nil
	})
	if err != nil {
		return nil, err
	}
	return c.all(limit), nil
}

// A collector keeps what parts keep. While parts come one after the other, in
// order, all goes into one piece by append, as in a plain loop, and this piece
// is the result. Parts that come otherwise fill pieces of their own.
type collector[T any] struct {
	mu     sync.Mutex
	done   []piece[T] // in no order; whoever appends to one has taken it out
	seen   int        // elements of finished parts
	number int        // how many of them were kept
}

// A piece has what was kept of elements lo to hi-1.
type piece[T any] struct {
	lo, hi int
	kept   []T
}

// start begins with what was kept of so many elements before the first.
func (c *collector[T]) start(kept []T, before int) {
	if before > 0 {
		c.done = append(c.done, piece[T]{-before, 0, kept})
		c.seen, c.number = before, len(kept)
	}
}

// begin returns the piece that a part is to append to.
func (c *collector[T]) begin(lo, hi int) piece[T] {
	if force.Current() == force.Spread {
		return piece[T]{lo: lo, hi: lo} // the lock would order this part after others
	}
	c.mu.Lock()
	if last := len(c.done) - 1; last >= 0 && c.done[last].hi == lo {
		p := c.done[last]
		c.done[last] = piece[T]{}
		c.done = c.done[:last]
		c.mu.Unlock()
		return p
	}
	room := 0
	if c.seen > 0 {
		// As many as before, and an eighth, save growing by small steps. Not in
		// integers: n times n overflows.
		room = min(hi-lo, int(float64(hi-lo)*float64(c.number)/float64(c.seen)*1.125)+1)
	}
	c.mu.Unlock()
	p := piece[T]{lo: lo, hi: lo}
	if room > 0 {
		p.kept = make([]T, 0, room)
	}
	return p
}

// end puts back a piece that begin returned, with what it has become.
func (c *collector[T]) end(p piece[T], hi int, kept []T) {
	c.mu.Lock()
	c.seen += hi - p.hi
	c.number += len(kept) - len(p.kept)
	c.done = append(c.done, piece[T]{p.lo, hi, kept})
	c.mu.Unlock()
}

// all returns what was kept, when all parts have ended.
func (c *collector[T]) all(limit []Limit) []T {
	switch {
	case c.number == 0:
		return []T{}
	case len(c.done) == 1:
		return c.done[0].kept
	}
	slices.SortFunc(c.done, func(a, b piece[T]) int { return cmp.Compare(a.lo, b.lo) })
	return concat(c.done, c.number, limit)
}

// concat copies n elements of pieces into a slice of their own.
func concat[T any](pieces []piece[T], n int, limit []Limit) []T {
	out := make([]T, n)
	// From here on, pieces are known by where they go: out[lo:hi].
	at := 0
	for i := range pieces {
		p := &pieces[i]
		p.lo, p.hi = at, at+len(p.kept)
		at = p.hi
	}
	copyPart := func(lo, hi int) bool {
		// The first piece that ends after lo.
		i, _ := slices.BinarySearchFunc(pieces, lo, func(p piece[T], lo int) int {
			if p.hi <= lo {
				return -1
			}
			return 1
		})
		for ; lo < hi; i++ {
			lo += copy(out[lo:hi], pieces[i].kept[lo-pieces[i].lo:])
		}
		return true
	}
	if key := code(copyPart); small(key, n) {
		copyPart(0, n)
	} else {
		runLimit(key, n, limit, copyPart)
	}
	return out
}
