// Package m23 looks for values again and again while there is none.
package m23

import "sync"

func work(x int) int {
	for range 20_000_000 {
		x = x*1103515245 + 12345
	}
	return x
}

func run(n int) (total int) {
	for i := range n {
		total += work(i)
	}
	return total
}

func runPolled(n int) (total int) {
	results := make(chan int)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range n {
			results <- work(i)
		}
		close(results)
	})
	for {
		select {
		case x, more := <-results:
			if !more {
				wg.Wait()
				return total
			}
			total += x
		default: // mistake: selectspin
		}
	}
}
