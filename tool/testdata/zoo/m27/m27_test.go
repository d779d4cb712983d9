package m27

import "testing"

func BenchmarkM27(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			walk(1000)
		}
	})
	b.Run("variant=away", func(b *testing.B) {
		for b.Loop() {
			walkAway(1000)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := walkAway(1000), walk(1000); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
