package m30

import "testing"

func BenchmarkM30(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			drain(fill(500))
		}
	})
	b.Run("variant=ticking", func(b *testing.B) {
		for b.Loop() {
			drainTicking(fill(500))
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := drainTicking(fill(500)), drain(fill(500)); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
