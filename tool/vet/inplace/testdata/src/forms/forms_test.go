package forms

import (
	"sync"
	"testing"
)

func TestTwo(t *testing.T) {
	var wg sync.WaitGroup
	wg.Go(func() { generic([]int{1}, func(int) {}) })
	wg.Wait()
}
