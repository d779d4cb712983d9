package ringmpmc

// Serial makes and uses the values 0..n-1 in one loop, and passes nothing on. It
// ignores the number of goroutines on each side.
func Serial(n, work, _ int) uint64 {
	var sum uint64
	for i := range n {
		sum += mix(mix(uint64(i), work), work)
	}
	return sum
}

// mix is the work on a value, at either end: so many rounds of something over a
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

// share returns the values [lo, hi) that the writer w of so many makes. Each
// reader takes as many: as in the article it knows that, so nobody has to be told
// that there are no more.
func share(n, sides, w int) (lo, hi int) {
	size, rest := n/sides, n%sides
	lo = w*size + min(w, rest)
	hi = lo + size
	if w < rest {
		hi++
	}
	return lo, hi
}
