package par

import (
	"cmp"
	"slices"
)

// IsSorted reports whether x is sorted in ascending order, as [slices.IsSorted]
// does. It looks no further once it knows that x is not. Nil and empty x are.
func IsSorted[S ~[]E, E cmp.Ordered](x S) bool {
	if len(x) < parallel {
		return slices.IsSorted(x)
	}
	// Blocks and not elements, because one costs less than a nanosecond.
	body := func(lo, hi int) bool {
		return slices.IsSorted(x[lo*grain/8 : min(len(x), hi*grain/8+1)])
	}
	return run(code(body), (len(x)+grain/8-1)/(grain/8), body)
}

// IsSortedFunc reports whether x is sorted in ascending order as cmp says, as
// [slices.IsSortedFunc] does. It looks no further once it knows that x is not.
// cmp may be called from several goroutines at the same time; if it panics, so
// does IsSortedFunc. Nil and empty x are sorted.
func IsSortedFunc[S ~[]E, E any](x S, cmp func(a, b E) int) bool {
	const step = 2 // what is learned here about cmp is not about a sort with it
	key := code(cmp) + step
	if len(x) < 2 || small(key, len(x)-1) {
		return slices.IsSortedFunc(x, cmp)
	}
	return run(key, len(x)-1, func(lo, hi int) bool {
		return slices.IsSortedFunc(x[lo:hi+1], cmp)
	})
}
