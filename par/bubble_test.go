package par

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/help"
)

// TestBubble: in a bubble of testing/synctest, where the clock stands still while
// anybody runs, nothing is offered, not even to helpers that are there, and
// bodies may use what belongs to the bubble.
func TestBubble(t *testing.T) {
	hook(t, nil, nil, nil)
	seek(t)(true)
	synctest.Test(t, func(t *testing.T) {
		ready := make(chan int, 1<<16)
		For(1<<12, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				ready <- i
				help.Pause(300)
			}
			time.Sleep(time.Millisecond)
		})
		f := recursion(func() { ready <- 1; help.Pause(300) })
		for range 10 {
			f.Call(1 << 10)
		}
		Do(func() { ready <- 1 }, func() { ready <- 2 })
		synctest.Wait()
		if n := len(ready); n != 1<<12+10<<10+2 {
			t.Errorf("%d elements and leaves were done", n)
		}
	})
	// A bubble's time may come to our days, and later.
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(40 * 365 * 24 * time.Hour)
		f := recursion(func() { help.Pause(300) })
		for range 10 {
			f.Call(1 << 10)
			Do(func() { help.Pause(1e5) }, func() { help.Pause(1e5) })
			For(1<<10, func(lo, hi int) { help.Pause(300 * (hi - lo)) })
		}
	})
	// What is learned is not learned from that clock.
	var reached int
	g := recursion(func() { reached++ })
	synctest.Test(t, func(t *testing.T) {
		for range 50 {
			g.Call(1 << 12)
		}
	})
	if n := g.history.load().perBeat; n != 1 {
		t.Errorf("a beat has %d forks after calls in a bubble, and had 1", n)
	}
	if s := ReadStats(); s.Wakes+s.Steals != 0 {
		t.Errorf("in a bubble: %d wakes, %d steals", s.Wakes, s.Steals)
	}
}

// TestHistoryAfterBubble: calls are noted after one in a bubble whose clock was ahead.
func TestHistoryAfterBubble(t *testing.T) {
	var h history
	p := paceOf(1000)
	h.leave(60*365*24*time.Hour, p, 10)
	for i := range time.Duration(3) {
		h.leave(time.Hour+2*i*notePeriod, p, 1000)
	}
	if n := h.usual.Load(); n != 1000 {
		t.Errorf("calls of 1000 leaves are expected to have %d", n)
	}
}
