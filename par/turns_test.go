package par_test

import (
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/par/partest"
)

// TestTurns: calls have help where GOMAXPROCS has been raised, whatever they were called
// at before, and have none at 1.
func TestTurns(t *testing.T) {
	partest.Auto(t)
	for _, c := range []struct {
		name string
		call func(body func())
	}{
		{"For", func(body func()) { par.For(1<<10, func(lo, hi int) { body() }) }},
		{"ReduceN", func(body func()) {
			par.ReduceN(1<<20, func(lo, hi int) int { body(); return 0 }, func(a, b int) int { return a + b })
		}},
		{"Do", func(body func()) { par.Do(body, body, body, body) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			var inside atomic.Int32
			var met atomic.Bool
			body := func() {
				if inside.Add(1) > 1 {
					met.Store(true)
				}
				for from := time.Now(); !met.Load() && time.Since(from) < 50*time.Microsecond; {
				}
				inside.Add(-1)
			}
			stress.Turns(t, func(t *testing.T, procs int) {
				if procs == 1 {
					for range 4 {
						c.call(body)
					}
					return
				}
				stress.Follows(t, "calls with help", 1, func() int {
					met.Store(false)
					if c.call(body); met.Load() {
						return 1
					}
					return 0
				})
			})
		})
	}
}
