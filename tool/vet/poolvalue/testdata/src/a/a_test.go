package a

import (
	"sync"
	"testing"
)

// Many at once: no two of them may have the same buffer.
func Test(t *testing.T) {
	var wg sync.WaitGroup
	w := newWorker()
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if got := digits([]int{1, 22, 333}); got != 6 {
					t.Errorf("digits = %d, want 6", got)
				}
				if got := early(-1) + early(12) + deferred(123); got != 5 {
					t.Errorf("early and deferred = %d, want 5", got)
				}
				if got := w.run([]int{7, 1}); got != 7 {
					t.Errorf("run = %d, want 7", got)
				}
			}
		})
	}
	wg.Wait()
}
