package m26

import "testing"

var xs = func() []int {
	xs := make([]int, 400)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM26(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			weights(xs)
		}
	})
	b.Run("variant=locked", func(b *testing.B) {
		for b.Loop() {
			weightsLocked(xs, 2)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := weightsLocked(xs, 2), weights(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
