package heapescape

import (
	"fmt"
	"testing"
	"unsafe"
)

var variants = []struct {
	name   string
	sum    func(n int) uint64
	allocs int // for each record
}{
	{"baseline", Stack, 0},
	{"new", New, 0},
	{"value", Value, 0},
	{"heap", Heap, 1},
}

// sink keeps results alive.
var sink uint64

func TestVariants(t *testing.T) {
	for _, v := range variants {
		for _, n := range []int{0, 1, 2, 1000} {
			want := uint64(n*(n-1) + 11*n) // the sum of x + x+11
			if got := v.sum(n); got != want {
				t.Errorf("%s(%d) = %d, want %d", v.name, n, got, want)
			}
		}
	}
}

// One of the variants has its records on the heap, and no other has.
func TestEscape(t *testing.T) {
	if size := unsafe.Sizeof(record{}); size != 96 {
		t.Errorf("a record has %d bytes, want 96", size)
	}
	for _, v := range variants {
		const n = 100
		if got := testing.AllocsPerRun(10, func() { sink = v.sum(n) }); got != float64(n*v.allocs) {
			t.Errorf("%s(%d) makes %v allocations, want %d", v.name, n, got, n*v.allocs)
		}
	}
}

func BenchmarkAllocate(b *testing.B) {
	for _, n := range []int{1_000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				for b.Loop() {
					sink = v.sum(n)
				}
			})
		}
	}
}
