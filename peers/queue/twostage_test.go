package queue

import (
	"fmt"
	"runtime"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/peers/internal/burn"
	"github.com/gopayoff/payoff/queue"
	"github.com/puzpuzpuz/xsync/v4"
)

// burnt is burn.Rounds of what a queue holds.
func burnt(x int64, rounds int) int64 { return int64(burn.Rounds(uint64(x), rounds)) }

// works are what each stage does for an item. The rounds take about as many
// nanoseconds as the name says on an EPYC with 2 virtual processors; they
// are not fitted at run time, so that all machines do the same work.
var works = []struct{ ns, rounds int }{{7, 3}, {47, 21}, {700, 320}}

// twoStageTally is what the second stage computes of items 0 to n-1. Rounds is
// an affine map modulo 2^64, and so is one of another.
func twoStageTally(n, rounds int) tally {
	b := burnt(0, rounds)
	a := burnt(1, rounds) - b
	return tally{int64(n), a*a*sumTo(n).sum + int64(n)*(a*b+b)}
}

func serial(n, rounds int) (t tally) {
	for i := range n {
		t.sum += burnt(burnt(int64(i), rounds), rounds)
		t.n++
	}
	return t
}

// twoStages are flows of n items whose producer and consumer do work.
var twoStages = []struct {
	name string
	make func(n, rounds int) flow
}{
	{"chan", chanStages},
	{"chan-slices", chanSlicesStages},
	{"mutexring", mutexringStages},
	{"xsync-mpmc", xsyncMPMCStages},
	{"xsync-spsc", xsyncSPSCStages},
	{"payoff-mpmc", payoffMPMCStages},
	{"payoff-spsc", payoffSPSCStages},
	{"payoff-batch", payoffBatchStages},
	{"payoff-views", payoffViewsStages},
}

// Does a queue pay? The base is the loop without any.
func BenchmarkTwoStage(b *testing.B) {
	for _, w := range works {
		name := func(variant string) string { return fmt.Sprintf("variant=%s/work=%d", variant, w.ns) }
		b.Run(name("serial"), func(b *testing.B) {
			if got, want := serial(b.N, w.rounds), twoStageTally(b.N, w.rounds); got != want {
				b.Fatalf("serial = %v, want %v", got, want)
			}
		})
		for _, v := range twoStages {
			b.Run(name(v.name), func(b *testing.B) {
				f := v.make(b.N, w.rounds)
				b.ResetTimer()
				if err := f.move(b.N, 1, 1, twoStageTally(b.N, w.rounds), limit); err != nil {
					b.Fatal(err)
				}
			})
		}
	}
}

func TestTwoStage(t *testing.T) {
	for _, n := range testSizes() {
		for _, rounds := range []int{1, works[0].rounds, works[1].rounds} {
			want := twoStageTally(n, rounds)
			if got := serial(n, rounds); got != want {
				t.Errorf("serial(%d, %d) = %v, want %v", n, rounds, got, want)
			}
			for _, v := range twoStages {
				if err := v.make(n, rounds).move(n, 1, 1, want, limit); err != nil {
					t.Errorf("%s: n=%d, rounds=%d: %v", v.name, n, rounds, err)
				}
			}
		}
	}
}

func chanStages(_, rounds int) flow {
	q := make(chan int64, capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q <- burnt(int64(i), rounds)
			}
			return nil
		},
		consume: func() (t tally) {
			for v := range q {
				t.sum += burnt(v, rounds)
				t.n++
			}
			return t
		},
		close: func(int) { close(q) },
	}
}

func chanSlicesStages(_, rounds int) flow {
	const slices = capacity / batch
	full := make(chan []int64, slices)
	free := make(chan []int64, slices+2)
	for range slices + 2 {
		free <- make([]int64, batch)
	}
	return flow{
		produce: func(lo, hi int) error {
			for lo < hi {
				s := (<-free)[:min(batch, hi-lo)]
				for i := range s {
					s[i] = burnt(int64(lo+i), rounds)
				}
				full <- s
				lo += len(s)
			}
			return nil
		},
		consume: func() (t tally) {
			for s := range full {
				for _, v := range s {
					t.sum += burnt(v, rounds)
					t.n++
				}
				free <- s[:batch]
			}
			return t
		},
		close: func(int) { close(full) },
	}
}

func mutexringStages(_, rounds int) flow {
	q := newMutexRing[int64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q.Send(burnt(int64(i), rounds))
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v, ok := q.Recv()
				if !ok {
					return t
				}
				t.sum += burnt(v, rounds)
				t.n++
			}
		},
		close: func(int) { q.Close() },
	}
}

// xsyncMPMCStages: any word may be an item, so none is left for poison, and the
// consumer counts.
func xsyncMPMCStages(n, rounds int) flow {
	q := xsync.NewMPMCQueue[int64](capacity)
	var stop atomic.Bool
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				v := burnt(int64(i), rounds)
				for !q.TryEnqueue(v) {
					if stop.Load() {
						return errAborted
					}
					runtime.Gosched()
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for range n {
				v, ok := q.TryDequeue()
				for !ok {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
					v, ok = q.TryDequeue()
				}
				t.sum += burnt(v, rounds)
				t.n++
			}
			return t
		},
		close: func(int) {},
		abort: func() { stop.Store(true) },
	}
}

func xsyncSPSCStages(n, rounds int) flow {
	q := xsync.NewSPSCQueue[int64](capacity)
	var stop atomic.Bool
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				v := burnt(int64(i), rounds)
				for !q.TryEnqueue(v) {
					if stop.Load() {
						return errAborted
					}
					runtime.Gosched()
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for range n {
				v, ok := q.TryDequeue()
				for !ok {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
					v, ok = q.TryDequeue()
				}
				t.sum += burnt(v, rounds)
				t.n++
			}
			return t
		},
		close: func(int) {},
		abort: func() { stop.Store(true) },
	}
}

func payoffMPMCStages(_, rounds int) flow {
	q := queue.NewMPMC[int64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(burnt(int64(i), rounds)); err != nil {
					return err
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v, ok := q.Recv()
				if !ok {
					return t
				}
				t.sum += burnt(v, rounds)
				t.n++
			}
		},
		close: func(int) { q.Close() },
	}
}

func payoffSPSCStages(_, rounds int) flow {
	q := queue.NewSPSC[int64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(burnt(int64(i), rounds)); err != nil {
					return err
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v, ok := q.Recv()
				if !ok {
					return t
				}
				t.sum += burnt(v, rounds)
				t.n++
			}
		},
		close: func(int) { q.Close() },
	}
}

func payoffBatchStages(_, rounds int) flow {
	q := queue.NewSPSC[int64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			buf := make([]int64, batch)
			for lo < hi {
				s := buf[:min(batch, hi-lo)]
				for i := range s {
					s[i] = burnt(int64(lo+i), rounds)
				}
				if _, err := q.SendAll(s); err != nil {
					return err
				}
				lo += len(s)
			}
			return nil
		},
		consume: func() (t tally) {
			buf := make([]int64, batch)
			for {
				s := buf[:q.RecvInto(buf)]
				if len(s) == 0 {
					return t
				}
				for _, v := range s {
					t.sum += burnt(v, rounds)
					t.n++
				}
			}
		},
		close: func(int) { q.Close() },
	}
}

func payoffViewsStages(_, rounds int) flow {
	q := queue.NewSPSC[int64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for lo < hi {
				s := q.Reserve(min(batch, hi-lo))
				if len(s) == 0 {
					return queue.ErrClosed
				}
				for i := range s {
					s[i] = burnt(int64(lo+i), rounds)
				}
				if err := q.Publish(len(s)); err != nil {
					return err
				}
				lo += len(s)
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				s := q.View(batch)
				if len(s) == 0 {
					return t
				}
				for _, v := range s {
					t.sum += burnt(v, rounds)
					t.n++
				}
				q.Release(len(s))
			}
		},
		close: func(int) { q.Close() },
	}
}
