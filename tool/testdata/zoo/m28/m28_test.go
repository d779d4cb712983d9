package m28

import "testing"

var xs = func() []int {
	xs := make([]int, 16)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

func BenchmarkM28(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			fetchAll(xs)
		}
	})
	b.Run("variant=pooled", func(b *testing.B) {
		for b.Loop() {
			fetchPooled(xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := fetchPooled(xs), fetchAll(xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
