package m06

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<12)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM06(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			evens(xs)
		}
	})
	b.Run("variant=piped", func(b *testing.B) {
		for b.Loop() {
			evensPiped(xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := evensPiped(xs), evens(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
