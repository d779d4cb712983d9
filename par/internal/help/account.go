package help

import (
	"sync/atomic"
	"time"
)

// An Account decides whether a function may ask for help. It earns a part of the
// time that the function runs, and what helpers saved it; it pays for waking
// helpers, and for the time that was spent waiting for them. So a function that
// help does not make faster is slowed down by about 1/Earns at most; one that it
// does is never short of credit.
//
// The argument is that of renting skis, and of heartbeat scheduling (Acar,
// Charguéraud, Guatto, Rainey, Sieczkowski, PLDI 2018): overhead is paid from
// work that was done before.
type Account struct {
	credit   atomic.Int64 // ns
	serial   atomic.Uint64
	parallel atomic.Uint64
}

const (
	Earns      = 64
	MostCredit = time.Millisecond
	MostDebt   = 200 * time.Microsecond
)

// Open gives a new account its first credit: one wake, since nobody knows.
func (a *Account) Open() { a.credit.Store(max(int64(FirstPrice), Sched.price.Load())) }

// MayAsk reports whether helpers that are there anyway may be used: also where the
// last credit was spent on waking them.
func (a *Account) MayAsk() bool { return a.credit.Load() >= -int64(MostPrice) }

// MayWake reports whether a wake can be paid.
func (a *Account) MayWake() bool { return a.credit.Load() >= Sched.price.Load() }

// Settle books calls that ran for ran, the last of which help made faster by gain,
// which has been paid for already and may be negative.
func (a *Account) Settle(ran, gain time.Duration, calls int, helped bool) {
	if helped {
		a.parallel.Add(1)
		calls--
	}
	if calls > 0 {
		a.serial.Add(uint64(calls))
	}
	a.Add(ran/Earns + gain)
}

// Add keeps the credit within bounds: what happened long ago must neither be
// lived on for ever nor held against anybody.
func (a *Account) Add(d time.Duration) {
	c := a.credit.Load()
	a.credit.Store(min(max(c+int64(d), int64(LeastCredit)), int64(MostCredit)))
}

// LeastCredit is a variable for tests, in which nobody shall run out of it.
var LeastCredit = -MostDebt

// Calls returns how many calls went on without help, and with it.
func (a *Account) Calls() (serial, parallel uint64) { return a.serial.Load(), a.parallel.Load() }

// Credit returns what may be spent.
func (a *Account) Credit() time.Duration { return time.Duration(a.credit.Load()) }
