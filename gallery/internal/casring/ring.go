// Package casring has the ring buffer that several cases hold a channel and
// package queue against: bounded, for any number of producers and consumers,
// with compare-and-swap operations only, and waiting by looking again. Use
// package queue instead.
//
// It is Dmitry Vyukov's bounded queue
// (https://www.1024cores.net/home/lock-free-algorithms/queues/bounded-mpmc-queue)
// as the ring of the article "So You Wanna Go Fast?" used it: Workiva's
// go-datastructures of 2015. That one held values of any type and could be
// disposed of; this one holds numbers and cannot.
package casring

import (
	"runtime"
	"sync/atomic"
)

// Patience is how many times the article's ring looked before it let other
// goroutines run. Since 2017 it lets them run after each look.
const Patience = 10_000

// A Ring is a queue of numbers in a fixed number of slots. Its fields lie
// together, as the article's did: whoever moves put takes the line with get, and
// with what nobody changes, from the others.
type Ring struct {
	put   atomic.Uint64 // the next place to write; places are counted up and never reused
	get   atomic.Uint64 // the next place to read
	mask  uint64        // len(slots) - 1: place p is in slot p&mask, in the round that begins at p&^mask
	looks int
	slots []slot
}

// A slot is free where turn is the begin of the round, holds its value where turn
// is that plus 1, and is then free for the next round. With one slot, holding a
// value in one round and being free in the next would be the same number: the
// article's ring of one slot overwrites what nobody has read.
type slot struct {
	turn  atomic.Uint64
	value uint64
}

// New returns a ring of at least capacity slots: the next power of two from 2 on.
// Who has to wait lets other goroutines run after each so many looks.
func New(capacity, looks int) *Ring {
	r := &Ring{looks: looks}
	r.slots, r.mask = newSlots(capacity)
	return r
}

func newSlots(capacity int) (slots []slot, mask uint64) {
	size := 2
	for size < capacity {
		size *= 2
	}
	return make([]slot, size), uint64(size - 1)
}

// Put adds v. It waits while the ring is full.
func (r *Ring) Put(v uint64) {
	for looks := 1; ; looks++ {
		p := r.put.Load()
		s := &r.slots[p&r.mask]
		if s.turn.Load() == p&^r.mask && r.put.CompareAndSwap(p, p+1) {
			s.value = v
			s.turn.Store(p&^r.mask + 1) // hands the slot to whoever reads place p
			return
		}
		if looks == r.looks {
			runtime.Gosched()
			looks = 0
		}
	}
}

// Get takes the oldest value. It waits while the ring is empty.
func (r *Ring) Get() uint64 {
	for looks := 1; ; looks++ {
		p := r.get.Load()
		s := &r.slots[p&r.mask]
		if s.turn.Load() == p&^r.mask+1 && r.get.CompareAndSwap(p, p+1) {
			v := s.value
			s.turn.Store(p&^r.mask + r.mask + 1) // frees the slot for the next round
			return v
		}
		if looks == r.looks {
			runtime.Gosched()
			looks = 0
		}
	}
}
