package n04

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<18)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkN04(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			sum(xs)
		}
	})
	b.Run("variant=atonce", func(b *testing.B) {
		for b.Loop() {
			sumAtOnce(xs, 1<<16)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := sumAtOnce(xs, 1<<16), sum(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
