package keyhash

import (
	"fmt"
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
