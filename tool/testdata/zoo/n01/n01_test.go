package n01

import "testing"

var rows = [][]int{make([]int, 1<<16), make([]int, 1<<16)}

func BenchmarkSerial(b *testing.B) {
	for b.Loop() {
		fill(rows)
	}
}

func BenchmarkRows(b *testing.B) {
	for b.Loop() {
		fillRows(rows)
	}
}

func TestSame(t *testing.T) {
	if got, want := fillRows(rows), fill(rows); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
