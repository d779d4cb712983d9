package m10

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<12)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

var slots = make([]slot, 16)

func BenchmarkM10(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			use(slots, xs)
		}
	})
	b.Run("variant=deferred", func(b *testing.B) {
		for b.Loop() {
			useDeferred(slots, xs)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := useDeferred(slots, xs), use(slots, xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
