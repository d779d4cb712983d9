package m22

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<16)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		total(xs)
	}
}

func BenchmarkAdded(b *testing.B) {
	for b.Loop() {
		totalAdded(xs, 2)
	}
}
