package ringspsc

import "github.com/gopayoff/payoff/queue"

// Batch is ChannelBatch with a [queue.SPSC]: values are written and read in the
// slots of the ring, and nothing is copied.
func Batch(n, work int) uint64 {
	q := queue.NewSPSC[uint64](buffer)
	go func() {
		defer q.Close()
		for i := 0; i < n; {
			slots := q.Reserve(min(batch, n-i))
			for j := range slots {
				slots[j] = mix(uint64(i), work)
				i++
			}
			q.Publish(len(slots))
		}
	}()
	var sum uint64
	for vs := q.View(batch); vs != nil; vs = q.View(batch) {
		for _, v := range vs {
			sum += mix(v, work)
		}
		q.Release(len(vs))
	}
	return sum
}
