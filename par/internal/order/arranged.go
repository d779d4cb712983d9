package order

import (
	"cmp"
	"slices"
)

// arranged sorts x where that takes little because x is sorted, reversed, or
// sorted but for few elements, and reports whether it did. Where it did not, x
// may be in another order than before. Its cost then is a look at a few of the
// first elements that are out of order.
func arranged[E cmp.Ordered](x []E) bool {
	for len(x) > 0 && x[0] != x[0] {
		x = x[1:] // NaNs come first
	}
	if len(x) < 2 {
		return true
	}
	i := ascending(x)
	if i == len(x) {
		return true
	}
	if x[i-1] == x[0] {
		j := i
		for j < len(x) && x[j] <= x[j-1] {
			j++
		}
		if j == len(x) {
			slices.Reverse(x)
			return true
		}
	}
	return dropMerge(x, i)
}

// ascending returns the length of the longest sorted prefix of x, which has no
// NaN in it.
func ascending[E cmp.Ordered](x []E) int {
	if len(x) < parallel {
		return prefixOrdered(x)
	}
	// So many first, because most of what is not sorted shows it soon.
	n := prefixOrdered(x[:grain])
	switch {
	case n < grain:
		return n
	case !wide(len(x)):
		return n - 1 + prefixOrdered(x[n-1:])
	case isOrdered(x[n-1:]):
		return len(x)
	default:
		return prefixOrdered(x)
	}
}

// prefixOrdered is ascending on one processor.
func prefixOrdered[E cmp.Ordered](x []E) int {
	last := x[0]
	for i, v := range x[1:] {
		if !(last <= v) {
			return i + 1
		}
		last = v
	}
	return len(x)
}

// isOrdered reports whether x ascends and has no NaN, on several processors.
func isOrdered[E cmp.Ordered](x []E) bool {
	const step = grain / 8
	body := func(lo, hi int) bool {
		part := x[lo*step : min(len(x), hi*step+1)]
		return prefixOrdered(part) == len(part)
	}
	return run(code(body), (len(x)+step-1)/step, body)
}

// patience is how many elements in a row dropMerge drops before it doubts the
// one that came before them.
const patience = 8

// dropMerge sorts x, of which the first sorted elements are sorted, where few
// of the others are out of order, and reports whether it did; otherwise x has
// its elements in any order. It keeps in place what ascends, drops the rest to
// another slice, sorts that and merges it back (Ernerfeldt: drop-merge sort,
// 2017). An element out of place is either too small for what it follows, and
// dropped, or too large for what follows, and recognized by the next.
func dropMerge[E cmp.Ordered](x []E, sorted int) bool {
	dropped := make([]E, 0, 32)
	kept := sorted // x[:kept] ascends; x[kept:i] has room for what was dropped
	row := 0       // dropped one after the other
	for i := sorted; i < len(x); i++ {
		v := x[i]
		if kept == 0 || v >= x[kept-1] {
			x[kept] = v
			kept++
			row = 0
			continue
		}
		switch {
		case v != v || len(dropped) > 8+i/8:
			// NaN, or too many.
			copy(x[kept:i], dropped)
			return false
		case row == 0 && kept >= 2 && v >= x[kept-2]:
			// Without the one before, v is in order: that one was too large.
			dropped = append(dropped, x[kept-1])
			x[kept-1] = v
		case row == patience && (kept <= row || x[kept-1-row] <= slices.Max(x[i-row:i])):
			// The many that were too small followed something too large. Drop
			// that instead if it is less, and look at the many again: they are
			// still in place.
			// Each time at least one element is dropped for good.
			i -= row
			dropped = dropped[:len(dropped)-row]
			for top := slices.Max(x[i : i+row]); kept > 0 && x[kept-1] > top; kept-- {
				dropped = append(dropped, x[kept-1])
			}
			i--
			row = 0
		default:
			dropped = append(dropped, v)
			row++
		}
	}
	Sort(dropped)
	i, j := kept, len(dropped)
	for k := len(x) - 1; j > 0; k-- {
		if i > 0 && x[i-1] > dropped[j-1] {
			i--
			x[k] = x[i]
		} else {
			j--
			x[k] = dropped[j]
		}
	}
	return true
}
