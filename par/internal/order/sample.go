package order

import "slices"

const (
	// sampled is the length from which sorts by comparisons are by samples, if
	// there are processors to share them.
	sampled = 1 << 13
	// farAlone is that length where there is one processor. With 300,000 pointers a sort
	// by samples takes 6 % longer than slices.SortFunc there, with a million 16 % less.
	farAlone = 1 << 19
	// bucketed is the length of buckets that is aimed at: they lie in the cache.
	bucketed = 1 << 10
	// mostBuckets are made at a time; the elements between them lie in the cache too.
	mostBuckets = 256
)

// A sampler sorts with a comparison function: it takes from a sample of the
// elements splitters between buckets, has each element find its bucket by a
// binary search, moves all to their buckets at once, and sorts the buckets.
// That takes no more comparisons than other sorts, and all of it can be done by
// several processors, in blocks of the elements and in buckets. (Frazer, McKellar:
// Samplesort, 1970; Sanders, Winkel: Super Scalar Sample Sort, 2004.) Elements
// that are equal to a splitter that is in the sample twice are a bucket of their
// own, which is not sorted further. The order of equal elements is kept so far.
type sampler[E any] struct {
	cmp  func(a, b E) int
	leaf func(x, buf []E) // sorts x, of which it always has all elements
}

// sort sorts x. buf and ids are room for as many.
func (s *sampler[E]) sort(x, buf []E, ids []uint16) {
	if len(x) < sampled {
		s.leaf(x, buf)
		return
	}
	splitters, equal := s.splitters(x)
	tree, depth := s.tree(splitters)
	buckets := 1 << depth
	if equal {
		buckets *= 2
	}
	sp := split{n: len(x), size: max(bucketed, (len(x)+63)/64), grain: bucketed, key: code(s.cmp)}
	cmp := s.cmp
	starts := sp.move(buckets,
		func(lo, hi int, c []uint32) {
			ids := ids[lo:hi]
			for i, v := range x[lo:hi] {
				j := uint(1)
				for range depth {
					// To the right if the splitter is less: the sign of cmp.
					j = 2*j + uint(cmp(tree[j&(mostBuckets-1)], v))>>(bitsOfInt-1)
				}
				j -= 1 << depth
				if equal {
					j *= 2
					if q := int(j / 2); q < len(splitters) && cmp(v, splitters[q]) >= 0 {
						j++
					}
				}
				ids[i] = uint16(j)
				c[j]++
			}
		},
		func(lo, hi int, c []uint32) {
			ids := ids[lo:hi]
			for i, v := range x[lo:hi] {
				k := ids[i]
				p := c[k]
				c[k] = p + 1
				buf[p] = v
			}
		})

	// From here on buf has the elements, and x gets them back bucket by bucket:
	// in the end, or if a comparison panics, all of them.
	home := make([]bool, buckets)
	back := func(k int) (part, room []E, ids0 []uint16) {
		lo, hi := starts[k], starts[k+1]
		copy(x[lo:hi], buf[lo:hi])
		home[k] = true
		return x[lo:hi], buf[lo:hi], ids[lo:hi]
	}
	defer func() {
		for k, done := range home {
			if !done {
				back(k)
			}
		}
	}()
	bucket := func(k int) {
		part, room, ids := back(k)
		switch {
		case equal && k&1 == 1:
			// All are equal.
		case len(part) > len(x)-len(x)/4:
			s.leaf(part, room) // hardly fewer: more samples may not help either
		default:
			s.sort(part, room, ids)
		}
	}
	sp.parts(starts,
		func(k, lo, hi int) { bucket(k) },
		func(k int, starts []uint32) {
			for i := range starts[1:] {
				bucket(k + i)
			}
		})
}

const bitsOfInt = 32 << (^uint(0) >> 63)

// splitters returns at most mostBuckets-1 elements of x in ascending order, and
// whether elements that are equal to one are likely to be many.
func (s *sampler[E]) splitters(x []E) (splitters []E, equal bool) {
	buckets := mostBuckets
	for buckets > 4 && len(x)/buckets < bucketed {
		buckets /= 2
	}
	const over = 8
	sample := make([]E, buckets*over)
	stride := len(x) / len(sample)
	rnd := uint32(len(x))
	for i := range sample {
		rnd = rnd*1664525 + 1013904223
		sample[i] = x[i*stride+int(uint64(rnd)*uint64(stride)>>32)]
	}
	slices.SortFunc(sample, s.cmp)
	splitters = sample[:0]
	for i := over; i < len(sample); i += over {
		v := sample[i]
		if n := len(splitters); n > 0 && s.cmp(splitters[n-1], v) >= 0 {
			equal = true
			continue
		}
		splitters = append(splitters, v)
	}
	return splitters, equal
}

// tree returns the splitters as a binary search visits them, with the last
// repeated to make 1<<depth buckets: 1 is the root, 2i and 2i+1 follow i.
func (s *sampler[E]) tree(splitters []E) (tree *[mostBuckets]E, depth int) {
	for depth = 1; 1<<depth <= len(splitters); depth++ {
	}
	tree = new([mostBuckets]E)
	i := 0
	var fill func(at int)
	fill = func(at int) {
		if at < 1<<depth {
			fill(2 * at)
			tree[at] = splitters[min(i, len(splitters)-1)]
			i++
			fill(2*at + 1)
		}
	}
	fill(1)
	return tree, depth
}
