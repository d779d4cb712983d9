package m29

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<13)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		classify(xs)
	}
}

func BenchmarkNoted(b *testing.B) {
	for b.Loop() {
		classifyNoted(xs, 4)
	}
}

func TestSame(t *testing.T) {
	if got, want := classifyNoted(xs, 4), classify(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
