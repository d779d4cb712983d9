package recycle

import (
	"math/bits"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A FreeList keeps up to a fixed number of values. Unlike a [Pool], it is not emptied
// by the garbage collector and keeps values as they are. The zero FreeList is not
// ready; use [NewFreeList]. A FreeList must not be copied. Any number of goroutines may
// call its methods at once. None of them blocks, but they may yield a few times to
// goroutines that stand in their way.
//
// The capacity limits what lies idle, not what is in use; for that, add a
// semaphore. To empty a list, call Get until it reports false, after the last
// Put has returned.
//
// What was put is got once at most, and as a rule the last one first. T is best
// a pointer, a slice or an interface: values are copied.
//
// A Put of v synchronizes before the Get that returns v.
type FreeList[T any] struct {
	// Goroutines start at the stripes that their stacks choose, so that those
	// on different processors rarely meet; what they do not find there, they
	// look for in the others.
	stripes []stripe[T]
	factor  uint32 // hashes stacks; odd. Only meet stores it.
	shift   uint8  // turns a hash of 32 bits into an index in stripes
	_       cacheline.Pad

	// meetings counts the goroutines that found another one at their stripe.
	meetings uint32
}

// A stripe is a stack of values with a lock that is only ever tried.
type stripe[T any] struct {
	// state is the number of values, or locked while a goroutine owns slots.
	// Who swaps locked in and a number out is the owner, and has to store a
	// number; that store hands slots to the next owner.
	// Invariant: slots[state:] are zero while the stripe is not locked.
	//
	// It is no atomic.Uint32, whose methods may become calls here: they are not
	// always inlined in generic code that another package instantiates.
	state uint32
	slots []T // does not change but for its elements
	_     [cacheline.Size - unsafe.Sizeof(uintptr(0)) - unsafe.Sizeof([]int(nil))]byte
}

var _ [0]struct{} = [unsafe.Sizeof(stripe[int]{}) - cacheline.Size]struct{}{}

const locked = 1<<32 - 1

const zeroFreeList = "recycle.FreeList: the list is zero: make it with recycle.NewFreeList"

// Who finds a stripe locked, and the others of no use, looks again up to looks
// times, and before the last ones yields: the owner has just a few instructions
// to go, unless it was preempted amid them. With one processor it always was,
// but then it runs before who yields to it runs again.
const (
	looks = 8
	hasty = 4 // looks without yielding
)

// NewFreeList returns an empty FreeList that has room for capacity values.
// The room is allocated at once, and divided up for as many processors as Go
// uses now (see [runtime.GOMAXPROCS]). NewFreeList panics if capacity < 1 or
// capacity > 1<<31-1.
func NewFreeList[T any](capacity int) *FreeList[T] {
	if capacity < 1 {
		panic("recycle.NewFreeList: capacity < 1")
	}
	if capacity > 1<<31-1 {
		panic("recycle.NewFreeList: capacity > 1<<31-1")
	}
	n := 1
	if procs := runtime.GOMAXPROCS(0); procs > 1 {
		n = 1 << bits.Len(uint(4*procs-1)) // so many that few choose the same
	}
	for n > 1 && n > capacity/2 {
		n /= 2
	}
	return newFreeList[T](capacity, n)
}

// newFreeList returns a FreeList with n stripes, a power of two.
func newFreeList[T any](capacity, n int) *FreeList[T] {
	f := &FreeList[T]{
		stripes: make([]stripe[T], n),
		factor:  0x9e3779b9, // spreads stacks that lie side by side
		shift:   uint8(32 - bits.TrailingZeros(uint(n))),
	}
	var v T
	gap := 0 // in elements, to keep stripes off each other's lines
	if n > 1 {
		gap = cacheline.Size / int(max(unsafe.Sizeof(v), 1))
	}
	for i := range f.stripes {
		room := capacity / n
		if i < capacity%n {
			room++
		}
		f.stripes[i].slots = make([]T, room+gap)[:room:room]
	}
	return f
}

// Get removes a value and returns it, and reports whether it found one. It
// finds one if there is one and no other call is under way. Otherwise it may
// miss values that are put or moved while it looks.
func (f *FreeList[T]) Get() (v T, ok bool) {
	// This is stripe.get written out for the case that it works: the call
	// would cost as much as the rest without the locking. It is tempting to
	// look before the swap; for who gets one and puts it, that is slower.
	home := f.home()
	if uint(home) >= uint(len(f.stripes)) {
		panic(zeroFreeList)
	}
	s := &f.stripes[home]
	slots := s.slots
	n := atomic.SwapUint32(&s.state, locked)
	if i := n - 1; i < uint32(len(slots)) { // neither 0 nor locked
		var zero T
		v, slots[i] = slots[i], zero // else the list would keep it alive
		atomic.StoreUint32(&s.state, i)
		return v, true
	}
	return f.getSlow(s, n)
}

// getSlow looks in all stripes, after n was swapped out of s in vain.
func (f *FreeList[T]) getSlow(s *stripe[T], n uint32) (v T, ok bool) {
	f.restore(s, n)
	home := f.home()
	for look := range looks {
		met := false
		for i := range f.stripes {
			v, r := f.stripes[(home+i)&(len(f.stripes)-1)].get()
			if r == done {
				return v, true
			}
			met = met || r == busy
		}
		if !met {
			break
		}
		if look >= hasty {
			runtime.Gosched()
		}
	}
	return v, false
}

// Put adds v and reports whether there was room. There is room if fewer values
// than the capacity are in the list and no other call is under way. Otherwise
// it may miss room that is made while it looks.
func (f *FreeList[T]) Put(v T) bool {
	home := f.home() // as in Get
	if uint(home) >= uint(len(f.stripes)) {
		panic(zeroFreeList)
	}
	s := &f.stripes[home]
	slots := s.slots
	n := atomic.SwapUint32(&s.state, locked)
	if n < uint32(len(slots)) {
		slots[n] = v
		atomic.StoreUint32(&s.state, n+1)
		return true
	}
	return f.putSlow(s, n, v)
}

// putSlow looks for room in all stripes, after n was swapped out of s in vain.
func (f *FreeList[T]) putSlow(s *stripe[T], n uint32, v T) bool {
	f.restore(s, n)
	home := f.home()
	for look := range looks {
		met := false
		for i := range f.stripes {
			r := f.stripes[(home+i)&(len(f.stripes)-1)].put(v)
			if r == done {
				return true
			}
			met = met || r == busy
		}
		if !met {
			break
		}
		if look >= hasty {
			runtime.Gosched()
		}
	}
	return false
}

// restore unlocks s if it was the caller who locked it, by swapping out n, and
// otherwise notes that it met another.
func (f *FreeList[T]) restore(s *stripe[T], n uint32) {
	if n != locked {
		atomic.StoreUint32(&s.state, n)
	} else if len(f.stripes) > 1 {
		f.meet()
	}
}

// meet makes all goroutines choose their stripes anew, now and then: two that
// run for long and chose the same hinder each other at each call. It does so
// less and less, since with many processors some always have, but not too
// rarely for those who come later.
func (f *FreeList[T]) meet() {
	n := atomic.AddUint32(&f.meetings, 1)
	if n >= 64 && n&(n-1) == 0 || n%(1<<16) == 0 {
		atomic.StoreUint32(&f.factor, rand.Uint32()|1)
	}
}

// home returns the index of the stripe to start with. A goroutine keeps to one
// while its stack neither moves nor crosses a multiple of 2 KiB, which is the
// least size of a stack, and factor is the same.
func (f *FreeList[T]) home() int {
	var here byte // home.Page written out: see stripe.state
	h := uint32(uintptr(unsafe.Pointer(&here))>>11) * atomic.LoadUint32(&f.factor)
	return int(uint64(h) >> (f.shift & 63)) // shift is 32 for one stripe
}

type result uint8

const (
	none result = iota // no value, or no room
	busy               // another goroutine owns the stripe
	done
)

// get removes the value last put. It does not write to the stripe if there is
// none.
func (s *stripe[T]) get() (v T, r result) {
	switch atomic.LoadUint32(&s.state) {
	case 0:
		return v, none
	case locked:
		return v, busy
	}
	n := atomic.SwapUint32(&s.state, locked)
	switch n {
	case 0:
		atomic.StoreUint32(&s.state, 0)
		return v, none
	case locked:
		return v, busy
	}
	var zero T
	v, s.slots[n-1] = s.slots[n-1], zero
	atomic.StoreUint32(&s.state, n-1)
	return v, done
}

// put adds v. It does not write to the stripe if there is no room.
func (s *stripe[T]) put(v T) result {
	full := uint32(len(s.slots))
	switch atomic.LoadUint32(&s.state) {
	case full:
		return none
	case locked:
		return busy
	}
	n := atomic.SwapUint32(&s.state, locked)
	switch n {
	case full:
		atomic.StoreUint32(&s.state, full)
		return none
	case locked:
		return busy
	}
	s.slots[n] = v
	atomic.StoreUint32(&s.state, n+1)
	return done
}
