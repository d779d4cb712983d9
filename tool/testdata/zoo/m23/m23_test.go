package m23

import "testing"

func BenchmarkM23(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			run(5)
		}
	})
	b.Run("variant=polled", func(b *testing.B) {
		for b.Loop() {
			runPolled(5)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := runPolled(5), run(5); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
