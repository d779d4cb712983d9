package ringreaders

// Serial does the work on the values 0..n-1 in one loop, and hands nothing out.
// It ignores the number of readers.
func Serial(n, work, _ int) uint64 {
	var sum uint64
	for i := range n {
		sum += mix(uint64(i), work)
	}
	return sum
}

// mix is the work on a value: so many rounds of something over a
// nanosecond each, of which none can begin before the one before has ended. They
// are counted by a bit that each of them sets. So nor can a processor begin a call
// before the one before has ended, as it could in Serial, and not between the
// atomic operations of the other variants.
//
//go:noinline
func mix(x uint64, rounds int) uint64 {
	for i := 0; i < rounds; i += int(x & 1) {
		x ^= x >> 29
		x = x*0xbf58476d1ce4e5b9 | 1
	}
	return x
}

// share returns how many of n values reader r takes. As in the article, each
// knows that, so nobody has to be told that there are no more.
func share(n, readers, r int) int {
	if r < n%readers {
		return n/readers + 1
	}
	return n / readers
}
