// Package shelf keeps values that are not in use for the next who needs one.
//
// It takes the place of a [sync.Pool] where no call may ever wait: after each
// collection all users of a Pool go through one mutex of the process. Once a
// goroutine is stopped there, each of a thousand others waits, one behind the
// other, which took 50 ms for calls of 10 µs in 5 of 60 processes (record
// 2026-11-21-epyc-2cpu, par-server-slow.txt). A shelf has no lock; but what it keeps,
// it keeps for good, and a get and a put cost an atomic exchange each, where a Pool
// has none.
package shelf

import (
	"math/bits"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A Shelf keeps values that are not in use. The zero Shelf keeps none; see [New].
// Any number of goroutines may call its methods at once.
type Shelf[T any] struct {
	spaces []space[T]
	shift  uint8 // turns a hash of 32 bits into an index
}

// A space holds a value or nil, on a cache line of its own. Whoever swaps a value
// out owns it.
type space[T any] struct {
	v atomic.Pointer[T]
	_ [cacheline.Size - unsafe.Sizeof(uintptr(0))]byte
}

// Spaces that a call looks at, at most. A shelf has four for each processor, so that few
// goroutines look at the same ones: also for those that Go does not use when it is made,
// for a program may raise GOMAXPROCS later.
const reach = 8

// New returns an empty Shelf.
func New[T any]() Shelf[T] {
	n := bits.Len(uint(4*max(runtime.GOMAXPROCS(0), runtime.NumCPU()) - 1))
	return Shelf[T]{spaces: make([]space[T], 1<<n), shift: uint8(32 - n)}
}

// Get removes a value and returns it, or returns nil if it meets none.
func (s *Shelf[T]) Get() *T {
	first := s.first()
	for i := range min(reach, len(s.spaces)) {
		p := &s.spaces[(first+i)&(len(s.spaces)-1)].v
		if p.Load() != nil {
			if v := p.Swap(nil); v != nil {
				return v
			}
		}
	}
	return nil
}

// Put keeps v if it meets room for it.
func (s *Shelf[T]) Put(v *T) {
	first := s.first()
	for i := range min(reach, len(s.spaces)) {
		p := &s.spaces[(first+i)&(len(s.spaces)-1)].v
		if p.Load() == nil && p.CompareAndSwap(nil, v) {
			return
		}
	}
}

// first returns where the calling goroutine is to look first. This is home.Page
// written out: in generic code that another package instantiates it would be a call,
// of a tenth of the time of Get and Put.
func (s *Shelf[T]) first() int {
	var here byte
	return int(uint32(uintptr(unsafe.Pointer(&here))>>11) * 0x9e3779b9 >> (s.shift & 31))
}
