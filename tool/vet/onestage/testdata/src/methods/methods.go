// Package methods has stages that hand methods on: what these do, the stage does.
package methods

import (
	"slices"
	"sync"
)

type gen struct{ total int }

func (g *gen) items(yield func(int) bool) {
	for i := range 1000 {
		g.total += i
		if !yield(i) {
			return
		}
	}
}

func lens(g *gen, rows [][]int) int {
	var wg sync.WaitGroup
	ch := make(chan []int)
	res := make(chan int)
	wg.Go(func() {
		for r := range ch { // want "one goroutine does what this stage does" // refuse "workers: the stage calls slices.Collect"
			res <- len(slices.Collect(g.items)) + len(r)
		}
		close(res)
	})
	go func() {
		for _, r := range rows {
			ch <- r
		}
		close(ch)
	}()
	t := 0
	for x := range res {
		t += x
	}
	wg.Wait()
	return t
}
