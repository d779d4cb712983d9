package ringspsc

// Serial makes and uses the values 0..n-1 in one loop, and passes nothing on.
func Serial(n, work int) uint64 {
	var sum uint64
	for i := range n {
		sum += mix(mix(uint64(i), work), work)
	}
	return sum
}

// mix is the work on a value, at either end: so many rounds of something over a
// nanosecond each, of which none can begin before the one before has ended.
//
//go:noinline
func mix(x uint64, rounds int) uint64 {
	for range rounds {
		x ^= x >> 29
		x = x*0xbf58476d1ce4e5b9 + 1
	}
	return x
}
