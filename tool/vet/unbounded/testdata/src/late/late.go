// Package late has loops over what changes before the goroutines end.
package late

import (
	"runtime"
	"sync"
)

func churn(x int) int {
	for range 1000 {
		x = x*1103515245 + 12345
	}
	return x
}

// What is ranged over is another before the goroutines look.
func cut(xs []int, out []int) {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { // want "goroutines start"
			for range 10 {
				out[i] += churn(x)
			}
		})
	}
	xs = xs[:2]
	wg.Wait()
}

func leave(x int) {
	if x == 2 {
		runtime.Goexit()
	}
}

// The goroutine ends a call deeper.
func leaves(xs []int, out []int) {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { // want "goroutines start" // refuse "bound: the task may end its goroutine"
			for range 10 {
				leave(x)
				out[i] += churn(x)
			}
		})
	}
	wg.Wait()
}
