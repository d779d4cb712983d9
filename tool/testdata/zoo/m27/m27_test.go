package m27

import "testing"

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		walk(1000)
	}
}

func BenchmarkAway(b *testing.B) {
	for b.Loop() {
		walkAway(1000)
	}
}

func TestSame(t *testing.T) {
	if got, want := walkAway(1000), walk(1000); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
