package par

import (
	"math/bits"
	"slices"
)

const (
	// fewest is the length from which the room that a radix sort wants is not on
	// the stack.
	fewest = 192
	// ranked is the length up to which elements are placed by counting who is less.
	ranked = 16
)

// sortFew sorts less than fewest elements by the keys that o makes of them.
func sortFew[U word](x []U, o order[U]) {
	if len(x) <= ranked {
		sortRanked(x, o)
		return
	}
	// Without a branch for each element: which way it goes nobody can foresee.
	first := o.key(x[0])
	last, or, ups, downs := first, U(0), 0, 0
	for _, v := range x[1:] {
		k := o.key(v)
		or |= k ^ first
		up, down := 0, 0
		if k > last {
			up = 1
		}
		if k < last {
			down = 1
		}
		ups += up
		downs += down
		last = k
	}
	if downs == 0 {
		return
	}
	if ups == 0 {
		slices.Reverse(x)
		return
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

// sortRanked sorts at most ranked elements: each goes where as many are that are
// less, or equal and before it.
func sortRanked[U word](x []U, o order[U]) {
	var keys [ranked]U
	var rank [ranked]uint8
	n := len(x)
	if n > ranked {
		return
	}
	downs := 0
	for i, v := range x {
		keys[i] = o.key(v)
		down := 0
		if i > 0 && keys[i] < keys[i-1] {
			down = 1
		}
		downs += down
	}
	if downs == 0 {
		return
	}
	for i := 1; i < n; i++ {
		k := keys[i]
		before := uint8(i)
		for j := range keys[:i] {
			less := uint8(0)
			if k < keys[j] {
				less = 1
			}
			rank[j] += less
			before -= less
		}
		rank[i] = before
	}
	for i := range n {
		x[rank[i]&(ranked-1)] = o.bits(keys[i])
	}
}
