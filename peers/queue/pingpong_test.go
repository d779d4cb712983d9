package queue

import (
	"fmt"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	workiva "github.com/Workiva/go-datastructures/queue"
	"github.com/gopayoff/payoff/queue"
	"github.com/puzpuzpuz/xsync/v4"
)

// A pair is two queues, there and back, with the loops of the two goroutines
// that hand one item to and fro.
type pair struct {
	ping  func(n int) tally // sends items 0 to n-1, each once the one before is back
	pong  func(n int)       // returns n items
	abort func()            // ends loops that poll; nil where none does
}

var pairs = []struct {
	name string
	make func() pair
}{
	{"chan", chanPair},
	{"mutexring", mutexringPair},
	{"workiva", workivaPair},
	{"xsync-mpmc", xsyncMPMCPair},
	{"xsync-umpsc", xsyncUMPSCPair},
	{"xsync-spsc", xsyncSPSCPair},
	{"payoff-mpmc", payoffMPMCPair},
	{"payoff-mpsc", payoffMPSCPair},
	{"payoff-spsc", payoffSPSCPair},
}

// play sends n items there and back, and reports what move does.
func (p pair) play(n int, want tally, limit time.Duration) error {
	ponged := make(chan bool)
	pinged := make(chan tally, 1)
	go func() { p.pong(n); close(ponged) }()
	go func() { t := p.ping(n); <-ponged; pinged <- t }()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case got := <-pinged:
		if got != want {
			return fmt.Errorf("lost/duplicated: received %d items with sum %d, want %d with sum %d", got.n, got.sum, want.n, want.sum)
		}
		return nil
	case <-timer.C:
		if p.abort != nil {
			p.abort()
		}
		return fmt.Errorf("hangs: %d items did not come back in %v", n, limit)
	}
}

// One op is one hand-off, one way.
func BenchmarkPingPong(b *testing.B) { benchPingPong(b) }

func benchPingPong(b *testing.B, only ...string) {
	for _, v := range pairs {
		if only != nil && !slices.Contains(only, v.name) {
			continue
		}
		b.Run("variant="+v.name+"/elem=int64", func(b *testing.B) {
			p := v.make()
			n := (b.N + 1) / 2
			b.ResetTimer()
			if err := p.play(n, sumTo(n), limit); err != nil {
				b.Fatal(err)
			}
		})
	}
}

func TestPingPong(t *testing.T) {
	for _, v := range pairs {
		t.Run(v.name, func(t *testing.T) {
			for _, n := range []int{0, 1, capacity + 1} {
				if err := v.make().play(n, sumTo(n), limit); err != nil {
					t.Fatalf("n=%d: %v", n, err)
				}
			}
		})
	}
}

func chanPair() pair {
	there, back := make(chan int64, capacity), make(chan int64, capacity)
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				there <- i
				t.sum += <-back
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				back <- <-there
			}
		},
	}
}

func mutexringPair() pair {
	there, back := newMutexRing[int64](capacity), newMutexRing[int64](capacity)
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				there.Send(i)
				v, ok := back.Recv()
				if !ok {
					return t
				}
				t.sum += v
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				v, ok := there.Recv()
				if !ok {
					return
				}
				back.Send(v)
			}
		},
	}
}

func workivaPair() pair {
	there, back := workiva.NewRingBuffer(capacity), workiva.NewRingBuffer(capacity)
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				there.Put(i)
				v, err := back.Get()
				if err != nil {
					return t
				}
				t.sum += v.(int64)
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				v, err := there.Get()
				if err != nil {
					return
				}
				back.Put(v.(int64))
			}
		},
		abort: func() { there.Dispose(); back.Dispose() },
	}
}

func xsyncMPMCPair() pair {
	there, back := xsync.NewMPMCQueue[int64](capacity), xsync.NewMPMCQueue[int64](capacity)
	var stop atomic.Bool
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				for !there.TryEnqueue(i) {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
				}
				v, ok := back.TryDequeue()
				for !ok {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
					v, ok = back.TryDequeue()
				}
				t.sum += v
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				v, ok := there.TryDequeue()
				for !ok {
					if stop.Load() {
						return
					}
					runtime.Gosched()
					v, ok = there.TryDequeue()
				}
				for !back.TryEnqueue(v) {
					if stop.Load() {
						return
					}
					runtime.Gosched()
				}
			}
		},
		abort: func() { stop.Store(true) },
	}
}

func xsyncSPSCPair() pair {
	there, back := xsync.NewSPSCQueue[int64](capacity), xsync.NewSPSCQueue[int64](capacity)
	var stop atomic.Bool
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				for !there.TryEnqueue(i) {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
				}
				v, ok := back.TryDequeue()
				for !ok {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
					v, ok = back.TryDequeue()
				}
				t.sum += v
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				v, ok := there.TryDequeue()
				for !ok {
					if stop.Load() {
						return
					}
					runtime.Gosched()
					v, ok = there.TryDequeue()
				}
				for !back.TryEnqueue(v) {
					if stop.Load() {
						return
					}
					runtime.Gosched()
				}
			}
		},
		abort: func() { stop.Store(true) },
	}
}

func xsyncUMPSCPair() pair {
	there, back := xsync.NewUMPSCQueue[int64](), xsync.NewUMPSCQueue[int64]()
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				there.Enqueue(i)
				t.sum += back.Dequeue()
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				back.Enqueue(there.Dequeue())
			}
		},
	}
}

func payoffMPMCPair() pair {
	there, back := queue.NewMPMC[int64](capacity), queue.NewMPMC[int64](capacity)
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				if err := there.Send(i); err != nil {
					return t
				}
				v, ok := back.Recv()
				if !ok {
					return t
				}
				t.sum += v
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				v, ok := there.Recv()
				if !ok {
					return
				}
				if err := back.Send(v); err != nil {
					return
				}
			}
		},
	}
}

func payoffMPSCPair() pair {
	there, back := queue.NewMPSC[int64](capacity), queue.NewMPSC[int64](capacity)
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				if err := there.Send(i); err != nil {
					return t
				}
				v, ok := back.Recv()
				if !ok {
					return t
				}
				t.sum += v
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				v, ok := there.Recv()
				if !ok {
					return
				}
				if err := back.Send(v); err != nil {
					return
				}
			}
		},
	}
}

func payoffSPSCPair() pair {
	there, back := queue.NewSPSC[int64](capacity), queue.NewSPSC[int64](capacity)
	return pair{
		ping: func(n int) (t tally) {
			for i := range int64(n) {
				if err := there.Send(i); err != nil {
					return t
				}
				v, ok := back.Recv()
				if !ok {
					return t
				}
				t.sum += v
				t.n++
			}
			return t
		},
		pong: func(n int) {
			for range n {
				v, ok := there.Recv()
				if !ok {
					return
				}
				if err := back.Send(v); err != nil {
					return
				}
			}
		},
	}
}
