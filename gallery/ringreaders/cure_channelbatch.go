package ringreaders

import (
	"sync"
	"sync/atomic"
)

// batch is how many values are handed over together at most, and room how many
// fit between the two sides: many batches, as a buffer has to hold many values.
const (
	batch = 16
	room  = 32 * batch
)

// A part is as many values as one send hands over.
type part struct {
	n      int
	values [batch]uint64
}

// ChannelBatch is Channel with a part of many values to a send. Readers do not
// know how many parts they get, so they are told that there are no more.
func ChannelBatch(n, work, readers int) uint64 {
	c := make(chan part, room/batch)
	go func() {
		defer close(c)
		for i := 0; i < n; {
			var p part
			for p.n < batch && i < n {
				p.values[p.n] = uint64(i)
				p.n++
				i++
			}
			c <- p
		}
	}()
	var sum atomic.Uint64
	var wg sync.WaitGroup
	for range readers {
		wg.Go(func() {
			var own uint64
			for p := range c {
				for _, v := range p.values[:p.n] {
					own += mix(v, work)
				}
			}
			sum.Add(own)
		})
	}
	wg.Wait()
	return sum.Load()
}
