package dispatch

import (
	"fmt"
	"testing"
)

var variants = []struct {
	name string
	sum  func(a, b uint64, xs []uint64) uint64
}{
	{"baseline", Inlined},
	{"called", Called},
	{"interface", Interface},
	{"generic", Generic},
	{"func", Func},
}

// upTo returns the numbers 0 to n-1.
func upTo(n int) []uint64 {
	xs := make([]uint64, n)
	for i := range xs {
		xs[i] = uint64(i)
	}
	return xs
}

func TestVariants(t *testing.T) {
	for _, v := range variants {
		for _, n := range []uint64{0, 1, 2, 1000} {
			want := 3*(n*(n-1)/2) + 5*n
			if got := v.sum(3, 5, upTo(int(n))); got != want {
				t.Errorf("%s of %d numbers = %d, want %d", v.name, n, got, want)
			}
		}
	}
}

var sink uint64

func BenchmarkCalls(b *testing.B) {
	for _, n := range []int{1_000} {
		xs := upTo(n)
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/calls=%d", v.name, n), func(b *testing.B) {
				for b.Loop() {
					sink = v.sum(3, 5, xs)
				}
			})
		}
	}
}
