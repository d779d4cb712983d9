// Code generated from flow_int64_test.go by TestItem64. DO NOT EDIT.

package queue

import (
	"runtime"
	"sync/atomic"

	workiva "github.com/Workiva/go-datastructures/queue"
	"github.com/gopayoff/payoff/queue"
	"github.com/puzpuzpuz/xsync/v4"
)

var singlesItem64 = []flowVariant{
	{"chan", mpmc, chanItem64},
	{"mutexring", mpmc, mutexringItem64},
	{"workiva", mpmc, workivaItem64},
	{"xsync-mpmc", mpmc, xsyncMPMCItem64},
	{"xsync-umpsc", mpsc, xsyncUMPSCItem64},
	{"xsync-spsc", spsc, xsyncSPSCItem64},
	{"payoff-mpmc", mpmc, payoffMPMCItem64},
	{"payoff-mpsc", mpsc, payoffMPSCItem64},
	{"payoff-spsc", spsc, payoffSPSCItem64},
	{"payoff-spsc-all", spsc, payoffAllItem64},
}

var batchesItem64 = []flowVariant{
	{"chan-slices", spsc, chanSlicesItem64},
	{"payoff-batch", spsc, payoffBatchItem64},
	{"payoff-views", spsc, payoffViewsItem64},
}

func chanItem64() flow {
	q := make(chan elemItem64, capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q <- makeItem64(i)
			}
			return nil
		},
		consume: func() (t tally) {
			for v := range q {
				t.n++
				t.sum += valueItem64(&v)
			}
			return t
		},
		close: func(int) { close(q) },
	}
}

func mutexringItem64() flow {
	q := newMutexRing[elemItem64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q.Send(makeItem64(i))
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v, ok := q.Recv()
				if !ok {
					return t
				}
				t.n++
				t.sum += valueItem64(&v)
			}
		},
		close: func(int) { q.Close() },
	}
}

// workivaItem64: Put and Get block, by yielding. Items are boxed in interfaces,
// which allocates. Dispose would lose what is still in the ring, so consumers
// end by poison.
func workivaItem64() flow {
	q := workiva.NewRingBuffer(capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Put(makeItem64(i)); err != nil {
					return err
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				x, err := q.Get()
				if err != nil {
					return t
				}
				v := x.(elemItem64)
				i := valueItem64(&v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(consumers int) {
			for range consumers {
				q.Put(makeItem64(poison))
			}
		},
		abort: q.Dispose,
	}
}

// xsyncMPMCItem64 polls, as there is no call that blocks: xsync has retired its
// own, and its users yield between tries. So do the flows of its other queues,
// where they have to wait.
func xsyncMPMCItem64() flow {
	q := xsync.NewMPMCQueue[elemItem64](capacity)
	var stop atomic.Bool
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				for !q.TryEnqueue(makeItem64(i)) {
					if stop.Load() {
						return errAborted
					}
					runtime.Gosched()
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v, ok := q.TryDequeue()
				if !ok {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
					continue
				}
				i := valueItem64(&v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(consumers int) {
			for range consumers {
				for !q.TryEnqueue(makeItem64(poison)) && !stop.Load() {
					runtime.Gosched()
				}
			}
		},
		abort: func() { stop.Store(true) },
	}
}

func xsyncSPSCItem64() flow {
	q := xsync.NewSPSCQueue[elemItem64](capacity)
	var stop atomic.Bool
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				for !q.TryEnqueue(makeItem64(i)) {
					if stop.Load() {
						return errAborted
					}
					runtime.Gosched()
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v, ok := q.TryDequeue()
				if !ok {
					if stop.Load() {
						return t
					}
					runtime.Gosched()
					continue
				}
				i := valueItem64(&v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(int) {
			for !q.TryEnqueue(makeItem64(poison)) && !stop.Load() {
				runtime.Gosched()
			}
		},
		abort: func() { stop.Store(true) },
	}
}

// xsyncUMPSCItem64 is not bounded: nothing holds the producers back, and memory
// grows by what the consumer is behind. Dequeue blocks.
func xsyncUMPSCItem64() flow {
	q := xsync.NewUMPSCQueue[elemItem64]()
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q.Enqueue(makeItem64(i))
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v := q.Dequeue()
				i := valueItem64(&v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(int) { q.Enqueue(makeItem64(poison)) },
	}
}

func payoffMPMCItem64() flow {
	q := queue.NewMPMC[elemItem64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(makeItem64(i)); err != nil {
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
				t.n++
				t.sum += valueItem64(&v)
			}
		},
		close: func(int) { q.Close() },
	}
}

func payoffMPSCItem64() flow {
	q := queue.NewMPSC[elemItem64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(makeItem64(i)); err != nil {
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
				t.n++
				t.sum += valueItem64(&v)
			}
		},
		close: func(int) { q.Close() },
	}
}

func payoffSPSCItem64() flow {
	q := queue.NewSPSC[elemItem64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(makeItem64(i)); err != nil {
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
				t.n++
				t.sum += valueItem64(&v)
			}
		},
		close: func(int) { q.Close() },
	}
}

// payoffAllItem64 reads by iterator.
func payoffAllItem64() flow {
	q := queue.NewSPSC[elemItem64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(makeItem64(i)); err != nil {
					return err
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for v := range q.All() {
				t.n++
				t.sum += valueItem64(&v)
			}
			return t
		},
		close: func(int) { q.Close() },
	}
}

// Batches are filled and summed in the same way by all three: by index.

// chanSlicesItem64 is what people write when a channel is too slow: slices
// travel, and come back empty. No item waits for a flush timer, as the producer
// knows its last batch.
func chanSlicesItem64() flow {
	const slices = capacity / batch
	full := make(chan []elemItem64, slices)
	// One more is being filled, and one being read.
	free := make(chan []elemItem64, slices+2)
	for range slices + 2 {
		free <- make([]elemItem64, batch)
	}
	return flow{
		produce: func(lo, hi int) error {
			for lo < hi {
				s := (<-free)[:min(batch, hi-lo)]
				for i := range s {
					s[i] = makeItem64(lo + i)
				}
				full <- s
				lo += len(s)
			}
			return nil
		},
		consume: func() (t tally) {
			for s := range full {
				t.n += int64(len(s))
				for i := range s {
					t.sum += valueItem64(&s[i])
				}
				free <- s[:batch]
			}
			return t
		},
		close: func(int) { close(full) },
	}
}

// payoffBatchItem64 copies batches in and out.
func payoffBatchItem64() flow {
	q := queue.NewSPSC[elemItem64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			buf := make([]elemItem64, batch)
			for lo < hi {
				s := buf[:min(batch, hi-lo)]
				for i := range s {
					s[i] = makeItem64(lo + i)
				}
				if _, err := q.SendAll(s); err != nil {
					return err
				}
				lo += len(s)
			}
			return nil
		},
		consume: func() (t tally) {
			buf := make([]elemItem64, batch)
			for {
				s := buf[:q.RecvInto(buf)]
				if len(s) == 0 {
					return t
				}
				t.n += int64(len(s))
				for i := range s {
					t.sum += valueItem64(&s[i])
				}
			}
		},
		close: func(int) { q.Close() },
	}
}

// payoffViewsItem64 writes and reads batches where they lie.
func payoffViewsItem64() flow {
	q := queue.NewSPSC[elemItem64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for lo < hi {
				s := q.Reserve(min(batch, hi-lo))
				if len(s) == 0 {
					return queue.ErrClosed
				}
				for i := range s {
					s[i] = makeItem64(lo + i)
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
				t.n += int64(len(s))
				for i := range s {
					t.sum += valueItem64(&s[i])
				}
				q.Release(len(s))
			}
		},
		close: func(int) { q.Close() },
	}
}
