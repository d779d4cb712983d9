package ringmpmc

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
func ChannelBatch(n, work, sides int) uint64 {
	c := make(chan part, room/batch)
	var writers sync.WaitGroup
	for w := range sides {
		writers.Go(func() {
			lo, hi := share(n, sides, w)
			for i := lo; i < hi; {
				var p part
				for p.n < batch && i < hi {
					p.values[p.n] = mix(uint64(i), work)
					p.n++
					i++
				}
				c <- p
			}
		})
	}
	go func() {
		writers.Wait()
		close(c)
	}()
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for range sides {
		readers.Go(func() {
			var own uint64
			for p := range c {
				for _, v := range p.values[:p.n] {
					own += mix(v, work)
				}
			}
			sum.Add(own)
		})
	}
	readers.Wait()
	return sum.Load()
}
