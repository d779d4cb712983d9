// Package n06 has the mistakes of others in code that no benchmark reaches.
package n06

import (
	"fmt"
	"sort"
	"sync"
)

func sum(xs []int) (total int) {
	for _, x := range xs {
		total += x
	}
	return total
}

func sumParts(xs []int) int {
	var left int
	var wg sync.WaitGroup
	wg.Go(func() { left = sum(xs[:len(xs)/2]) })
	right := sum(xs[len(xs)/2:])
	wg.Wait()
	return left + right
}

// Report is called once, at the end of a program.
func Report(xs []int, workers int) string {
	sums := make([]int, workers)
	var mu sync.Mutex
	var wg sync.WaitGroup
	total := 0
	for w := range workers {
		wg.Go(func() {
			for _, x := range xs {
				sums[w] += x
				mu.Lock()
				total += x
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	sort.Slice(sums, func(i, j int) bool { return sums[i] < sums[j] })
	out := ""
	for _, s := range sums {
		out += fmt.Sprintf("%d,", s)
	}
	return out
}
