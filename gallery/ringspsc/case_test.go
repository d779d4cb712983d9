package ringspsc

import (
	"fmt"
	"testing"
)

var variants = []struct {
	name string
	sum  func(n, work int) uint64
}{
	{"serial", Serial},
	{"channel", Channel},
	{"channelone", ChannelOne},
	{"ring", Ring},
	{"ringtwo", RingTwo},
	{"channelbatch", ChannelBatch},
	{"queue", Queue},
	{"batch", Batch},
}

func TestVariants(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, batch, batch + 1, buffer + 1} {
		for _, work := range []int{0, 3} {
			var want uint64
			for i := range n {
				want += mix(uint64(i), 2*work)
			}
			for _, v := range variants {
				if got := v.sum(n, work); got != want {
					t.Errorf("%s(%d, %d) = %#x, want %#x", v.name, n, work, got, want)
				}
			}
		}
	}
}

// A sum can tell a lost value from a doubled one only if what becomes of values
// differs.
func TestMixDiffers(t *testing.T) {
	for _, work := range []int{0, 1, 400} {
		seen := make(map[uint64]int)
		for i := range 3000 {
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
	const n = 4_000
	for _, work := range []int{0, 200} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/work=%d", v.name, work), func(b *testing.B) {
				for b.Loop() {
					sink = v.sum(n, work)
				}
			})
		}
	}
}
