package m22

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<16)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM22(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			total(xs)
		}
	})
	b.Run("variant=added", func(b *testing.B) {
		for b.Loop() {
			totalAdded(xs, 2)
		}
	})
}
