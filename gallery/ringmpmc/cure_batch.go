package ringmpmc

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/queue"
)

// batch is how many values are handed over together at most, and room how many
// fit between the two sides: many batches, as a buffer has to hold many values.
const (
	batch = 16
	room  = 32 * batch
)

// Batch is Queue with values sent and received by batches: one hand-off serves
// many.
func Batch(n, work, sides int) uint64 {
	q := queue.NewMPMC[uint64](room)
	for w := range sides {
		go func() {
			lo, hi := share(n, sides, w)
			var buf [batch]uint64
			for i := lo; i < hi; {
				vs := buf[:min(batch, hi-i)]
				for j := range vs {
					vs[j] = mix(uint64(i), work)
					i++
				}
				q.SendAll(vs)
			}
		}()
	}
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for r := range sides {
		readers.Go(func() {
			lo, hi := share(n, sides, r)
			var own uint64
			var buf [batch]uint64
			for left := hi - lo; left > 0; {
				vs := buf[:q.RecvInto(buf[:min(batch, left)])]
				for _, v := range vs {
					own += mix(v, work)
				}
				left -= len(vs)
			}
			sum.Add(own)
		})
	}
	readers.Wait()
	return sum.Load()
}
