package n07

import "testing"

var bag stats

var xs = func() []int {
	xs := make([]int, 1<<18)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkN07(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sum(xs)
		}
	})
	b.Run("variant=counted", func(b *testing.B) {
		for b.Loop() {
			sumCounted(xs, &bag, 2)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := sumCounted(xs, &bag, 2), sum(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
