package queue_test

import (
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/gopayoff/payoff/queue"
)

// A queue that was made outside is used in one bubble after the other, and outside
// again: a channel that was made in a bubble would crash the program there.
func TestUsedInBubbles(t *testing.T) {
	const n = 200
	for _, q := range []interface {
		queue.Sender[int]
		queue.Receiver[int]
	}{queue.NewSPSC[int](1), queue.NewMPSC[int](1), queue.NewMPMC[int](1)} {
		// Both ends wait: each goes on when the other does.
		pass := func() {
			go func() {
				for i := range n {
					if i%3 == 0 {
						runtime.Gosched()
					}
					q.Send(i)
				}
			}()
			for i := range n {
				if i%5 == 0 {
					runtime.Gosched()
				}
				if v, ok := q.Recv(); v != i || !ok {
					t.Fatalf("Recv = %d, %v, want %d", v, ok, i)
				}
			}
		}
		for range 2 {
			synctest.Test(t, func(*testing.T) { pass() })
		}
		pass()
	}
}
