package pipe

import (
	"testing"
	"testing/synctest"
	"time"
)

// A timer that was stopped may ring when it was set again: the items that came meanwhile
// have their time.
func TestChunkLateTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := chunker[int]{n: 3, d: time.Second, timer: time.NewTimer(time.Hour)}
		defer b.timer.Stop()
		check := func(when string, want bool) {
			t.Helper()
			if got := b.due(); got != want {
				t.Errorf("%s: due() = %t, want %t", when, got, want)
			}
		}
		b.rang.Store(true)
		check("no items", false)
		b.items, b.first = []int{1}, time.Now()
		check("at once", false)
		time.Sleep(time.Second - 1)
		check("a nanosecond before", false)
		time.Sleep(time.Nanosecond)
		check("in time", true)
		b.rang.Store(false)
		check("before the timer", false)
	})
}
