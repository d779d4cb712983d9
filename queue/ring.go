package queue

import (
	"context"
	"math"
	"reflect"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/pointers"
)

// Each end of a ring publishes how far it is as one word: a count of values in
// the upper bits, flags in the lower. The count goes round, so only differences
// are used. Tail counts the values sent, head those received.
const (
	// locked: a goroutine works at this end. Nobody else writes the word. The
	// sender of an SPSC works without.
	locked = 1 << iota
	// waiting: somebody is parked at the other end, and who works at this one
	// wakes him. In tail only while the ring is empty.
	waiting
	// closed, in tail: nothing more is sent.
	// stocked, in the head of an MPMC: edge is further, so there is a value.
	closed
	// watched: somebody at the other end selects, and is told what happens here.
	watched
	// retell: somebody selects at this end, and is told what others leave there.
	retell

	stocked = closed

	flags = step - 1
	step  = 1 << 5 // one value
)

// A ring is what both ends share and none writes.
//
// Its slots hold the values from head to tail. There are more slots than asked
// for: an end that has to wait for room is woken when several slots are free,
// and must not wait when fewer than capacity values are unread.
type ring[T any] struct {
	buf      []T
	size     uint64 // len(buf), in steps
	lag      uint64 // slots given back before a sender that is parked is woken, in steps
	grain    uint64 // slots that a single receiver gives back together, in steps
	capacity int
	pointers bool // slots are cleared when read

	oneSender bool // an SPSC's

	readable, writable bell

	_ cacheline.Pad
}

const (
	// maxMore bounds what a ring has more than asked for. Waking a goroutine that
	// another processor is to run costs as much as handing on hundreds of values.
	maxMore = 127
	// maxGrain bounds how late a sender that looks again sees that slots are free.
	maxGrain = 16
	// maxCapacity keeps a count in steps from going round within a ring, for
	// values that take no memory.
	maxCapacity = min(1<<40, math.MaxInt/2)
)

// mustBeMade panics if the queue is a zero one.
func (r *ring[T]) mustBeMade() {
	if r.capacity == 0 {
		panic("queue: a zero queue is used; make it with NewSPSC, NewMPSC or NewMPMC")
	}
}

// The misuse that only the race detector finds for sure.
const (
	twoSenders   = "queue: two goroutines send to an SPSC at once; use an MPSC or MPMC"
	twoReceivers = "queue: two goroutines receive from an SPSC or MPSC at once; use an MPMC"
)

func (r *ring[T]) init(capacity int) {
	if capacity > maxCapacity {
		panic("queue: capacity too large")
	}
	// A sender parks when all slots are taken, and head is then some slots behind
	// by the grain. It is woken when lag more are given back, or up to a grain
	// later: then capacity-1 values are unread.
	grain := max(1, min(capacity/64, maxGrain))
	more := max(0, min(capacity/8-1, maxMore))
	r.buf = make([]T, capacity+more)
	r.size = uint64(len(r.buf)) * step
	r.lag = uint64(more-grain+2) * step
	r.grain = uint64(grain) * step
	r.capacity = capacity
	r.pointers = pointers.In(reflect.TypeFor[T]())
}

// after returns the slot n after slot p.
func (r *ring[T]) after(p, n int) int {
	if p += n; p >= len(r.buf) {
		p -= len(r.buf)
	}
	return p
}

// apart reports whether slot q is d after slot p, where d is size at most.
func (r *ring[T]) apart(p, q int, d uint64) bool {
	n := q - p
	if n < 0 || n == 0 && d > 0 {
		n += len(r.buf)
	}
	return d == uint64(n)*step
}

// fill copies vs into the slots from p on.
func (r *ring[T]) fill(p int, vs []T) {
	n := copy(r.buf[p:], vs)
	copy(r.buf, vs[n:])
}

// drain copies the values from slot p on to vs, and clears the slots if they
// could keep something alive.
func (r *ring[T]) drain(p int, vs []T) {
	n := copy(vs, r.buf[p:])
	copy(vs[n:], r.buf)
	if r.pointers {
		clearSlots(r.buf, p, len(vs))
	}
}

// clearSlots clears n slots of a ring from p on.
func clearSlots[T any](buf []T, p, n int) {
	m := min(n, len(buf)-p)
	clear(buf[p : p+m])
	clear(buf[:n-m])
}

// noContext never ends, so whoever parks under it need not select.
var noContext = context.Background()
