package ringreaders

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
func Batch(n, work, readers int) uint64 {
	q := queue.NewMPMC[uint64](room)
	go func() {
		var buf [batch]uint64
		for i := 0; i < n; {
			vs := buf[:min(batch, n-i)]
			for j := range vs {
				vs[j] = uint64(i)
				i++
			}
			q.SendAll(vs)
		}
	}()
	var sum atomic.Uint64
	var wg sync.WaitGroup
	for r := range readers {
		wg.Go(func() {
			var own uint64
			var buf [batch]uint64
			for left := share(n, readers, r); left > 0; {
				vs := buf[:q.RecvInto(buf[:min(batch, left)])]
				for _, v := range vs {
					own += mix(v, work)
				}
				left -= len(vs)
			}
			sum.Add(own)
		})
	}
	wg.Wait()
	return sum.Load()
}
