package padring

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/queue"
)

// batch is how many values are handed over together at most.
const batch = 64

// Batch is Queue with many values to a hand-off: what moves between the processors
// moves once for all of them.
func Batch(n, sides int) uint64 {
	if sides > 1 {
		return manyBatches(n, sides)
	}
	q := queue.NewSPSC[uint64](max(n, 1))
	go send(q, 0, n)
	return receive(q, n)
}

func manyBatches(n, sides int) uint64 {
	q := queue.NewMPMC[uint64](max(n, 1))
	for w := range sides {
		lo, hi := share(n, sides, w)
		go send(q, lo, hi)
	}
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for w := range sides {
		readers.Go(func() {
			lo, hi := share(n, sides, w)
			sum.Add(receive(q, hi-lo))
		})
	}
	readers.Wait()
	return sum.Load()
}

// send sends the values lo..hi-1.
func send(q queue.Sender[uint64], lo, hi int) {
	buf := make([]uint64, 0, batch)
	for i := lo; i < hi; {
		buf = buf[:0]
		for ; i < hi && len(buf) < batch; i++ {
			buf = append(buf, uint64(i))
		}
		q.SendAll(buf)
	}
}

// receive returns the sum of what becomes of n values.
func receive(q queue.Receiver[uint64], n int) uint64 {
	buf := make([]uint64, batch)
	var sum uint64
	for n > 0 {
		vs := buf[:q.RecvInto(buf[:min(batch, n)])]
		for _, v := range vs {
			sum += mix(v)
		}
		n -= len(vs)
	}
	return sum
}
