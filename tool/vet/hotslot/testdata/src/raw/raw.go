// Package raw goes from one slot to the next by its address.
package raw

import (
	"sync"
	"unsafe"
)

func count(xs []int32, n int) int32 {
	slots := make([]int32, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				slots[w] += x // want `slots\[w\] is updated` // refuse "pad: the address of an element is taken beside package unsafe"
			}
		})
	}
	wg.Wait()
	return *(*int32)(unsafe.Add(unsafe.Pointer(&slots[0]), 4))
}
