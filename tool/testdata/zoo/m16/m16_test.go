package m16

import "testing"

var points = func() []point {
	ps := make([]point, 1000)
	for i := range ps {
		ps[i] = point{i, i * i}
	}
	return ps
}()

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		encode(points)
	}
}

func BenchmarkJSON(b *testing.B) {
	for b.Loop() {
		encodeJSON(points)
	}
}

func TestSame(t *testing.T) {
	if got, want := encodeJSON(points), encode(points); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
