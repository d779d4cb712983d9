package pipe

import (
	"runtime"
	"testing"
	"time"
)

// A worker that waits for others who take an item does not wait for the caller, who may
// wait in the source for long.
func TestAwait(t *testing.T) {
	for range 200 {
		sh := &shared{}
		sh.staff.on.Store(true)
		sh.feeding.Lock() // somebody takes an item
		left := make(chan struct{})
		go func() {
			if sh.feed() {
				sh.feeding.Unlock()
			}
			close(left)
		}()
		for sh.staff.waiters.Load() == 0 {
			runtime.Gosched()
		}
		sh.feeding.Unlock()
		sh.await()
		select {
		case <-left:
		case <-time.After(5 * time.Second):
			t.Fatal("a worker waits while the caller does")
		}
		sh.awaited()
	}
}
