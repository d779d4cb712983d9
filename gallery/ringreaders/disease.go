package ringreaders

import (
	"sync"
	"sync/atomic"

	"github.com/gopayoff/payoff/gallery/internal/casring"
)

// buffer is how many values fit between the writer and the readers. The
// article's benchmark asks for 100, of which its ring makes 128.
const buffer = 128

// Channel has one goroutine send the values over a channel from which all
// readers receive.
func Channel(n, work, readers int) uint64 {
	c := make(chan uint64, buffer)
	go func() {
		for i := range n {
			c <- uint64(i)
		}
	}()
	var sum atomic.Uint64
	var wg sync.WaitGroup
	for r := range readers {
		wg.Go(func() {
			var own uint64
			for range share(n, readers, r) {
				own += mix(<-c, work)
			}
			sum.Add(own)
		})
	}
	wg.Wait()
	return sum.Load()
}

// Ring is Channel with the article's lock-free ring in its place: what has to wait
// looks 10,000 times before others may run on that processor.
func Ring(n, work, readers int) uint64 { return ring(n, work, readers, casring.Patience) }

// RingYield is Ring with the patience of today's version of that ring, which is
// one look.
func RingYield(n, work, readers int) uint64 { return ring(n, work, readers, 1) }

func ring(n, work, readers, looks int) uint64 {
	q := casring.New(buffer, looks)
	go func() {
		for i := range n {
			q.Put(uint64(i))
		}
	}()
	var sum atomic.Uint64
	var wg sync.WaitGroup
	for r := range readers {
		wg.Go(func() {
			var own uint64
			for range share(n, readers, r) {
				own += mix(q.Get(), work)
			}
			sum.Add(own)
		})
	}
	wg.Wait()
	return sum.Load()
}
