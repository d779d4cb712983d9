package keyhash

import (
	"fmt"
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

// Numbers in a row, or at one distance, are spread as random ones are, by the top bits
// and by others above the lowest 20, whatever the seeds.
func TestSpread(t *testing.T) {
	const cells, mean = 256, 16
	seeds := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		x := Hasher{k0: seeds.Uint64(), k1: seeds.Uint64() | 1<<63 | 1}
		for _, shift := range []int{0, 1, 3, 12, 32, 48, 52} {
			var top, low [cells]int
			for i := range uint64(cells * mean) {
				h := x.Word(i << shift)
				top[h>>56]++
				low[h>>20%cells]++
			}
			// Of random numbers 34 are the most in any of 256 cells, by chance 40.
			if n := max(slices.Max(top[:]), slices.Max(low[:])); n > 3*mean {
				t.Errorf("seeds %#x, %#x, multiples of 1<<%d: %d in one of %d cells, want about %d", x.k0, x.k1, shift, n, cells, mean)
			}
		}
	}
}
