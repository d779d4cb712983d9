package m05

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<10)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

var out = make([]int, len(xs))

func BenchmarkM05(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			squares(xs, out)
		}
	})
	b.Run("variant=each", func(b *testing.B) {
		for b.Loop() {
			squaresEach(xs, out)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := squaresEach(xs, out), squares(xs, out); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
