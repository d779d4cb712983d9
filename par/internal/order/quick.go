package order

import (
	"runtime"
	"slices"
)

// A quicksort sorts in place, as Hoare did in 1961, but level by level: the parts
// of a level are shared out, and where they are fewer than the processors, all
// partition one together. Parts that are short, and those about which the pivot
// said little, are left to the standard library, which knows what to do about
// patterns.
type quicksort[E any] struct {
	cmp   func(a, b E) int
	leaf  int // parts up to this length are short, at least 1
	procs int
}

// quickSort sorts x.
func quickSort[E any](x []E, cmp func(a, b E) int) {
	const share = 16 // parts for each processor
	procs := runtime.GOMAXPROCS(0)
	q := quicksort[E]{cmp, max(bucketed, len(x)/(share*procs)), procs}
	q.sort(x)
}

func (q quicksort[E]) sort(x []E) {
	cmp := q.cmp
	level, leaves := [][]E{x}, [][]E(nil)
	if len(x) <= q.leaf {
		level, leaves = leaves, level
	}
	for len(level) > 0 {
		halves := make([][2][]E, len(level))
		if len(level) < q.procs {
			for i, x := range level {
				halves[i] = q.cut(x, newSplit(len(x)))
			}
		} else {
			run(code(cmp)+cutStep, len(level), func(lo, hi int) bool {
				for i, x := range level[lo:hi] {
					halves[lo+i] = q.cut(x, split{n: len(x), size: len(x)})
				}
				return true
			})
		}
		var next [][]E
		for i, h := range halves {
			for _, part := range h {
				switch n := len(level[i]); {
				case len(part) <= q.leaf || len(part) > n-n/8:
					leaves = append(leaves, part)
				default:
					next = append(next, part)
				}
			}
		}
		level = next
	}
	run(code(cmp)+leafStep, len(leaves), func(lo, hi int) bool {
		for _, x := range leaves[lo:hi] {
			slices.SortFunc(x, cmp)
		}
		return true
	})
}

// cut partitions x and returns what is still to be sorted: nothing in the first
// part is greater than anything in the second, and what is equal to the pivot may
// be in neither.
func (q quicksort[E]) cut(x []E, s split) [2][]E {
	var sample [31]E
	for i := range sample {
		sample[i] = x[int(uint64(len(x)-1)*uint64(i)/uint64(len(sample)-1))]
	}
	slices.SortFunc(sample[:], q.cmp)
	pivot := sample[len(sample)/2]
	m := q.partition(x, pivot, 0, s)
	less, rest := x[:m], x[m:]
	if m < len(x)/8 && len(rest) > 0 {
		// Hardly any is less than the pivot: maybe many are equal.
		s := split{n: len(rest), size: min(s.size, len(rest)), grain: s.grain}
		rest = rest[q.partition(rest, pivot, 1, s):]
	}
	return [2][]E{less, rest}
}

// partition moves those elements of x to its front for which cmp, given them and
// the pivot, is less than limit, and returns how many there are. It does no more
// than to exchange elements. Each block is partitioned for itself; then those that
// are on the wrong side change places.
func (q quicksort[E]) partition(x []E, pivot E, limit int, s split) int {
	s.key = code(q.cmp) + cutStep
	ends := make([]int, s.blocks())
	block := func(i, lo, hi int) { ends[i] = lo + partitionBlock(x[lo:hi], pivot, limit, q.cmp) }
	s.each(0, block)
	m := 0
	for i, end := range ends {
		m += end - i*s.size
	}
	var high, low [][2]int // on the wrong side of m
	for i, end := range ends {
		lo, hi := i*s.size, min(s.n, (i+1)*s.size)
		if end < min(hi, m) {
			high = append(high, [2]int{end, min(hi, m)})
		}
		if max(lo, m) < end {
			low = append(low, [2]int{max(lo, m), end})
		}
	}
	type exchange struct{ a, b, n int }
	var all []exchange
	for len(high) > 0 {
		a, b := &high[0], &low[0]
		n := min(a[1]-a[0], b[1]-b[0])
		all = append(all, exchange{a[0], b[0], n})
		a[0] += n
		b[0] += n
		if a[0] == a[1] {
			high = high[1:]
		}
		if b[0] == b[1] {
			low = low[1:]
		}
	}
	swap := func(lo, hi int) bool {
		for _, e := range all[lo:hi] {
			for i := range e.n {
				x[e.a+i], x[e.b+i] = x[e.b+i], x[e.a+i]
			}
		}
		return true
	}
	run(code(swap), len(all), swap)
	return m
}

// partitionBlock is partition for one processor.
func partitionBlock[E any](x []E, pivot E, limit int, cmp func(a, b E) int) int {
	i, j := 0, len(x)-1
	for {
		for i <= j && cmp(x[i], pivot) < limit {
			i++
		}
		for i <= j && cmp(x[j], pivot) >= limit {
			j--
		}
		if i > j {
			return i
		}
		x[i], x[j] = x[j], x[i]
		i++
		j--
	}
}
