package recycle

import (
	"fmt"
	"sync"
	"testing"
)

var goroutines = []int{1, 2, 64}

// A loop does ops operations as the g'th goroutine and returns what it
// computed: the sum over all operations, which are numbered from 0.
type loop func(g, ops int) int

// split divides ops operations over n goroutines and returns the sum of what
// they computed.
func split(n, ops int, run loop) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for g := range n {
		share := ops / n
		if g < ops%n {
			share++
		}
		wg.Go(func() { sums[g] = run(g, share) })
	}
	wg.Wait()
	sum := 0
	for _, s := range sums {
		sum += s
	}
	return sum
}

// A variant makes the loop to run, with a pool or list of its own.
type variant struct {
	name string
	make func() loop
}

func bench(b *testing.B, params string, variants []variant) {
	for _, v := range variants {
		for _, n := range goroutines {
			b.Run(fmt.Sprintf("variant=%s%s/goroutines=%d", v.name, params, n), func(b *testing.B) {
				b.ReportAllocs()
				run := v.make()
				split(n, 64*n, run) // fill the pool
				b.ResetTimer()
				split(n, b.N, run)
			})
		}
	}
}

// same tests that all variants compute what the first does.
func same(t *testing.T, variants []variant) {
	t.Helper()
	for _, n := range goroutines {
		const ops = 5000
		want := split(n, ops, variants[0].make())
		if want == 0 {
			t.Errorf("variant=%s computes nothing", variants[0].name)
		}
		for _, v := range variants {
			if got := split(n, ops, v.make()); got != want {
				t.Errorf("variant=%s/goroutines=%d = %d, want %d", v.name, n, got, want)
			}
		}
	}
}

// sinks make what is stored in them escape, as a value would that is handed to
// somebody. Each goroutine has its own, on a line of its own.
var sinks [64]struct {
	record *record
	bytes  []byte
	_      [128]byte
}
