package m16

import "testing"

var points = func() []point {
	ps := make([]point, 1000)
	for i := range ps {
		ps[i] = point{i, i * i}
	}
	return ps
}()

func BenchmarkM16(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			encode(points)
		}
	})
	b.Run("variant=json", func(b *testing.B) {
		for b.Loop() {
			encodeJSON(points)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := encodeJSON(points), encode(points); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
