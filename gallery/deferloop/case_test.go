package deferloop

import (
	"fmt"
	"testing"
)

var variants = []struct {
	name string
	add  func(counters []counter, x uint64)
}{
	{"baseline", Direct},
	{"inplace", InPlace},
	{"deferred", Deferred},
	{"accumulated", Accumulated},
}

// Each variant adds to every counter and leaves all of them unlocked.
func TestVariants(t *testing.T) {
	for _, v := range variants {
		for _, n := range []int{0, 1, 2, 100} {
			counters := make([]counter, n)
			for _, want := range []uint64{3, 6} {
				v.add(counters, 3)
				for i := range counters {
					if got := counters[i].n; got != want {
						t.Errorf("%s of %d counters: counter %d is %d, want %d", v.name, n, i, got, want)
					}
					if !counters[i].mu.TryLock() {
						t.Fatalf("%s of %d counters: counter %d is locked", v.name, n, i)
					}
					counters[i].mu.Unlock()
				}
			}
		}
	}
}

func BenchmarkUnlock(b *testing.B) {
	for _, n := range []int{1_000} {
		counters := make([]counter, n)
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/n=%d", v.name, n), func(b *testing.B) {
				for b.Loop() {
					v.add(counters, 1)
				}
			})
		}
	}
}
