package falseshare

// Serial adds up 0..limit-1 in one loop. It ignores the number of workers.
func Serial(limit, _ int) int64 {
	return sumRange(0, limit)
}

// sumRange adds up lo..hi-1 in a register.
//
// Serial and Channel must run the same instructions at the same addresses: a
// loop this short takes twice as long where it happens to straddle a fetch
// boundary, and inlined into two callers it may do so in one of them only.
//
//go:noinline
func sumRange(lo, hi int) int64 {
	var sum int64
	for i := lo; i < hi; i++ {
		sum += int64(i)
	}
	return sum
}

// chunk returns the part [lo, hi) of 0..limit-1 that worker w sums.
// The chunks follow one another, cover everything and differ in length by at
// most one; with more workers than numbers some are empty.
func chunk(limit, workers, w int) (lo, hi int) {
	size, rest := limit/workers, limit%workers
	lo = w*size + min(w, rest)
	hi = lo + size
	if w < rest {
		hi++
	}
	return lo, hi
}
