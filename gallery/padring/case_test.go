package padring

import (
	"fmt"
	"testing"
)

var variants = []struct {
	name string
	sum  func(n, sides int) uint64
}{
	{"serial", Serial},
	{"packed", Packed},
	{"padded", Padded},
	{"queue", Queue},
	{"batch", Batch},
}

func TestVariants(t *testing.T) {
	for _, n := range []int{0, 1, 2, batch, batch + 1, 1000} {
		var want uint64
		for i := range n {
			want += mix(uint64(i))
		}
		for _, v := range variants {
			for _, sides := range []int{1, 2, 3, 8, 17} {
				if got := v.sum(n, sides); got != want {
					t.Errorf("%s(%d, %d) = %#x, want %#x", v.name, n, sides, got, want)
				}
			}
		}
	}
}

var sink uint64

func BenchmarkPass(b *testing.B) {
	const n = 20_000
	for _, sides := range []int{1, 100} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/sides=%d", v.name, sides), func(b *testing.B) {
				for b.Loop() {
					sink = v.sum(n, sides)
				}
			})
		}
	}
}
