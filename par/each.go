package par

import "context"

// ForEach calls body(i, &s[i]) for every index of s, each once.
//
// Calls may overlap and come in any order. ForEach returns when all have
// returned. Where one panics or calls [runtime.Goexit], no further part of s is
// begun, and ForEach ends the same way once the calls under way have ended, as
// [For] does.
//
// A call for each element takes a nanosecond or two, which the loop that it
// replaces may not: where an element takes less than some 10 ns, use [For].
//
// A nil or empty s has no elements. ForEach panics where body is nil.
func ForEach[S ~[]E, E any](s S, body func(i int, v *E), limit ...Limit) {
	if body == nil {
		panic("par.ForEach: body is nil")
	}
	defer rethrow()
	key := code(body)
	if small(key, len(s)) {
		for i := range s {
			body(i, &s[i])
		}
		return
	}
	forEach(key, s, limit, body)
}

// forEach is apart from [ForEach], as its counterparts are throughout, so that
// only calls that get here pay for the closure.
func forEach[E any](key uintptr, s []E, limit []Limit, body func(i int, v *E)) {
	runLimit(key, len(s), limit, func(lo, hi int) bool {
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
	if small(key, len(s)) {
		for i := range s {
			if err := body(ctx, i, &s[i]); err != nil {
				return failure(ctx, err)
			}
		}
		return nil
	}
	return forEachContext(ctx, key, s, limit, body)
}

func forEachContext[E any](ctx context.Context, key uintptr, s []E, limit []Limit, body func(ctx context.Context, i int, v *E) error) error {
	return runContext(ctx, key, len(s), limit, func(ctx context.Context, lo, hi int) (int, error) {
		part := s[lo:hi]
		for i := range part {
			if err := body(ctx, lo+i, &part[i]); err != nil {
				return lo + i, err
			}
		}
		return 0, nil
	})
}
