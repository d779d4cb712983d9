package m23

import "testing"

func BenchmarkM23(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			run(2)
		}
	})
	b.Run("variant=polled", func(b *testing.B) {
		for b.Loop() {
			runPolled(2)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := runPolled(2), run(2); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
