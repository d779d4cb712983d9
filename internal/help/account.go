package help

import (
	"sync/atomic"
	"time"
)

// The rule: a function may spend on help a part of the time it ran, and what help saved
// it; nothing else.
//
// An Account decides whether a function may ask for help. It earns a part of the
// time that the function runs, and what helpers saved it; it pays for waking
// helpers, for the time that was spent waiting for them, and for that in which they
// found nothing to do. So a function that help does not make faster is slowed down
// by about 1/Earns at most; one that it does is never short of credit.
//
// The argument is that of renting skis, and of heartbeat scheduling (Acar,
// Charguéraud, Guatto, Rainey, Sieczkowski, PLDI 2018): overhead is paid from
// work that was done before.
type Account struct {
	// credit is in ns. Who takes part in the work adds to it, after a batch of work.
	credit atomic.Int64
}

const (
	Earns = 64

	// What happened long ago must neither be lived on for ever nor held against
	// anybody. The most credit is that for each processor.
	mostCredit = 500 * time.Microsecond
	mostDebt   = 200 * time.Microsecond

	// The first accounts get credit for a wake at once. Then one does each time that
	// Earns such wakes would take.
	firstCredits = 64
)

// LeastCredit is a variable for tests, in which nobody may run out of it.
var LeastCredit = -mostDebt

// Plenty is credit for many wakes. It is for tests.
const Plenty = 2 * mostCredit

// Open gives a new account its first credit: one wake, since nobody knows whether
// help pays. All accounts share a fund of these, so that a program which makes
// accounts again and again does not live on first credits.
func (a *Account) Open() {
	now := Clock()
	if InBubble(now) {
		return
	}
	price := max(int64(FirstPrice), Sched.price.Load())
	each := Earns * price
	for {
		given := Sched.opened.Load()
		next := max(given, int64(now)-firstCredits*each) + each
		if next > int64(now) {
			a.credit.Store(0)
			return
		}
		if Sched.opened.CompareAndSwap(given, next) {
			a.credit.Store(max(price, int64(LeastCredit)))
			return
		}
	}
}

// MayAsk reports whether helpers that are there anyway may be used: also where the
// last credit was spent on waking them.
func (a *Account) MayAsk() bool { return a.credit.Load() >= -int64(MostPrice) }

// MayWake reports whether a wake can be paid.
func (a *Account) MayWake() bool { return a.credit.Load() >= Sched.price.Load() }

// Rich reports whether there is half of the most credit, so that what was earned need
// not be booked at once.
func (a *Account) Rich() bool { return a.Credit() >= a.most()/2 }

func (a *Account) most() time.Duration { return mostCredit * time.Duration(max(2, Sched.answered())) }

// Credit returns what may be spent.
func (a *Account) Credit() time.Duration { return time.Duration(a.credit.Load()) }

// Earn books work that took so long. It is called seldom, and not for each short
// call: others may want the cache line.
func (a *Account) Earn(ran time.Duration) { a.Add(ran / Earns) }

// Add adds d, which may be negative, and keeps the credit within bounds.
func (a *Account) Add(d time.Duration) {
	most := a.most()
	if d == 0 || d > 0 && a.Credit() >= most {
		return
	}
	c := time.Duration(a.credit.Add(int64(d)))
	if least := LeastCredit; c > most {
		a.credit.Store(int64(most))
	} else if c < least {
		a.credit.Store(int64(least))
	}
}

// Settle books a call that has ended, or a stretch of it with helpers: alone is what
// its work would have taken without them, and took what it took. Of that, advanced
// was added while it ran, so that helpers could bring more. Where help paid, the
// advance is the gain: to take back some of what the most credit has cut off would
// leave nothing. Where it did not, the advance is taken back, and the loss paid.
func (a *Account) Settle(alone, took, advanced time.Duration) {
	if gain := alone - took; gain < 0 {
		a.Add(gain - advanced)
	}
}

// Bar ends what an account may spend: help does not pay.
func (a *Account) Bar() { a.credit.Store(int64(LeastCredit)) }
