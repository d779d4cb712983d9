package readings

import (
	"runtime"
	"testing"
)

// measured is a million readings.
func measured() []int {
	readings := make([]int, 1_000_000)
	for i := range readings {
		readings[i] = i * 7919 % 10_007
	}
	return readings
}

func TestTotalParallel(t *testing.T) {
	readings := measured()
	for _, n := range []int{0, 1, 7, len(readings)} {
		for _, goroutines := range []int{1, 2, 3, 8} {
			if got, want := TotalParallel(readings[:n], goroutines), Total(readings[:n]); got != want {
				t.Errorf("%d readings, %d goroutines: got %d, want %d", n, goroutines, got, want)
			}
		}
	}
}

func BenchmarkTotal(b *testing.B) {
	readings := measured()
	b.Run("serial", func(b *testing.B) {
		for b.Loop() {
			Total(readings)
		}
	})
	b.Run("parallel", func(b *testing.B) {
		for b.Loop() {
			TotalParallel(readings, runtime.GOMAXPROCS(0))
		}
	})
}
