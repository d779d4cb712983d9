package order

import (
	"math/bits"
	"sync"
)

// A pair stands for element i in a sort by keys. It holds no pointer, so that
// moving it costs the garbage collector nothing.
type pair struct {
	key uint64
	i   uint32
}

// A pairRoom is kept for sorts of up to half as many pairs.
type pairRoom [2 << 10]pair

var pairRooms = sync.Pool{New: func() any { return new(pairRoom) }}

// spreadPairs sorts a by key, in stable order, and overwrites b. It calls done,
// maybe several times at once, for each part [lo, hi) that is sorted; there is
// no key that two parts have.
func spreadPairs(a, b []pair, done func(lo, hi int)) {
	spreadPart(a, b, 0, false, done)
}

// spreadPart is spreadPairs for pairs that begin at base of all, and leaves
// them in b where flip is set.
func spreadPart(a, b []pair, base int, flip bool, done func(lo, hi int)) {
	s := newSplit(len(a))
	w := bits.Len64(differingPairs(a, s))
	if w == 0 {
		if flip {
			copy(b, a)
		}
		done(base, base+len(a))
		return
	}
	d := min(w, digit)
	shift, mask := uint(w-d)&63, uint64(1)<<d-1
	starts := s.move(1<<d,
		func(lo, hi int, c []uint32) {
			for i := range a[lo:hi] {
				c[a[lo+i].key>>shift&mask]++
			}
		},
		func(lo, hi int, c []uint32) {
			for _, v := range a[lo:hi] {
				k := v.key >> shift & mask
				p := c[k]
				c[k] = p + 1
				b[p] = v
			}
		})
	s.parts(starts,
		func(_, lo, hi int) { spreadPart(b[lo:hi], a[lo:hi], base+lo, !flip, done) },
		func(_ int, starts []uint32) {
			r := rooms.Get().(*room)
			defer rooms.Put(r) // done may panic
			lo := starts[0]
			for _, hi := range starts[1:] {
				if lo < hi {
					sortPairs(b[lo:hi], a[lo:hi], !flip, r.counts[:])
					lo = hi
				}
			}
			done(base+int(starts[0]), base+int(lo))
		})
}

// differingPairs returns a word with the bits set in which keys in a differ.
func differingPairs(a []pair, s split) (or uint64) {
	first := a[0].key
	ors := make([]uint64, s.blocks())
	block := func(i, lo, hi int) {
		var or uint64
		for i := range a[lo:hi] {
			or |= a[lo+i].key ^ first
		}
		ors[i] = or
	}
	s.each(code(block), block)
	for _, o := range ors {
		or |= o
	}
	return or
}

// sortPairs is sortKeys for pairs. It is stable.
func sortPairs(a, b []pair, flip bool, counts []uint32) {
	b = b[:len(a)]
	home := a
	if flip {
		home = b
	}
	if len(a) <= leaf {
		insertPairs(home, a)
		return
	}
	first := a[0].key
	var or uint64
	for i := range a {
		or |= a[i].key ^ first
	}
	if or == 0 {
		if flip {
			copy(b, a)
		}
		return
	}
	w := bits.Len64(or)
	d := min(w, digit, bits.Len(uint(len(a))))
	shift, mask := uint(w-d)&63, uint64(1)<<d-1
	if len(counts) < 2<<digit {
		counts = make([]uint32, 4<<digit)
	}
	c := counts[:1<<d]
	clear(c)
	for i := range a {
		c[a[i].key>>shift&mask]++
	}
	var sum, most uint32
	for i, n := range c {
		most = max(most, n)
		c[i] = sum
		sum += n
	}
	for _, v := range a {
		k := v.key >> shift & mask
		p := c[k]
		c[k] = p + 1
		b[p] = v
	}
	if shift == 0 {
		if !flip {
			copy(a, b)
		}
		return
	}
	if most <= leaf {
		insertPairs(home, b)
		return
	}
	lo := uint32(0)
	for _, hi := range c {
		if lo < hi {
			sortPairs(b[lo:hi], a[lo:hi], !flip, counts[1<<d:])
		}
		lo = hi
	}
}

// insertPairs puts the pairs of src into dst in order; both may be the same.
func insertPairs(dst, src []pair) {
	dst = dst[:len(src)]
	for i, v := range src {
		j := i
		for j > 0 && dst[j-1].key > v.key {
			dst[j] = dst[j-1]
			j--
		}
		dst[j] = v
	}
}

// arrange puts x in the order of p: x[p[0].i] comes first. It overwrites p.
func arrange[E any](x []E, p []pair) {
	if len(x) <= len(pairRoom{})/2 {
		permute(x, p)
		return
	}
	s := newSplit(len(x))
	y := make([]E, len(x))
	pick := func(_, lo, hi int) {
		to := y[lo:hi]
		for i, p := range p[lo:hi] {
			to[i] = x[p.i]
		}
	}
	s.each(code(pick), pick)
	back := func(_, lo, hi int) { copy(x[lo:hi], y[lo:hi]) }
	s.each(code(back), back)
}

// permute is arrange without room for another x: it goes through the cycles.
func permute[E any](x []E, p []pair) {
	for i := range p {
		if int(p[i].i) == i {
			continue
		}
		v := x[i]
		to := i
		for {
			from := int(p[to].i)
			p[to].i = uint32(to)
			if from == i {
				break
			}
			x[to] = x[from]
			to = from
		}
		x[to] = v
	}
}
