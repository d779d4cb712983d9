package par

import "context"

// Map returns a new slice of f(v) for every v of s, in the order of s.
//
// Calls of f may overlap and come in any order, one for each element. Panics
// and [runtime.Goexit] of f come out of Map as they do of [ForEach].
//
// The result has the length of s and is never nil. It is all that Map
// allocates for the elements. Map panics where f is nil.
func Map[S ~[]E, E, R any](s S, f func(v E) R, limit ...Limit) []R {
	if f == nil {
		panic("par.Map: f is nil")
	}
	defer rethrow()
	out := make([]R, len(s))
	key := code(f)
	lo, hi := 0, first(key, len(s))
	for lo < hi {
		for i, v := range s[lo:hi] {
			out[lo+i] = f(v)
		}
		lo, hi = hi, more(key, hi, len(s))
	}
	if lo < len(s) {
		mapSlice(key, out[lo:], s[lo:], limit, f)
	}
	return out
}

func mapSlice[E, R any](key uintptr, out []R, s []E, limit []Limit, f func(v E) R) {
	runLimit(key, len(s), limit, func(lo, hi int) bool {
		part := s[lo:hi]
		to := out[lo:hi][:len(part)]
		for i, v := range part {
			to[i] = f(v)
		}
		return true
	})
}

// MapIndexed is [Map] with a function that gets the index of the element too.
func MapIndexed[S ~[]E, E, R any](s S, f func(i int, v E) R, limit ...Limit) []R {
	if f == nil {
		panic("par.MapIndexed: f is nil")
	}
	defer rethrow()
	out := make([]R, len(s))
	key := code(f)
	lo, hi := 0, first(key, len(s))
	for lo < hi {
		for i, v := range s[lo:hi] {
			out[lo+i] = f(lo+i, v)
		}
		lo, hi = hi, more(key, hi, len(s))
	}
	if lo < len(s) {
		mapIndexed(key, lo, out, s, limit, f)
	}
	return out
}

func mapIndexed[E, R any](key uintptr, from int, out []R, s []E, limit []Limit, f func(i int, v E) R) {
	runLimit(key, len(s)-from, limit, func(lo, hi int) bool {
		lo, hi = from+lo, from+hi
		part := s[lo:hi]
		to := out[lo:hi][:len(part)]
		for i, v := range part {
			to[i] = f(lo+i, v)
		}
		return true
	})
}

// MapN returns a slice of f(0), f(1), … f(n-1). It is [Map] without a slice to
// begin with, and panics where n is negative or f is nil.
func MapN[R any](n int, f func(i int) R, limit ...Limit) []R {
	if f == nil {
		panic("par.MapN: f is nil")
	}
	if n < 0 {
		panic("par.MapN: n < 0")
	}
	defer rethrow()
	out := make([]R, n)
	key := code(f)
	lo, hi := 0, first(key, n)
	for lo < hi {
		for ; lo < hi; lo++ {
			out[lo] = f(lo)
		}
		hi = more(key, lo, n)
	}
	if lo < n {
		mapN(key, lo, out, limit, f)
	}
	return out
}

func mapN[R any](key uintptr, from int, out []R, limit []Limit, f func(i int) R) {
	runLimit(key, len(out)-from, limit, func(lo, hi int) bool {
		lo, hi = from+lo, from+hi
		to := out[lo:hi]
		for i := range to {
			to[i] = f(lo + i)
		}
		return true
	})
}

// MapContext is [Map] with a function that may fail, and that stops when ctx is
// done: see [ForContext]. A part ends at its first error. The slice is nil where
// the error is not.
func MapContext[S ~[]E, E, R any](ctx context.Context, s S, f func(ctx context.Context, v E) (R, error), limit ...Limit) ([]R, error) {
	if f == nil {
		panic("par.MapContext: f is nil")
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	defer rethrow()
	out := make([]R, len(s))
	key := code(f)
	lo, hi := 0, first(key, len(s))
	for lo < hi {
		for i, v := range s[lo:hi] {
			r, err := f(ctx, v)
			if err != nil {
				return nil, failure(ctx, err)
			}
			out[lo+i] = r
		}
		if lo, hi = hi, more(key, hi, len(s)); lo < len(s) && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	if lo < len(s) {
		if err := mapContext(ctx, key, out[lo:], s[lo:], limit, f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func mapContext[E, R any](ctx context.Context, key uintptr, out []R, s []E, limit []Limit, f func(ctx context.Context, v E) (R, error)) error {
	return runContext(ctx, key, len(s), limit, func(ctx context.Context, lo, hi int) (int, error) {
		part := s[lo:hi]
		to := out[lo:hi][:len(part)]
		for i, v := range part {
			if looks(i) && ctx.Err() != nil {
				return lo + i, ctx.Err()
			}
			r, err := f(ctx, v)
			if err != nil {
				return lo + i, err
			}
			to[i] = r
		}
		return 0, nil
	})
}

// MapIndexedContext is to [MapIndexed] what [MapContext] is to [Map].
func MapIndexedContext[S ~[]E, E, R any](ctx context.Context, s S, f func(ctx context.Context, i int, v E) (R, error), limit ...Limit) ([]R, error) {
	if f == nil {
		panic("par.MapIndexedContext: f is nil")
	}
	return mapNContext(ctx, code(f), len(s), limit, func(ctx context.Context, i int) (R, error) { return f(ctx, i, s[i]) })
}

// MapNContext is to [MapN] what [MapContext] is to [Map].
func MapNContext[R any](ctx context.Context, n int, f func(ctx context.Context, i int) (R, error), limit ...Limit) ([]R, error) {
	if f == nil {
		panic("par.MapNContext: f is nil")
	}
	if n < 0 {
		panic("par.MapNContext: n < 0")
	}
	return mapNContext(ctx, code(f), n, limit, f)
}

func mapNContext[R any](ctx context.Context, key uintptr, n int, limit []Limit, f func(ctx context.Context, i int) (R, error)) ([]R, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	defer rethrow()
	out := make([]R, n)
	lo, hi := 0, first(key, n)
	for lo < hi {
		for ; lo < hi; lo++ {
			r, err := f(ctx, lo)
			if err != nil {
				return nil, failure(ctx, err)
			}
			out[lo] = r
		}
		if hi = more(key, lo, n); lo < n && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
	}
	if lo < n {
		if err := mapNParts(ctx, key, lo, out, limit, f); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func mapNParts[R any](ctx context.Context, key uintptr, from int, out []R, limit []Limit, f func(ctx context.Context, i int) (R, error)) error {
	return runContext(ctx, key, len(out)-from, limit, func(ctx context.Context, lo, hi int) (int, error) {
		lo, hi = from+lo, from+hi
		to := out[lo:hi]
		for i := range to {
			if looks(i) && ctx.Err() != nil {
				return lo + i, ctx.Err()
			}
			r, err := f(ctx, lo+i)
			if err != nil {
				return lo + i, err
			}
			to[i] = r
		}
		return 0, nil
	})
}
