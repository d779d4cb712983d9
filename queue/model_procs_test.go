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
	// One of many receivers.
	pQuick
	pQuickPark
	pPeek
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
