package keyhash

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// Equal keys have equal hashes, and others hardly ever: of all kinds.
func TestHash(t *testing.T) {
	type pair struct {
		a int
		b string
	}
	each(t, func(i int) int { return i })
	each(t, func(i int) int16 { return int16(i) })
	each(t, func(i int) uint32 { return uint32(i) << 16 })
	each(t, func(i int) *int { return &words[i] })
	each(t, func(i int) string { return fmt.Sprint(i) })
	each(t, func(i int) string { return fmt.Sprintf("%0*d", i%60, i) })
	each(t, func(i int) float64 { return float64(i) / 3 })
	each(t, func(i int) any { return i })
	each(t, func(i int) pair { return pair{i, "x"} })
	each(t, func(i int) [2]int32 { return [2]int32{int32(i), 1} })
}

var words [1000]int

func each[K comparable](t *testing.T, key func(int) K) {
	x, y := New[K](^uint64(0)), New[K](^uint64(0))
	seen := map[uint64]K{}
	same := 0
	for i := range len(words) {
		h := Hash(x, key(i))
		if h != Hash(x, key(i)) {
			t.Errorf("%T: %v has two hashes", key(i), key(i))
		}
		if other, ok := seen[h]; ok && other != key(i) {
			t.Errorf("%T: %v and %v have one hash", key(i), other, key(i))
		}
		seen[h] = key(i)
		if h == Hash(y, key(i)) {
			same++
		}
	}
	if same > 0 {
		t.Errorf("%T: %d keys have one hash with two seeds", key(0), same)
	}
}

// A mask leaves its bits alone.
func TestMask(t *testing.T) {
	for _, mask := range []uint64{0, 0xf, 0xf << 60} {
		x, y := New[int](mask), New[string](mask)
		for i := range 100 {
			if h := Hash(x, i) | Hash(y, fmt.Sprint(i)); h&^mask != 0 {
				t.Errorf("mask %#x: %#x", mask, h)
			}
		}
	}
}

// What cannot be compared panics.
func TestUncomparable(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a slice has a hash")
		}
	}()
	Hash(New[any](^uint64(0)), any([]int{}))
}

// hashers are some with the seeds of all runs: half of them as New chooses them.
func hashers(n int) (all []Hasher) {
	seeds := rand.New(rand.NewPCG(1, 2))
	for range n {
		for _, top := range []uint64{0, 1 << 63} {
			all = append(all, Hasher{k0: seeds.Uint64(), k1: seeds.Uint64()&^(1<<63) | top | 1})
		}
	}
	return all
}

// New takes other seeds each time, and an odd factor with its top bit set.
func TestNew(t *testing.T) {
	seen := map[uint64]bool{}
	for range 100 {
		x := New[int](^uint64(0))
		if x.k1&1 == 0 || x.k1>>63 == 0 || seen[x.k0] || seen[x.k1] {
			t.Fatalf("seeds %#x, %#x", x.k0, x.k1)
		}
		seen[x.k0], seen[x.k1] = true, true
	}
}

// word undoes Word.
func (x *Hasher) word(hash uint64) uint64 {
	h := hash*inverse(golden) ^ x.k0
	h ^= h >> 43
	return h * inverse(x.k1)
}

// inverse returns the number whose product with an odd n is 1.
func inverse(n uint64) uint64 {
	x := n // right in three bits, and in twice as many after each step
	for range 5 {
		x *= 2 - n*x
	}
	return x
}

// Different words have different hashes, whatever the seeds: from a hash its word can be
// told.
func TestWordIsOneToOne(t *testing.T) {
	words := rand.New(rand.NewPCG(3, 4))
	all := hashers(100)
	for _, k1 := range []uint64{1, 1<<64 - 1, 1<<63 | 1, 1<<32 + 1} {
		all = append(all, Hasher{k0: words.Uint64(), k1: k1})
	}
	for _, x := range all {
		if got := x.k1 * inverse(x.k1); got != 1 {
			t.Fatalf("%#x times its inverse = %#x, want 1", x.k1, got)
		}
		check := func(w uint64) {
			if got := x.word(x.Word(w)); got != w {
				t.Fatalf("seeds %#x, %#x: the hash %#x of %#x is that of %#x", x.k0, x.k1, x.Word(w), w, got)
			}
		}
		for i := range 64 {
			check(1 << i)
			check(1<<i - 1)
			check(^(1 << i))
			check(words.Uint64())
		}
	}
}

// Numbers in a row, or at one distance, and those that differ in some of their bits only,
// are spread as random ones are: by the top bits, by others above the lowest 20, and by
// both. The seeds are the same each time: of 20,000 one or two leave up to eight times the
// mean in a cell for multiples of one power of two.
func TestSpread(t *testing.T) {
	const cells, mean = 256, 16
	words := map[string]func(i uint64) uint64{
		"both halves":    func(i uint64) uint64 { return i | i<<32 },
		"both ends":      func(i uint64) uint64 { return i&63 | i>>6<<56 },
		"rows":           func(i uint64) uint64 { return i&63 | i>>6<<32 },
		"thousands":      func(i uint64) uint64 { return 1000 * i },
		"pointers":       func(i uint64) uint64 { return 0xc000100000 + 64*i },
		"negative":       func(i uint64) uint64 { return -i },
		"bytes reversed": func(i uint64) uint64 { return bits.ReverseBytes64(i) },
	}
	for shift := range 53 {
		words[fmt.Sprint("multiples of 1<<", shift)] = func(i uint64) uint64 { return i << shift }
	}
	for _, x := range hashers(30) {
		for name, word := range words {
			var top, low, both [cells]int
			for i := range uint64(cells * mean) {
				h := x.Word(word(i))
				top[h>>56]++
				low[h>>20%cells]++
				both[h>>60<<4|h>>20%16]++
			}
			// Of random numbers 40 are the most in any cell, by chance.
			if n := max(slices.Max(top[:]), slices.Max(low[:]), slices.Max(both[:])); n > 4*mean {
				t.Errorf("seeds %#x, %#x, %s: %d in one of %d cells, want about %d", x.k0, x.k1, name, n, cells, mean)
			}
		}
	}
}

// Each bit of a word but the upmost changes each bit of its hash above the lowest 20 in
// half of all cases.
func TestAvalanche(t *testing.T) {
	const words, lowest = 2000, 20
	r := rand.New(rand.NewPCG(5, 6))
	for in := range 57 {
		var changed [64]int
		for range words {
			x, w := Hasher{k0: r.Uint64(), k1: r.Uint64() | 1}, r.Uint64()
			d := x.Word(w) ^ x.Word(w^1<<in)
			for out := lowest; out < 64; out++ {
				changed[out] += int(d >> out & 1)
			}
		}
		for out := lowest; out < 64; out++ {
			// By chance it is 5 percent off once in some 100,000 cases.
			if n := changed[out]; n < words*2/5 || n > words*3/5 {
				t.Errorf("bit %d changes bit %d of the hash in %d of %d words, want some half", in, out, n, words)
			}
		}
	}
}
