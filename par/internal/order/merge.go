package order

import (
	"sort"
	"unsafe"
)

// Overlap reports whether a and b have memory in common.
func Overlap[E any](a, b []E) bool {
	if len(a) == 0 || len(b) == 0 || unsafe.Sizeof(a[0]) == 0 {
		return false
	}
	from := func(x []E) uintptr { return uintptr(unsafe.Pointer(&x[0])) }
	to := func(x []E) uintptr { return uintptr(unsafe.Pointer(&x[len(x)-1])) }
	return from(a) <= to(b) && from(b) <= to(a)
}

// Merge merges a and b into dst, which has room for them and for no more. The
// parts that may be merged at the same time are found by a binary search for where
// a and b are cut by each of a row of equidistant places in dst (Odeh, Green,
// Mwassi, Shmueli, Birk: Merge Path, 2012).
func Merge[E any](dst, a, b []E, cmp func(a, b E) int) {
	compareApart(a, cmp)
	compareApart(b, cmp)
	if !wide(len(dst)) {
		mergeTo(dst, a, b, cmp)
		return
	}
	s := newSplit(len(dst))
	s.key = code(cmp)
	// One after the other, each from the one before: then the parts fit
	// together whatever cmp says.
	cuts := make([]int, s.blocks()+1)
	for i := range cuts[1:] {
		cuts[i+1] = cut(a, b, cuts[i], i*s.size, min((i+1)*s.size, len(dst)), cmp)
	}
	block := func(i, lo, hi int) {
		mergeTo(dst[lo:hi], a[cuts[i]:cuts[i+1]], b[lo-cuts[i]:hi-cuts[i+1]], cmp)
	}
	s.each(code(block), block)
}

// cut returns how many elements of a are among the first next of a and b
// merged, where before of them are among the first at.
func cut[E any](a, b []E, before, at, next int, cmp func(a, b E) int) int {
	lo := max(before, next-len(b))
	hi := min(before+next-at, len(a))
	return lo + sort.Search(hi-lo, func(i int) bool {
		// Is a[lo+i] after those?
		return cmp(b[next-lo-i-1], a[lo+i]) < 0
	})
}

// mergeTo merges a and b into dst.
func mergeTo[E any](dst, a, b []E, cmp func(a, b E) int) {
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		if cmp(b[j], a[i]) < 0 {
			dst[i+j] = b[j]
			j++
		} else {
			dst[i+j] = a[i]
			i++
		}
	}
	copy(dst[i+j:], a[i:])
	copy(dst[len(a)+j:], b[j:])
}

// mergeForward merges x[:m] and x[m:], neither of which is empty. buf has room
// for x[:m].
func mergeForward[E any](x []E, m int, buf []E, cmp func(a, b E) int) {
	a := buf[:copy(buf, x[:m])]
	i, j, k := 0, m, 0
	// x[k:j] is free for what is left of a. It goes there in the end, and if
	// cmp panics.
	defer func() { copy(x[k:j], a[i:]) }()
	less := cmp(x[j], a[i]) < 0
	for {
		for row := 1; !less; row++ {
			x[k] = a[i]
			i++
			k++
			if row == patience {
				v := x[j]
				n := far(len(a)-i, func(n int) bool { return cmp(v, a[i+n]) < 0 })
				copy(x[k:], a[i:i+n])
				i += n
				k += n
				row = 0
			}
			if i == len(a) {
				return
			}
			less = cmp(x[j], a[i]) < 0
		}
		for row := 1; less; row++ {
			x[k] = x[j]
			j++
			k++
			if row == patience {
				v := a[i]
				n := far(len(x)-j, func(n int) bool { return cmp(x[j+n], v) >= 0 })
				copy(x[k:], x[j:j+n])
				j += n
				k += n
				row = 0
			}
			if j == len(x) {
				return
			}
			less = cmp(x[j], a[i]) < 0
		}
	}
}

// mergeBackward is mergeForward with room for x[m:] in buf.
func mergeBackward[E any](x []E, m int, buf []E, cmp func(a, b E) int) {
	b := buf[:copy(buf, x[m:])]
	i, j, k := m, len(b), len(x)
	defer func() { copy(x[i:k], b[:j]) }()
	less := cmp(b[j-1], x[i-1]) < 0
	for {
		for row := 1; !less; row++ {
			k--
			j--
			x[k] = b[j]
			if row == patience {
				v := x[i-1]
				n := far(j, func(n int) bool { return cmp(b[j-1-n], v) < 0 })
				k -= n
				j -= n
				copy(x[k:], b[j:j+n])
				row = 0
			}
			if j == 0 {
				return
			}
			less = cmp(b[j-1], x[i-1]) < 0
		}
		for row := 1; less; row++ {
			k--
			i--
			x[k] = x[i]
			if row == patience {
				v := b[j-1]
				n := far(i, func(n int) bool { return cmp(v, x[i-1-n]) >= 0 })
				k -= n
				i -= n
				copy(x[k:], x[i:i+n])
				row = 0
			}
			if i == 0 {
				return
			}
			less = cmp(b[j-1], x[i-1]) < 0
		}
	}
}

// far returns the least i in [0, n) for which found, which is false and then
// true, is true, or n. It looks at few if i is small.
func far(n int, found func(i int) bool) int {
	lo, hi := 0, 1
	for hi <= n && !found(hi-1) {
		lo, hi = hi, 2*hi
	}
	hi = min(hi-1, n)
	if lo >= hi {
		return lo
	}
	return lo + sort.Search(hi-lo, func(i int) bool { return found(lo + i) })
}
