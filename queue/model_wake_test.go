package queue_test

// What senders and receivers do for others: serve, wake and tell. And Close.

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
		if s.tail.watched && m.plant != "Close tells no receiver" {
			n.cbell = 1
		}
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
		if s.head.watched && m.plant != "Close tells no sender" {
			n.cbell |= 2
		}
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
		if s.cbell&(s.cpc-2) == 0 {
			n.cpc++
			move(n, "Close", "tell nobody", false)
			return
		}
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
