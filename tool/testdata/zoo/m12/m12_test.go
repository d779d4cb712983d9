package m12

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<12)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		fill(xs)
	}
}

func BenchmarkPooled(b *testing.B) {
	for b.Loop() {
		fillPooled(xs)
	}
}

func TestSame(t *testing.T) {
	if got, want := fillPooled(xs), fill(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
