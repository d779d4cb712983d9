package ringspsc

// batch is how many values are handed over together at most.
const batch = 64

// A part is as many values as one send hands over.
type part struct {
	n      int
	values [batch]uint64
}

// ChannelBatch is Channel with a part of many values to a send, and room for as
// many values as before. An array is copied into the channel and out of it, but
// needs no allocation, as a slice would.
func ChannelBatch(n, work int) uint64 {
	c := make(chan part, buffer/batch)
	go func() {
		defer close(c)
		for i := 0; i < n; {
			var p part
			for p.n < batch && i < n {
				p.values[p.n] = mix(uint64(i), work)
				p.n++
				i++
			}
			c <- p
		}
	}()
	var sum uint64
	for p := range c {
		for _, v := range p.values[:p.n] {
			sum += mix(v, work)
		}
	}
	return sum
}
