package m02

import "testing"

func BenchmarkM02(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			both(20_000)
		}
	})
	b.Run("variant=atonce", func(b *testing.B) {
		for b.Loop() {
			bothAtOnce(20_000)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := bothAtOnce(20_000), both(20_000); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
