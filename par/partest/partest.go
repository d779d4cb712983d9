// Package partest tells package par where to run the parts of calls, for tests.
//
// How many parts a call has, and on which goroutines they run, par decides by
// measured time. So a test may never see two of them at once. [Spread] has each
// part run on a goroutine of its own. So what must not be shared shows by its
// effects, and to the race detector. [Serial] has none run elsewhere, for tests
// that compare, count, or look at one thing at a time.
//
// For whole runs of tests, the environment variable PAYOFF_PAR says the same:
//
//	PAYOFF_PAR=spread go test ./...
//	PAYOFF_PAR=serial go test ./...
//
// In builds for the race detector Spread is usual; PAYOFF_PAR=auto lets par decide
// there too. Other values are passed over. Do not use any of this in production: Spread costs some microseconds
// for each call.
package partest

import (
	"testing"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/par/internal/loop"
)

// Spread has par run each part of a call on a goroutine of its own until t ends.
// Those are up to eight parts of a loop, cut at random, each function of Do, and
// halves of a Func near the root and some others. A [par.Limit] still holds.
//
// It is for the process, and so for all tests that run at the same time. Where t,
// or a test around it, is parallel, Spread panics, and t.Parallel panics after it,
// as they do with t.Setenv. That sets PAYOFF_PAR here, also for commands that t
// starts.
func Spread(t testing.TB) { set(t, force.Spread) }

// Serial has par run all parts of a call on the goroutine of the caller until t
// ends. As for [Spread], it is for the process.
func Serial(t testing.TB) { set(t, force.Serial) }

// Auto has par decide until t ends, also in builds for the race detector. As for
// [Spread], it is for the process.
func Auto(t testing.TB) { set(t, force.Auto) }

func set(t testing.TB, m force.Mode) {
	t.Helper()
	t.Setenv(force.Env, m.String()) // refuses parallel tests
	before := force.Set(m)
	loop.Forget() // what is known to be small would be done at once
	t.Cleanup(func() {
		force.Set(before)
		loop.Forget()
	})
}
