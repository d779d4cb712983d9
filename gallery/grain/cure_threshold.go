package grain

import "sync"

// threshold is the length up to which a goroutine is not worth its start. The
// value is the article's, found by trial on its machine; any that makes the
// sort of a piece cost many times the start of a goroutine does.
const threshold = 2048

// Threshold2048 is GoroutinePerHalf above the threshold and Sequential below.
func Threshold2048(s []int) {
	if len(s) <= threshold {
		Sequential(s)
		return
	}
	mid := len(s) / 2
	var wg sync.WaitGroup
	wg.Go(func() { Threshold2048(s[:mid]) })
	wg.Go(func() { Threshold2048(s[mid:]) })
	wg.Wait()
	merge(s, mid)
}
