package pipe

import (
	"math/bits"
	"unsafe"
)

// A vector is a *vec, without its type.
type vector interface {
	// length is how many items there are.
	length() int
	// truncate keeps the first n.
	truncate(n int)
	// part returns items [lo, hi) as a vector of their own.
	part(lo, hi int) vector
	// reset forgets all items, so that they are not kept alive, and reports whether
	// the memory is worth keeping.
	reset() bool
}

// A vec is the items of a batch at one point of the pipe. Items need no call each to
// come there from the stage before; that is Volcano's idea turned round, as in
// MonetDB/X100 (Boncz, Zukowski, Nes, CIDR 2005).
type vec[T any] struct {
	// items are in own, or of somebody else, who must not see them changed.
	items []T
	// own has as its length the most items that were in it.
	own []T
	// at has the place in the batch's input that each item comes from; nil: the same.
	at, ownAt []int32
}

func (v *vec[T]) length() int { return len(v.items) }

func (v *vec[T]) truncate(n int) {
	v.items = v.items[:n]
	if v.at != nil {
		v.at = v.at[:n]
	}
}

// keepSize is how much memory a vec keeps for the next run.
const keepSize = 8 << 10

func (v *vec[T]) reset() bool {
	v.items, v.at = nil, nil
	if cap(v.own)*int(unsafe.Sizeof(*new(T))) > keepSize {
		v.own, v.ownAt = nil, nil
		return true
	}
	clear(v.own)
	v.own = v.own[:0]
	return true
}

// as returns v where that is a *vec[T], and else a new one.
func as[T any](v vector) *vec[T] {
	if v, ok := v.(*vec[T]); ok {
		return v
	}
	return new(vec[T])
}

// grown returns the first n of own.
func (v *vec[T]) grown(n int) []T {
	if n > len(v.own) {
		if n > cap(v.own) {
			// Lengths vary: a power of two, so that few vectors are made.
			v.own = make([]T, 1<<bits.Len(uint(n-1)))
		}
		v.own = v.own[:n]
	}
	return v.own[:n]
}

// places returns room for n places.
func (v *vec[T]) places(n int) []int32 {
	if n > cap(v.ownAt) {
		v.ownAt = make([]int32, 1<<bits.Len(uint(n-1)))
	}
	v.ownAt = v.ownAt[:n]
	return v.ownAt
}

// place returns where the item with index i came from.
func (v *vec[T]) place(i int) int {
	if v.at != nil {
		return int(v.at[i])
	}
	return i
}

// part returns items [lo, hi) as a vector of their own.
func (v *vec[T]) part(lo, hi int) vector { return &vec[T]{items: v.items[lo:hi:hi]} }

// sizeOf is the size of a T.
func sizeOf[T any]() uintptr { return unsafe.Sizeof(*new(T)) }
