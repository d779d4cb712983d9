package order

import (
	"cmp"
	"math/rand/v2"
	"slices"
)

type pattern struct {
	name string
	make func(r *rand.Rand, x []int64)
}

// patterns are orders that sorts are known to trip over.
var patterns = []pattern{
	{"random", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(r.Uint64())
		}
	}},
	{"sorted", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(i) * 3
		}
	}},
	{"reversed", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(len(x)-i) * 3
		}
	}},
	{"downstairs", func(r *rand.Rand, x []int64) {
		// Not to be reversed by a stable sort.
		for i := range x {
			x[i] = int64((len(x) - i) / 3)
		}
	}},
	{"equal", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = 42
		}
	}},
	{"two", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(r.IntN(2))
		}
	}},
	{"distinct16", func(r *rand.Rand, x []int64) {
		var v [16]int64
		for i := range v {
			v[i] = int64(r.Uint64())
		}
		for i := range x {
			x[i] = v[r.IntN(16)]
		}
	}},
	{"organ", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(min(i, len(x)-i))
		}
	}},
	{"killer", func(r *rand.Rand, x []int64) {
		// McIlroy: A Killer Adversary for Quicksort, 1999, against slices.Sort.
		copy(x, killer(len(x)))
	}},
	{"sawtooth", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(i % 1000)
		}
	}},
	{"swaps", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(i)
		}
		for range len(x) / 100 {
			i, j := r.IntN(len(x)), r.IntN(len(x))
			x[i], x[j] = x[j], x[i]
		}
	}},
	{"swaps3", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(i)
		}
		for range 10 {
			i, j := r.IntN(len(x)), r.IntN(len(x))
			x[i], x[j] = x[j], x[i]
		}
	}},
	{"tail", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(i)
		}
		for i := len(x) - len(x)/100; i < len(x); i++ {
			x[i] = r.Int64N(int64(len(x)))
		}
	}},
	{"runs8", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(i % (len(x)/8 + 1))
		}
	}},
	{"highbytes", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = 0x1234567800000000 + int64(r.IntN(1<<16))
		}
	}},
	{"lowbytes", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(r.IntN(1<<16))<<48 + 0x12345678
		}
	}},
	{"small", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = r.Int64N(int64(len(x)))
		}
	}},
	{"zipf", func(r *rand.Rand, x []int64) {
		z := rand.NewZipf(r, 1.2, 1, 1<<40)
		for i := range x {
			x[i] = int64(z.Uint64())
		}
	}},
	{"exp", func(r *rand.Rand, x []int64) {
		for i := range x {
			x[i] = int64(r.Uint64() >> (1 + r.IntN(63)))
		}
	}},
}

var killers = map[int][]int64{}

func killer(n int) []int64 {
	if k := killers[n]; k != nil {
		return k
	}
	gas := int64(n)
	val := make([]int64, n)
	for i := range val {
		val[i] = gas
	}
	solid, cand := int64(0), 0
	ix := make([]int, n)
	for i := range ix {
		ix[i] = i
	}
	slices.SortFunc(ix, func(a, b int) int {
		if val[a] == gas && val[b] == gas {
			if a == cand {
				val[a] = solid
			} else {
				val[b] = solid
			}
			solid++
		}
		if val[a] == gas {
			cand = a
		} else if val[b] == gas {
			cand = b
		}
		return cmp.Compare(val[a], val[b])
	})
	killers[n] = val
	return val
}
