package order

import (
	"math/bits"
	"sort"
)

// insertion is the length up to which mergeSort inserts one by one.
const insertion = 10

// mergeSort sorts x, in stable order. buf has room for half of x, rounded up.
//
// It merges no more than it must: not what is in order anyway, and of two parts
// not what comes before or after the other. So it takes O(n) where x is sorted but
// for some elements.
func mergeSort[E any](x, buf []E, cmp func(a, b E) int) {
	if len(x) <= insertion {
		for i := 1; i < len(x); i++ {
			// Compare first and move then: x has all elements if cmp panics.
			v, j := x[i], i
			for j > 0 && cmp(v, x[j-1]) < 0 {
				j--
			}
			if j < i {
				copy(x[j+1:i+1], x[j:i])
				x[j] = v
			}
		}
		return
	}
	m := len(x) / 2
	mergeSort(x[:m], buf, cmp)
	mergeSort(x[m:], buf, cmp)
	mergeHalves(x, m, buf, cmp)
}

// mergeHalves merges x[:m] and x[m:].
func mergeHalves[E any](x []E, m int, buf []E, cmp func(a, b E) int) {
	if cmp(x[m], x[m-1]) >= 0 {
		return
	}
	if len(x) >= 64 {
		lo, hi := overlapping(x, m, cmp)
		x, m = x[lo:hi], m-lo
	}
	if m <= len(x)-m {
		mergeForward(x, m, buf, cmp)
	} else {
		mergeBackward(x, m, buf, cmp)
	}
}

// overlapping returns the part of x that changes when x[:m] and x[m:] are merged.
func overlapping[E any](x []E, m int, cmp func(a, b E) int) (lo, hi int) {
	lo = sort.Search(m-1, func(i int) bool { return cmp(x[m], x[i]) < 0 })
	hi = m + 1 + sort.Search(len(x)-m-1, func(i int) bool { return cmp(x[m+1+i], x[m-1]) >= 0 })
	return lo, hi
}

// mergeSortWide is mergeSort on several processors. buf has room for x.
func mergeSortWide[E any](x, buf []E, cmp func(a, b E) int) {
	const parts = 32
	cuts := make([]int, parts+1)
	for i := range cuts {
		cuts[i] = int(uint64(len(x)) * uint64(i) / parts)
	}
	sort := func(from, to int) bool {
		for i := from; i < to; i++ {
			mergeSort(x[cuts[i]:cuts[i+1]], buf[cuts[i]:cuts[i+1]], cmp)
		}
		return true
	}
	run(code(cmp)+code(sort)+uintptr(bits.Len(uint(len(x)))), parts, sort)
	for n := 1; n < parts; n *= 2 {
		for i := 0; i < parts; i += 2 * n {
			lo, hi := cuts[i], cuts[i+2*n]
			mergeHalvesWide(x[lo:hi], cuts[i+n]-lo, buf[lo:hi], cmp)
		}
	}
}

// mergeHalvesWide is mergeHalves on several processors. buf has room for x.
func mergeHalvesWide[E any](x []E, m int, buf []E, cmp func(a, b E) int) {
	if cmp(x[m], x[m-1]) >= 0 {
		return
	}
	lo, hi := overlapping(x, m, cmp)
	x, buf, m = x[lo:hi], buf[lo:hi], m-lo
	if !wide(len(x)) {
		mergeHalves(x, m, buf, cmp)
		return
	}
	move := func(_, lo, hi int) { copy(buf[lo:hi], x[lo:hi]) }
	newSplit(len(x)).each(code(move), move)
	done := false
	defer func() {
		if !done {
			copy(x, buf)
		}
	}()
	Merge(x, buf[:m], buf[m:], cmp)
	done = true
}
