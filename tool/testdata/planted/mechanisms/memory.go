package mechanisms

// Loops over more memory than caches hold.

// A record fills a cache line; growing older takes two words of it.
type record struct {
	age  int
	name [48]byte
	next *record
}

func age(rs []record) int {
	named := 0
	for i := range rs {
		rs[i].age++
		if rs[i].name[0] != 0 {
			named++
		}
	}
	return named
}

func ageHalves(rs []record) int {
	return split(len(rs), func(lo, hi int) int { return age(rs[lo:hi]) })
}

// invert flips all words.
func invert(xs []uint64) int {
	for i := range xs {
		xs[i] = ^xs[i]
	}
	return int(xs[len(xs)/2] & 0xff)
}

// weigh adds two vectors into a third.
func weigh(out, a, b []float64) int {
	for i := range out {
		out[i] = a[i] + 2*b[i]
	}
	return len(out)
}

func weighHalves(out, a, b []float64) int {
	return split(len(out), func(lo, hi int) int { return weigh(out[lo:hi], a[lo:hi], b[lo:hi]) })
}

// passes goes over a small part many times.
func passes(xs []uint64, n int) int {
	for range n {
		invert(xs)
	}
	return int(xs[0] & 0xff)
}

func passesHalves(xs []uint64, n int) int {
	split(len(xs), func(lo, hi int) int { return passes(xs[lo:hi], n) })
	return int(xs[0] & 0xff)
}
