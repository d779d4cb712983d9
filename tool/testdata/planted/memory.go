package planted

import "slices"

// More memory than the caches hold, memory that changes hands, and work that
// the serial loop is spared.

// copySerial and copyHalves move 64 MB; one core may already use all the
// bandwidth there is to memory, and may not.
func copySerial(dst, src []int) int {
	copy(dst, src)
	return dst[len(dst)-1]
}

func copyHalves(dst, src []int) int {
	halves(len(src), func(_, lo, hi int) { copy(dst[lo:hi], src[lo:hi]) })
	return dst[len(dst)-1]
}

const passes = 20

// A line is a cache line with the way to the next one.
type line struct {
	next  int
	count int
	_     [6]int
}

// lines returns a buffer of n cache lines to be walked in an order that no
// prefetcher guesses; n is a power of two.
func lines(n int) []line {
	buf := make([]line, n)
	for i := range buf {
		buf[i].next = (i*1597 + 1) & (n - 1)
	}
	return buf
}

// walk visits and writes every line once, one after the other.
func walk(buf []line) int {
	total := 0
	for i, k := 0, 0; k < len(buf); k++ {
		buf[i].count ^= k
		total += buf[i].count
		i = buf[i].next
	}
	return total
}

func wipe(buf []line) {
	for i := range buf {
		buf[i].count = 0
	}
}

// tossSerial works on the buffers in turn; its cache holds both, or nearly.
func tossSerial(a, b []line) int {
	wipe(a)
	wipe(b)
	total := 0
	for range passes {
		total += walk(a)
		total += walk(b)
	}
	return total
}

// tossSwap lets two goroutines exchange their buffers after each pass, in step:
// what they get is always in the cache of the other processor, and no goroutine
// has a processor of its own to come back to.
func tossSwap(a, b []line) int {
	wipe(a)
	wipe(b)
	there, back := make(chan []line, 1), make(chan []line, 1)
	sums := make([]int, 2)
	each(2, func(w int) {
		mine, send, receive := a, there, back
		if w == 1 {
			mine, send, receive = b, back, there
		}
		total := 0
		for p := range passes {
			total += walk(mine)
			if p < passes-1 {
				send <- mine
				mine = <-receive
			}
		}
		sums[w] = total
	})
	return sums[0] + sums[1]
}

// find stops at the needle, which lies early.
func find(xs []int, needle int) int {
	for i, x := range xs {
		if x == needle {
			return i
		}
	}
	return -1
}

// findAll looks through everything, since no part knows of the others' luck.
func findAll(xs []int, needle int) int {
	at := make([]int, workers)
	halves(len(xs), func(w, lo, hi int) {
		at[w] = len(xs)
		for i := hi - 1; i >= lo; i-- {
			if xs[i] == needle {
				at[w] = i
			}
		}
	})
	return slices.Min(at)
}

// running sums: serial carries the sum along.
func running(xs, out []int) int {
	s := 0
	for i, x := range xs {
		s += x
		out[i] = s
	}
	return checksum(out)
}

const block = 64

// runningBlocks makes the blocks independent by adding up, for each, all that
// comes before it.
func runningBlocks(xs, out []int) int {
	each(workers, func(w int) {
		for k := w; k < len(xs)/block; k += workers {
			s := sum(xs[:k*block])
			for i := k * block; i < (k+1)*block; i++ {
				s += xs[i]
				out[i] = s
			}
		}
	})
	return checksum(out)
}
