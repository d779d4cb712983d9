package m09

import "testing"

var xs = func() []int {
	xs := make([]int, 1<<13)
	for i := range xs {
		xs[i] = i * 7 & 0xff
	}
	return xs
}()

var limited = func() *limits {
	l := &limits{}
	l.set(100)
	return l
}()

func BenchmarkM09(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			admit(100, xs)
		}
	})
	b.Run("variant=limited", func(b *testing.B) {
		for b.Loop() {
			admitLimited(limited, xs, 2)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := admitLimited(limited, xs, 2), admit(100, xs); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
