package n05

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<18)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkN05(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sum(xs)
		}
	})
	b.Run("variant=parts", func(b *testing.B) {
		for b.Loop() {
			sumParts(xs, 2)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := sumParts(xs, 2), sum(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
