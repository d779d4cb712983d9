package queue_test

import (
	"math"
	"math/bits"
)

// A ringModel is a queue with its senders, its receivers and one that closes it.
// Each call is of any of the kinds given. single: the receiver is that of an SPSC
// or MPSC. alone: the sender is that of an SPSC.
//
// What a goroutine does under a lock is one action with the locking, up to its
// next look at a word that others write. The quick way of many senders is a case
// of the slow one; that of many receivers is not, for it trusts stocked.
type ringModel struct {
	senders, receivers uint8 // at most 3, and 4 together
	values             uint8 // of each sender; all: 1, 2, …
	capacity           uint8
	lag, grain         uint8
	width              uint8 // goroutines that may run at once
	sends, recvs       []op
	single, alone      bool
	close              bool
	weak               bool   // see ringState.knows
	plant              string // what is done wrong
}

type op uint8

const (
	plain op = iota // Send, Recv
	try             // TrySend, TryRecv
	ctx             // SendContext, RecvContext: may be canceled
	batch           // SendAll, RecvInto, of two values
	sel             // a select on Writable, Readable, then as try
	quit            // no more calls
)

func (m *ringModel) size() uint8 { return m.capacity + m.lag + m.grain - 2 }

// most is how many senders are on their way at most.
func (m *ringModel) most() uint8 {
	if m.width == 1 {
		return 1
	}
	return math.MaxUint8
}

// An mWord is what an end publishes.
type mWord struct {
	count                                    uint8
	locked, waiting, closed, watched, retell bool
	stocked                                  bool // in the head of an MPMC
}

func (w mWord) clean() bool { return w == mWord{count: w.count} }

type mEnd struct {
	mWord
	edge, wakeAt uint8
}

type mList struct {
	q         [3]uint8 // numbers of processes
	n, coming uint8
}

func (l *mList) push(p uint8, first bool) {
	at := l.n
	if first {
		copy(l.q[1:], l.q[:])
		at = 0
	}
	l.q[at] = p
	l.n++
}

func (l *mList) remove(p uint8) bool {
	for i := range l.n {
		if l.q[i] == p {
			copy(l.q[i:], l.q[i+1:])
			l.n--
			l.q[l.n] = 0
			return true
		}
	}
	return false
}

func (l *mList) ready(most uint8) bool { return l.n > 0 && l.coming < most }

// An mProc is a sender or a receiver: where it is, and its own.
type mProc struct {
	pc     uint8
	op     op
	w      mWord    // a word as it was
	v      uint8    // sender: the first value of the call that is not sent
	n      uint8    // sender: sent by the call, or by this turn of it
	rest   uint8    // sender: values of the call
	from   uint8    // sender: n when tail was locked
	got    [2]uint8 // receiver: values received
	next   uint8    // receiver: head's count as it is to be
	wake   [3]uint8 // whom it wakes, +1
	tell   uint8    // of the end's word as it was: watched 1, retell 2
	duty   bool
	failed bool // the call is to return an error
	carry  bool // sender: it parks with a value
	fair   bool // the call began with room, or something to receive

	// As a wait.Waiter.
	token, full, wDuty bool
	value              uint8
}

// What goroutines hand over by plain loads and stores. Whoever touches it must
// know of the last touch, by atomic operations and channels in between: else it is a
// data race, and what is found there may be anything.
const (
	locSlot     = 0 // to 2
	locTail     = 3 // tail's slot and edge, and receivers
	locHead     = 4 // head's slot, edge and wakeAt, and senders
	locWaiter   = 5 // to 8, of each process
	locReadable = 9 // that the token was taken
	locWritable = 10
	locs        = 11
)

// What makes it known.
const (
	viaTail = iota
	viaHead
	viaReadable // looks of the bells
	viaWritable
	viaToken // to 7, of each process
	vias     = viaToken + 4
)

const theCloser = 4 // the process that closes

// ringState has only bytes, so that it is compared and hashed as one piece.
type ringState struct {
	tail, head         mEnd
	receivers, senders mList
	buf                [3]uint8
	readable, writable bool // tokens
	procs              [4]mProc

	// A single receiver's.
	h, known, freed uint8
	selecting       bool

	cpc   uint8 // where the one that closes is
	cbell uint8 // the bells that it is to ring: 1 readable, 2 writable
	wakes [4]uint8

	// If weak: which processes know of the last touch of each loc, and the locs of
	// which whoever reads a via comes to know. Else everybody knows everything.
	weak    bool
	knows   [locs]uint8
	carries [vias]uint16

	// What came of it: values as bits.
	sent, failed, took, got uint8
	last                    [3]uint8 // of each sender
	told                    bool     // somebody, that there is no more
	fault                   uint8
}

// Faults that an action finds.
const (
	faultOverwritten = 1 + iota
	faultReadEarly
	faultTwice
	faultNotSent
	faultOrder
	faultLost
	faultEmpty
	faultFull
	faultRace
	faultFreed
)

var faults = []string{
	faultOverwritten: "a slot is overwritten before it was read",
	faultReadEarly:   "a slot is read that has no value",
	faultTwice:       "a value is received twice",
	faultNotSent:     "a value is received whose Send failed",
	faultOrder:       "a value overtakes another",
	faultLost:        "a value is sent, and a receiver is told the end before it",
	faultEmpty:       "TryRecv says ErrEmpty though a Send has returned before",
	faultFull:        "TrySend says ErrFull though there was room",
	faultRace:        "a data race",
	faultFreed:       "head is not where its receiver left it",
}

func (m *ringModel) start() (s ringState) {
	s.tail.edge = m.size()
	s.weak = m.weak
	for p := range m.senders {
		s.procs[p].v = m.values*p + 1
	}
	for p := m.senders + m.receivers; p < 4; p++ {
		s.procs[p].pc = pDone
	}
	for i := range s.knows {
		s.knows[i] = 1<<(theCloser+1) - 1
	}
	return s
}

// acquire is an atomic load of via by p, or a receive; release a store, or send.
func (s *ringState) acquire(p, via uint8) {
	for c := s.carries[via]; c != 0; c &= c - 1 {
		s.knows[bits.TrailingZeros16(c)] |= 1 << p
	}
}

func (s *ringState) release(p, via uint8) {
	if !s.weak {
		return
	}
	for i, k := range s.knows {
		if k&(1<<p) != 0 {
			s.carries[via] |= 1 << i
		}
	}
}

// swap is a compare-and-swap.
func (s *ringState) swap(p, via uint8) {
	s.acquire(p, via)
	s.release(p, via)
}

func (s *ringState) touch(p, loc uint8) {
	if s.knows[loc]&(1<<p) == 0 {
		s.fault = faultRace
	}
	s.moved(p, loc)
}

// moved: p was the last to touch loc.
func (s *ringState) moved(p, loc uint8) {
	if !s.weak {
		return
	}
	s.knows[loc] = 1 << p
	for i := range s.carries {
		s.carries[i] &^= 1 << loc
	}
}

// The bells. A send finds a token that is gone if p does not know better.
func (s *ringState) ring(p, loc uint8, move func(stale bool)) {
	token := &s.readable
	if loc == locWritable {
		token = &s.writable
	}
	if !*token && s.knows[loc]&(1<<p) == 0 {
		move(true)
	}
	*token = true
	move(false)
}

// toWake: p is to wake q, when it has unlocked.
func (s *ringState) toWake(p, q uint8) {
	me := &s.procs[p]
	for i := range me.wake {
		if me.wake[i] == 0 {
			me.wake[i] = q + 1
			return
		}
	}
}

// pop returns the first, who is to be woken by p, who has the list's lock.
func (l *mList) pop(s *ringState) uint8 {
	p := l.q[0]
	l.remove(p)
	if l.n > 0 {
		l.coming++
		s.procs[p].wDuty = true
	}
	return p
}

// claim takes the receiver that waits longest. p has locked tail.
func (m *ringModel) claim(n *ringState, p uint8) uint8 {
	if m.single {
		n.tail.waiting = false
		return m.senders
	}
	n.touch(p, locTail)
	r := n.receivers.pop(n)
	n.tail.waiting = n.receivers.ready(m.width)
	return r
}

// give hands v to the parked receiver r.
func (m *ringModel) give(n *ringState, p, r, v uint8) {
	n.touch(p, locWaiter+r)
	n.procs[r].value, n.procs[r].full = v, true
	m.taken(n, v)
}

// hand gives of count values from v on as many as receivers are parked and may come.
func (m *ringModel) hand(n *ringState, p, v, count uint8) (sent uint8) {
	for n.tail.waiting && sent < count {
		r := m.claim(n, p)
		m.give(n, p, r, v+sent)
		n.toWake(p, r)
		sent++
	}
	return sent
}

// put sends count values from v on, as many as there is room for up to edge.
func (m *ringModel) put(n *ringState, p, v, count uint8) (sent uint8) {
	e := &n.tail
	sent = m.hand(n, p, v, count)
	for sent < count && e.count != e.edge {
		m.write(n, p, v+sent)
		e.count++
		sent++
	}
	return sent
}

// write puts v into tail's slot.
func (m *ringModel) write(n *ringState, p, v uint8) {
	at := n.tail.count % m.size()
	n.touch(p, locSlot+at)
	if n.buf[at] != 0 {
		n.fault = faultOverwritten
	}
	n.buf[at] = v
}

// read takes what is in the slot of count.
func (m *ringModel) read(n *ringState, p, count uint8) uint8 {
	at := count % m.size()
	n.touch(p, locSlot+at)
	v := n.buf[at]
	if v == 0 || count == n.tail.count {
		n.fault = faultReadEarly
		return 0
	}
	n.buf[at] = 0
	m.taken(n, v)
	return v
}

// taken: v has been handed over, or read.
func (m *ringModel) taken(n *ringState, v uint8) {
	if n.took&(1<<v) != 0 {
		n.fault = faultTwice
	}
	n.took |= 1 << v
	of := (v - 1) / m.values
	if n.last[of] > v {
		n.fault = faultOrder
	}
	n.last[of] = v
}

// serve is the part of serve under both locks.
func (m *ringModel) serve(n *ringState, p uint8) {
	n.touch(p, locTail)
	n.touch(p, locHead)
	room := m.size() - (n.tail.count - n.head.count)
	for !n.tail.closed && room > 0 && n.senders.ready(m.most()) {
		s := n.senders.pop(n)
		n.touch(p, locWaiter+s)
		if v := n.procs[s].value; n.procs[s].full {
			n.tail.edge = n.head.count + m.size()
			m.put(n, p, v, 1)
			if m.plant != "serves without looking again" {
				room = m.size() - (n.tail.count - n.head.count)
			}
			n.procs[s].value, n.procs[s].full = 0, m.plant == "served sender is not told"
			if n.tail.watched {
				n.procs[p].tell |= 4
			}
		}
		n.toWake(p, s)
	}
	n.tail.locked = false
	n.release(p, viaTail)
}

// unserve is what follows: head is unlocked.
func (m *ringModel) unserve(n *ringState, p uint8) {
	n.touch(p, locHead)
	n.head.wakeAt = n.head.count + m.lag
	n.head.waiting = n.senders.ready(m.most())
	n.head.locked = false
	n.release(p, viaHead)
}

func (m *ringModel) wrong(s ringState, atRest bool) string {
	switch {
	case s.fault != 0:
		return faults[s.fault]
	case s.tail.count-s.head.count > m.size():
		return "the counts are out of order"
	case s.tail.waiting && s.tail.count != s.head.count:
		return "waiting is set in tail, and the ring is not empty"
	case s.tail.waiting && !m.single && s.receivers.n == 0, s.head.waiting && s.senders.n == 0 && !s.head.locked:
		return "waiting is set, and nobody waits"
	case s.receivers.n > 0 && !s.tail.waiting && s.receivers.coming == 0,
		s.senders.n > 0 && !s.head.waiting && s.senders.coming == 0 && !s.head.locked:
		return "somebody waits, and nobody is to wake him"
	}
	if pc := s.procs[0].pc; m.alone && (pc == pCall || pc == pDone) {
		for i := range m.size() {
			if count := s.tail.count + i; s.buf[count%m.size()] != 0 && count-s.h < m.size() {
				return "a free slot keeps a value"
			}
		}
	}
	if !atRest {
		return ""
	}
	if s.told && s.sent != s.got {
		return faults[faultLost]
	}
	left := uint8(bits.OnesCount8(s.sent &^ s.got))
	for p := range m.senders + m.receivers {
		sender := p < m.senders
		switch pc := s.procs[p].pc; {
		case pc == pCall || pc == pDone:
		case sender && (left < m.capacity || s.tail.closed), !sender && (left > 0 || s.tail.closed):
			return m.name(p) + " is parked for ever"
		}
	}
	return ""
}

func (m *ringModel) name(p uint8) string {
	switch {
	case p == theCloser:
		return "Close"
	case p < m.senders:
		return [...]string{"sender 0", "sender 1", "sender 2"}[p]
	}
	return [...]string{"receiver 0", "receiver 1", "receiver 2"}[p-m.senders]
}
