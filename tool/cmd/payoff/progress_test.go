package main

import (
	"testing"
	"time"

	"github.com/gopayoff/payoff/tool/internal/measure"
)

// Rounds that make up for lost pairs are beyond the planned ones, and named
// without their number.
func TestRoundLine(t *testing.T) {
	m := measure.Progress{Package: "p", Round: 5, Rounds: 192, Decided: 9, All: 28, Left: 111 * time.Second, Dropped: 3}
	if got, want := roundLine(m), "p: round 5 of at most 192, 9 of 28 decided, at most 1m51s left, 3 samples repeated"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	m.Round, m.Left, m.Dropped = 215, 9*time.Second, 0
	if got, want := roundLine(m), "p: round 215, 9 of 28 decided, at most 9s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
