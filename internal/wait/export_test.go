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

// SetClock replaces the clock until the test ends.
func SetClock(t *testing.T, now func() time.Duration) {
	old := clock
	clock = now
	t.Cleanup(func() { clock = old })
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
