package help

import (
	"iter"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/home"
)

// An Offer is work on the board: a call that helpers may take parts of. It belongs
// to the goroutine that posts it.
type Offer struct {
	// Work is set before the first Post, and stays.
	Work interface {
		// Help does parts of the work, as long as there are any. It reports whether
		// there was one, and calls [Helper.Took] before it begins. It may be called
		// by many helpers at once, and also after the offer was removed.
		Help(h *Helper) bool
		// Ready reports whether a part may be taken. Others may take it meanwhile.
		Ready() bool
		// Publish makes parts known, up to the n'th.
		Publish(n int)
	}
	slot int // on the board, from 1; 0: it is not there
}

// A board has offers, a slot for each. Posters begin to look for a free slot at a
// place of their own, and helpers look at the slots that are in use only, so few of
// them meet.
type board struct {
	slots []slot
	used  []used
}

// A slot has an offer or nil. Who posts fills it by compare-and-swap and empties it.
type slot struct {
	offer atomic.Pointer[Offer]
	_     [cacheline.Size - unsafe.Sizeof(uintptr(0))]byte
}

// A used has a bit for each of 64 slots, which is set after the slot was filled and
// cleared before it is emptied, by who posts. It may be behind: helpers also look at
// the slot.
type used struct {
	bits atomic.Uint64
	_    [cacheline.Size - 8]byte
}

// Slots for each processor, and bounds: a program may raise GOMAXPROCS later.
const (
	slotsEach  = 2
	leastSlots = 64
	mostSlots  = 1024
)

func newBoard(procs int) board {
	n := 1 << bits.Len(uint(min(max(slotsEach*procs, leastSlots), mostSlots)-1))
	return board{make([]slot, n), make([]used, n/64)}
}

// post puts o on the board, and reports whether there was room.
func (b *board) post(o *Offer) bool {
	for i, first := 0, int(mix(home.Page())); i < len(b.slots); i++ {
		at := (first + i) & (len(b.slots) - 1)
		if p := &b.slots[at].offer; p.Load() == nil && p.CompareAndSwap(nil, o) {
			b.used[at/64].bits.Or(1 << (at % 64))
			o.slot = at + 1
			return true
		}
	}
	return false
}

// remove takes o from the board, if it is there. A helper may still look at it.
func (b *board) remove(o *Offer) {
	if o.slot > 0 {
		at := o.slot - 1
		b.used[at/64].bits.And(^(uint64(1) << (at % 64)))
		b.slots[at].offer.Store(nil)
		o.slot = 0
	}
}

// ready reports whether there is a part to be had, of one of the offers that are first
// from a place of chance on.
func (b *board) ready(chance int) bool {
	const most = 4
	n := 0
	for at := range b.from(chance & (len(b.slots) - 1)) {
		if o := b.slots[at].offer.Load(); o != nil {
			if o.Work.Ready() {
				return true
			}
			if n++; n == most {
				break
			}
		}
	}
	return false
}

// from yields the slots that are in use, in order, the first after first.
func (b *board) from(first int) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i := range b.used {
			at := (first/64 + i) & (len(b.used) - 1)
			for rest := bits.RotateLeft64(b.used[at].bits.Load(), -first%64); rest != 0; rest &= rest - 1 {
				if !yield(at*64 + (bits.TrailingZeros64(rest)+first)%64) {
					return
				}
			}
		}
	}
}

// find has h do work that is on the board, and reports whether there was any. It
// begins where h found some last, and then at chance.
func (b *board) find(h *Helper) bool {
	if b.try(h, h.found) {
		return true
	}
	for at := range b.from(int(h.random()) & (len(b.slots) - 1)) {
		if b.try(h, at) {
			return true
		}
	}
	return false
}

func (b *board) try(h *Helper, at int) bool {
	o := b.slots[at].offer.Load()
	if o == nil {
		return false
	}
	h.found = at
	return o.Work.Help(h)
}

// mix spreads pages over the upper bits, and returns some of them.
func mix(page uintptr) uint32 { return uint32(page) * 0x9e3779b9 >> 8 }
