package m24

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<13)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM24(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sum(xs)
		}
	})
	b.Run("variant=locked", func(b *testing.B) {
		for b.Loop() {
			sumLocked(xs, 4)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := sumLocked(xs, 4), sum(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
