package m03

import "testing"

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		count(2, 20_000)
	}
}

func BenchmarkSharded(b *testing.B) {
	for b.Loop() {
		countSharded(2, 20_000)
	}
}

func TestSame(t *testing.T) {
	if got, want := countSharded(2, 20_000), count(2, 20_000); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
