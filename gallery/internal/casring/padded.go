package casring

import (
	"runtime"
	"sync/atomic"
)

// lineSize is 128 bytes: the line of Apple's arm64 cores, and the pair of lines
// that x86 cores fetch together.
const lineSize = 128

type pad [lineSize]byte

// A Padded is a [Ring] with each of its fields on lines of its own, as in the
// article. Nothing else differs; the slots still lie side by side.
type Padded struct {
	_     pad
	put   atomic.Uint64
	_     pad
	get   atomic.Uint64
	_     pad
	mask  uint64
	looks int
	slots []slot
	_     pad
}

// NewPadded is [New] of a Padded.
func NewPadded(capacity, looks int) *Padded {
	r := &Padded{looks: looks}
	r.slots, r.mask = newSlots(capacity)
	return r
}

// Put is [Ring.Put].
func (r *Padded) Put(v uint64) {
	for looks := 1; ; looks++ {
		p := r.put.Load()
		s := &r.slots[p&r.mask]
		if s.turn.Load() == p&^r.mask && r.put.CompareAndSwap(p, p+1) {
			s.value = v
			s.turn.Store(p&^r.mask + 1)
			return
		}
		if looks == r.looks {
			runtime.Gosched()
			looks = 0
		}
	}
}

// Get is [Ring.Get].
func (r *Padded) Get() uint64 {
	for looks := 1; ; looks++ {
		p := r.get.Load()
		s := &r.slots[p&r.mask]
		if s.turn.Load() == p&^r.mask+1 && r.get.CompareAndSwap(p, p+1) {
			v := s.value
			s.turn.Store(p&^r.mask + r.mask + 1)
			return v
		}
		if looks == r.looks {
			runtime.Gosched()
			looks = 0
		}
	}
}
