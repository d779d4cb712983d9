package par

import "context"

// ForEach calls body(i, &s[i]) for every index of s, each once.
//
// Calls may overlap and come in any order. ForEach returns when all have
// returned. Where one panics or calls [runtime.Goexit], no further part of s is
// begun, and ForEach does the same once the calls under way have ended.
//
// A call for each element takes a nanosecond or two, which the loop that it
// replaces may not: where an element takes less than some 10 ns, use [For].
//
// A nil or empty s has no elements. ForEach panics where body is nil.
func ForEach[T any](s []T, body func(i int, v *T)) {
	if body == nil {
		panic("par.ForEach: body is nil")
	}
	key := code(body)
	if small(key, len(s)) {
		for i := range s {
			body(i, &s[i])
		}
		return
	}
	forEach(key, s, body)
}

// forEach is apart from [ForEach], as the like of it are throughout, so that
// only calls that get here pay for the closure.
func forEach[T any](key uintptr, s []T, body func(i int, v *T)) {
	run(key, len(s), func(lo, hi int) bool {
		part := s[lo:hi]
		for i := range part {
			body(lo+i, &part[i])
		}
		return true
	})
}

// ForEachContext is [ForEach] with a body that may fail, and that stops when
// ctx is done: see [ForContext]. A part ends at its first error.
func ForEachContext[T any](ctx context.Context, s []T, body func(i int, v *T) error) error {
	if body == nil {
		panic("par.ForEachContext: body is nil")
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	key := code(body)
	if small(key, len(s)) {
		for i := range s {
			if err := body(i, &s[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return forEachContext(ctx, key, s, body)
}

func forEachContext[T any](ctx context.Context, key uintptr, s []T, body func(i int, v *T) error) error {
	return runContext(ctx, key, len(s), func(lo, hi int) (int, error) {
		part := s[lo:hi]
		for i := range part {
			if err := body(lo+i, &part[i]); err != nil {
				return lo + i, err
			}
		}
		return 0, nil
	})
}
