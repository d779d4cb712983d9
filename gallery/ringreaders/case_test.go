package ringreaders

import (
	"fmt"
	"testing"
)

var variants = []struct {
	name string
	sum  func(n, work, readers int) uint64
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
				want += mix(uint64(i), work)
			}
			for _, v := range variants {
				for _, readers := range []int{1, 2, 3, 8, 17} {
					if got := v.sum(n, work, readers); got != want {
						t.Errorf("%s(%d, %d, %d) = %#x, want %#x", v.name, n, work, readers, got, want)
					}
				}
			}
		}
	}
}

// A sum can tell a lost value from a doubled one only if what becomes of values
// differs.
func TestMixDiffers(t *testing.T) {
	for _, work := range []int{0, 3, 800} {
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

func BenchmarkReaders(b *testing.B) {
	const n, readers = 20_000, 100
	for _, work := range []int{0, 800} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/work=%d", v.name, work), func(b *testing.B) {
				for b.Loop() {
					sink = v.sum(n, work, readers)
				}
			})
		}
	}
}
