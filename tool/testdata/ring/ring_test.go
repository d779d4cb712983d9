package ring

import "testing"

const numbers = 20_000

var sink uint64

func TestPassed(t *testing.T) {
	for _, n := range []int{0, 1, size, size + 1, numbers} {
		if got, want := passed(n), serial(n); got != want {
			t.Errorf("%d numbers: %d, want %d", n, got, want)
		}
	}
}

func BenchmarkPass(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sink = serial(numbers)
		}
	})
	b.Run("variant=ring", func(b *testing.B) {
		for b.Loop() {
			sink = passed(numbers)
		}
	})
}
