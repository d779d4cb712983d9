package par

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

// rest returns when no helper lives: then the hooks may be changed.
func rest(t testing.TB) {
	t.Helper()
	for from := time.Now(); help.Sched.Helpers() != 0; time.Sleep(time.Millisecond) {
		if time.Since(from) > time.Minute {
			t.Fatalf("%d helpers after a minute at rest", help.Sched.Helpers())
		}
	}
}

// booked returns a count when no helper lives: they book when they leave.
func booked(t testing.TB, n *atomic.Uint64) uint64 {
	rest(t)
	return n.Load()
}

// hook replaces what the scheduler knows of the world until t ends; nil keeps.
// The scheduler begins anew, as in a new process.
func hook(t testing.TB, newClock func() time.Duration, newAsk func() (help.State, bool), newStart func(int, func())) {
	t.Helper()
	rest(t)
	h := help.Runtime
	if newClock != nil {
		h.Clock = newClock
		h.Ticks = func() int64 { return int64(newClock()) }
	}
	if newAsk != nil {
		h.Ask = newAsk
	}
	if newStart != nil {
		h.Start = newStart
	}
	oldHost, oldSched := help.Use(h), help.Sched
	help.Sched = help.NewScheduler()
	t.Cleanup(func() {
		rest(t)
		help.Use(oldHost)
		help.Sched = oldSched
	})
}

// storm makes rare things common, until t ends: each look at the clock finds
// that a beat has passed, there are always processors for more helpers, and
// helpers yield now and then.
func storm(t testing.TB) {
	rest(t)
	least, share := help.LeastCredit, help.AskShare
	help.LeastCredit, help.AskShare = help.Plenty, 0
	t.Cleanup(func() { help.LeastCredit, help.AskShare = least, share }) // after helpers are gone
	var now atomic.Int64
	hook(t,
		func() time.Duration {
			n := now.Add(int64(2500 * time.Nanosecond))
			if n%7 == 0 {
				runtime.Gosched()
			}
			return time.Duration(n)
		},
		func() (help.State, bool) { return help.State{Procs: 8, Running: 1}, true },
		nil)
}

// modes runs f as it is used, and with a scheduler in a storm, at 1, 2 and 8
// processors.
func modes(t *testing.T, f func(t *testing.T)) {
	for _, stormy := range []bool{false, true} {
		t.Run(fmt.Sprintf("storm=%t", stormy), func(t *testing.T) {
			stress.Procs(t, func(t *testing.T) {
				stress.NoneLeft(t)
				if stormy {
					storm(t)
				} else {
					hook(t, nil, nil, nil)
				}
				f(t)
			})
		})
	}
}
