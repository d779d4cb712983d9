package queue_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// A spscModel is an SPSC with a sender, a receiver and one that closes it. Each
// call is of any of the kinds given, and each wait looks again or parks.
type spscModel struct {
	values   uint8 // that are sent: 1, 2, …
	capacity uint8
	lag      uint8 // before a sender that is parked is woken
	grain    uint8 // given back together
	looks    uint8 // at most, before a goroutine parks
	sends    []op
	recvs    []op
	close    bool
	plant    string // what is done wrong
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

var (
	sendNames = []string{"Send", "TrySend", "SendContext", "SendAll", "TrySend, Writable", ""}
	recvNames = []string{"Recv", "TryRecv", "RecvContext", "RecvInto", "TryRecv, Readable", "receives no more"}
)

// The words of the model: a count, and flags below.
const (
	mWaiting = 1 << iota
	mClosed
	mWatched
	mStep
)

// message is an item that is not full.
const message = 0xff

// spscState has only bytes, so that it is compared and hashed as one piece.
type spscState struct {
	tail, head               uint8
	items                    [2]uint8
	nItems                   uint8
	room, readable, writable bool
	buf                      [4]uint8

	// The sender: where it is, and its own.
	spc      uint8
	sop      op
	sv       uint8 // the first value of the call that is not sent
	sRest    uint8 // how many there are
	sm       uint8 // how many are published at once
	sw       uint8 // a word as it was
	si       uint8 // looks
	sx       uint8 // reclaimed value
	sBack    uint8 // what follows
	sRoomy   bool  // the call began with fewer than capacity unread
	t, limit uint8
	wakeAt   uint8
	writing  bool

	// The receiver.
	rpc             uint8
	rop             op
	rw, ri          uint8
	rv              [2]uint8 // received by the call
	rBack           uint8
	rSome           bool // the call began with a value there
	h, known, freed uint8
	rWake           bool // the sender is to be woken
	held            uint8
	asked           bool // items may have a value, older than the ring's
	ended           bool
	selecting       bool

	cpc uint8 // where the one that closes is

	// What came of it: values as bits.
	sent, failed, got uint8
	last              uint8
	told              bool // the receiver, that there is no more
	fault             uint8
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
)

var faults = []string{
	faultOverwritten: "a slot is overwritten before it was read",
	faultReadEarly:   "a slot is read that has no value",
	faultTwice:       "a value is received twice",
	faultNotSent:     "a value is received whose Send failed",
	faultOrder:       "a value overtakes another",
	faultLost:        "a value is sent, and the receiver is told the end before it",
	faultEmpty:       "TryRecv says ErrEmpty though a Send has returned before",
	faultFull:        "TrySend says ErrFull though there was room",
}

const ( // where the sender is
	sCall = iota
	sFast
	sFastCAS
	sFastTail
	sFastLen
	sLoop
	sHandLen
	sHandPut
	sHandLook
	sTakeBack
	sTakeBackPoke
	sTakenBackPoke
	sReclaim
	sPubLoad
	sPubCAS
	sPubPoke
	sSignal
	sTellTail
	sTellHead
	sRoomHead
	sRoomTail
	sRoomCAS
	sRoomWait
	sReserve
	sReserveHead
	sWatch
	sSelect
	sDone
)

const ( // sBack: what follows when a value is published, or all are told
	backSent = iota
	backLoop
	backReserve
	backSelect
)

const ( // where the receiver is
	rCall = iota
	rFast
	rFastItems
	rLoad
	rItems
	rStop
	rSet
	rPark
	rTake
	rLook
	rGiveLoad
	rGiveCAS
	rGiveRoom
	rGiveWritable
	rTellTail
	rTellItems
	rWatch
	rSelect
	rDone
)

const ( // rBack: what follows when all are told
	backGot = iota
	backEnd
	backReadable
)

func (m *spscModel) size() uint8 { return m.capacity + m.lag + m.grain - 2 }

func (m *spscModel) start() spscState { return spscState{sv: 1, limit: m.size()} }

func unread(s *spscState) uint8 { return uint8(bits.OnesCount8(s.sent &^ s.got)) }

func (m *spscModel) moves(s spscState, move func(spscState, string, string, bool)) {
	m.sender(s, move)
	m.receiver(s, move)
	m.closer(s, move)
}

func (s *spscState) put(v uint8) {
	s.items[s.nItems] = v
	s.nItems++
}

func (s *spscState) poke() {
	if s.nItems < 2 {
		s.put(message)
	}
}

func (s *spscState) get() uint8 {
	v := s.items[0]
	s.items[0], s.items[1] = s.items[1], 0
	s.nItems--
	return v
}

// write fills slots of the ring from t on.
func (m *spscModel) write(n *spscState, v, count uint8) {
	for i := range count {
		if n.t+i-n.h >= m.size() {
			n.fault = faultOverwritten
		}
		n.buf[(n.t+i)%m.size()] = v + i
	}
}

func (m *spscModel) sender(s spscState, move func(spscState, string, string, bool)) {
	n := s
	size := m.size()
	what := ""
	switch s.spc {
	case sCall:
		for _, o := range m.sends {
			n := s
			n.sop, n.sRest, n.sm, n.sRoomy = o, 1, 1, unread(&s) < m.capacity
			switch {
			case o == batch:
				n.sRest = min(2, m.values-s.sv+1)
				n.spc = sReserve
			case o == sel:
				n.spc = sWatch
				if s.writing {
					n.spc = sSelect
					move(n, sendNames[o], "selects again", false)
					n.spc = sWatch
				}
			case s.t != s.limit:
				n.spc = sFast
			default:
				m.slow(&n)
			}
			m.sender(n, move)
		}
		return
	case sFast:
		what = "quick: load tail"
		if s.tail == s.t*mStep {
			n.spc = sFastCAS
		} else {
			m.slow(&n)
		}
	case sFastCAS:
		what = "quick: write slot, cas tail"
		m.write(&n, s.sv, 1)
		if s.tail == s.t*mStep {
			n.tail += mStep
			n.t++
			m.sentSome(&n)
			break
		}
		if m.plant != "slot keeps value" {
			n.buf[s.t%size] = 0
		}
		m.slow(&n)
	case sFastTail:
		what = "Send: load tail"
		n.spc = sLoop
		if s.tail == s.t*mStep|mWaiting && !s.writing {
			n.spc, n.sw = sFastLen, s.tail
		}
	case sFastLen:
		what = "Send: len(items)"
		n.spc = sHandPut
		if s.nItems > 0 {
			n.spc, n.sw = sLoop, 0
		}
	case sLoop:
		what = "send: load tail"
		switch w := s.tail; {
		case w&mClosed != 0:
			m.sendFailed(&n)
		case w&mWaiting != 0:
			n.spc, n.sw = sHandLen, w
		default:
			m.toRing(&n)
		}
	case sHandLen:
		what = "send: len(items)"
		switch {
		case s.nItems == 0 || m.plant == "second value in items":
			n.spc = sHandPut
		case m.plant == "reclaim":
			n.spc, n.sw, n.sBack = sReclaim, 0, backLoop
		default:
			n.sw = 0
			m.toRing(&n)
		}
	case sHandPut:
		if s.nItems == 2 {
			return
		}
		what = "hand: value into items"
		n.put(s.sv)
		n.spc = sHandLook
	case sHandLook:
		what = "hand: load tail"
		if s.tail != s.sw && m.plant != "no takeBack" {
			n.spc = sTakeBack
		} else {
			m.afterPoke(&n)
		}
	case sTakeBack:
		what = "takeBack: receive from items"
		if s.nItems == 0 {
			n.spc = sTakeBackPoke
			if m.plant == "no poke where the value is gone" {
				m.afterPoke(&n)
			}
		} else if n.get() != message {
			n.spc, n.sw = sTakenBackPoke, 0
			if m.plant == "no poke where the value is back" {
				n.spc = sLoop
			}
		}
	case sTakenBackPoke:
		what = "takeBack: poke"
		n.poke()
		n.spc = sLoop
	case sTakeBackPoke:
		what = "takeBack: poke"
		n.poke()
		m.afterPoke(&n)
	case sReclaim: // planted: the sender takes back what it has handed over
		what = "reclaim: receive from items"
		v := uint8(message)
		if s.nItems > 0 {
			v = n.get()
		}
		if v == message {
			n.spc = sLoop
			if s.sBack == backReserve {
				n.spc = sReserveHead
			}
			n.sBack = 0
			break
		}
		n.limit = s.t + size
		n.sx = v
		n.spc = sPubLoad
	case sPubLoad:
		what = "publish: load tail"
		n.spc, n.sw = sPubCAS, s.tail
		if s.tail&mClosed != 0 && s.sBack == backSent {
			n.sw = 0
			m.sendFailed(&n)
		}
	case sPubCAS:
		what = "publish: write slots, cas tail"
		count := s.sm
		if s.sBack == backSent {
			m.write(&n, s.sv, count)
		} else {
			count = 1
			m.write(&n, s.sx, 1)
		}
		if s.tail != s.sw {
			n = s
			n.spc, n.sw = sPubLoad, 0
			break
		}
		n.tail = (s.t+count)*mStep | s.sw&(mClosed|mWatched)
		n.t, n.sx = s.t+count, 0
		if s.sw&mWaiting != 0 && m.plant != "no poke" {
			n.spc = sPubPoke
		} else {
			m.afterPoke(&n)
		}
	case sPubPoke:
		what = "publish: poke"
		if s.nItems == 0 {
			n.poke()
		}
		m.afterPoke(&n)
	case sSignal:
		what = "signal readable"
		n.readable = true
		m.afterSignal(&n)
	case sTellTail:
		what = "tellWritable: load tail"
		n.spc, n.sw = sTellHead, s.tail
	case sTellHead:
		what = "tellWritable: load head, signal writable"
		if s.t-s.head/mStep != size || s.sw&mClosed != 0 {
			n.writable = true
		}
		n.limit = s.t
		m.afterTell(&n)
	case sRoomHead:
		what = "waitRoom: load head"
		if limit := s.head/mStep + size; limit != s.t {
			n.limit = limit
			m.roomFound(&n)
		} else {
			n.spc, n.sw = sRoomTail, s.head
		}
	case sRoomTail:
		switch {
		case s.tail&mClosed != 0:
			n.sw = 0
			m.sendFailed(&n)
			move(n, sendNames[s.sop], "waitRoom: load tail, closed", false)
		case s.sop == try || s.sop == sel:
			n.sw = 0
			if s.sRoomy && s.sop == try {
				n.fault = faultFull
			}
			if s.sop == sel {
				n.spc, n.sRoomy = sWatch, false
				move(n, sendNames[s.sop], "waitRoom: load tail, ErrFull", false)
				n.spc = sSelect
			} else {
				m.sendFailed(&n)
			}
			move(n, sendNames[s.sop], "waitRoom: load tail, ErrFull", false)
		default:
			n.spc = sRoomCAS
			if s.sw&mWaiting != 0 {
				n.spc, n.sw = sRoomWait, 0
			} else {
				n.wakeAt = s.sw/mStep + m.lag
			}
			move(n, sendNames[s.sop], "waitRoom: load tail, park", false)
			if s.si < m.looks {
				n.spc, n.sw, n.si = sRoomHead, 0, s.si+1
				move(n, sendNames[s.sop], "waitRoom: load tail, look again", false)
			}
		}
		return
	case sRoomCAS:
		what = "waitRoom: cas head"
		n.spc, n.sw = sRoomHead, 0
		if s.head == s.sw || m.plant == "blind flag in head" {
			n.head |= mWaiting
			n.spc = sRoomWait
		}
	case sRoomWait:
		if s.sop == ctx {
			m.sendFailed(&n)
			move(n, sendNames[s.sop], "waitRoom: canceled", true)
			n = s
		}
		if !s.room {
			return
		}
		what = "waitRoom: woken"
		n.room = false
		n.spc = sRoomHead
	case sReserve:
		what = "Reserve: load tail"
		switch {
		case s.tail&mClosed != 0:
			m.sendFailed(&n)
		case s.tail&mWaiting != 0 && m.plant == "reclaim":
			n.spc, n.sBack = sReclaim, backReserve
		default:
			n.spc = sReserveHead
		}
	case sReserveHead:
		what = "Reserve: load head"
		if s.limit-s.t < s.sRest {
			n.limit = s.head/mStep + size
		} else {
			what = "Reserve: room is known"
		}
		if n.limit == s.t {
			n.spc, n.si = sRoomHead, 0
		} else {
			m.roomFound(&n)
		}
	case sWatch:
		what = "Writable: head.Or(watched)"
		n.writing = true
		n.head |= mWatched
		n.spc, n.sBack = sTellTail, backSelect
	case sSelect:
		if !s.writable {
			return
		}
		what = "Writable: token"
		n.writable = false
		n.spc, n.sRoomy = sLoop, unread(&s) < m.capacity
	default:
		return
	}
	move(n, sendNames[s.sop], what, false)
}

// slow: quick did not send the value.
func (m *spscModel) slow(n *spscState) {
	n.spc = sLoop
	if n.sop == plain {
		n.spc = sFastTail
	}
}

// toRing: send has nobody to hand the value to.
func (m *spscModel) toRing(n *spscState) {
	n.spc = sPubLoad
	if n.t == n.limit {
		n.spc, n.si = sRoomHead, 0
	}
}

// roomFound: the sender goes on from waitRoom, or Reserve.
func (m *spscModel) roomFound(n *spscState) {
	n.spc = sLoop
	if n.sop == batch {
		n.sm = min(n.sRest, n.limit-n.t, m.size()-n.t%m.size())
		n.spc = sPubLoad
	}
}

func (m *spscModel) afterPoke(n *spscState) {
	if n.sw&mWatched != 0 {
		n.spc = sSignal
		return
	}
	m.afterSignal(n)
}

func (m *spscModel) afterSignal(n *spscState) {
	n.sw = 0
	if n.writing {
		n.spc = sTellTail
		return
	}
	m.afterTell(n)
}

func (m *spscModel) afterTell(n *spscState) {
	n.sw = 0
	switch n.sBack {
	case backSent:
		m.sentSome(n)
	case backLoop:
		n.spc = sLoop
	case backReserve:
		n.spc = sReserveHead
	case backSelect:
		n.spc = sSelect
	}
	n.sBack = 0
}

// sentSome: sm values are sent. The call returns nil, or SendAll goes on.
func (m *spscModel) sentSome(n *spscState) {
	for range n.sm {
		n.sent |= 1 << n.sv
		n.sv++
		n.sRest--
	}
	if n.told && n.sent&^n.got != 0 {
		n.fault = faultLost
	}
	n.sm, n.sw, n.si = 1, 0, 0
	n.spc = sReserve
	if n.sRest == 0 {
		m.sendReturns(n)
	}
}

// sendFailed: the call returns an error.
func (m *spscModel) sendFailed(n *spscState) {
	// One that selects goes on, for the channel is to have a token still.
	n.writable = n.writable || n.writing && n.tail&mClosed != 0
	for range n.sRest {
		n.failed |= 1 << n.sv
		n.sv++
	}
	if n.failed&n.got != 0 {
		n.fault = faultNotSent
	}
	m.sendReturns(n)
}

func (m *spscModel) sendReturns(n *spscState) {
	n.spc, n.sop, n.sRest, n.sm, n.si, n.sw, n.sRoomy = sCall, 0, 0, 0, 0, 0, false
	if n.sv > m.values {
		n.spc = sDone
	}
}

func (m *spscModel) receiver(s spscState, move func(spscState, string, string, bool)) {
	n := s
	what := ""
	switch s.rpc {
	case rCall:
		for _, o := range m.recvs {
			n := s
			n.rop, n.rSome = o, s.sent&^s.got != 0
			switch {
			case o == quit:
				n = s
				n.rpc = rDone
				move(n, recvNames[o], "", true)
				continue
			case o == sel:
				n.rpc = rWatch
				if s.selecting {
					n.rpc = rSelect
					move(n, recvNames[o], "selects again", false)
					n.rpc = rWatch
				}
			case o == plain && s.h == s.known:
				n.rpc = rFast
			default:
				m.await(&n)
			}
			if n.rpc == rDone {
				move(n, recvNames[o], "told the end again", false)
			} else {
				m.receiver(n, move)
			}
		}
		return
	case rFast:
		what = "Recv: load tail"
		if s.tail == s.h*mStep|mWaiting && s.held == 0 {
			n.rpc = rFastItems // or not, as parks is
			move(n, recvNames[s.rop], "Recv: load tail, at once to items", false)
		}
		m.await(&n)
	case rFastItems:
		if s.nItems == 0 {
			return
		}
		what = "Recv: receive from items"
		if v := n.get(); v != message {
			n.rv[0] = v
			m.gotSome(&n)
		} else {
			m.await(&n)
		}
	case rLoad:
		what = "await: load tail"
		n.rpc, n.rw = rItems, s.tail
		if m.plant == "ring before items" && n.rw/mStep != s.h {
			n.known, n.rw = n.rw/mStep, 0
			m.await(&n)
		}
	case rItems:
		n.rw = 0
		if s.nItems > 0 {
			what = "await: receive from items"
			m.accept(&n)
			break
		}
		n.asked = s.rw&mWaiting != 0
		if s.rw/mStep == s.h {
			m.nothing(n, s.rw, move)
			return
		}
		what = "await: nothing in items, values"
		n.known = s.rw / mStep
		m.await(&n)
	case rStop:
		what = "stopWaiting: cas tail"
		n.rw = 0
		if s.tail == s.rw {
			n.tail &^= mWaiting
			n.asked = m.plant != "forgets items"
		}
		m.await(&n)
	case rSet:
		what = "await: cas tail"
		n.rw = 0
		if s.tail == s.rw || m.plant == "blind flag in tail" {
			n.tail |= mWaiting
			n.asked = true
			n.rpc = rPark
		} else {
			m.await(&n)
		}
	case rPark:
		if s.rop == ctx {
			if m.plant == "canceled forgets items" {
				n.asked = false
			}
			m.returned(&n)
			move(n, recvNames[s.rop], "canceled", true)
			n = s
		}
		if s.nItems == 0 {
			return
		}
		what = "await: woken by items"
		m.accept(&n)
	case rTake:
		what = "read slot"
		m.take(&n, 0)
		m.received(&n)
	case rLook:
		// RecvInto, which holds a value or not, looks for more.
		what = "RecvInto: load tail, read slots"
		if !s.asked || m.plant == "look while asked" {
			n.known = s.tail / mStep
		}
		i := 0
		if s.held != 0 {
			n.rv[0], n.held = s.held, 0
			i = 1
		}
		for ; i < 2 && n.h != n.known; i++ {
			m.take(&n, i)
		}
		m.received(&n)
	case rGiveLoad:
		what = "giveBack: load head"
		n.rpc, n.rw = rGiveCAS, s.head
		n.rWake = s.head&mWaiting != 0 && s.h >= s.wakeAt
		if m.plant == "wakes too late" {
			n.rWake = s.head&mWaiting != 0 && s.h > s.wakeAt
		}
	case rGiveCAS:
		what = "giveBack: cas head"
		if s.head != s.rw {
			n.rpc, n.rw, n.rWake = rGiveLoad, 0, false
			break
		}
		n.head = s.h*mStep | s.rw&(mWatched|mWaiting)
		if s.rWake {
			n.head &^= mWaiting
		}
		n.rWake = false
		if s.rWake && m.plant != "no signal to room" {
			n.rpc = rGiveRoom
		} else {
			m.afterRoom(&n)
		}
	case rGiveRoom:
		what = "giveBack: signal room"
		n.room = true
		m.afterRoom(&n)
	case rGiveWritable:
		what = "giveBack: signal writable"
		n.writable = true
		m.afterWritable(&n)
	case rTellTail:
		what = "tellReadable: load tail"
		w := s.tail
		switch {
		case s.held != 0 || w/mStep != s.h || w&mClosed != 0:
			n.readable = true
			m.afterReadable(&n)
		case w&mWaiting != 0:
			n.rpc = rTellItems
		default:
			m.afterReadable(&n)
		}
	case rTellItems:
		what = "tellReadable: len(items)"
		if s.nItems > 0 {
			n.readable = true
		}
		m.afterReadable(&n)
	case rWatch:
		what = "Readable: tail.Or(watched)"
		n.selecting = true
		n.tail |= mWatched
		n.rpc, n.rBack = rTellTail, backReadable
	case rSelect:
		if !s.readable {
			return
		}
		what = "Readable: token"
		n.readable = false
		n.rSome = s.sent&^s.got != 0
		m.await(&n)
	default:
		return
	}
	move(n, recvNames[s.rop], what, false)
}

// await is the top of waitValue's loop, and what recv and RecvInto do after it.
func (m *spscModel) await(n *spscState) {
	switch {
	case n.rop == batch && (n.held != 0 || n.h != n.known):
		n.rpc = rLook
	case n.held != 0:
		n.rv[0], n.held = n.held, 0
		if n.selecting {
			n.rpc = rGiveLoad
		} else {
			m.gotSome(n)
		}
	case n.h != n.known:
		n.rpc = rTake
	case n.ended:
		m.tellEnd(n)
	default:
		n.rpc = rLoad
	}
}

// nothing is what waitValue does when it has found nothing at w.
func (m *spscModel) nothing(s spscState, w uint8, move func(spscState, string, string, bool)) {
	n := s
	n.rw = 0
	switch {
	case w&mClosed != 0:
		n.ended = true
		m.tellEnd(&n)
		move(n, recvNames[s.rop], "await: closed", false)
	case n.rop == try || n.rop == sel:
		if n.rSome {
			n.fault = faultEmpty
		}
		m.returned(&n)
		move(n, recvNames[s.rop], "await: ErrEmpty", false)
	default:
		again := n
		n.rpc = rPark
		if w&mWaiting == 0 {
			n.rpc, n.rw = rSet, w
		}
		move(n, recvNames[s.rop], "await: is to park", false)
		if n.ri < m.looks {
			again.ri++
			again.rpc = rLoad
			if w&mWaiting != 0 {
				again.rpc, again.rw = rStop, w
			}
			move(again, recvNames[s.rop], "await: looks again", false)
		}
	}
}

// tellEnd: the call is to return ErrClosed.
func (m *spscModel) tellEnd(n *spscState) {
	if n.selecting && m.plant != "end not told" {
		n.rpc, n.rBack = rTellTail, backEnd
		return
	}
	m.end(n)
}

func (m *spscModel) accept(n *spscState) {
	if v := n.get(); v != message {
		n.held = v
	}
	m.await(n)
}

func (m *spscModel) take(n *spscState, i int) {
	p := n.h % m.size()
	if n.buf[p] == 0 || n.h >= n.tail/mStep {
		n.fault = faultReadEarly
	}
	n.rv[i], n.buf[p] = n.buf[p], 0
	n.h++
}

func (m *spscModel) received(n *spscState) {
	if n.selecting || n.h-n.freed >= m.grain || n.h == n.known {
		n.freed = n.h
		n.rpc = rGiveLoad
		return
	}
	m.gotSome(n)
}

func (m *spscModel) afterRoom(n *spscState) {
	if n.rw&mWatched != 0 {
		n.rpc = rGiveWritable
		return
	}
	m.afterWritable(n)
}

func (m *spscModel) afterWritable(n *spscState) {
	n.rw = 0
	if n.selecting && m.plant != "no tellReadable" {
		n.rpc = rTellTail
		return
	}
	m.gotSome(n)
}

func (m *spscModel) afterReadable(n *spscState) {
	switch n.rBack {
	case backGot:
		m.gotSome(n)
	case backEnd:
		m.end(n)
	case backReadable:
		n.rpc = rSelect
	}
	n.rBack = 0
}

// gotSome: the call returns values.
func (m *spscModel) gotSome(n *spscState) {
	for _, v := range n.rv {
		if v == 0 {
			continue
		}
		switch b := uint8(1) << v; {
		case n.got&b != 0:
			n.fault = faultTwice
		case n.failed&b != 0:
			n.fault = faultNotSent
		case v < n.last:
			n.fault = faultOrder
		}
		n.got |= 1 << v
		n.last = v
	}
	m.returned(n)
}

// end: the call says that there is no more. One that selects goes on, for the
// channel is to have a token still.
func (m *spscModel) end(n *spscState) {
	n.told = true
	if n.sent&^n.got != 0 {
		n.fault = faultLost
	}
	sel := n.rop == sel
	m.returned(n)
	if !sel {
		n.rpc = rDone
	}
}

func (m *spscModel) returned(n *spscState) {
	n.rpc, n.rop, n.rv, n.ri, n.rSome = rCall, 0, [2]uint8{}, 0, false
}

const ( // where the one that closes is
	cOr = iota
	cPoke
	cRoom
	cReadable
	cWritable
)

func (m *spscModel) closer(s spscState, move func(spscState, string, string, bool)) {
	n := s
	n.cpc++
	switch s.cpc {
	case cOr:
		if m.close {
			n.tail |= mClosed
			if s.tail&mWaiting == 0 || m.plant == "Close without poke" {
				n.cpc = cRoom
			}
			move(n, "Close", "tail.Or(closed)", true)
		}
	case cPoke:
		n.poke()
		move(n, "Close", "poke", false)
	case cRoom:
		n.room = n.room || m.plant != "Close without room"
		move(n, "Close", "signal room", false)
	case cReadable:
		n.readable = true
		move(n, "Close", "signal readable", false)
	case cWritable:
		n.writable = true
		move(n, "Close", "signal writable", false)
	}
}

func (m *spscModel) wrong(s spscState, atRest bool) string {
	tail, head := s.tail/mStep, s.head/mStep
	full := false // items has a value
	for _, v := range s.items[:s.nItems] {
		full = full || v != message
	}
	left := unread(&s)
	closed := s.tail&mClosed != 0
	switch {
	case s.fault != 0:
		return faults[s.fault]
	case !(head <= s.h && s.h <= s.known && s.known <= tail && tail-head <= m.size()):
		return "the counts are out of order"
	case s.held != 0 && s.h != s.known:
		return "held is not the only value known"
	case s.tail&mWaiting != 0 && tail != s.h:
		return "waiting is set and the ring is not empty"
	case full && !s.asked && s.spc != sHandLook && s.spc != sTakeBack:
		return "items has a value and the receiver does not look there"
	case s.asked && s.h != s.known:
		return "the receiver knows values newer than in items"
	case s.spc == sHandPut && s.nItems == 2:
		return "the sender blocks at items"
	}
	between := s.spc == sCall || s.spc == sDone
	for i := range m.size() {
		if between && s.buf[(s.t+i)%m.size()] != 0 && i < m.size()-(s.t-s.h) {
			return "a free slot keeps a value"
		}
	}
	if !atRest {
		return ""
	}
	switch s.rpc {
	case rFastItems, rPark, rSelect:
		if left > 0 || closed {
			return "the receiver is parked for ever"
		}
	}
	switch s.spc {
	case sRoomWait, sSelect:
		if left < m.capacity || closed {
			return "the sender is parked for ever"
		}
	}
	return ""
}

func TestModelSPSC(t *testing.T) {
	for _, c := range []struct {
		name         string
		values       uint8
		sends, recvs []op
		looks        uint8
	}{
		{"plain", 4, []op{plain}, []op{plain, quit}, 1},
		{"try", 3, []op{plain, try}, []op{plain, try}, 1},
		{"cancel", 3, []op{plain, ctx}, []op{plain, ctx, try}, 1},
		{"batch", 3, []op{plain, batch}, []op{plain, ctx, batch}, 1},
		{"select", 2, []op{plain, sel}, []op{plain, sel}, 0},
		{"select, cancel", 2, []op{ctx, sel}, []op{ctx, sel}, 0},
	} {
		for _, s := range []struct{ capacity, lag, grain uint8 }{{1, 1, 1}, {2, 1, 1}, {2, 2, 1}, {1, 2, 2}} {
			m := spscModel{values: c.values + (s.capacity+s.lag-2)/2, capacity: s.capacity, lag: s.lag, grain: s.grain, looks: c.looks, sends: c.sends, recvs: c.recvs, close: true}
			if !stress.Long() {
				m.values = 2
				m.looks = 0
			}
			t.Run(fmt.Sprintf("%s/capacity=%d/lag=%d/grain=%d", c.name, s.capacity, s.lag, s.grain), func(t *testing.T) {
				t.Parallel()
				holds(t, &m)
			})
		}
	}
}

// What the model has to find if the code did it otherwise.
func TestModelSPSCFails(t *testing.T) {
	for _, c := range []struct {
		plant        string
		sends, recvs []op
		close        bool
	}{
		// The sender.
		{"slot keeps value", []op{plain}, []op{plain}, false},
		{"no takeBack", []op{plain}, []op{plain}, true},
		{"no poke where the value is gone", []op{plain}, []op{plain}, true},
		{"no poke where the value is back", []op{plain}, []op{plain}, true},
		{"second value in items", []op{plain}, []op{plain}, true},
		{"reclaim", []op{plain}, []op{plain}, true},
		{"no poke", []op{batch}, []op{plain}, false},
		{"blind flag in head", []op{plain}, []op{plain}, false},
		// The receiver.
		{"blind flag in tail", []op{plain}, []op{plain}, false},
		{"no signal to room", []op{plain}, []op{plain}, false},
		{"wakes too late", []op{plain}, []op{plain, quit}, false},
		{"forgets items", []op{plain}, []op{plain}, true},
		{"canceled forgets items", []op{plain}, []op{ctx}, true},
		{"ring before items", []op{plain}, []op{ctx}, true},
		{"look while asked", []op{plain}, []op{batch}, false},
		{"no tellReadable", []op{plain}, []op{sel}, true},
		{"end not told", []op{plain}, []op{sel}, true},
		// Close.
		{"Close without poke", []op{plain}, []op{plain}, true},
		{"Close without room", []op{plain}, []op{plain, quit}, true},
	} {
		t.Run(c.plant, func(t *testing.T) {
			t.Parallel()
			m := spscModel{values: 4, capacity: 1, lag: 1, grain: 1, looks: 1, sends: c.sends, recvs: c.recvs, close: c.close}
			if stress.Long() { // so that nothing else is found
				holds(t, &m)
			}
			m.plant = c.plant
			fails(t, &m)
		})
	}
}
