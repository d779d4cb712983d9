package gcpool

import (
	"fmt"
	"runtime"
	"testing"
	"unsafe"
)

var variants = []struct {
	name string
	sum  func(n, workers int) int
}{
	{"serial", Serial},
	{"allocate", Allocate},
	{"syncpool", SyncPool},
	{"recycle", Recycle},
}

func TestVariants(t *testing.T) {
	for _, v := range variants {
		for _, n := range []int{0, 1, 2, 7, 1000, 10_001} {
			want := n*(n-1) + 4*n // ids and counts, and names
			for i := range n {
				want += i % len(text)
			}
			for _, workers := range []int{1, 2, 3, 8, 17} {
				if got := v.sum(n, workers); got != want {
					t.Errorf("%s(%d, %d) = %d, want %d", v.name, n, workers, got, want)
				}
			}
		}
	}
}

// A record is on the heap: each request makes one, unless it finds one that was
// put back.
func TestAllocations(t *testing.T) {
	if size := unsafe.Sizeof(record{}); unsafe.Sizeof(0) == 8 && size != 96 {
		t.Errorf("a record has %d bytes, want 96", size)
	}
	const n = 10_000
	for _, v := range variants {
		allocs := testing.AllocsPerRun(5, func() { v.sum(n, 2) })
		switch fresh := v.name == "serial" || v.name == "allocate"; {
		case fresh && allocs < n:
			t.Errorf("%s: %v allocations for %d requests, want one for each", v.name, allocs, n)
		case !fresh && allocs > n/2:
			t.Errorf("%s: %v allocations for %d requests, want few", v.name, allocs, n)
		}
	}
}

func BenchmarkHandle(b *testing.B) {
	for _, n := range []int{100_000} {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				workers := runtime.GOMAXPROCS(0)
				for b.Loop() {
					v.sum(n, workers)
				}
			})
		}
	}
}
