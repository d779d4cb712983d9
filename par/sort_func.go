package par

import (
	"runtime"
	"slices"
)

// SortFunc sorts x in ascending order as cmp says, and does not keep the order
// of elements that are equal. What cmp must be is said at [slices.SortFunc]; it
// may be called from several goroutines at the same time.
//
// Where cmp is no order, because it lies or x changes, x is in some order in the
// end, with each of its elements. That also holds if cmp panics or calls
// [runtime.Goexit], which SortFunc hands on. nil and empty x are fine.
//
// Sorted and reversed x cost one pass. Where x is sorted but for some elements,
// they are merged as [SortStableFunc] does. All else is [slices.SortFunc] on one
// processor, and on two to four a quicksort in place that shares its parts. On
// more, from about 8000 elements on, it is a sort by samples, which needs n
// elements and 2n bytes: no step of it is left to one processor.
func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	switch {
	case len(x) < fewest:
		slices.SortFunc(x, cmp)
	case arrangedFunc([]E(x), cmp):
	case mostlySorted([]E(x), cmp):
		mergeMostly([]E(x), cmp)
	case byField([]E(x), cmp, false):
	case !sampledWide(len(x)):
		slices.SortFunc(x, cmp)
	case runtime.GOMAXPROCS(0) <= 4:
		quickSort([]E(x), cmp, 8)
	default:
		s := &sampler[E]{cmp, func(x, _ []E) { slices.SortFunc(x, cmp) }}
		s.sort(x, make([]E, len(x)), make([]uint16, len(x)))
	}
}

// SortStableFunc sorts x in ascending order as cmp says, and keeps the order of
// elements that are equal. What is said at [SortFunc] about cmp holds here too.
//
// It is a merge sort, and faster than [slices.SortStableFunc] on one processor
// too, because it has room for n/2 elements more where that has none. On several
// processors it is a sort by samples from about 8000 elements on, and needs n
// elements and 2n bytes.
func SortStableFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	switch {
	case len(x) < 3*insertion:
		slices.SortStableFunc(x, cmp)
	case arrangedFunc([]E(x), cmp):
	case byField([]E(x), cmp, true):
	case !sampledWide(len(x)):
		mergeSort(x, make([]E, (len(x)+1)/2), cmp)
	case mostlySorted([]E(x), cmp):
		mergeMostly([]E(x), cmp)
	default:
		s := &sampler[E]{cmp, func(x, buf []E) { mergeSort(x, buf, cmp) }}
		s.sort(x, make([]E, len(x)), make([]uint16, len(x)))
	}
}

// sampledWide reports whether n elements are to be sorted by samples.
func sampledWide(n int) bool {
	return n >= sampled && uint64(n) <= most && runtime.GOMAXPROCS(0) > 1
}

// mergeMostly sorts x, of which little is out of order, in stable order.
func mergeMostly[E any](x []E, cmp func(a, b E) int) {
	if wide(len(x)) {
		mergeSortWide(x, make([]E, len(x)), cmp)
	} else {
		mergeSort(x, make([]E, (len(x)+1)/2), cmp)
	}
}

// arrangedFunc reports whether x is sorted, in the end; it reverses x where each
// element is less than the one before.
func arrangedFunc[E any](x []E, cmp func(a, b E) int) bool {
	i := 1
	for i < len(x) && cmp(x[i], x[i-1]) >= 0 {
		if i++; i == sampled && len(x) >= 2*sampled && IsSortedFunc(x[i-1:], cmp) {
			return true
		}
	}
	if i > 1 {
		return i == len(x)
	}
	for i < len(x) && cmp(x[i], x[i-1]) < 0 {
		i++
	}
	if i < len(x) {
		return false
	}
	slices.Reverse(x)
	return true
}

// mostlySorted reports whether few of the elements of x that it looks at are less
// than those before them. x has at least 128 elements.
func mostlySorted[E any](x []E, cmp func(a, b E) int) bool {
	const looks, few = 64, 4
	down := 0
	for i := range looks {
		at := int(uint64(len(x)-1) * uint64(i) / looks)
		if cmp(x[at+1], x[at]) < 0 {
			if down++; down > few {
				return false
			}
		}
	}
	return true
}
