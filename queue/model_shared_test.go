package queue_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// A sharedModel is a ring with shared ends: senders, receivers and one that
// closes it. The quick ways of Send and Recv are cases of the slow ones. A look
// without the lock, before one with it, is left out: it decides nothing.
//
// What a goroutine does under a lock is one action with the locking, up to its
// second look at or change of a word that others read without the lock.
type sharedModel struct {
	senders, receivers uint8 // at most 3, and 4 together
	values             uint8 // of each sender
	capacity, lag      uint8
	looks              uint8
	sends, recvs       []op
	single             bool // the receiver is that of an MPSC
	noClose            bool
	plant              string
}

type mEnd struct {
	count                            uint8
	locked, waiting, watched, retell bool
	edge, wakeAt                     uint8
}

type mList struct {
	q    [3]uint8 // numbers of processes
	n    uint8
	busy bool
}

type mProc struct {
	pc    uint8
	op    op
	v     uint8 // sender: its next value. Receiver: one value received, or 0
	v2    uint8 // receiver: the second
	n     uint8 // sender: values sent by the call
	rest  uint8 // sender: values of the call
	i     uint8 // looks
	wake  uint8 // whom it wakes, +1
	flags uint8 // of the end's word as it was: watched 1, retell 2
	t     uint8 // tail as it was
	duty  bool

	// As a wait.Waiter.
	token, full, wDuty bool
	value              uint8
}

type sharedState struct {
	tail, head         mEnd
	closed             bool // a flag of tail
	receivers, senders mList
	buf                [3]uint8
	readable, writable bool
	procs              [4]mProc // senders first
	h, known, freed    uint8    // of a single receiver
	selecting          bool
	cpc                uint8
	wakes              [4]uint8
	sent, failed, took uint8
	got                uint8
	lastOf             [3]uint8
	told               bool
	fault              uint8
}

const (
	pCall = iota // both
	pDone
	pLock
	pMove // fills or drains slots and unlocks
	pWake
	pSignal
	pRetell
	pRetellHead
	pPark
	pWait
	pCancel
	pCancelWait
	pSee
	pSeeWake
	pMarkOwn // Writable, Readable
	pMarkOther
	pTell
	pTellHead
	pSelect
	pLoad // a single receiver
	pTake
	pGive
)

func (m *sharedModel) size() uint8 { return m.capacity + m.lag - 1 }

func (m *sharedModel) start() (s sharedState) {
	s.tail.edge = m.size()
	for p := range m.senders {
		s.procs[p].v = m.values*p + 1
	}
	for p := m.senders + m.receivers; p < 4; p++ {
		s.procs[p].pc = pDone
	}
	return s
}

func (l *mList) push(p uint8, first bool) (arm bool) {
	at := l.n
	if first {
		copy(l.q[1:], l.q[:])
		at = 0
	}
	l.q[at] = p
	l.n++
	return !l.busy
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

// pop returns the first, who is to be woken.
func (m *sharedModel) pop(s *sharedState, l *mList) uint8 {
	p := l.q[0]
	l.remove(p)
	l.busy = l.n > 0
	s.procs[p].wDuty = l.busy
	return p
}

func (m *sharedModel) name(p uint8) string {
	if p < m.senders {
		return [...]string{"sender 0", "sender 1", "sender 2"}[p]
	}
	return [...]string{"receiver 0", "receiver 1", "receiver 2"}[p-m.senders]
}

func (m *sharedModel) moves(s sharedState, move func(sharedState, string, string, bool)) {
	for p := range m.senders {
		m.sender(s, p, move)
	}
	for p := m.senders; p < m.senders+m.receivers; p++ {
		m.receiver(s, p, move)
	}
	m.closer(s, move)
}

func (m *sharedModel) sender(s sharedState, p uint8, move func(sharedState, string, string, bool)) {
	n := s
	me := &n.procs[p]
	e := &n.tail
	what := ""
	switch me.pc {
	case pCall:
		for _, o := range m.sends {
			n := s
			me := &n.procs[p]
			me.op, me.pc, me.rest = o, pLock, 1
			switch o {
			case batch:
				me.rest = min(2, m.values*(p+1)-me.v+1)
			case sel:
				me.pc = pMarkOwn
			}
			m.sender(n, p, move)
		}
		return
	case pLock:
		if e.locked {
			return
		}
		what = "lock tail, unlock"
		if s.closed {
			what = "lock tail, closed"
			if m.plant != "closed not told" {
				n.writable = n.writable || e.retell
			}
			m.sendFailed(&n, p)
			break
		}
		if e.waiting {
			what = "lock tail, hand value, unlock"
			r := m.pop(&n, &n.receivers)
			n.procs[r].value, n.procs[r].full = me.v, true
			m.taken(&n, me.v)
			me.wake = r + 1
			e.waiting = false
			me.n = 1
		}
		if e.edge-e.count < me.rest-me.n {
			e.edge = s.head.count + m.size()
			if e.edge != e.count {
				what = "lock tail, look at head"
				e.locked = true
				me.pc = pMove
				break
			}
		}
		if m.fill(&n, p) {
			break
		}
		if me.op == try || me.op == sel {
			m.sendFailed(&n, p)
			move(n, m.name(p), "lock tail, full, unlock", false)
			return
		}
		me.pc = pPark
		move(n, m.name(p), "lock tail, full, unlock", false)
		if me.i < m.looks {
			me.i++
			me.pc = pLock
			move(n, m.name(p), "lock tail, full, unlock, look again", false)
		}
		return
	case pMove:
		what = "fill slots, unlock tail"
		e.locked = false
		m.fill(&n, p)
	case pWake:
		what = "wake receiver"
		n.procs[me.wake-1].token = true
		me.wake = 0
		m.sentSome(&n, p)
	case pSignal:
		what = "signal readable"
		n.readable = true
		me.flags &^= 1
		m.sentSome(&n, p)
	case pRetell:
		what = "look at head, signal writable"
		n.writable = n.writable || me.t-s.head.count != m.size()
		me.flags &^= 2
		m.sentSome(&n, p)
	case pPark:
		if s.head.locked {
			return
		}
		if m.plant != "sender parks without looking" && (s.closed || s.tail.count-s.head.count != m.size()) {
			what = "lock head, look at tail, unlock"
			me.pc, me.i = pLock, 0
			break
		}
		what = "lock head, look at tail, push, unlock"
		if me.duty && m.plant != "parks with the duty" {
			n.senders.busy = false
		}
		if n.senders.push(p, me.duty) && !n.head.waiting {
			n.head.wakeAt = n.head.count + m.lag
			n.head.waiting = true
		}
		me.duty = false
		me.pc, me.i = pWait, 0
	case pWait:
		if me.op == ctx {
			n := s
			n.procs[p].pc = pCancel
			move(n, m.name(p), "canceled", true)
		}
		if !me.token {
			return
		}
		what = "woken"
		me.duty, me.token, me.wDuty = me.wDuty, false, false
		me.pc = pLock
	case pCancel:
		if s.head.locked {
			return
		}
		what = "lock head, remove, unlock"
		there := n.senders.remove(p)
		if n.senders.n == 0 {
			n.head.waiting = false
		}
		me.pc = pCancelWait
		if there {
			m.sendFailed(&n, p)
		}
	case pCancelWait:
		if !me.token {
			return
		}
		what = "woken after all"
		me.duty, me.token, me.wDuty = me.wDuty && m.plant != "canceled sender swallows", false, false
		m.sendFailed(&n, p)
	case pSee:
		if s.head.locked {
			return
		}
		what = "lock head, see to senders, unlock"
		n.senders.busy = false
		me.pc = pCall
		if n.senders.n > 0 {
			if s.closed || s.tail.count-s.head.count != m.size() {
				me.wake = m.pop(&n, &n.senders) + 1
				me.pc = pSeeWake
			} else {
				n.head.wakeAt = n.head.count + m.lag
				n.head.waiting = true
			}
		}
		m.doneSending(me, p)
	case pSeeWake:
		what = "wake sender"
		n.procs[me.wake-1].token = true
		me.wake = 0
		me.pc = pCall
		m.doneSending(me, p)
	case pMarkOwn:
		if e.locked {
			return
		}
		what = "mark tail"
		e.retell = true
		me.pc = pMarkOther
	case pMarkOther:
		if s.head.locked {
			return
		}
		what = "mark head"
		n.head.watched = true
		me.pc = pTell
	case pTell:
		what = "look at tail"
		me.t = s.tail.count
		me.pc = pTellHead
		if s.closed {
			n.writable = true
			me.t = 0
			me.pc = pSelect
		}
	case pTellHead:
		what = "look at head, signal writable"
		n.writable = n.writable || me.t-s.head.count != m.size()
		me.t = 0
		me.pc = pSelect
	case pSelect:
		if !s.writable {
			return
		}
		what = "token of writable"
		n.writable = false
		me.pc = pLock
	default:
		return
	}
	move(n, m.name(p), what, false)
}

// fill puts what fits into the ring and reports whether the call has sent
// something. The goroutine has tail's lock.
func (m *sharedModel) fill(n *sharedState, p uint8) bool {
	me, e := &n.procs[p], &n.tail
	for me.n < me.rest && e.count != e.edge {
		slot := &n.buf[e.count%m.size()]
		if *slot != 0 {
			n.fault = faultOverwritten
		}
		*slot = me.v + me.n
		e.count++
		me.n++
	}
	if me.n == 0 {
		return false
	}
	if e.watched {
		me.flags |= 1
	}
	if e.retell {
		me.flags |= 2
	}
	me.t = e.count
	m.sentSome(n, p)
	return true
}

// sentSome: values are in the queue. Others are told; then the call returns, or
// SendAll goes on.
func (m *sharedModel) sentSome(n *sharedState, p uint8) {
	me := &n.procs[p]
	switch {
	case me.wake > 0:
		me.pc = pWake
		return
	case me.flags&1 != 0:
		me.pc = pSignal
		return
	case me.flags&2 != 0:
		me.pc = pRetell
		return
	}
	for range me.n {
		n.sent |= 1 << me.v
		me.v++
		me.rest--
	}
	if n.told && n.sent&^n.took != 0 {
		n.fault = faultLost
	}
	me.n, me.t = 0, 0
	m.sendReturns(me, p)
}

// sendFailed: sendSome returns an error.
func (m *sharedModel) sendFailed(n *sharedState, p uint8) {
	me := &n.procs[p]
	if me.op == sel && !n.closed {
		me.pc = pSelect // ErrFull
		return
	}
	for range me.rest {
		n.failed |= 1 << me.v
		me.v++
	}
	if n.failed&n.took != 0 {
		n.fault = faultNotSent
	}
	me.rest = 0
	m.sendReturns(me, p)
}

func (m *sharedModel) sendReturns(me *mProc, p uint8) {
	if me.duty {
		me.duty = false
		if m.plant != "sender drops the duty" {
			me.pc = pSee
			return
		}
	}
	m.doneSending(me, p)
}

// doneSending: sendSome has returned, or is about to wake somebody.
func (m *sharedModel) doneSending(me *mProc, p uint8) {
	me.i = 0
	switch {
	case me.pc == pSeeWake:
	case me.rest > 0:
		me.pc = pLock
	case me.v > m.values*(p+1):
		me.pc, me.op = pDone, 0
	case me.op == sel:
		me.pc, me.rest = pSelect, 1 // without asking for the channel again
	default:
		me.pc, me.op = pCall, 0
	}
}

func (m *sharedModel) receiver(s sharedState, p uint8, move func(sharedState, string, string, bool)) {
	n := s
	me := &n.procs[p]
	e := &n.head
	what := ""
	switch me.pc {
	case pCall:
		for _, o := range m.recvs {
			n := s
			me := &n.procs[p]
			if o == quit {
				me.pc = pDone
				move(n, m.name(p), "receives no more", true)
				continue
			}
			me.op = o
			m.look(&n, p)
			if o == sel {
				me.pc = pMarkOwn
			}
			m.receiver(n, p, move)
		}
		return
	case pLock:
		if e.locked {
			return
		}
		want := uint8(1)
		if me.op == batch {
			want = 2
		}
		closed := false
		if e.edge-e.count < want {
			e.edge, closed = s.tail.count, s.closed
			if e.edge != e.count {
				what = "lock head, look at tail"
				e.locked = true
				me.pc = pMove
				break
			}
		}
		if e.edge != e.count {
			what = "lock head, drain slots, unlock"
			m.drain(&n, p)
			break
		}
		m.nothing(n, p, closed, "lock head, look at tail, unlock", move)
		return
	case pMove:
		what = "drain slots, unlock head"
		e.locked = false
		m.drain(&n, p)
	case pLoad:
		n.known = s.tail.count
		if n.known == s.h {
			m.nothing(n, p, s.closed, "load tail", move)
			return
		}
		what = "load tail"
		me.pc = pTake
	case pTake:
		what = "read slot"
		m.read(&n, s.h, &me.v)
		n.h++
		if n.selecting || n.h-n.freed >= m.lag || n.h == n.known {
			n.freed = n.h
			me.pc = pGive
		} else {
			m.gotSome(&n, p)
		}
	case pGive:
		if e.locked {
			return
		}
		what = "lock head, unlock"
		e.count = s.h
		m.unlockHead(&n, p)
	case pWake:
		what = "wake sender"
		n.procs[me.wake-1].token = true
		me.wake = 0
		m.gotSome(&n, p)
	case pSignal:
		what = "signal writable"
		n.writable = true
		me.flags &^= 1
		m.gotSome(&n, p)
	case pRetell, pTell:
		what = "tellReadable: load tail"
		me.t = s.tail.count
		me.pc++
		if s.closed {
			n.readable = true
			m.told(&n, p)
		}
	case pRetellHead, pTellHead:
		what = "tellReadable: load head"
		n.readable = n.readable || me.t != s.head.count
		m.told(&n, p)
	case pPark:
		if s.tail.locked {
			return
		}
		if m.plant != "receiver parks without looking" && (s.closed || s.tail.count != s.head.count) {
			what = "lock tail, look at head, unlock"
			m.look(&n, p)
			break
		}
		what = "lock tail, look at head, push, unlock"
		if me.duty && m.plant != "parks with the duty" {
			n.receivers.busy = false
		}
		if n.receivers.push(p, me.duty) {
			n.tail.waiting = true
		}
		me.duty = false
		me.pc, me.i = pWait, 0
	case pWait:
		if me.op == ctx {
			n := s
			n.procs[p].pc = pCancel
			move(n, m.name(p), "canceled", true)
		}
		if !me.token {
			return
		}
		what = "woken"
		m.woken(&n, p)
		if me.v > 0 {
			m.gotSome(&n, p)
		} else {
			m.look(&n, p)
		}
	case pCancel:
		if s.tail.locked {
			return
		}
		what = "lock tail, remove, unlock"
		there := n.receivers.remove(p)
		if n.receivers.n == 0 {
			n.tail.waiting = false
		}
		me.pc = pCancelWait
		if there {
			m.recvReturns(me)
		}
	case pCancelWait:
		if !me.token {
			return
		}
		what = "woken after all"
		m.woken(&n, p)
		if m.plant == "canceled receiver swallows" {
			me.duty = false
		}
		if m.plant == "canceled receiver drops value" {
			me.v = 0
		}
		m.gotSome(&n, p)
	case pSee:
		if s.tail.locked {
			return
		}
		what = "lock tail, see to receivers, unlock"
		n.receivers.busy = false
		me.pc = pCall
		if n.receivers.n > 0 {
			if s.closed || s.tail.count != s.head.count {
				me.wake = m.pop(&n, &n.receivers) + 1
				me.pc = pSeeWake
			} else {
				n.tail.waiting = true
			}
		}
		m.doneReceiving(me)
	case pSeeWake:
		what = "wake receiver"
		n.procs[me.wake-1].token = true
		me.wake = 0
		me.pc = pCall
		m.doneReceiving(me)
	case pMarkOwn:
		if e.locked {
			return
		}
		what = "mark head"
		e.retell = true
		n.selecting = m.single
		me.pc = pMarkOther
	case pMarkOther:
		if s.tail.locked {
			return
		}
		what = "mark tail"
		n.tail.watched = true
		me.pc = pTell
	case pSelect:
		if !s.readable {
			return
		}
		what = "token of readable"
		n.readable = false
		m.look(&n, p)
	default:
		return
	}
	move(n, m.name(p), what, false)
}

// look is the top of the receiver's loop.
func (m *sharedModel) look(n *sharedState, p uint8) {
	me := &n.procs[p]
	me.pc, me.i = pLock, 0
	if m.single {
		me.pc = pLoad
		if n.h != n.known {
			me.pc = pTake
		}
	}
}

// nothing is what a receiver does that has found nothing.
func (m *sharedModel) nothing(n sharedState, p uint8, closed bool, what string, move func(sharedState, string, string, bool)) {
	me := &n.procs[p]
	switch {
	case closed:
		if n.sent&^n.took != 0 {
			n.fault = faultLost
		}
		n.told = true
		if n.head.retell && m.plant != "end not told" {
			n.readable = true
		}
		if me.op != sel {
			me.op = quit
		}
		m.recvReturns(me)
	case me.op == try || me.op == sel:
		m.recvReturns(me)
	default:
		if again := n; me.i < m.looks {
			again.procs[p].i++
			move(again, m.name(p), what+", look again", false)
		}
		me.pc = pPark
	}
	move(n, m.name(p), what, false)
}

func (m *sharedModel) read(n *sharedState, at uint8, v *uint8) {
	slot := &n.buf[at%m.size()]
	if *slot == 0 {
		n.fault = faultReadEarly
		return
	}
	m.taken(n, *slot)
	*v, *slot = *slot, 0
}

// drain takes known values. The goroutine has head's lock.
func (m *sharedModel) drain(n *sharedState, p uint8) {
	me, e := &n.procs[p], &n.head
	m.read(n, e.count, &me.v)
	e.count++
	if me.op == batch && e.count != e.edge {
		m.read(n, e.count, &me.v2)
		e.count++
	}
	m.unlockHead(n, p)
}

func (m *sharedModel) unlockHead(n *sharedState, p uint8) {
	me, e := &n.procs[p], &n.head
	if e.watched {
		me.flags |= 1
	}
	if e.retell && m.plant != "no retell" {
		me.flags |= 2
	}
	if e.waiting && int8(e.count-e.wakeAt) >= 0 && m.plant != "no wake by receivers" {
		me.wake = m.pop(n, &n.senders) + 1
		e.waiting = false
	}
	m.gotSome(n, p)
}

// taken: v has been handed over, or read.
func (m *sharedModel) taken(n *sharedState, v uint8) {
	if n.took&(1<<v) != 0 {
		n.fault = faultTwice
	}
	n.took |= 1 << v
	of := (v - 1) / m.values
	if n.lastOf[of] > v {
		n.fault = faultOrder
	}
	n.lastOf[of] = v
}

func (m *sharedModel) woken(n *sharedState, p uint8) {
	me := &n.procs[p]
	if me.full {
		me.v = me.value
	}
	me.duty = me.wDuty
	me.token, me.full, me.wDuty, me.value = false, false, false, 0
}

// gotSome: others are told; then the call returns values.
func (m *sharedModel) gotSome(n *sharedState, p uint8) {
	me := &n.procs[p]
	switch {
	case me.wake > 0:
		me.pc = pWake
		return
	case me.flags&1 != 0:
		me.pc = pSignal
		return
	case me.flags&2 != 0:
		me.pc = pRetell
		return
	}
	if me.v > 0 {
		n.got |= 1 << me.v
	}
	if me.v2 > 0 {
		n.got |= 1 << me.v2
	}
	if n.got&n.failed != 0 {
		n.fault = faultNotSent
	}
	me.v, me.v2 = 0, 0
	m.recvReturns(me)
}

// told: tellReadable is through.
func (m *sharedModel) told(n *sharedState, p uint8) {
	me := &n.procs[p]
	me.t = 0
	if me.flags&2 != 0 {
		me.flags &^= 2
		m.gotSome(n, p)
	} else {
		me.pc = pSelect
	}
}

func (m *sharedModel) recvReturns(me *mProc) {
	if me.duty {
		me.duty = false
		if m.plant != "receiver drops the duty" {
			me.pc = pSee
			return
		}
	}
	me.pc = pCall
	m.doneReceiving(me)
}

func (m *sharedModel) doneReceiving(me *mProc) {
	me.i = 0
	switch {
	case me.pc == pSeeWake:
	case me.op == quit:
		me.pc, me.op = pDone, 0
	case me.op == sel:
		me.pc = pSelect // without asking for the channel again
	default:
		me.pc, me.op = pCall, 0
	}
}

func (m *sharedModel) closer(s sharedState, move func(sharedState, string, string, bool)) {
	n := s
	switch s.cpc {
	case 0:
		if m.noClose || s.tail.locked {
			return
		}
		i := 0
		for n.receivers.n > 0 {
			n.wakes[i] = m.pop(&n, &n.receivers) + 1
			i++
		}
		if m.plant == "Close wakes no receiver" {
			n.wakes = [4]uint8{}
		}
		n.tail.waiting, n.closed = false, true
		n.cpc = 1
		move(n, "Close", "lock tail, pop receivers, unlock", true)
	case 1:
		if s.head.locked {
			return
		}
		i := 0
		for n.wakes[i] != 0 {
			i++
		}
		from := i
		for n.senders.n > 0 {
			n.wakes[i] = m.pop(&n, &n.senders) + 1
			i++
		}
		if m.plant == "Close wakes no sender" {
			clear(n.wakes[from:])
		}
		n.head.waiting = false
		n.cpc = 2
		move(n, "Close", "lock head, pop senders, unlock", false)
	case 2:
		if p := s.wakes[0]; p > 0 {
			n.procs[p-1].token = true
			copy(n.wakes[:], s.wakes[1:])
			n.wakes[3] = 0
			move(n, "Close", "wake", false)
			return
		}
		n.readable = true
		n.cpc = 3
		move(n, "Close", "signal readable", false)
	case 3:
		n.writable = true
		n.cpc = 4
		move(n, "Close", "signal writable", false)
	}
}

func (m *sharedModel) wrong(s sharedState, atRest bool) string {
	switch {
	case s.fault != 0:
		return faults[s.fault]
	case s.tail.count-s.head.count > m.size():
		return "the counts are out of order"
	case s.tail.waiting && (s.tail.count != s.head.count || s.receivers.n == 0):
		return "waiting is set in tail, and the ring is not empty or nobody waits"
	case s.head.waiting && s.senders.n == 0:
		return "waiting is set in head and nobody waits"
	case s.receivers.n > 0 && !s.tail.waiting && !s.receivers.busy,
		s.senders.n > 0 && !s.head.waiting && !s.senders.busy:
		return "somebody waits, and nobody is to wake him"
	}
	if !atRest {
		return ""
	}
	if s.told && s.sent != s.got {
		return faults[faultLost]
	}
	left := uint8(bits.OnesCount8(s.sent &^ s.got))
	for p := range m.senders + m.receivers {
		switch s.procs[p].pc {
		case pWait, pSelect, pCancelWait, pLock, pPark, pCancel, pSee:
			switch {
			case p < m.senders && (left < m.capacity || s.closed):
				return m.name(p) + " is parked for ever"
			case p >= m.senders && (left > 0 || s.closed):
				return m.name(p) + " is parked for ever"
			}
		}
	}
	return ""
}

func TestModelShared(t *testing.T) {
	for _, c := range []struct {
		name string
		m    sharedModel
	}{
		{"plain", sharedModel{senders: 2, receivers: 2, values: 2, sends: []op{plain}, recvs: []op{plain}}},
		{"try", sharedModel{senders: 2, receivers: 2, values: 2, looks: 1, sends: []op{plain, try}, recvs: []op{plain, try}}},
		{"cancel", sharedModel{senders: 2, receivers: 2, values: 2, sends: []op{ctx}, recvs: []op{ctx}}},
		{"batch", sharedModel{senders: 2, receivers: 2, values: 2, sends: []op{plain, batch}, recvs: []op{plain, batch}}},
		{"writable", sharedModel{senders: 2, receivers: 2, values: 2, sends: []op{sel}, recvs: []op{plain, quit}}},
		{"readable", sharedModel{senders: 2, receivers: 2, values: 2, sends: []op{plain}, recvs: []op{sel}}},
		{"3 senders", sharedModel{senders: 3, receivers: 1, values: 2, sends: []op{plain}, recvs: []op{plain}}},
		{"3 senders, cancel", sharedModel{senders: 3, receivers: 1, values: 1, sends: []op{ctx}, recvs: []op{plain, quit}}},
		{"3 receivers", sharedModel{senders: 1, receivers: 3, values: 4, sends: []op{plain}, recvs: []op{plain}}},
		{"3 receivers, cancel", sharedModel{senders: 1, receivers: 3, values: 2, sends: []op{plain}, recvs: []op{ctx}}},
		{"MPSC", sharedModel{senders: 2, receivers: 1, values: 2, looks: 1, sends: []op{plain, ctx}, recvs: []op{plain, ctx, try}, single: true}},
		{"MPSC, 3 senders", sharedModel{senders: 3, receivers: 1, values: 2, sends: []op{plain}, recvs: []op{plain}, single: true}},
		{"MPSC, select", sharedModel{senders: 2, receivers: 1, values: 2, sends: []op{plain, sel}, recvs: []op{plain, sel}, single: true}},
	} {
		for _, s := range []struct{ capacity, lag uint8 }{{1, 1}, {2, 1}, {2, 2}} {
			m := c.m
			m.capacity, m.lag = s.capacity, s.lag
			switch {
			case !stress.Long():
				m.values = 1
			case c.name == "plain":
				m.values += m.lag - 1
			}
			t.Run(fmt.Sprintf("%s/capacity=%d/lag=%d", c.name, m.capacity, m.lag), func(t *testing.T) {
				t.Parallel()
				holds(t, &m)
			})
		}
	}
}

// What the model has to find if the code did it otherwise.
func TestModelSharedFails(t *testing.T) {
	for _, c := range []struct {
		plant              string
		senders, receivers uint8
		values             uint8
		sends, recvs       []op
		close              bool
	}{
		{"sender parks without looking", 1, 1, 2, []op{plain}, []op{plain}, false},
		{"receiver parks without looking", 1, 1, 1, []op{plain}, []op{plain}, false},
		{"no wake by receivers", 1, 1, 2, []op{plain}, []op{plain}, false},
		{"sender drops the duty", 2, 1, 2, []op{plain}, []op{plain}, false},
		{"receiver drops the duty", 2, 2, 1, []op{plain}, []op{plain}, false},
		{"parks with the duty", 3, 1, 2, []op{plain}, []op{plain}, false},
		{"canceled sender swallows", 3, 1, 1, []op{ctx}, []op{plain}, false},
		{"canceled receiver swallows", 2, 2, 1, []op{plain}, []op{ctx}, false},
		{"canceled receiver drops value", 1, 2, 1, []op{plain}, []op{ctx}, false},
		{"Close wakes no sender", 1, 1, 2, []op{plain}, []op{plain, quit}, true},
		{"Close wakes no receiver", 1, 1, 1, []op{plain}, []op{plain}, true},
		{"closed not told", 2, 1, 2, []op{sel}, []op{plain, quit}, true},
		{"end not told", 1, 2, 1, []op{plain}, []op{sel}, true},
		{"no retell", 1, 2, 2, []op{plain}, []op{sel}, true},
	} {
		t.Run(c.plant, func(t *testing.T) {
			t.Parallel()
			m := sharedModel{senders: c.senders, receivers: c.receivers, values: c.values, capacity: 1, lag: 1, sends: c.sends, recvs: c.recvs, noClose: !c.close}
			if stress.Long() { // so that nothing else is found
				holds(t, &m)
			}
			m.plant = c.plant
			fails(t, &m)
		})
	}
}
