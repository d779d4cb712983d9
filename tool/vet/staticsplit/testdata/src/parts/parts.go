// Package parts has workers with a part each that is made before.
package parts

import (
	"sync"
	"sync/atomic"
)

var byUser [4][]int

func count(byUser [][]int, f func(int) int) (total int) {
	sums := make([]int, len(byUser))
	var wg sync.WaitGroup
	for w, part := range byUser {
		wg.Go(func() {
			sum := 0
			for _, x := range part { // want "the range is split"
				if x < 0 {
					continue
				}
				sum += f(x) // in any order
			}
			sums[w] = sum
		})
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}

func variable() int {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for _, mine := range byUser {
		wg.Add(1)
		go func(mine []int) {
			defer wg.Done()
			n := int64(0)
			for range mine { // want "the range is split"
				n++
			}
			sum.Add(n)
		}(mine)
	}
	wg.Wait()
	return int(sum.Load())
}

func lengths(parts [][]string) (total int) {
	var sum atomic.Int64
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			n := int64(0)
			for _, s := range part { // want "the range is split"
				n += int64(len(s))
			}
			sum.Add(n)
			sum.Add(int64(len(part)))
		})
	}
	wg.Wait()
	return int(sum.Load())
}

// Each part has its own result.
func each(parts [][]int) []int {
	sums := make([]int, len(parts))
	var wg sync.WaitGroup
	for w, part := range parts {
		wg.Go(func() {
			for _, x := range part { // want "the range is split" // refuse "dynamic: what a worker keeps in sums"
				sums[w] += x
			}
		})
	}
	wg.Wait()
	return sums
}

func first(parts [][]int, found *atomic.Int64) {
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			for _, x := range part { // want "the range is split" // refuse "dynamic: the loop ends early, by break"
				if x < 0 {
					break
				}
				found.Add(1)
			}
		})
	}
	wg.Wait()
}

func positions(parts [][]int, found *atomic.Int64) {
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			for i, x := range part { // want "the range is split" // refuse "dynamic: the loop counts within its part"
				if x == i {
					found.Add(1)
				}
			}
		})
	}
	wg.Wait()
}

func neighbours(parts [][]int, found *atomic.Int64) {
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			for _, x := range part { // want "the range is split" // refuse "dynamic: the loop uses part, which is the worker's"
				if x == part[0] {
					found.Add(1)
				}
			}
		})
	}
	wg.Wait()
}

func changed(parts [][]int, found *atomic.Int64) {
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			for _, x := range part { // want "the range is split" // refuse "dynamic: parts changes before all"
				found.Add(int64(x))
			}
		})
	}
	parts[0] = nil
	wg.Wait()
}
