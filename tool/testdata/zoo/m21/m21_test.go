package m21

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<16)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM21(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			common(xs)
		}
	})
	b.Run("variant=atonce", func(b *testing.B) {
		for b.Loop() {
			commonAtOnce(xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := commonAtOnce(xs), common(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
