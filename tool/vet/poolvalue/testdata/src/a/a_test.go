package a

import (
	"sync"
	"testing"
)

// Many at once: no two of them may have the same buffer.
func Test(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				if got := digits([]int{1, 22, 333}); got != 6 {
					t.Errorf("digits = %d, want 6", got)
				}
				if got := deferred(123); got != 3 {
					t.Errorf("deferred = %d, want 3", got)
				}
			}
		})
	}
	wg.Wait()
}
