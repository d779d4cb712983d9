package grain

import "sync"

// GoroutinePerHalf sorts each half in a goroutine of its own, all the way down to
// single numbers. These are two goroutines for every merge, most of which are of a
// handful of numbers.
func GoroutinePerHalf(s []int) {
	if len(s) < 2 {
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	wg.Go(func() { GoroutinePerHalf(s[:mid]) })
	wg.Go(func() { GoroutinePerHalf(s[mid:]) })
	wg.Wait()
	merge(s, mid)
}
