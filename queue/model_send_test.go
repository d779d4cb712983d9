package queue_test

// Senders: alone, with others, and what both do.

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
			if !n.head.waiting && n.senders.ready(m.most()) {
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
	me.n += m.hand(n, p, me.v+me.n, me.rest-me.n)
	if e.edge-e.count < me.rest-me.n {
		me.pc = pMove
		return ""
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
