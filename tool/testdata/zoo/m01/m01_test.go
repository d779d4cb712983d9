package m01

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<16)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM01(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sum(xs)
		}
	})
	b.Run("variant=slots", func(b *testing.B) {
		for b.Loop() {
			sumSlots(xs, 2)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := sumSlots(xs, 2), sum(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
