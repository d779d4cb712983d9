package par

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"
)

// most is the length from which the counters, which have 32 bits, do not do.
const most = 1<<32 - 1

// Sort sorts x in ascending order, as [slices.Sort] does: floating-point NaNs
// come first, and the order among values that are equal is free, so that -0 and
// 0, or NaNs of different bits, may change places. nil and empty x are fine.
//
// Numbers are not compared but counted: a radix sort takes them apart by their
// leading bits that differ, 10 at a time, and sorts the parts where they lie in
// the cache (McIlroy, Bostic, McIlroy: Engineering Radix Sort, 1993). Strings
// are sorted by the next 7 bytes in the same way. Sorted and reversed input is
// recognized on the way and costs one pass.
//
// Memory: n more elements for numbers, and for strings n more and 32n bytes.
// What short sorts need, 190 KB at most on each processor, is kept for the next.
// While Sort runs, no other goroutine may use x.
func Sort[S ~[]E, E cmp.Ordered](x S) {
	if len(x) < fewest {
		sortOrdered([]E(x))
		return
	}
	if uint64(len(x)) > most {
		slices.Sort(x)
		return
	}
	if arranged([]E(x)) {
		return
	}
	sortOrdered([]E(x))
}

// sortOrdered finds the representation of E, which may be a named type.
func sortOrdered[E cmp.Ordered](x []E) {
	switch k := reflect.TypeFor[E]().Kind(); k {
	case reflect.String:
		if len(x) < fewest {
			slices.Sort(x)
			return
		}
		sortStrings(as[string](x))
	case reflect.Uint8, reflect.Int8:
		sortWords(as[uint8](x), orderOf[uint8](k))
	case reflect.Uint16, reflect.Int16:
		sortWords(as[uint16](x), orderOf[uint16](k))
	case reflect.Uint32, reflect.Int32, reflect.Float32:
		sortWords(as[uint32](x), orderOf[uint32](k))
	case reflect.Uint64, reflect.Int64, reflect.Float64:
		sortWords(as[uint64](x), orderOf[uint64](k))
	default: // int, uint, uintptr
		if unsafe.Sizeof(x[0]) == 4 {
			sortWords(as[uint32](x), orderOf[uint32](k))
		} else {
			sortWords(as[uint64](x), orderOf[uint64](k))
		}
	}
}

// as returns x as a slice of T, which has E's size and is made of what E is.
func as[T, E any](x []E) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(x))), len(x))
}
