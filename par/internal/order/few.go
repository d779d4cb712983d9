package order

import (
	"math/bits"
	"slices"
)

// fewest is the length from which the room that a radix sort wants is not on the
// stack.
const fewest = 192

// sortFew sorts more than one and less than fewest elements by the keys that o
// makes of them.
func sortFew[U word](x []U, o order[U]) {
	first := o.key(x[0])
	or := U(0)
	for _, v := range x {
		or |= o.key(v) ^ first
	}
	w := bits.Len64(uint64(or))
	d := min(w, 8)
	shift := uint(w-d) & 63
	var c [256]uint8
	for _, v := range x {
		c[uint8(o.key(v)>>shift&(1<<d-1))]++
	}
	if shift == 0 {
		v := first &^ (1<<d - 1)
		for _, n := range c[:1<<d] {
			for i := range x[:n] {
				x[i] = o.bits(v)
			}
			x = x[n:]
			v++
		}
		return
	}
	sum, most := uint8(0), uint8(0)
	for i, n := range &c {
		most = max(most, n)
		c[i] = sum
		sum += n
	}
	if most > leaf {
		sortSkewed(x, o)
		return
	}
	var room [256]U
	for _, v := range x {
		k := o.key(v)
		p := &c[uint8(k>>shift&(1<<d-1))]
		room[*p] = k
		*p++
	}
	insert(x, room[:len(x)])
	decode(x, o)
}

// sortSkewed sorts x, most of which has the same leading bits.
func sortSkewed[U word](x []U, o order[U]) {
	for i, v := range x {
		x[i] = o.key(v)
	}
	slices.Sort(x)
	decode(x, o)
}
