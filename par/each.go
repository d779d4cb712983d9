package par

import "context"

// ForEach calls body(i, &s[i]) for every index of s, each once.
//
// Calls may overlap and come in any order. ForEach returns when all have
// returned. Where one panics or calls [runtime.Goexit], no further part of s
// begins. ForEach ends the same way once the calls under way have ended, as
// [For] does.
//
// A call for each element takes a nanosecond or two, which the loop that it
// replaces may not. Where an element takes less than some 10 ns, use [For].
//
// A nil or empty s has no elements. ForEach panics where body is nil.
func ForEach[S ~[]E, E any](s S, body func(i int, v *E), limit ...Limit) {
	if body == nil {
		panic("par.ForEach: body is nil")
	}
	defer rethrow()
	key := code(body)
	lo, hi := 0, first(key, len(s))
	for lo < hi {
		for ; lo < hi; lo++ {
			body(lo, &s[lo])
		}
		hi = more(key, lo, len(s))
	}
	if lo < len(s) {
		forEach(key, lo, s, limit, body)
	}
}

// forEach is ForEach from an index on. It is apart from [ForEach], as its counterparts
// are throughout, so that only calls that get here pay for the closure.
func forEach[E any](key uintptr, from int, s []E, limit []Limit, body func(i int, v *E)) {
	runLimit(key, len(s)-from, limit, func(lo, hi int) bool {
		lo, hi = from+lo, from+hi
		part := s[lo:hi]
		for i := range part {
			body(lo+i, &part[i])
		}
		return true
	})
}

// ForEachContext is [ForEach] with a body that may fail, and that stops when
// ctx is done: see [ForContext]. A part ends at its first error.
func ForEachContext[S ~[]E, E any](ctx context.Context, s S, body func(ctx context.Context, i int, v *E) error, limit ...Limit) error {
	if body == nil {
		panic("par.ForEachContext: body is nil")
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	defer rethrow()
	key := code(body)
	lo, hi := 0, first(key, len(s))
	for lo < hi {
		for ; lo < hi; lo++ {
			if err := body(ctx, lo, &s[lo]); err != nil {
				return failure(ctx, err)
			}
		}
		if hi = more(key, lo, len(s)); lo < len(s) && ctx.Err() != nil {
			return context.Cause(ctx)
		}
	}
	if lo == len(s) {
		return nil
	}
	return forEachContext(ctx, key, lo, s, limit, body)
}

func forEachContext[E any](ctx context.Context, key uintptr, from int, s []E, limit []Limit, body func(ctx context.Context, i int, v *E) error) error {
	return runContext(ctx, key, len(s)-from, limit, func(ctx context.Context, lo, hi int) (int, error) {
		lo, hi = from+lo, from+hi
		part := s[lo:hi]
		for i := range part {
			if looks(i) && ctx.Err() != nil {
				return lo + i, ctx.Err()
			}
			if err := body(ctx, lo+i, &part[i]); err != nil {
				return lo + i, err
			}
		}
		return 0, nil
	})
}
