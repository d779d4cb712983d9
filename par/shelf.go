package par

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A shelf keeps values that are not in use. The zero shelf keeps none; see
// newShelf. Any number of goroutines may call its methods at once.
//
// It takes the place of a [sync.Pool], where after each collection all callers go
// through one mutex of the process: once a goroutine is stopped there, each of a
// thousand others waits, one behind the other, which took 40 ms for calls of 10
// µs. A shelf has no lock; but what it keeps, it keeps for good.
type shelf[T any] struct {
	spaces []space[T]
	shift  uint8 // turns a hash of 32 bits into an index
}

// A space holds a value or nil, on a cache line of its own.
type space[T any] struct {
	v atomic.Pointer[T]
	_ [cacheline.Size - unsafe.Sizeof(uintptr(0))]byte
}

// Spaces that a call looks at, at most. A shelf has four for each processor that Go
// used when it was made, so that few goroutines look at the same ones; where it
// uses more by then, some calls make what they find none of.
const reach = 8

func newShelf[T any]() shelf[T] {
	n := bits.Len(uint(4*runtime.GOMAXPROCS(0) - 1))
	return shelf[T]{spaces: make([]space[T], 1<<n), shift: uint8(32 - n)}
}

// get removes a value and returns it, or returns nil if it meets none.
func (s *shelf[T]) get() *T {
	home := s.home()
	for i := range min(reach, len(s.spaces)) {
		p := &s.spaces[(home+i)&(len(s.spaces)-1)].v
		if p.Load() != nil {
			if v := p.Swap(nil); v != nil {
				return v
			}
		}
	}
	return nil
}

// put keeps v if it meets room for it.
func (s *shelf[T]) put(v *T) {
	home := s.home()
	for i := range min(reach, len(s.spaces)) {
		p := &s.spaces[(home+i)&(len(s.spaces)-1)].v
		if p.Load() == nil && p.CompareAndSwap(nil, v) {
			return
		}
	}
}

// home returns where the calling goroutine is to look first: goroutines differ by
// their stacks, which are of 2 KiB at least.
func (s *shelf[T]) home() int {
	var here byte
	at := uint32(uintptr(unsafe.Pointer(&here)) >> 11)
	return int(at * 0x9e3779b9 >> (s.shift & 31))
}
