package ringmpmc

import (
	"fmt"
	"testing"
)

var variants = []struct {
	name string
	sum  func(n, work, sides int) uint64
}{
	{"serial", Serial},
	{"channel", Channel},
	{"ring", Ring},
	{"ringyield", RingYield},
	{"channelbatch", ChannelBatch},
	{"queue", Queue},
	{"batch", Batch},
}

func TestVariants(t *testing.T) {
	for _, n := range []int{0, 1, 2, batch, batch + 1, buffer + 1, room + 1} {
		for _, work := range []int{0, 3} {
			var want uint64
			for i := range n {
				want += mix(uint64(i), 2*work)
			}
			for _, v := range variants {
				for _, sides := range []int{1, 2, 3, 8, 17} {
					if got := v.sum(n, work, sides); got != want {
						t.Errorf("%s(%d, %d, %d) = %#x, want %#x", v.name, n, work, sides, got, want)
					}
				}
			}
		}
	}
}

// A sum can tell a lost value from a doubled one only if what becomes of values
// differs.
func TestMixDiffers(t *testing.T) {
	for _, work := range []int{0, 6, 1600} {
		seen := make(map[uint64]int)
		for i := range 1000 {
			x := mix(uint64(i), work)
			if j, ok := seen[x]; ok {
				t.Fatalf("mix(%d, %d) = mix(%d, %d) = %#x", i, work, j, work, x)
			}
			seen[x] = i
		}
	}
}

var sink uint64

func BenchmarkPass(b *testing.B) {
	for _, x := range []struct{ sides, work, n int }{{100, 0, 40_000}, {10, 800, 10_000}} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/sides=%d/work=%d", v.name, x.sides, x.work), func(b *testing.B) {
				for b.Loop() {
					sink = v.sum(x.n, x.work, x.sides)
				}
			})
		}
	}
}
