package order

import (
	"cmp"
	"math/bits"
	"slices"
)

const (
	// fewest is the length from which the room that a radix sort wants is not on the
	// stack.
	fewest = 192

	// Up to comparedFew elements comparing is faster than counting, and up to fewBuckets
	// there are so many buckets.
	comparedFew = 96
	fewBuckets  = 128
)

// sortFew sorts more than one and less than fewest elements by the keys that o
// makes of them.
func sortFew[U word](x []U, o order[U]) {
	first := o.key(x[0])
	or := U(0)
	for i, v := range x {
		k := o.key(v)
		x[i] = k
		or |= k ^ first
	}
	if len(x) <= fewBuckets {
		var counts [fewBuckets]uint8
		var room [fewBuckets]U
		sortBuckets(x, room[:], counts[:], or)
	} else {
		var counts [2 * fewBuckets]uint8
		var room [fewest]U
		sortBuckets(x, room[:], counts[:], or)
	}
	decode(x, o)
}

// sortBuckets sorts the keys in x, which differ in the bits of or, by as many buckets as
// there are counters, which is a power of two. room is for as many keys.
func sortBuckets[U word](x, room []U, counts []uint8, or U) {
	w := bits.Len64(uint64(or))
	d := min(w, bits.Len(uint(len(counts)-1)))
	shift, mask := uint(w-d)&63, U(1)<<d-1
	c := counts[:1<<d]
	for _, k := range x {
		c[k>>shift&mask]++
	}
	if shift == 0 {
		// The keys differ in this digit only: write them as counted.
		v := x[0] &^ mask
		for _, n := range c {
			for i := range x[:n] {
				x[i] = v
			}
			x = x[n:]
			v++
		}
		return
	}
	sum, most := uint8(0), uint8(0)
	for i, n := range c {
		most = max(most, n)
		c[i] = sum
		sum += n
	}
	if most > leaf {
		slices.Sort(x) // most have the same leading bits
		return
	}
	room = room[:len(x)]
	for _, k := range x {
		p := &c[k>>shift&mask]
		room[*p] = k
		*p++
	}
	insert(x, room)
}

// mended sorts x where few of its elements are out of order, and reports whether it
// did. It inserts each one into those before it, and gives up where that moves more than
// a quarter of what it does of elements in random order, which shows after some dozen.
func mended[E cmp.Ordered](x []E) bool {
	const room = 32
	moved := 0
	for i := 1; i < len(x); i++ {
		v, j := x[i], i
		for j > 0 && cmp.Less(v, x[j-1]) {
			x[j] = x[j-1]
			j--
		}
		if j == i {
			continue
		}
		x[j] = v
		if moved += i - j; moved > room+i*i/16 {
			return false
		}
	}
	return true
}
