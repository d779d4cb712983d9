package m17

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<12)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM17(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			digits(xs)
		}
	})
	b.Run("variant=formatted", func(b *testing.B) {
		for b.Loop() {
			digitsFormatted(xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := digitsFormatted(xs), digits(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
