package m04

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<11)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM04(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			largest(xs)
		}
	})
	b.Run("variant=atonce", func(b *testing.B) {
		for b.Loop() {
			largestAtOnce(xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := largestAtOnce(xs), largest(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
