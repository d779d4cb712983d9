package recycle

import (
	"math/bits"
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/pointers"
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
// It keeps arrays by length, in powers of two from 64 bytes up, so that no short
// request gets a long array. What a Slices keeps may vanish at any time; the garbage
// collector drops what was not used between two collections, as in [sync.Pool].
//
// A Put of s synchronizes before the Get that returns its array.
type Slices[T any] struct {
	// Max is the longest array to keep, in elements, rounded up to a power of
	// two. 0 stands for what fits in 1 MiB, and more than 1<<30 for 1<<30.
	// It must not change after first use.
	Max int

	// tooLong is the least length of arrays that are too long to be kept; 0 until
	// first use, which stores it.
	tooLong uintptr

	// clears is whether a T holds pointers. It is stored before tooLong, and read
	// after that is known.
	clears bool

	// classes[c] has pointers to arrays of at least 1<<c elements, as
	// unsafe.Pointer, which Get asserts sooner than *T: the class tells the
	// length, so that no slice header has to be kept, and a pointer in an
	// interface needs no allocation. There is no class 31: it saves a comparison.
	classes [maxClass + 2]sync.Pool
}

// Get returns a slice of length 0 with a capacity of at least n. Use it with append, or
// as s[:n] where you write elements before you read them. Beyond the length is what
// earlier users left; where T holds pointers, all is zero. A Read into it reads
// nothing: use s[:n] there.
//
// Ask for what will be needed, or [Slices.Grow] the slice later.
//
// Get panics if n < 0.
func (p *Slices[T]) Get(n int) []T {
	if uint(n) < uint(atomic.LoadUintptr(&p.tooLong)) { // not where n is negative
		c := classAbove(n, leastLen[T]())
		if first, _ := p.classes[c&31].Get().(unsafe.Pointer); first != nil {
			// As unsafe.Slice, which looks whether the length is a length.
			return *(*[]T)(unsafe.Pointer(&header{first, 0, 1 << c}))
		}
	}
	return p.getSlow(n)
}

// header is how slices are laid out.
type header struct {
	first    unsafe.Pointer
	len, cap int
}

// getSlow is Get where no array was found.
func (p *Slices[T]) getSlow(n int) []T {
	if n < 0 {
		panic("recycle.Slices.Get: n < 0")
	}
	if uintptr(max(n, leastLen[T]())) >= p.bound() {
		return make([]T, 0, n) // Put will drop it: do not round up
	}
	return make([]T, 0, 1<<classAbove(n, leastLen[T]()))
}

// Put keeps the array of s for a later Get. The caller must have no further use for any
// part of it, and should put what Get or append returned. Of s[i:], the elements before
// i are lost, and stay alive with what they point to.
//
// If T holds pointers, Put clears all elements up to the capacity of s, so that it
// keeps nothing alive. Otherwise it leaves them, except in builds with -race, where it
// fills them with bytes of 0xdb. So the detector sees a goroutine that still uses s,
// and the program its own mistakes.
//
// Slices with arrays shorter than 64 bytes or longer than Max are dropped. The
// capacity need not be a power of two; what is beyond one is lost.
func (p *Slices[T]) Put(s []T) {
	tooLong := atomic.LoadUintptr(&p.tooLong)
	if tooLong == 0 {
		tooLong = p.bound()
	}
	if cap(s) < leastLen[T]() || uintptr(cap(s)) >= tooLong {
		return
	}
	if p.clears {
		// Not only up to len: it is common to put s[:0], and elements
		// beyond the length may have been used.
		clear(s[:cap(s)])
	} else if raceEnabled {
		poison(s[:cap(s)])
	}
	c := bits.Len(uint(cap(s))) - 1 // rounded down
	p.classes[c&31].Put(unsafe.Pointer(unsafe.SliceData(s)))
}

// Grow returns s with room for at least n more elements. That is s itself if it has the
// room. Otherwise it is a copy in an array from the pool, and Grow puts s. It is for
// code that does not know in advance how much it will need:
//
//	for … {
//		buf = bufs.Grow(buf, len(chunk))
//		buf = append(buf, chunk...)
//	}
//
// A slice that append has grown may be put as well. But append allocates each larger
// array, of a size that no later Get may ask for, where Grow takes it from the pool.
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

// classAbove returns the class of the shortest arrays that hold n elements and have
// least, a power of two.
func classAbove(n, least int) int { return bits.Len(uint(max(n, 1)-1) | uint(least-1)) }

// leastLen returns the length of the shortest arrays that have minBytes.
func leastLen[T any]() int {
	return 1 << bits.Len((minBytes-1)/uint(sizeOf[T]()))
}

// bound returns tooLong, and makes it known.
func (p *Slices[T]) bound() uintptr {
	if n := atomic.LoadUintptr(&p.tooLong); n != 0 {
		return n
	}
	first.Lock()
	defer first.Unlock()
	if p.tooLong != 0 {
		return p.tooLong
	}
	longest := uintptr(1) << bits.Len(maxBytes/uint(sizeOf[T]())) >> 1
	switch {
	case p.Max > 1<<maxClass:
		longest = 1 << maxClass
	case p.Max != 0:
		longest = 1 << classAbove(p.Max, 1)
	}
	p.clears = pointers.In(reflect.TypeFor[T]())
	atomic.StoreUintptr(&p.tooLong, longest+1)
	return longest + 1
}

// first is held by the first use of a Slices: it is brief, and never needed again.
var first sync.Mutex

// sizeOf returns the size of a T, or 1 if it has none.
func sizeOf[T any]() uintptr {
	var v T
	return max(unsafe.Sizeof(v), 1)
}
