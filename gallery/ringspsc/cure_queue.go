package ringspsc

import "github.com/gopayoff/payoff/queue"

// Queue is Channel with a [queue.SPSC].
func Queue(n, work int) uint64 {
	q := queue.NewSPSC[uint64](buffer)
	go func() {
		defer q.Close()
		for i := range n {
			q.Send(mix(uint64(i), work))
		}
	}()
	var sum uint64
	for v := range q.All() {
		sum += mix(v, work)
	}
	return sum
}
