package par

import (
	"cmp"

	"github.com/gopayoff/payoff/par/internal/order"
)

// Sort sorts x in ascending order, as [slices.Sort] does: floating-point NaNs come
// first, and the order among equal values is free. So -0 and 0, or NaNs of different
// bits, may change places. nil and empty x are fine.
//
// Numbers are not compared but counted. A radix sort takes them apart by their leading
// bits that differ, 10 at a time, and sorts the parts in the cache. (McIlroy, Bostic,
// McIlroy: Engineering Radix Sort, 1993.) Strings are sorted by the next 7 bytes in the
// same way, after what they share. The time grows as n does, and with the bytes that
// tell strings apart. Sorted and reversed input costs one pass.
//
// Memory: n more elements for numbers, and for strings n more and 32n bytes.
// What short sorts need, 190 KB at most on each processor, is kept for the next.
// While Sort runs, no other goroutine may use x.
func Sort[S ~[]E, E cmp.Ordered](x S) { order.Sort([]E(x)) }

// SortBy sorts x in ascending order of the keys that key returns for its
// elements, and keeps the order of elements with equal keys. NaN keys come
// first and are equal to each other, as -0 and 0 are; see [cmp.Compare].
//
// To sort by several keys, sort by each, the last one first:
//
//	par.SortBy(people, func(p Person) string { return p.First })
//	par.SortBy(people, func(p Person) string { return p.Last }) // those of one Last stay by First
//
// Where there are two elements or more, SortBy calls key once for each, maybe from
// several goroutines at the same time. It must not change x. If it panics, so does
// SortBy, with a [*Panic], and x is as it was. So it is after [runtime.Goexit]. nil and
// empty x are fine.
//
// SortBy sorts the keys as [Sort] does, in its time, with the numbers of their
// elements. These move in the end only: twice, however large. Memory: n elements of x
// and 32n bytes more, and the keys where they are strings. SortBy writes the keys down
// even where x turns out to be sorted. Where it often is, [SortFunc] is faster.
func SortBy[S ~[]E, E any, K cmp.Ordered](x S, key func(E) K) {
	if key == nil {
		panic("par.SortBy: key is nil; use Sort for elements that are their own keys")
	}
	defer rethrow()
	order.SortBy([]E(x), key)
}

// SortFunc sorts x in ascending order as cmp says, and does not keep the order of equal
// elements. [slices.SortFunc] says what cmp must be. Several goroutines may call it at
// the same time.
//
// The function cmp may turn out to compare a number or a string in the elements, in
// either direction, maybe with more for ties. Then SortFunc sorts x by that field as
// [SortBy] does, and asks cmp for each two neighbours whether that is its order. So
// what comes out is sorted as cmp says, several times as fast. This takes as much
// memory as SortBy. Elements that are pointers are not looked at in this way; SortBy is
// the faster one for them.
//
// All else is sorted by comparisons, on one processor as [slices.SortFunc] does. On
// several, from about 8000 elements on, it is a quicksort in place or, where elements
// hold pointers or strings, a sort by samples. The latter needs n elements and 2n
// bytes, and fetches less often what cmp looks at. So it sorts half a million of those
// and more on one processor too. Sorted and reversed x cost one pass. Where x is sorted
// but for some elements, SortFunc merges them as [SortStableFunc] does. There are O(n
// log n) calls of cmp, whatever x is.
//
// Where cmp is no order, because it lies or x changes, x is in some order in the
// end, with each of its elements. That also holds if cmp panics, as SortFunc does
// then with a [*Panic], or calls [runtime.Goexit]. nil and empty x are fine.
func SortFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	if cmp == nil {
		panic("par.SortFunc: cmp is nil; use Sort for the natural order")
	}
	defer rethrow()
	order.SortFunc([]E(x), cmp)
}

// SortStableFunc sorts x in ascending order as cmp says, and keeps the order of
// elements that are equal. What is said at [SortFunc] about cmp, and about fields
// that it compares, holds here too.
//
// All else is a merge sort. It is faster than [slices.SortStableFunc] on one processor
// too, because it has room for n/2 elements more where that has none. On several
// processors it is a sort by samples from about 8000 elements on, and needs n elements
// and 2n bytes. There are O(n log n) calls of cmp, whatever x is.
func SortStableFunc[S ~[]E, E any](x S, cmp func(a, b E) int) {
	if cmp == nil {
		panic("par.SortStableFunc: cmp is nil; use Sort for the natural order")
	}
	defer rethrow()
	order.SortStableFunc([]E(x), cmp)
}

// Merge puts the elements of a and b, which must both be sorted as cmp says, into dst
// in order. Of elements that are equal, those of a come first, and those of one slice
// keep their order. cmp must be as [slices.SortFunc] says. Several goroutines may call
// it at the same time.
//
// dst must have len(a)+len(b) elements and must not overlap a or b; Merge panics
// otherwise. Nil and empty a and b are fine. Where a or b is not sorted, or cmp
// is no order, dst still gets each element once, in some order. If cmp panics,
// so does Merge, with a [*Panic], and dst has some of them.
//
// It costs at most len(a)+len(b) calls of cmp and a few more, and no memory to
// speak of.
func Merge[S ~[]E, E any](dst, a, b S, cmp func(a, b E) int) {
	switch {
	case cmp == nil:
		panic("par.Merge: cmp is nil; use cmp.Compare for the natural order")
	case len(dst) != len(a)+len(b):
		panic("par.Merge: len(dst) is not len(a)+len(b)")
	case order.Overlap([]E(dst), []E(a)) || order.Overlap([]E(dst), []E(b)):
		panic("par.Merge: dst overlaps a or b; make another slice for it")
	}
	defer rethrow()
	order.Merge([]E(dst), []E(a), []E(b), cmp)
}
