package order

import (
	"reflect"
	"runtime"
	"slices"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/pointers"
)

// SortFunc sorts x.
func SortFunc[E any](x []E, cmp func(a, b E) int) {
	compareApart(x, cmp)
	switch {
	case len(x) < fewCompared:
		slices.SortFunc(x, cmp)
	case arrangedFunc(x, cmp):
	case mostlySorted(x, cmp):
		mergeMostly(x, cmp)
	case byField(x, cmp, false):
	case (sampledWide(len(x)) || sampledAlone(len(x))) && pointers.In(reflect.TypeFor[E]()):
		s := &sampler[E]{cmp, func(x, _ []E) { slices.SortFunc(x, cmp) }}
		s.sort(x, make([]E, len(x)), make([]uint16, len(x)))
	case len(x) >= sampled && runtime.GOMAXPROCS(0) > 1:
		quickSort(x, cmp)
	default:
		slices.SortFunc(x, cmp)
	}
}

// compareApart calls cmp on several goroutines, where parts are spread, so that the
// race detector sees what it does there: most sorts are too short to be shared.
func compareApart[E any](x []E, cmp func(a, b E) int) {
	if force.Current() != force.Spread {
		return
	}
	run(code(cmp)+orderStep, len(x)-1, func(lo, hi int) bool {
		for i := lo; i < hi; i++ {
			cmp(x[i+1], x[i])
		}
		return true
	})
}

// fewCompared is the length below which SortFunc leaves all to the standard library.
const fewCompared = 160

// SortStableFunc sorts x in stable order.
func SortStableFunc[E any](x []E, cmp func(a, b E) int) {
	compareApart(x, cmp)
	switch {
	case len(x) < 3*insertion:
		slices.SortStableFunc(x, cmp)
	case arrangedFunc(x, cmp):
	case byField(x, cmp, true):
	case !sampledWide(len(x)):
		mergeSort(x, make([]E, (len(x)+1)/2), cmp)
	case mostlySorted(x, cmp):
		mergeMostly(x, cmp)
	default:
		s := &sampler[E]{cmp, func(x, buf []E) { mergeSort(x, buf, cmp) }}
		s.sort(x, make([]E, len(x)), make([]uint16, len(x)))
	}
}

// sampledAlone reports whether n elements, which compare what lies elsewhere, are to be
// sorted by samples on one processor too: what they compare lies in no cache.
func sampledAlone(n int) bool { return n >= farAlone && uint64(n) <= most }

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
		if i++; i == sampled && len(x) >= 2*sampled && isOrderedFunc(x[i-1:], cmp) {
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

// isOrderedFunc reports whether x is sorted, on several processors.
func isOrderedFunc[E any](x []E, cmp func(a, b E) int) bool {
	return run(code(cmp)+orderStep, len(x)-1, func(lo, hi int) bool {
		return slices.IsSortedFunc(x[lo:hi+1], cmp)
	})
}
