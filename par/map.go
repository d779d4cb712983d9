package par

import "context"

// Map returns a new slice of f(v) for every v of s, in the order of s.
//
// Calls of f may overlap and come in any order, one for each element. Panics
// and [runtime.Goexit] of f come out of Map as they do of [ForEach].
//
// The result has the length of s and is never nil. It is all that Map
// allocates for the elements. Map panics where f is nil.
func Map[T, R any](s []T, f func(T) R) []R {
	if f == nil {
		panic("par.Map: f is nil")
	}
	out := make([]R, len(s))
	key := code(f)
	if small(key, len(s)) {
		for i, v := range s {
			out[i] = f(v)
		}
		return out
	}
	mapSlice(key, out, s, f)
	return out
}

func mapSlice[T, R any](key uintptr, out []R, s []T, f func(T) R) {
	run(key, len(s), func(lo, hi int) bool {
		part := s[lo:hi]
		to := out[lo:hi][:len(part)]
		for i, v := range part {
			to[i] = f(v)
		}
		return true
	})
}

// MapContext is [Map] with a function that may fail, and that stops when ctx is
// done: see [ForContext]. A part ends at its first error. The slice is nil where
// the error is not.
func MapContext[T, R any](ctx context.Context, s []T, f func(T) (R, error)) ([]R, error) {
	if f == nil {
		panic("par.MapContext: f is nil")
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	out := make([]R, len(s))
	key := code(f)
	if small(key, len(s)) {
		for i, v := range s {
			r, err := f(v)
			if err != nil {
				return nil, err
			}
			out[i] = r
		}
		return out, nil
	}
	if err := mapContext(ctx, key, out, s, f); err != nil {
		return nil, err
	}
	return out, nil
}

func mapContext[T, R any](ctx context.Context, key uintptr, out []R, s []T, f func(T) (R, error)) error {
	return runContext(ctx, key, len(s), func(lo, hi int) (int, error) {
		part := s[lo:hi]
		to := out[lo:hi][:len(part)]
		for i, v := range part {
			r, err := f(v)
			if err != nil {
				return lo + i, err
			}
			to[i] = r
		}
		return 0, nil
	})
}

// MapN returns a slice of f(0), f(1), … f(n-1). It is [Map] without a slice to
// begin with, and panics where n is negative or f is nil.
func MapN[R any](n int, f func(i int) R) []R {
	if f == nil {
		panic("par.MapN: f is nil")
	}
	if n < 0 {
		panic("par.MapN: n < 0")
	}
	out := make([]R, n)
	key := code(f)
	if small(key, n) {
		for i := range out {
			out[i] = f(i)
		}
		return out
	}
	mapN(key, out, f)
	return out
}

func mapN[R any](key uintptr, out []R, f func(i int) R) {
	run(key, len(out), func(lo, hi int) bool {
		to := out[lo:hi]
		for i := range to {
			to[i] = f(lo + i)
		}
		return true
	})
}
