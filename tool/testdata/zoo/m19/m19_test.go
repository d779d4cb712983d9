package m19

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<12)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM19(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			spread(xs)
		}
	})
	b.Run("variant=pointers", func(b *testing.B) {
		for b.Loop() {
			spreadPointers(xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := spreadPointers(xs), spread(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
