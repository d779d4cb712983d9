package queue_test

// Receivers: one of many, a single one, and what both do.

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

	// One of many, the quick way.
	case pQuick:
		n := s
		m.slowly(&n, p) // a compare-and-swap fails
		m.receiver(n, p, move)
		what = "load head"
		n = s
		n.acquire(p, viaHead)
		me := &n.procs[p]
		switch e.mWord {
		case mWord{count: e.count, stocked: true}:
			what = "cas head, read slot, unlock"
			n.swap(p, viaHead)
			n.touch(p, locHead)
			me.got[0] = m.read(&n, p, e.count)
			n.head.count++
			if m.plant != "stocked is cleared late" {
				n.head.stocked = n.head.count != n.head.edge
			}
			n.release(p, viaHead)
			m.gotSome(&n, p)
		case mWord{count: e.count}:
			if me.op != plain || m.plant == "parks on an old tail" && s.tail.count != e.count {
				return
			}
			me.w, me.pc = e.mWord, pQuickPark
		default:
			return
		}
		move(n, m.name(p), what, false)
		return
	case pQuickPark:
		what = "look at tail, cas tail, push, unlock"
		if !s.tail.clean() && !s.tail.only() || s.tail.count != me.w.count && m.plant != "parks without looking at tail" && m.plant != "parks on an old tail" {
			m.slowly(&n, p)
			m.receiver(n, p, move)
			return
		}
		n.swap(p, viaTail)
		m.enlist(&n, p)

	// One of many, with locks. Whatever its first look finds, it looks again.
	case pPeek:
		for _, pc := range []uint8{pLock, pPark} {
			n := s
			n.procs[p].pc = pc
			m.receiver(n, p, move)
		}
		return
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
			e.stocked = false
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
			m.slowly(&n, p)
		} else {
			what += ", push"
			if me.duty && m.plant != "parks with the duty" {
				n.touch(p, locTail)
				n.receivers.coming--
			}
			m.enlist(&n, p)
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
			r := n.receivers.pop(&n)
			if m.plant != "the duty wakes nobody" {
				n.toWake(p, r)
			}
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
			m.again(&n, p)
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
