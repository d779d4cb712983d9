package m03

import "testing"

func BenchmarkM03(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			count(2, 20_000)
		}
	})
	b.Run("variant=sharded", func(b *testing.B) {
		for b.Loop() {
			countSharded(2, 20_000)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := countSharded(2, 20_000), count(2, 20_000); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
