// Program parts has loops that call methods of what goroutines share.
package main

import (
	"fmt"
	"sync"
)

func halves(n int, f func(lo, hi int)) {
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() { f(w*n/2, (w+1)*n/2) })
	}
	wg.Wait()
}

func main() {
	for _, n := range []int{0, 1, 9, 100} {
		var hits []hit
		for i := range n {
			hits = append(hits, hit{path: string(rune('a' + i%7)), size: i * i % 31, ok: i%3 > 0})
		}
		fmt.Println(reported(hits), counted(hits), tagged(hits), binned(hits))
		fmt.Println(extents(hits), peaked(hits), between(hits), noted(hits), registered(hits), weighed(hits))
		fmt.Println(listed(hits), shared(hits))
	}
}
