package main

import (
	. "fmt"
	"sync"
	. "sync/atomic"
)

// total adds atomically, with the names of the package dot-imported.
func total(xs []int) (int64, int) {
	var sum, n Int64
	atomic := 5
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < len(xs); i += 4 {
				sum.Add(int64(xs[i]))
				n.Add(1)
			}
		})
	}
	wg.Wait()
	return sum.Load() * n.Load(), atomic
}

// dotted formats, and is the only one in its file to do so.
func dotted(xs []int) (out []string) {
	for _, x := range xs {
		out = append(out, Sprintf("%d", x))
	}
	return out
}
