package falseshare

import (
	"fmt"
	"runtime"
	"testing"
)

var variants = []struct {
	name string
	sum  func(limit, workers int) int64
}{
	{"serial", Serial},
	{"packed", Packed},
	{"packedatomic", PackedAtomic},
	{"shared", Shared},
	{"sharedpadded", SharedPadded},
	{"channel", Channel},
	{"padded", Padded},
	{"paddedplain", PaddedPlain},
	{"local", Local},
	{"reduce", Reduce},
}

func TestVariants(t *testing.T) {
	limits := []int{0, 1, 2, 7, 8, 1000, 1001, 100_003}
	for _, v := range variants {
		t.Run(v.name, func(t *testing.T) {
			for _, limit := range limits {
				want := int64(limit) * int64(limit-1) / 2
				for _, workers := range []int{1, 2, 3, 8, 17} {
					if got := v.sum(limit, workers); got != want {
						t.Errorf("%s(%d, %d) = %d, want %d", v.name, limit, workers, got, want)
					}
				}
			}
		})
	}
}

// The chunks of every division follow one another from 0 to limit.
func TestChunk(t *testing.T) {
	for limit := range 50 {
		for workers := 1; workers < 20; workers++ {
			next := 0
			for w := range workers {
				lo, hi := chunk(limit, workers, w)
				if lo != next || hi < lo || hi-lo > limit/workers+1 {
					t.Fatalf("chunk(%d, %d, %d) = %d, %d; the chunk before ended at %d", limit, workers, w, lo, hi, next)
				}
				next = hi
			}
			if next != limit {
				t.Fatalf("chunk(%d, %d, …) ends at %d", limit, workers, next)
			}
		}
	}
}

func BenchmarkSum(b *testing.B) {
	for _, n := range []int{1_000_000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				workers := runtime.GOMAXPROCS(0)
				for b.Loop() {
					v.sum(n, workers)
				}
			})
		}
	}
}
