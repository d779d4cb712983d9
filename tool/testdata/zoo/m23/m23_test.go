package m23

import "testing"

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		run(300)
	}
}

func BenchmarkPolled(b *testing.B) {
	for b.Loop() {
		runPolled(300)
	}
}

func TestSame(t *testing.T) {
	if got, want := runPolled(300), run(300); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
