package wait

import (
	"testing"
	"time"
)

// Ways, as a Spinner has them.
const (
	Park  = park
	Spin  = spin
	Yield = yield
)

// Longest is how many waits a finding is kept at most.
const Longest = keepFirst << keepMost

// Looks is how often a goroutine looks again before it parks, at most.
const Looks = max(spins, yields)

// Way returns what a goroutine that waits now would do.
func (s *Spinner) Way() int { return int(s.way.Load()) }

// SetClock replaces the clock, by one that costs nothing, until the test ends.
func SetClock(t *testing.T, now func() time.Duration) {
	old, oldCost := clock, clockCost
	clock, clockCost = now, func() time.Duration { return 0 }
	t.Cleanup(func() { clock, clockCost = old, oldCost })
}

// Uncrowd forgets, now and when the test ends, that yields took long.
func Uncrowd(t *testing.T) {
	forget := func() {
		crowded.Store(false)
		crowdedUntil.Store(0)
		watch.Store(0)
	}
	forget()
	t.Cleanup(forget)
}
