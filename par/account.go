package par

import (
	"sync/atomic"
	"time"
)

// An account decides whether a function may ask for help. It earns a part of the
// time that the function runs, and what helpers saved it; it pays for waking
// helpers, and for the time that was spent waiting for them. So a function that
// help does not make faster is slowed down by about 1/earns at most; one that it
// does is never short of credit.
//
// The argument is that of renting skis, and of heartbeat scheduling (Acar,
// Charguéraud, Guatto, Rainey, Sieczkowski, PLDI 2018): overhead is paid from
// work that was done before.
type account struct {
	credit   atomic.Int64 // ns
	serial   atomic.Uint64
	parallel atomic.Uint64
}

const (
	earns      = 64
	mostCredit = time.Millisecond
	mostDebt   = 200 * time.Microsecond
)

// open gives a new account its first credit: one wake, since nobody knows.
func (a *account) open() { a.credit.Store(max(int64(firstPrice), sched.price.Load())) }

// mayAsk reports whether helpers that are there anyway may be used: also where the
// last credit was spent on waking them.
func (a *account) mayAsk() bool { return a.credit.Load() >= -int64(mostPrice) }

// mayWake reports whether a wake can be paid.
func (a *account) mayWake() bool { return a.credit.Load() >= sched.price.Load() }

// settle books calls that ran for ran, the last of which help made faster by gain,
// which has been paid for already and may be negative.
func (a *account) settle(ran, gain time.Duration, calls int, helped bool) {
	if helped {
		a.parallel.Add(1)
		calls--
	}
	if calls > 0 {
		a.serial.Add(uint64(calls))
	}
	a.add(ran/earns + gain)
}

// add keeps the credit within bounds: what happened long ago must neither be
// lived on for ever nor held against anybody.
func (a *account) add(d time.Duration) {
	c := a.credit.Load()
	a.credit.Store(min(max(c+int64(d), int64(leastCredit)), int64(mostCredit)))
}

// leastCredit is a variable for tests, in which nobody shall run out of it.
var leastCredit = -mostDebt
