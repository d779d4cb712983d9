package ringmpmc

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/gallery/internal/casring"
)

// buffer is how many values fit between the two sides. The article's benchmark
// asks for 100, of which its ring makes 128.
const buffer = 128

// Channel has sides goroutines make the values and send them over one channel,
// from which as many others receive.
func Channel(n, work, sides int) uint64 {
	c := make(chan uint64, buffer)
	for w := range sides {
		go func() {
			lo, hi := share(n, sides, w)
			for i := lo; i < hi; i++ {
				c <- mix(uint64(i), work)
			}
		}()
	}
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for r := range sides {
		readers.Go(func() {
			lo, hi := share(n, sides, r)
			var own uint64
			for range hi - lo {
				own += mix(<-c, work)
			}
			sum.Add(own)
		})
	}
	readers.Wait()
	return sum.Load()
}

// Ring is Channel with the article's lock-free ring in its place: what has to wait
// looks 10,000 times before others may run on that processor.
func Ring(n, work, sides int) uint64 { return ring(n, work, sides, casring.Patience) }

// RingYield is Ring with the patience of today's version of that ring, which is
// one look.
func RingYield(n, work, sides int) uint64 { return ring(n, work, sides, 1) }

func ring(n, work, sides, looks int) uint64 {
	q := casring.New(buffer, looks)
	for w := range sides {
		go func() {
			lo, hi := share(n, sides, w)
			for i := lo; i < hi; i++ {
				q.Put(mix(uint64(i), work))
			}
		}()
	}
	var sum atomic.Uint64
	var readers sync.WaitGroup
	for r := range sides {
		readers.Go(func() {
			lo, hi := share(n, sides, r)
			var own uint64
			for range hi - lo {
				own += mix(q.Get(), work)
			}
			sum.Add(own)
		})
	}
	readers.Wait()
	return sum.Load()
}
