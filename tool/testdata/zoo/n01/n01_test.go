package n01

import "testing"

var rows = [][]int{make([]int, 1<<16), make([]int, 1<<16)}

func BenchmarkN01(b *testing.B) {
	b.Run("variant=serial", func(b *testing.B) {
		for b.Loop() {
			fill(rows)
		}
	})
	b.Run("variant=rows", func(b *testing.B) {
		for b.Loop() {
			fillRows(rows)
		}
	})
}

func TestSame(t *testing.T) {
	if got, want := fillRows(rows), fill(rows); got != want {
		t.Errorf("%v, want %v as serial", got, want)
	}
}
