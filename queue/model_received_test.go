package queue_test

// What calls that receive do between their shared steps, and how they end.

// look is where a call begins.
func (m *ringModel) look(n *ringState, p uint8) {
	me := &n.procs[p]
	switch {
	case !m.single && me.op == batch:
		m.slowly(n, p)
	case !m.single:
		me.pc = pQuick
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

// slowly goes where recvSome begins.
func (m *ringModel) slowly(n *ringState, p uint8) {
	me := &n.procs[p]
	me.w = mWord{}
	me.pc = pPeek
	if me.op == try || me.op == sel {
		me.pc = pLock
	}
}

// again goes where the loop of wait, or of recvSome, begins.
func (m *ringModel) again(n *ringState, p uint8) {
	if m.single {
		m.look(n, p)
	} else {
		m.slowly(n, p)
	}
}

// enlist parks p in the list of receivers. p has tail's lock.
func (m *ringModel) enlist(n *ringState, p uint8) {
	me := &n.procs[p]
	n.touch(p, locTail)
	n.touch(p, locWaiter+p)
	n.receivers.push(p, me.duty)
	if n.receivers.ready(m.width) {
		n.tail.waiting = true
	}
	me.w, me.duty, me.pc = mWord{}, false, pWait
	n.release(p, viaTail)
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
	e.stocked = !m.single && me.next != e.edge
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
