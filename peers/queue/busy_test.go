package queue

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/queue"
)

// Beside goroutines that compute and never wait, one for each processor, a
// queue that yields comes last again and again.
func BenchmarkBusy(b *testing.B) {
	var end atomic.Bool
	var busy sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for !end.Load() {
			}
		})
	}
	b.Cleanup(func() {
		end.Store(true)
		busy.Wait()
	})
	b.Run("shape=PingPong", func(b *testing.B) {
		benchPingPong(b, "chan", "mutexring", "payoff-mpmc", "payoff-mpsc", "payoff-spsc")
	})
	b.Run("shape=SPSC", func(b *testing.B) {
		bench(b, "SPSC", "chan", "mutexring", "payoff-mpmc", "payoff-mpsc", "payoff-spsc")
	})
	b.Run("shape=MPMC", func(b *testing.B) {
		bench(b, "MPMC", "chan", "mutexring", "payoff-mpmc")
	})
}

// A small buffer is full or empty at nearly each hand-off. All queues are called
// through function values here.
func BenchmarkCapacity(b *testing.B) {
	type one interface {
		Send(int64) error
		Recv() (int64, bool)
		Close()
	}
	move := func(b *testing.B, send func(int64), recv func() (int64, bool), end func()) {
		n := b.N
		go func() {
			for i := range n {
				send(int64(i))
			}
			end()
		}()
		var got tally
		for v, ok := recv(); ok; v, ok = recv() {
			got.n++
			got.sum += v
		}
		if want := sumTo(n); got != want {
			b.Fatalf("received %d items with sum %d, want %d with sum %d", got.n, got.sum, want.n, want.sum)
		}
	}
	for _, c := range []int{1, 2, 4, 8, 16, 64} {
		params := fmt.Sprintf("/capacity=%d", c)
		b.Run("variant=chan"+params, func(b *testing.B) {
			q := make(chan int64, c)
			move(b, func(v int64) { q <- v }, func() (int64, bool) { v, ok := <-q; return v, ok }, func() { close(q) })
		})
		for _, v := range []struct {
			name string
			make func() one
		}{
			{"payoff-mpmc", func() one { return queue.NewMPMC[int64](c) }},
			{"payoff-mpsc", func() one { return queue.NewMPSC[int64](c) }},
			{"payoff-spsc", func() one { return queue.NewSPSC[int64](c) }},
		} {
			b.Run("variant="+v.name+params, func(b *testing.B) {
				q := v.make()
				move(b, func(v int64) { q.Send(v) }, q.Recv, q.Close)
			})
		}
	}
}
