package m12

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<12)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM12(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			fill(xs)
		}
	})
	b.Run("variant=pooled", func(b *testing.B) {
		for b.Loop() {
			fillPooled(xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := fillPooled(xs), fill(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
