package order

import (
	"cmp"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// Keys ascend as numbers do, with NaNs first, and are undone.
func TestOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	o64 := orderOf[uint64](reflect.Float64)
	i32 := orderOf[uint32](reflect.Int32)
	f32 := orderOf[uint32](reflect.Float32)
	for range 200_000 {
		a, b := r.Uint64()>>uint(r.IntN(3)*r.IntN(64)), r.Uint64()<<uint(r.IntN(3)*r.IntN(64))
		if r.IntN(2) == 0 {
			a |= 0x7ff << 52 // often no number
		}
		if got := o64.bits(o64.key(a)); got != a {
			t.Fatalf("float64: bits(key(%#x)) = %#x", a, got)
		}
		c := cmp.Compare(math.Float64frombits(a), math.Float64frombits(b))
		if c != 0 && cmp.Compare(o64.key(a), o64.key(b)) != c {
			t.Fatalf("float64: keys of %#x and %#x are %#x and %#x, want order %d", a, b, o64.key(a), o64.key(b), c)
		}
		x, y := uint32(a>>32), uint32(b>>32)
		if f32.bits(f32.key(x)) != x || i32.bits(i32.key(x)) != x {
			t.Fatalf("32 bits: key of %#x is not undone", x)
		}
		c = cmp.Compare(math.Float32frombits(x), math.Float32frombits(y))
		if c != 0 && cmp.Compare(f32.key(x), f32.key(y)) != c {
			t.Fatalf("float32: keys of %#x and %#x: want order %d", x, y, c)
		}
		if c = cmp.Compare(int32(x), int32(y)); cmp.Compare(i32.key(x), i32.key(y)) != c {
			t.Fatalf("int32: keys of %#x and %#x: want order %d", x, y, c)
		}
	}
}

// All the ways to sort keys agree, and leave them where they are told to.
func TestSortKeys(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for range 1000 {
		n := 1 + r.IntN(1500)
		a := make([]uint32, n)
		pairs := make([]pair, n)
		width := uint(r.IntN(33))
		for i := range a {
			a[i] = uint32(r.Uint64() >> (64 - width))
			if r.IntN(4) > 0 {
				a[i] >>= width / 2
			}
			pairs[i] = pair{uint64(a[i]), uint32(i)}
		}
		var or uint32
		for _, v := range a {
			or |= v ^ a[0]
		}
		want := slices.Clone(a)
		slices.Sort(want)
		wantPairs := slices.Clone(pairs)
		slices.SortStableFunc(wantPairs, func(a, b pair) int { return cmp.Compare(a.key, b.key) })
		flip := r.IntN(2) == 0
		for name, sort := range map[string]func(a, b []uint32){
			"sortKeys":   func(a, b []uint32) { sortKeys(a, b, flip, make([]uint32, 4<<digit)) },
			"few counts": func(a, b []uint32) { sortKeys(a, b, flip, nil) },
			"sortUpward": func(a, b []uint32) { sortUpward(a, b, flip, or, make([]uint32, 2<<digit)) },
			"spread":     func(a, b []uint32) { spread(a, b, flip, order[uint32]{}, order[uint32]{}) },
		} {
			a, b := slices.Clone(a), make([]uint32, n)
			sort(a, b)
			if flip {
				a = b
			}
			if !slices.Equal(a, want) {
				t.Fatalf("%s, n = %d, %d bits, flip %v: not sorted", name, n, width, flip)
			}
		}
		for name, sort := range map[string]func(a, b []pair){
			"sortPairs":  func(a, b []pair) { sortPairs(a, b, flip, make([]uint32, 4<<digit)) },
			"spreadPart": func(a, b []pair) { spreadPart(a, b, 0, flip, func(_, _ int) {}) },
		} {
			a, b := slices.Clone(pairs), make([]pair, n)
			sort(a, b)
			if flip {
				a = b
			}
			if !slices.Equal(a, wantPairs) {
				t.Fatalf("%s, n = %d, %d bits, flip %v: not sorted, or not stable", name, n, width, flip)
			}
		}
	}
}

// A split keeps the order in each bucket, in however many blocks.
func TestSplit(t *testing.T) {
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for try := range 200 {
		n, buckets := 1+r.IntN(500), 1+r.IntN(20)
		s := split{n: n, size: 1 + r.IntN(n), grain: 1 + r.IntN(50)}
		if try == 0 { // the last bucket has one element, and the one before is large
			n, buckets = 10, 2
			s = split{n: n, size: 3, grain: 1}
		}
		of := make([]int, n)
		want := make([][]int, buckets)
		for i := range of {
			of[i] = r.IntN(buckets) * r.IntN(2)
			if try == 0 {
				of[i] = i / (n - 1)
			}
			want[of[i]] = append(want[of[i]], i)
		}
		got := make([]int, n)
		count := func(lo, hi int, c []uint32) {
			for _, k := range of[lo:hi] {
				c[k]++
			}
		}
		starts := s.move(buckets, count, func(lo, hi int, c []uint32) {
			for i := lo; i < hi; i++ {
				got[c[of[i]]] = i
				c[of[i]]++
			}
		})
		if !slices.Equal(got, slices.Concat(want...)) || int(starts[buckets]) != n {
			t.Fatalf("n = %d, %d buckets, blocks of %d: moved to %v", n, buckets, s.size, got)
		}
		for k, c := range s.count(buckets, count) {
			if int(c) != len(want[k]) {
				t.Fatalf("n = %d, %d buckets, blocks of %d: %d in bucket %d, want %d", n, buckets, s.size, c, k, len(want[k]))
			}
		}
		seen := make([]int32, buckets) // by parts, which are not the same bucket
		s.parts(starts,
			func(k, lo, hi int) { seen[k]++ },
			func(k int, part []uint32) {
				for i := range part[1:] {
					seen[k+i]++
				}
			})
		for k, times := range seen {
			if times != 1 && (times > 1 || len(want[k]) > 0) {
				t.Fatalf("n = %d, %d buckets: bucket %d was handed out %d times", n, buckets, k, times)
			}
		}
	}
}
