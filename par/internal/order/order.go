package order

import (
	"cmp"
	"reflect"
	"slices"
	"unsafe"
)

// most is the length from which the counters, which have 32 bits, do not do.
const most = 1<<32 - 1

// Sort sorts x.
func Sort[E cmp.Ordered](x []E) {
	switch {
	case len(x) <= comparedFew:
		slices.Sort(x)
	case len(x) < fewest:
		if !ordered(x) && !mended(x) {
			sortOrdered(x)
		}
	case uint64(len(x)) > most:
		slices.Sort(x)
	case !arranged(x):
		sortOrdered(x)
	}
}

// ordered reports whether x is sorted; it reverses x where no element is less
// than the next.
func ordered[E cmp.Ordered](x []E) bool {
	i := 1
	for i < len(x) && x[i-1] <= x[i] {
		i++
	}
	if i == len(x) {
		return true
	}
	if x[0] != x[i-1] {
		return false
	}
	for i < len(x) && x[i-1] >= x[i] {
		i++
	}
	if i < len(x) {
		return false
	}
	slices.Reverse(x)
	return true
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
