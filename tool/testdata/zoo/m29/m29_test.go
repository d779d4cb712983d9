package m29

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<13)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM29(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			classify(xs)
		}
	})
	b.Run("variant=noted", func(b *testing.B) {
		for b.Loop() {
			classifyNoted(xs, 4)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := classifyNoted(xs, 4), classify(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
