package quiet

import (
	"sync"
	"time"
)

func fetch(k int) int {
	time.Sleep(time.Millisecond)
	return k * k
}

// No goroutine runs it.
func serial(n int) (total int) {
	for i := range n {
		total += fetch(i)
	}
	return total
}

func square(k int) int { return k * k }

func run(n int, jobs <-chan int, m map[int]int) {
	var wg sync.WaitGroup
	sums := make([]int, n)
	for w := range n {
		wg.Go(func() {
			for i := range n { // waits for nothing
				sums[w] += square(i)
			}
			for j := range jobs { // has no numbers
				sums[w] += fetch(j)
			}
			for k := range m {
				sums[w] += fetch(k)
			}
			for fetch(w) > 3 {
			}
			for i := range n { // each starts a goroutine
				wg.Go(func() { fetch(i) })
			}
		})
	}
	wg.Wait()
}
