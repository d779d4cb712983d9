package queue

import (
	"runtime"
	"sync/atomic"

	workiva "github.com/Workiva/go-datastructures/queue"
	"github.com/gopayoff/payoff/queue"
	"github.com/puzpuzpuz/xsync/v4"
)

var singlesInt64 = []flowVariant{
	{"chan", mpmc, chanInt64},
	{"mutexring", mpmc, mutexringInt64},
	{"workiva", mpmc, workivaInt64},
	{"xsync-mpmc", mpmc, xsyncMPMCInt64},
	{"xsync-umpsc", mpsc, xsyncUMPSCInt64},
	{"xsync-spsc", spsc, xsyncSPSCInt64},
	{"payoff-mpmc", mpmc, payoffMPMCInt64},
	{"payoff-mpsc", mpsc, payoffMPSCInt64},
	{"payoff-spsc", spsc, payoffSPSCInt64},
	{"payoff-spsc-all", spsc, payoffAllInt64},
}

var batchesInt64 = []flowVariant{
	{"chan-slices", spsc, chanSlicesInt64},
	{"payoff-batch", spsc, payoffBatchInt64},
	{"payoff-views", spsc, payoffViewsInt64},
}

func chanInt64() flow {
	q := make(chan elemInt64, capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q <- makeInt64(i)
			}
			return nil
		},
		consume: func() (t tally) {
			for v := range q {
				t.n++
				t.sum += valueInt64(v)
			}
			return t
		},
		close: func(int) { close(q) },
	}
}

func mutexringInt64() flow {
	q := newMutexRing[elemInt64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q.Send(makeInt64(i))
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
				t.sum += valueInt64(v)
			}
		},
		close: func(int) { q.Close() },
	}
}

// workivaInt64: Put and Get block, by yielding. Items are boxed in interfaces,
// which allocates. Dispose would lose what is still in the ring, so consumers
// end by poison.
func workivaInt64() flow {
	q := workiva.NewRingBuffer(capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Put(makeInt64(i)); err != nil {
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
				v := x.(elemInt64)
				i := valueInt64(v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(consumers int) {
			for range consumers {
				q.Put(makeInt64(poison))
			}
		},
		abort: q.Dispose,
	}
}

// xsyncMPMCInt64 polls, as there is no call that blocks: xsync has retired its
// own, and its users yield between tries. So do the flows of its other queues,
// where they have to wait.
func xsyncMPMCInt64() flow {
	q := xsync.NewMPMCQueue[elemInt64](capacity)
	var stop atomic.Bool
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				for !q.TryEnqueue(makeInt64(i)) {
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
				i := valueInt64(v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(consumers int) {
			for range consumers {
				for !q.TryEnqueue(makeInt64(poison)) && !stop.Load() {
					runtime.Gosched()
				}
			}
		},
		abort: func() { stop.Store(true) },
	}
}

func xsyncSPSCInt64() flow {
	q := xsync.NewSPSCQueue[elemInt64](capacity)
	var stop atomic.Bool
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				for !q.TryEnqueue(makeInt64(i)) {
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
				i := valueInt64(v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(int) {
			for !q.TryEnqueue(makeInt64(poison)) && !stop.Load() {
				runtime.Gosched()
			}
		},
		abort: func() { stop.Store(true) },
	}
}

// xsyncUMPSCInt64 is not bounded: nothing holds the producers back, and memory
// grows by what the consumer is behind. Dequeue blocks.
func xsyncUMPSCInt64() flow {
	q := xsync.NewUMPSCQueue[elemInt64]()
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				q.Enqueue(makeInt64(i))
			}
			return nil
		},
		consume: func() (t tally) {
			for {
				v := q.Dequeue()
				i := valueInt64(v)
				if i < 0 {
					return t
				}
				t.n++
				t.sum += i
			}
		},
		close: func(int) { q.Enqueue(makeInt64(poison)) },
	}
}

func payoffMPMCInt64() flow {
	q := queue.NewMPMC[elemInt64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(makeInt64(i)); err != nil {
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
				t.sum += valueInt64(v)
			}
		},
		close: func(int) { q.Close() },
	}
}

func payoffMPSCInt64() flow {
	q := queue.NewMPSC[elemInt64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(makeInt64(i)); err != nil {
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
				t.sum += valueInt64(v)
			}
		},
		close: func(int) { q.Close() },
	}
}

func payoffSPSCInt64() flow {
	q := queue.NewSPSC[elemInt64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(makeInt64(i)); err != nil {
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
				t.sum += valueInt64(v)
			}
		},
		close: func(int) { q.Close() },
	}
}

// payoffAllInt64 reads by iterator.
func payoffAllInt64() flow {
	q := queue.NewSPSC[elemInt64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for i := lo; i < hi; i++ {
				if err := q.Send(makeInt64(i)); err != nil {
					return err
				}
			}
			return nil
		},
		consume: func() (t tally) {
			for v := range q.All() {
				t.n++
				t.sum += valueInt64(v)
			}
			return t
		},
		close: func(int) { q.Close() },
	}
}

// Batches are filled and summed in the same way by all three: by index.

// chanSlicesInt64 is what people write when a channel is too slow: slices
// travel, and come back empty. No item waits for a flush timer, as the producer
// knows its last batch.
func chanSlicesInt64() flow {
	const slices = capacity / batch
	full := make(chan []elemInt64, slices)
	// One more is being filled, and one being read.
	free := make(chan []elemInt64, slices+2)
	for range slices + 2 {
		free <- make([]elemInt64, batch)
	}
	return flow{
		produce: func(lo, hi int) error {
			for lo < hi {
				s := (<-free)[:min(batch, hi-lo)]
				for i := range s {
					s[i] = makeInt64(lo + i)
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
					t.sum += valueInt64(s[i])
				}
				free <- s[:batch]
			}
			return t
		},
		close: func(int) { close(full) },
	}
}

// payoffBatchInt64 copies batches in and out.
func payoffBatchInt64() flow {
	q := queue.NewSPSC[elemInt64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			buf := make([]elemInt64, batch)
			for lo < hi {
				s := buf[:min(batch, hi-lo)]
				for i := range s {
					s[i] = makeInt64(lo + i)
				}
				if _, err := q.SendAll(s); err != nil {
					return err
				}
				lo += len(s)
			}
			return nil
		},
		consume: func() (t tally) {
			buf := make([]elemInt64, batch)
			for {
				s := buf[:q.RecvInto(buf)]
				if len(s) == 0 {
					return t
				}
				t.n += int64(len(s))
				for i := range s {
					t.sum += valueInt64(s[i])
				}
			}
		},
		close: func(int) { q.Close() },
	}
}

// payoffViewsInt64 writes and reads batches where they lie.
func payoffViewsInt64() flow {
	q := queue.NewSPSC[elemInt64](capacity)
	return flow{
		produce: func(lo, hi int) error {
			for lo < hi {
				s := q.Reserve(min(batch, hi-lo))
				if len(s) == 0 {
					return queue.ErrClosed
				}
				for i := range s {
					s[i] = makeInt64(lo + i)
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
					t.sum += valueInt64(s[i])
				}
				q.Release(len(s))
			}
		},
		close: func(int) { q.Close() },
	}
}
