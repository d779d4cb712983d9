package order

import (
	"cmp"
	"math/bits"
	"reflect"
	"slices"
	"sync"
	"unsafe"
)

// A word is what numbers are sorted as.
type word interface {
	uint8 | uint16 | uint32 | uint64
}

// An order makes keys of the bits of numbers: keys compare as unsigned numbers
// do. It is one formula for all, so that no inner loop has to choose:
//
//	key = (v ^ (flip where v's sign bit is set) ^ sign) + nan
//
// Unsigned numbers have zeros here; signed have the sign bit in sign; floats
// also flip the other bits of negative numbers. That puts NaNs with the sign
// bit first and the others last; adding as many as there are of the latter, nan,
// makes them wrap around to the front, where [slices.Sort] has all of them.
type order[U word] struct{ flip, sign, nan U }

func orderOf[U word](k reflect.Kind) order[U] {
	sign := ^(^U(0) >> 1)
	switch k {
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Int:
		return order[U]{0, sign, 0}
	case reflect.Float32:
		f := uint32(1<<23 - 1)
		return order[U]{^sign, sign, U(f)}
	case reflect.Float64:
		f := uint64(1<<52 - 1)
		return order[U]{^sign, sign, U(f)}
	}
	return order[U]{}
}

// key returns the key of the number with bits v.
func (o order[U]) key(v U) U {
	return (v ^ (-(v >> (8*unsafe.Sizeof(v) - 1)) & o.flip) ^ o.sign) + o.nan
}

// rank is key for those to whom NaNs are all the same, and -0 is 0.
func (o order[U]) rank(v U) U {
	k := o.key(v)
	if o.flip != 0 {
		switch zero := o.key(0); {
		case k < 2*o.nan:
			k = 0
		case k == zero-1:
			k = zero
		}
	}
	return k
}

// compare compares the numbers with bits a and b as cmp.Compare does.
func (o order[U]) compare(a, b U) int { return cmp.Compare(o.rank(a), o.rank(b)) }

// bits undoes key.
func (o order[U]) bits(k U) U {
	k = (k - o.nan) ^ o.sign
	return k ^ (-(k >> (8*unsafe.Sizeof(k) - 1)) & o.flip)
}

// decode makes numbers of the keys in x again.
func decode[U word](x []U, o order[U]) {
	if o.sign == 0 {
		return
	}
	for i, k := range x {
		x[i] = o.bits(k)
	}
}

const (
	digit  = 10      // bits looked at in one pass: 4 KB of counters, and not many more targets than a TLB has room for
	leaf   = 24      // up to so many elements are sorted by insertion
	cached = 1 << 14 // up to so many elements lie in the cache twice
)

// A room is what sorts of little want beside their input. It is kept, because
// to clear as much each time costs a short sort more than the sort.
type room struct {
	words  [1 << digit]uint64
	counts [4 << digit]uint32
}

var (
	rooms      = sync.Pool{New: func() any { return new(room) }}
	largeRooms = sync.Pool{New: func() any { return new([cached]uint64) }}
)

// sortWords sorts x by the keys that o makes of its elements.
func sortWords[U word](x []U, o order[U]) {
	if len(x) < fewest {
		sortFew(x, o)
		return
	}
	if len(x) <= cached {
		r := rooms.Get().(*room)
		words := r.words[:]
		if len(x) > len(words) {
			large := largeRooms.Get().(*[cached]uint64)
			defer largeRooms.Put(large)
			words = large[:]
		}
		if o.sign != 0 {
			for i, v := range x {
				x[i] = o.key(v)
			}
		}
		buf := unsafe.Slice((*U)(unsafe.Pointer(&words[0])), len(x))
		sortKeys(x, buf, false, r.counts[:])
		decode(x, o)
		rooms.Put(r)
		return
	}
	spread(x, make([]U, len(x)), false, o, o)
}

// spread sorts the numbers in a, of which in makes the keys, and leaves them,
// decoded by out, in b where flip is set and otherwise in a. It overwrites both.
func spread[U word](a, b []U, flip bool, in, out order[U]) {
	home := a
	if flip {
		home = b
	}
	s := newSplit(len(a))
	w := bits.Len64(uint64(differing(a, in, s)))
	if w == 0 {
		for i, v := range a {
			home[i] = out.bits(in.key(v))
		}
		return
	}
	d := min(w, digit)
	shift, mask := uint(w-d)&63, U(1)<<d-1
	count := func(lo, hi int, c []uint32) {
		for _, v := range a[lo:hi] {
			c[in.key(v)>>shift&mask]++
		}
	}
	if shift == 0 {
		// The keys differ in this digit only: write them as counted.
		v := in.key(a[0]) &^ mask
		lo := 0
		for _, n := range s.count(1<<d, count) {
			hi := lo + int(n)
			bits := out.bits(v)
			for i := range home[lo:hi] {
				home[lo+i] = bits
			}
			lo = hi
			v++
		}
		return
	}
	starts := s.move(1<<d, count,
		func(lo, hi int, c []uint32) {
			for _, v := range a[lo:hi] {
				v = in.key(v)
				k := v >> shift & mask
				p := c[k]
				c[k] = p + 1
				b[p] = v
			}
		})
	s.parts(starts,
		func(_, lo, hi int) { spread(b[lo:hi], a[lo:hi], !flip, order[U]{}, out) },
		func(_ int, starts []uint32) {
			r := rooms.Get().(*room)
			lo := starts[0]
			undone := lo
			for _, hi := range starts[1:] {
				if lo < hi {
					sortKeys(b[lo:hi], a[lo:hi], !flip, r.counts[:])
					lo = hi
				}
				if hi-undone >= leaf {
					decode(home[undone:hi], out)
					undone = hi
				}
			}
			decode(home[undone:lo], out)
			rooms.Put(r)
		})
}

// differing returns a word with the bits set in which keys in a differ.
func differing[U word](a []U, in order[U], s split) (or U) {
	first := in.key(a[0])
	ors := make([]U, s.blocks())
	block := func(i, lo, hi int) {
		var or U
		for _, v := range a[lo:hi] {
			or |= in.key(v) ^ first
		}
		ors[i] = or
	}
	s.each(code(block), block)
	for _, o := range ors {
		or |= o
	}
	return or
}

// sortKeys sorts the keys in a and leaves them in b where flip is set and
// otherwise in a. It overwrites both. counts is room for counters.
func sortKeys[U word](a, b []U, flip bool, counts []uint32) {
	b = b[:len(a)]
	home := a
	if flip {
		home = b
	}
	if len(a) <= leaf {
		insert(home, a)
		return
	}
	first := a[0]
	var or U
	for _, v := range a {
		or |= v ^ first
	}
	w := bits.Len64(uint64(or))
	d := min(w, digit, bits.Len(uint(len(a))))
	shift, mask := uint(w-d)&63, U(1)<<d-1
	if len(counts) < 2<<digit {
		counts = make([]uint32, 4<<digit)
	}
	c := counts[:1<<d]
	clear(c)
	for _, v := range a {
		c[v>>shift&mask]++
	}
	if shift == 0 {
		// The keys differ in this digit only: write them as counted.
		v := first &^ mask
		for _, n := range c {
			for i := range home[:n] {
				home[i] = v
			}
			home = home[n:]
			v++
		}
		return
	}
	var sum, most uint32
	for i, n := range c {
		most = max(most, n)
		c[i] = sum
		sum += n
	}
	if int(most) > len(a)/2 && len(a) <= cached {
		// Keys of very different size: this may go on for many passes.
		if len(a) <= 10*leaf {
			copy(home, a)
			slices.Sort(home)
		} else {
			sortUpward(a, b, flip, or, counts)
		}
		return
	}
	for _, v := range a {
		k := v >> shift & mask
		p := c[k]
		c[k] = p + 1
		b[p] = v
	}
	if most <= leaf {
		insert(home, b)
		return
	}
	lo := uint32(0)
	for _, hi := range c {
		if lo < hi {
			sortKeys(b[lo:hi], a[lo:hi], !flip, counts[1<<d:])
		}
		lo = hi
	}
}

// sortUpward is sortKeys from the lowest byte up, which costs the same for all
// keys. or has the bits in which they differ.
func sortUpward[U word](a, b []U, flip bool, or U, counts []uint32) {
	bytes := (bits.Len64(uint64(or)) + 7) / 8
	c := counts[:256*bytes]
	clear(c)
	for _, v := range a {
		for i := 0; i < len(c); i += 256 {
			c[i+int(v&255)]++
			v >>= 8 % (8 * unsafe.Sizeof(v))
		}
	}
	inB := false
	for i := range bytes {
		shift := uint(8*i) & 63
		if or>>shift&255 == 0 {
			continue
		}
		c := (*[256]uint32)(c[256*i:])
		var sum uint32
		for k, n := range c {
			c[k] = sum
			sum += n
		}
		for _, v := range a {
			k := v >> shift & 255
			p := c[k]
			c[k] = p + 1
			b[p] = v
		}
		a, b = b, a
		inB = !inB
	}
	if inB != flip {
		copy(b, a)
	}
}

// insert puts the elements of src into dst in order; both may be the same.
func insert[U word](dst, src []U) {
	dst = dst[:len(src)]
	for i, v := range src {
		j := i
		for j > 0 && dst[j-1] > v {
			dst[j] = dst[j-1]
			j--
		}
		dst[j] = v
	}
}
