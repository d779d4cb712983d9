package ringspsc

import "github.com/gopayoff/payoff/gallery/internal/casring"

// buffer is how many values fit between the two goroutines, where it is not one.
const buffer = 1024

// Channel has one goroutine make the values and send them over a buffered
// channel, and uses them in the caller's.
func Channel(n, work int) uint64 { return channel(n, work, buffer) }

// ChannelOne is Channel with a buffer of one, as in the article.
func ChannelOne(n, work int) uint64 { return channel(n, work, 1) }

func channel(n, work, buffer int) uint64 {
	c := make(chan uint64, buffer)
	go func() {
		for i := range n {
			c <- mix(uint64(i), work)
		}
	}()
	var sum uint64
	for range n {
		sum += mix(<-c, work)
	}
	return sum
}

// Ring is Channel with the article's lock-free ring in its place.
func Ring(n, work int) uint64 { return ring(n, work, buffer) }

// RingTwo is ChannelOne with the ring. Two slots are the least that it works
// with: see doc.go.
func RingTwo(n, work int) uint64 { return ring(n, work, 2) }

func ring(n, work, slots int) uint64 {
	r := casring.New(slots, casring.Patience)
	go func() {
		for i := range n {
			r.Put(mix(uint64(i), work))
		}
	}()
	var sum uint64
	for range n {
		sum += mix(r.Get(), work)
	}
	return sum
}
