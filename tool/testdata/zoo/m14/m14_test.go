package m14

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<12)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM14(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			reversed(xs)
		}
	})
	b.Run("variant=boxed", func(b *testing.B) {
		for b.Loop() {
			reversedBoxed(xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := reversedBoxed(xs), reversed(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
