package m11

import "testing"

func BenchmarkM11(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			take(fill(1000), 1000)
		}
	})
	b.Run("variant=intime", func(b *testing.B) {
		for b.Loop() {
			takeInTime(fill(1000), 1000)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := takeInTime(fill(1000), 1000), take(fill(1000), 1000); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
