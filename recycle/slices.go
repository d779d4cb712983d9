package recycle

import (
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

const (
	minBytes = 64      // smaller arrays are not worth a pool
	maxBytes = 1 << 20 // the default of Slices.Max
	maxClass = 30      // arrays of 1<<maxClass elements are the longest kept
)

// A Slices keeps the arrays of slices that are done with. Its zero value is
// empty and ready. A Slices must not be copied after first use. Any number of
// goroutines may call its methods at once.
//
// Arrays are kept by length, in powers of two from 64 bytes up, so that a short
// request is not served with a long array. What a Slices keeps may vanish at
// any time; the garbage collector drops what was not used between two
// collections, as in [sync.Pool].
//
// A Put of s synchronizes before the Get that returns its array.
type Slices[T any] struct {
	// Max is the longest array to keep, in elements, rounded up to a power of
	// two. 0 stands for what fits in 1 MiB, and more than 1<<30 for 1<<30.
	// It must not change after first use.
	Max int

	// pointers is whether a T holds pointers: unknown, without or with.
	// hasPointers stores it.
	pointers uint32

	// classes[c] has pointers to arrays of at least 1<<c elements, as *T: the
	// class tells the length, so that no slice header has to be kept, and
	// a pointer in an interface needs no allocation.
	classes [maxClass + 1]sync.Pool
}

// Get returns a slice of length 0 with a capacity of at least n, for use with
// append, or with s[:n] where elements are written before they are read: beyond
// the length is what earlier users left, unless T holds pointers; then all is
// zero. A Read into it reads nothing: use s[:n] there.
//
// Ask for what will be needed, or [Slices.Grow] the slice later.
//
// Get panics if n < 0.
func (p *Slices[T]) Get(n int) []T {
	if n < 0 {
		panic("recycle.Slices.Get: n < 0")
	}
	c := max(classAbove(n), minClass[T]())
	if c > p.max() {
		return make([]T, 0, n) // Put will drop it: do not round up
	}
	if first, _ := p.classes[c].Get().(*T); first != nil {
		return unsafe.Slice(first, 1<<c)[:0]
	}
	return make([]T, 0, 1<<c)
}

// Put keeps the array of s for a later Get. The caller must have no further use
// for any part of it, and should put what Get or append returned: of s[i:], the
// elements before i are lost, and stay alive with what they point to.
//
// If T holds pointers, Put clears all elements up to the capacity of s, so that
// it keeps nothing alive. Otherwise it leaves them, except in builds with
// -race, where it fills them with bytes of 0xdb: the detector sees whoever still
// uses s in another goroutine, and the program its own mistakes.
//
// Slices with arrays shorter than 64 bytes or longer than Max are dropped. The
// capacity need not be a power of two; what is beyond one is lost.
func (p *Slices[T]) Put(s []T) {
	c := bits.Len(uint(cap(s))) - 1 // rounded down
	if c < minClass[T]() || c > p.max() || c == p.max() && cap(s) > 1<<c {
		return
	}
	if p.hasPointers() {
		// Not only up to len: it is common to put s[:0], and elements
		// beyond the length may have been used.
		clear(s[:cap(s)])
	} else if raceEnabled {
		poison(s[:cap(s)])
	}
	p.classes[c].Put(unsafe.SliceData(s))
}

// Grow returns s with room for at least n more elements: s itself if it has
// that, and otherwise a copy in an array from the pool, after putting s. It is
// for those who do not know in advance how much they will need:
//
//	for … {
//		buf = bufs.Grow(buf, len(chunk))
//		buf = append(buf, chunk...)
//	}
//
// A slice that append has grown may be put as well; but append allocates each
// larger array, of a size that no later Get may ask for, and Grow takes it from
// the pool.
//
// Only the result may be used and put after that: s, and every other slice of
// its array, belongs to the pool. So defer a Put like this, for defer p.Put(s)
// would put the array of before:
//
//	defer func() { p.Put(s) }()
//
// Grow panics if n < 0, or there is no slice so long.
func (p *Slices[T]) Grow(s []T, n int) []T {
	if n < 0 {
		panic("recycle.Slices.Grow: n < 0")
	}
	if len(s)+n < 0 {
		panic("recycle.Slices.Grow: len(s)+n overflows")
	}
	if n <= cap(s)-len(s) {
		return s
	}
	// At least double the capacity, as append does: many small steps must not
	// copy all each time.
	grown := append(p.Get(max(len(s)+n, 2*cap(s))), s...)
	p.Put(s)
	return grown
}

// classAbove returns the class of the shortest arrays that hold n elements.
func classAbove(n int) int {
	if n < 2 {
		return 0
	}
	return bits.Len(uint(n - 1))
}

// minClass returns the class of the shortest arrays that have minBytes.
func minClass[T any]() int {
	return bits.Len((minBytes - 1) / uint(sizeOf[T]()))
}

// max returns the class of the longest arrays to keep.
func (p *Slices[T]) max() int {
	switch {
	case p.Max == 0:
		return bits.Len(maxBytes/uint(sizeOf[T]())) - 1
	case p.Max < 1<<maxClass:
		return classAbove(p.Max)
	}
	return maxClass
}

// sizeOf returns the size of a T, or 1 if it has none.
func sizeOf[T any]() uintptr {
	var v T
	return max(unsafe.Sizeof(v), 1)
}

const (
	unknown = 0 // until first use
	without = 1
	with    = 2
)

// hasPointers reports whether a T holds pointers.
func (p *Slices[T]) hasPointers() bool {
	has := atomic.LoadUint32(&p.pointers)
	if has == unknown {
		has = without
		if holdsPointers(reflect.TypeFor[T]()) {
			has = with
		}
		atomic.StoreUint32(&p.pointers, has) // all that come here store the same
	}
	return has == with
}

func holdsPointers(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return t.Len() > 0 && holdsPointers(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if holdsPointers(t.Field(i).Type) {
				return true
			}
		}
		return false
	default:
		// The kinds up to here are the numbers and bool.
		return k > reflect.Complex128
	}
}
