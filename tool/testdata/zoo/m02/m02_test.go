package m02

import "testing"

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		both(20_000)
	}
}

func BenchmarkAtOnce(b *testing.B) {
	for b.Loop() {
		bothAtOnce(20_000)
	}
}

func TestSame(t *testing.T) {
	if got, want := bothAtOnce(20_000), both(20_000); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
