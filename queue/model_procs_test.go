package queue_test

// Where a sender or receiver is.
const (
	pCall = iota
	pDone
	// Both.
	pLock
	pHush
	pMove
	pPark
	pWait
	pCancel
	pCancelWait
	pSee
	pServe
	pServe2
	pServe3
	pWake
	pServedRing
	pServedRing2
	pTell // sender: rings readable. Receiver: rings writable
	pTell2
	pRetell // what is left at one's own end
	pRetell2
	pRetell3
	pRetell4
	pRetell5
	pMark // Writable, Readable
	pMark2
	pSelect
	// A sender alone.
	pFast
	pLook
	pCAS
	pClaim
	pGive
	pReserve
	pReserveLook
	pPublish
	// A single receiver.
	pLoad
	pArm
	pHeld
	pTake
	pGiveBack
)

type moves = func(to ringState, who, what string, free bool)

func (m *ringModel) moves(s ringState, move moves) {
	for p := range m.senders {
		m.sender(s, p, move)
	}
	for p := m.senders; p < m.senders+m.receivers; p++ {
		m.receiver(s, p, move)
	}
	m.closer(s, move)
}

// only reports whether waiting is the only flag.
func (w mWord) only() bool { return w == mWord{count: w.count, waiting: true} }

func (m *ringModel) sender(s ringState, p uint8, move moves) {
	n := s
	me, e := &n.procs[p], &n.tail
	what := ""
	switch me.pc {
	case pCall:
		for _, o := range m.sends {
			n := s
			me := &n.procs[p]
			me.op, me.rest, me.carry = o, 1, true
			me.fair = m.alone && unread(&n) < m.capacity
			switch {
			case o == sel:
				me.pc = pMark
			case o == batch:
				me.rest = min(2, m.values*(p+1)-me.v+1)
				me.pc = pLock
				if m.alone {
					me.pc, me.carry = pReserve, false
				}
			case m.alone || m.single && o == plain:
				me.pc = pFast
			default:
				me.pc = pLock
			}
			m.sender(n, p, move)
		}
		return

	// A sender alone, and the hand-over to a single receiver.
	case pFast:
		what = "load tail"
		n.acquire(p, viaTail)
		me.w, me.pc = e.mWord, pLock
		switch {
		case me.w.only() && me.op == plain:
			me.pc = pClaim
		case me.w.clean() && m.alone:
			n.touch(p, locTail)
			me.pc = pCAS
			if me.w.count == e.edge {
				me.pc = pLook
			}
		}
	case pLook:
		what = "load head"
		n.acquire(p, viaHead)
		n.touch(p, locTail)
		e.edge = s.head.count + m.size()
		me.pc = pCAS
		if e.edge == me.w.count {
			me.pc = pLock
		}
	case pCAS:
		what = "write slot, cas tail"
		n.touch(p, locTail)
		if m.plant == "publishes before it writes" && e.mWord == me.w {
			n.swap(p, viaTail)
			e.count++
			e.count--
		}
		m.write(&n, p, me.v)
		if e.mWord == me.w {
			if m.plant != "publishes before it writes" {
				n.swap(p, viaTail)
			}
			e.count++
			me.n = 1
			m.sentSome(&n, p)
			break
		}
		if m.plant != "slot keeps value" {
			n.buf[e.count%m.size()] = 0
		}
		me.pc = pLock
	case pClaim:
		what = "cas tail without waiting"
		me.pc = pLock
		if e.mWord == me.w || m.plant == "claims without looking" && e.count == me.w.count {
			n.swap(p, viaTail)
			e.waiting = false
			me.pc = pGive
		}
	case pGive:
		what = "give value, wake receiver"
		m.give(&n, p, m.senders, me.v)
		m.token(&n, p, m.senders)
		me.n = 1
		m.sentSome(&n, p)
	case pReserve:
		what = "Reserve: load tail"
		n.acquire(p, viaTail)
		n.touch(p, locTail)
		me.w, me.pc = e.mWord, pReserveLook
		switch {
		case me.w.closed:
			m.sendFails(&n, p)
		case e.edge-e.count >= me.rest:
			me.pc = pPublish
		}
	case pReserveLook:
		what = "Reserve: load head"
		n.acquire(p, viaHead)
		n.touch(p, locTail)
		e.edge = s.head.count + m.size()
		me.pc = pPublish
		if e.edge == e.count {
			me.pc = pPark
		}
	case pPublish: // which locks only where a flag is set
		if e.locked {
			return
		}
		what = "Publish: write slots, publish"
		n.swap(p, viaTail)
		n.touch(p, locTail)
		if e.closed {
			m.sendFails(&n, p)
			break
		}
		for n := &n; me.n < me.rest && e.count != e.edge; me.n++ {
			m.write(n, p, me.v+me.n)
			e.count++
		}
		if e.waiting {
			e.waiting = false
			if m.plant != "batch wakes nobody" {
				n.toWake(p, m.senders)
			}
		}
		m.flags(me, e)
		n.release(p, viaTail)
		m.sentSome(&n, p)

	// The slow way.
	case pLock:
		if e.locked {
			return
		}
		what = "lock tail"
		n.swap(p, viaTail)
		e.locked = true
		if e.retell {
			me.pc = pHush
		} else {
			what += m.lockedTail(&n, p)
		}
	case pHush:
		what = "count look"
		n.swap(p, viaWritable)
		what += m.lockedTail(&n, p)
	case pMove:
		what = "look at head, send"
		n.acquire(p, viaHead)
		e.edge = s.head.count + m.size()
		what += m.fill(&n, p)
	case pPark:
		if s.head.locked {
			return
		}
		what = "lock head, look at tail"
		n.swap(p, viaHead)
		n.acquire(p, viaTail)
		if m.plant != "sender parks without looking" && (e.closed || e.count-s.head.count != m.size()) {
			m.sendAgain(me)
		} else {
			what += ", push"
			n.touch(p, locHead)
			n.touch(p, locWaiter+p)
			me.full = me.carry
			if me.carry {
				me.value = me.v
			}
			n.senders.push(p, false)
			if !n.head.waiting && n.senders.ready(1) {
				n.head.wakeAt = n.head.count + m.lag
				n.head.waiting = true
			}
			me.pc = pWait
		}
		n.release(p, viaHead)
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
		m.wokenSender(&n, p)
		if me.n == me.rest {
			m.sentSome(&n, p)
		} else {
			m.sendAgain(me)
		}
	case pCancel:
		if s.head.locked {
			return
		}
		what = "lock head, remove, unlock"
		n.swap(p, viaHead)
		n.touch(p, locHead)
		there := n.senders.remove(p)
		if n.senders.n == 0 {
			n.head.waiting = false
		}
		n.release(p, viaHead)
		me.pc = pCancelWait
		if there {
			n.touch(p, locWaiter+p)
			me.full, me.value = false, 0
			m.sendFails(&n, p)
		}
	case pCancelWait:
		if !me.token {
			return
		}
		what = "woken after all"
		m.wokenSender(&n, p)
		if m.plant == "canceled sender swallows" {
			me.duty = false
		}
		if m.plant == "canceled sender forgets that it sent" {
			me.n = 0
		}
		if me.n == 1 {
			m.sentSome(&n, p)
		} else {
			m.sendFails(&n, p)
		}
	case pSee:
		if s.head.locked {
			return
		}
		what = "lock head, see to senders"
		n.swap(p, viaHead)
		n.touch(p, locHead)
		n.senders.coming--
		n.head.locked = true
		me.pc = pServe
		if n.senders.n == 0 {
			n.head.locked = false
			n.release(p, viaHead)
			m.sendReturns(&n, p)
		}
	case pServe, pServe2, pServe3:
		if what = m.serving(&n, p); what == "" {
			return
		}
		if me.pc == pCall {
			m.sentSome(&n, p)
		}
	case pWake, pServedRing, pServedRing2, pTell, pTell2:
		m.telling(s, p, viaReadable, locReadable, m.sentSome, move)
		return
	case pRetell:
		what = "look at head"
		n.acquire(p, viaHead)
		me.pc = pRetell2
		if me.w.count-s.head.count == m.size() {
			me.tell = 0
			m.sentSome(&n, p)
		}
	case pRetell2, pRetell3:
		m.telling(s, p, viaWritable, locWritable, m.sentSome, move)
		return
	case pMark:
		if e.locked {
			return
		}
		what = "mark tail"
		n.swap(p, viaTail)
		e.retell = true
		me.pc = pMark2
	case pMark2:
		if s.head.locked {
			return
		}
		what = "mark head"
		n.swap(p, viaHead)
		n.head.watched = true
		me.pc = pRetell4
	case pRetell4:
		what = "count look"
		n.swap(p, viaWritable)
		me.pc = pRetell5
	case pRetell5:
		what = "look at tail and head"
		n.acquire(p, viaTail)
		n.acquire(p, viaHead)
		me.pc = pSelect
		if e.closed || e.count-s.head.count != m.size() {
			me.pc = pRetell2
			me.tell = 8 // then to select
		}
	case pSelect:
		if !s.writable {
			return
		}
		what = "token of writable"
		n.writable = false
		n.moved(p, locWritable)
		me.pc = pLock
	default:
		return
	}
	move(n, m.name(p), what, false)
}

func (m *ringModel) token(n *ringState, p, q uint8) {
	n.procs[q].token = true
	n.release(p, viaToken+q)
}

func (m *ringModel) flags(me *mProc, e *mEnd) {
	if e.watched {
		me.tell |= 1
	}
	if e.retell {
		me.tell |= 2
	}
	me.w = e.mWord
}

// lockedTail is what sendSome does once it has tail.
func (m *ringModel) lockedTail(n *ringState, p uint8) string {
	me, e := &n.procs[p], &n.tail
	n.touch(p, locTail)
	if e.closed {
		e.locked = false
		n.release(p, viaTail)
		me.failed = true
		if e.retell && m.plant != "closed not told" {
			me.tell = 2
			me.pc = pRetell2
		} else {
			m.sentSome(n, p)
		}
		return ", closed"
	}
	me.from = me.n
	sent := m.put(n, p, me.v+me.n, min(me.rest-me.n, e.edge-e.count))
	if e.waiting {
		sent += m.put(n, p, me.v+me.n+sent, me.rest-me.n-sent)
	}
	me.n += sent
	if me.n < me.rest && e.count == e.edge {
		me.pc = pMove
		return ", what room is known"
	}
	return m.fill(n, p)
}

// fill sends what it can, and unlocks tail.
func (m *ringModel) fill(n *ringState, p uint8) string {
	me, e := &n.procs[p], &n.tail
	me.n += m.put(n, p, me.v+me.n, me.rest-me.n)
	e.locked = false
	if me.n > me.from {
		m.flags(me, e)
	}
	me.from = 0
	n.release(p, viaTail)
	switch {
	case me.n > 0:
		m.sentSome(n, p)
		return ", send, unlock"
	case me.op == try || me.op == sel:
		if me.fair && me.op == try {
			n.fault = faultFull
		}
		m.sendFails(n, p)
	default:
		me.pc = pPark
	}
	return ", full, unlock"
}

func (m *ringModel) wokenSender(n *ringState, p uint8) {
	me := &n.procs[p]
	n.acquire(p, viaToken+p)
	n.touch(p, locWaiter+p)
	if me.carry && !me.full {
		me.n = 1
	}
	me.duty = me.wDuty
	me.token, me.full, me.wDuty, me.value = false, false, false, 0
}

func (m *ringModel) sendAgain(me *mProc) {
	me.pc = pLock
	if m.alone && me.op == batch {
		me.pc = pReserve
	}
}

// sentSome: values are in the queue. Others are told; then the call returns, or
// SendAll goes on.
func (m *ringModel) sentSome(n *ringState, p uint8) {
	me := &n.procs[p]
	if m.tells(me) {
		return
	}
	if me.failed {
		m.sendFails(n, p)
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
	me.n = 0
	m.sendReturns(n, p)
}

// tells reports whether somebody is to be told, and goes there.
func (m *ringModel) tells(me *mProc) bool {
	switch {
	case me.wake[0] > 0:
		me.pc = pWake
	case me.tell&4 != 0:
		me.pc = pServedRing
	case me.tell&1 != 0:
		me.pc = pTell
	case me.tell&2 != 0:
		me.pc = pRetell
	case me.tell&8 != 0:
		me.tell, me.pc = 0, pSelect
	default:
		return false
	}
	return true
}

// sendFails: the call is to return an error.
func (m *ringModel) sendFails(n *ringState, p uint8) {
	me := &n.procs[p]
	if me.op == sel && !n.tail.closed {
		me.pc, me.n = pSelect, 0 // ErrFull
		return
	}
	for range me.n { // of a batch
		n.sent |= 1 << me.v
		me.v++
		me.rest--
	}
	for range me.rest {
		n.failed |= 1 << me.v
		me.v++
	}
	if n.failed&n.took != 0 {
		n.fault = faultNotSent
	}
	me.rest, me.n = 0, 0
	m.sendReturns(n, p)
}

func (m *ringModel) sendReturns(n *ringState, p uint8) {
	me := &n.procs[p]
	if me.duty {
		me.duty = false
		if m.plant != "sender drops the duty" {
			me.pc = pSee
			return
		}
	}
	me.w, me.failed, me.fair = mWord{}, false, false
	switch {
	case me.rest > 0:
		m.sendAgain(me)
	case me.v > m.values*(p+1):
		me.pc, me.op, me.carry = pDone, 0, false
	case me.op == sel:
		me.pc, me.rest = pSelect, 1 // without asking for the channel again
	default:
		me.pc, me.op, me.carry = pCall, 0, false
	}
}

// serving is the steps of serve, by whoever has locked head.
func (m *ringModel) serving(n *ringState, p uint8) string {
	me := &n.procs[p]
	switch me.pc {
	case pServe:
		if n.tail.locked {
			return ""
		}
		n.swap(p, viaTail)
		n.tail.locked = true
		if p >= m.senders && m.plant != "serves before head is published" {
			n.head.count = me.next
			n.release(p, viaHead)
		}
		me.pc = pServe2
		return "lock tail too"
	case pServe2:
		m.serve(n, p)
		me.pc = pServe3
		return "serve a sender, unlock tail"
	}
	if p >= m.senders {
		n.head.count = me.next
	}
	m.unserve(n, p)
	me.pc, me.next = pCall, 0
	return "unlock head"
}

// telling is the steps of waking others and of ringing, by both.
func (m *ringModel) telling(s ringState, p, via, loc uint8, next func(*ringState, uint8), move moves) {
	n := s
	me := &n.procs[p]
	switch me.pc {
	case pWake:
		m.token(&n, p, me.wake[0]-1)
		copy(me.wake[:], me.wake[1:])
		me.wake[2] = 0
		next(&n, p)
		move(n, m.name(p), "wake", false)
		return
	case pServedRing:
		via = viaReadable
	case pServedRing2:
		loc = locReadable
	}
	switch me.pc {
	case pServedRing, pTell, pRetell2:
		if m.plant != "rings without reading looks" {
			n.acquire(p, via)
		}
		me.pc++
		move(n, m.name(p), "read looks", false)
		return
	}
	clear := map[uint8]uint8{pServedRing2: 4, pTell2: 1, pRetell3: 2}[me.pc]
	s.ring(p, loc, func(stale bool) {
		n, what := s, "leave a token"
		if stale {
			n, what = s, "find an old token"
			if loc == locReadable {
				n.readable = false
			} else {
				n.writable = false
			}
		}
		me := &n.procs[p]
		me.tell &^= clear
		next(&n, p)
		move(n, m.name(p), what, false)
	})
}

func (m *ringModel) receiver(s ringState, p uint8, move moves) {
	n := s
	me, e := &n.procs[p], &n.head
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
			me.op, me.fair = o, m.receivers == 1 && n.sent&^n.took != 0
			m.look(&n, p)
			if o == sel {
				me.pc = pMark
			}
			m.receiver(n, p, move)
		}
		return

	// One of many.
	case pLock:
		if e.locked {
			return
		}
		what = "lock head"
		n.swap(p, viaHead)
		e.locked = true
		if e.retell {
			me.pc = pHush
		} else {
			what += m.lockedHead(&n, p)
		}
	case pHush:
		what = "count look"
		if m.plant != "looks uncounted" {
			n.swap(p, viaReadable)
		}
		if m.single {
			me.pc = pLoad
		} else {
			what += m.lockedHead(&n, p)
		}
	case pMove:
		what = "look at tail"
		n.acquire(p, viaTail)
		n.touch(p, locHead)
		e.edge = s.tail.count
		if e.edge == e.count {
			e.locked = false
			n.release(p, viaHead)
			m.nothing(&n, p, s.tail.closed)
		} else {
			m.drain(&n, p)
		}
	case pPark:
		if s.tail.locked {
			return
		}
		what = "lock tail, look at head"
		n.swap(p, viaTail)
		n.acquire(p, viaHead)
		if m.plant != "receiver parks without looking" && (s.tail.closed || s.tail.count != e.count) {
			m.look(&n, p)
		} else {
			what += ", push"
			n.touch(p, locTail)
			n.touch(p, locWaiter+p)
			if me.duty && m.plant != "parks with the duty" {
				n.receivers.coming--
			}
			n.receivers.push(p, me.duty)
			if n.receivers.ready(m.width) {
				n.tail.waiting = true
			}
			me.duty = false
			me.pc = pWait
		}
		n.release(p, viaTail)
	case pSee:
		if s.tail.locked {
			return
		}
		what = "lock tail, see to receivers, unlock"
		n.swap(p, viaTail)
		n.acquire(p, viaHead)
		n.touch(p, locTail)
		n.receivers.coming--
		left := s.tail.count - e.count
		if left == 0 && n.receivers.ready(m.width) {
			n.tail.waiting = true
		}
		if left > 0 && n.receivers.ready(1) {
			n.toWake(p, n.receivers.pop(&n))
		}
		n.release(p, viaTail)
		m.recvReturns(&n, p)

	// A single one.
	case pLoad:
		what = "load tail"
		n.acquire(p, viaTail)
		me.w, n.known = s.tail.mWord, s.tail.count
		switch {
		case n.known != s.h:
			me.pc = pTake
		case me.w.closed || me.op == try || me.op == sel:
			m.nothing(&n, p, me.w.closed)
		case me.w.locked:
			return
		default:
			me.pc = pArm
		}
	case pArm:
		what = "cas tail with waiting"
		if s.tail.mWord == me.w || m.plant == "blind flag" {
			n.swap(p, viaTail)
			n.tail.waiting = true
			me.pc = pWait
		} else {
			m.look(&n, p)
		}
		me.w = mWord{}
	case pHeld:
		what = "take what was handed over"
		n.touch(p, locWaiter+p)
		me.got[0], me.value, me.full = me.value, 0, false
		switch {
		case me.op == batch:
			me.pc = pTake
			n.acquire(p, viaTail)
			n.known = s.tail.count
			if n.known == s.h {
				m.received(&n, p)
			}
		case n.selecting:
			me.tell |= 2
			m.gotSome(&n, p)
		default:
			m.gotSome(&n, p)
		}
	case pTake:
		what = "read slots"
		for i := range me.got {
			if me.got[i] == 0 && n.h != n.known && (i == 0 || me.op == batch) {
				me.got[i] = m.read(&n, p, n.h)
				n.h++
			}
		}
		m.received(&n, p)
	case pGiveBack:
		switch {
		case e.count != s.freed:
			n.fault = faultFreed
		case e.mWord.clean():
			what = "cas head"
			n.swap(p, viaHead)
			e.count, n.freed = s.h, s.h
			m.gotSome(&n, p)
		case e.locked:
			return
		default:
			what = "lock head"
			n.swap(p, viaHead)
			e.locked = true
			me.next, n.freed = s.h, s.h
			m.unlockHead(&n, p)
		}

	// Both.
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
		m.wokenReceiver(&n, p)
		if me.got[0] > 0 {
			m.gotSome(&n, p)
		} else {
			m.look(&n, p)
		}
	case pCancel:
		if s.tail.locked {
			return
		}
		what = "clear waiting, or lock tail, remove, unlock"
		n.swap(p, viaTail)
		there := s.tail.waiting
		if m.single {
			n.tail.waiting = false
		} else {
			n.touch(p, locTail)
			there = n.receivers.remove(p)
			if n.receivers.n == 0 {
				n.tail.waiting = false
			}
			n.release(p, viaTail)
		}
		me.pc = pCancelWait
		if there || m.plant == "gives up without looking" {
			m.recvReturns(&n, p)
		}
	case pCancelWait:
		if !me.token {
			return
		}
		what = "woken after all"
		m.wokenReceiver(&n, p)
		switch m.plant {
		case "canceled receiver swallows":
			me.duty = false
		case "canceled receiver drops value":
			me.got[0], me.value, me.full = 0, 0, false
		}
		if me.full {
			me.pc = pHeld
		} else {
			m.gotSome(&n, p)
		}
	case pServe, pServe2, pServe3:
		e := *e
		if what = m.serving(&n, p); what == "" {
			return
		}
		if me.pc == pCall {
			e.locked, e.waiting = false, false
			m.flags(me, &e)
			m.gotSome(&n, p)
		}
	case pWake, pServedRing, pServedRing2, pTell, pTell2:
		m.telling(s, p, viaWritable, locWritable, m.gotSome, move)
		return
	case pRetell:
		what = "count look"
		if m.plant != "looks uncounted" {
			n.swap(p, viaReadable)
		}
		me.pc = pRetell4
	case pRetell4:
		what = "look at tail"
		n.acquire(p, viaTail)
		me.w = s.tail.mWord
		me.pc = pRetell5
	case pRetell5:
		what = "look at head"
		n.acquire(p, viaHead)
		me.pc = pRetell2
		if !me.w.closed && me.w.count == e.count && !(m.single && me.full) || m.plant == "no retell" {
			me.tell &^= 2
			m.gotSome(&n, p)
		}
	case pRetell2, pRetell3:
		m.telling(s, p, viaReadable, locReadable, m.gotSome, move)
		return
	case pMark:
		if e.locked {
			return
		}
		what = "mark head"
		n.swap(p, viaHead)
		e.retell = true
		n.selecting = m.single
		me.pc = pMark2
	case pMark2:
		if s.tail.locked {
			return
		}
		what = "mark tail"
		n.swap(p, viaTail)
		n.tail.watched = true
		me.tell = 8 | 2
		me.pc = pRetell
	case pSelect:
		if !s.readable {
			return
		}
		what = "token of readable"
		n.readable = false
		n.moved(p, locReadable)
		m.look(&n, p)
	default:
		return
	}
	move(n, m.name(p), what, false)
}

// look is the top of the receiver's loop.
func (m *ringModel) look(n *ringState, p uint8) {
	me := &n.procs[p]
	switch {
	case !m.single:
		me.pc = pLock
	case me.full && !me.token:
		me.pc = pHeld
	case n.h != n.known:
		me.pc = pTake
	case n.selecting:
		me.pc = pHush
	default:
		me.pc = pLoad
	}
}

func (m *ringModel) lockedHead(n *ringState, p uint8) string {
	n.touch(p, locHead)
	e := &n.head
	want := uint8(1)
	if n.procs[p].op == batch {
		want = 2
	}
	if e.edge-e.count < want {
		n.procs[p].pc = pMove
		return ""
	}
	m.drain(n, p)
	return ", read slots"
}

// drain takes known values. p has head's lock.
func (m *ringModel) drain(n *ringState, p uint8) {
	me, e := &n.procs[p], &n.head
	me.next = e.count
	for i := range me.got {
		if me.next != e.edge && (i == 0 || me.op == batch) {
			me.got[i] = m.read(n, p, me.next)
			me.next++
		}
	}
	m.unlockHead(n, p)
}

func (m *ringModel) unlockHead(n *ringState, p uint8) {
	me, e := &n.procs[p], &n.head
	if e.waiting && int8(me.next-e.wakeAt) >= 0 && m.plant != "serves nobody" {
		me.pc = pServe
		return
	}
	e.count, e.locked = me.next, false
	me.next = 0
	m.flags(me, e)
	n.release(p, viaHead)
	m.gotSome(n, p)
}

// received: a single receiver has read slots, or not.
func (m *ringModel) received(n *ringState, p uint8) {
	if n.h != n.freed && (n.selecting || n.h-n.freed >= m.grain || n.h == n.known) {
		n.procs[p].pc = pGiveBack
		return
	}
	if n.selecting {
		n.procs[p].tell |= 2
	}
	m.gotSome(n, p)
}

func (m *ringModel) wokenReceiver(n *ringState, p uint8) {
	me := &n.procs[p]
	n.acquire(p, viaToken+p)
	n.touch(p, locWaiter+p)
	me.duty = me.wDuty
	me.token, me.wDuty = false, false
	if !m.single {
		me.got[0], me.full, me.value = me.value, false, 0
	}
}

// nothing is what a receiver does that has found nothing.
func (m *ringModel) nothing(n *ringState, p uint8, closed bool) {
	me := &n.procs[p]
	me.w = mWord{}
	switch {
	case closed:
		if n.sent&^n.took != 0 {
			n.fault = faultLost
		}
		n.told, me.failed = true, true
		if n.head.retell && m.plant != "end not told" {
			me.tell = 2
			me.w.closed = true
			me.pc = pRetell2
			return
		}
		m.gotSome(n, p)
	case me.op == try || me.op == sel:
		if me.fair && me.op == try {
			n.fault = faultEmpty
		}
		m.recvReturns(n, p)
	default:
		me.pc = pPark
	}
}

// gotSome: others are told; then the call returns values.
func (m *ringModel) gotSome(n *ringState, p uint8) {
	me := &n.procs[p]
	if m.tells(me) {
		return
	}
	for _, v := range me.got {
		if v > 0 {
			n.got |= 1 << v
		}
	}
	if n.got&n.failed != 0 {
		n.fault = faultNotSent
	}
	me.got = [2]uint8{}
	m.recvReturns(n, p)
}

func (m *ringModel) recvReturns(n *ringState, p uint8) {
	me := &n.procs[p]
	if me.duty {
		me.duty = false
		if m.plant != "receiver drops the duty" {
			me.pc = pSee
			return
		}
	}
	if m.tells(me) {
		return
	}
	me.w, me.fair = mWord{}, false
	switch {
	case me.op == sel:
		me.pc, me.failed = pSelect, false // without asking for the channel again
	case me.failed:
		me.pc, me.op, me.failed = pDone, 0, false
	default:
		me.pc, me.op = pCall, 0
	}
}

func (m *ringModel) closer(s ringState, move moves) {
	n := s
	i := 0
	for i < 4 && s.wakes[i] != 0 {
		i++
	}
	what := ""
	switch s.cpc {
	case 0:
		if !m.close || s.tail.locked {
			return
		}
		n.swap(theCloser, viaTail)
		if m.single {
			if s.tail.waiting {
				n.wakes[0] = m.senders + 1
			}
		} else {
			n.touch(theCloser, locTail)
			for ; n.receivers.n > 0; i++ {
				n.wakes[i] = n.receivers.pop(&n) + 1
			}
		}
		if m.plant == "Close wakes no receiver" {
			n.wakes = [4]uint8{}
		}
		n.tail.waiting, n.tail.closed = false, true
		n.release(theCloser, viaTail)
		n.cpc = 1
		move(n, "Close", "lock tail, claim receivers, unlock", true)
		return
	case 1:
		if s.head.locked {
			return
		}
		what = "lock head, pop senders, unlock"
		n.swap(theCloser, viaHead)
		n.touch(theCloser, locHead)
		for ; n.senders.n > 0; i++ {
			n.wakes[i] = n.senders.pop(&n) + 1
			if m.plant == "Close wakes no sender" {
				n.wakes[i] = 0
			}
		}
		n.head.waiting = false
		n.release(theCloser, viaHead)
		n.cpc = 2
	case 2:
		if w := s.wakes[0]; w > 0 {
			m.token(&n, theCloser, w-1)
			copy(n.wakes[:], s.wakes[1:])
			n.wakes[3] = 0
			move(n, "Close", "wake", false)
			return
		}
		what = "read looks"
		n.acquire(theCloser, viaReadable)
		n.acquire(theCloser, viaWritable)
		n.cpc = 3
	case 3, 4:
		loc := uint8(locReadable) + s.cpc - 3
		s.ring(theCloser, loc, func(stale bool) {
			n := s
			if stale {
				if n.readable = s.readable && loc != locReadable; loc == locWritable {
					n.readable, n.writable = s.readable, false
				}
			}
			n.cpc++
			move(n, "Close", "ring", false)
		})
		return
	default:
		return
	}
	move(n, "Close", what, false)
}
