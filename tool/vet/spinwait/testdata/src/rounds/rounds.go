// Package rounds has goroutines that meet after each round.
package rounds

import (
	"runtime"
	"sync"
	"sync/atomic"
)

const members = 8

func each(n int, f func(g int)) {
	var wg sync.WaitGroup
	for g := range n {
		wg.Go(func() { f(g) })
	}
	wg.Wait()
}

func churn(x int) int { return x * x % 31 }

func helped(rounds int) []int {
	var arrived atomic.Int64
	sums := make([]int, members)
	each(members, func(g int) {
		for p := range rounds & 15 {
			x := churn(p + g)
			sums[g] += x // its own
			arrived.Add(1)
			for arrived.Load() < int64((p+1)*members) { // want "the loop asks arrived"
				runtime.Gosched()
			}
		}
	})
	return sums
}

func started() [4]int {
	var cells [4]int
	var arrived atomic.Int32
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for p := range 10 {
				cells[g] += churn(p)
				arrived.Add(1)
				for arrived.Load() < 4*int32(p+1) { // want "the loop asks arrived"
				}
			}
		})
	}
	wg.Wait()
	return cells
}

func differ(cells []int) {
	var arrived atomic.Int64
	each(members, func(g int) {
		for p := range 10 + g - g {
			cells[g] += churn(p)
			arrived.Add(1)
			for arrived.Load() < int64((p+1)*members) { // want "the loop asks arrived" // refuse "fewer: the goroutines differ in their rounds"
			}
		}
	})
}

func some(cells []int, n int) {
	var arrived atomic.Int64
	each(n, func(g int) {
		for p := range 10 {
			cells[g] += churn(p)
			arrived.Add(1)
			for arrived.Load() < int64((p+1)*members) { // want "the loop asks arrived" // refuse "fewer: it cannot be seen that as many meet as there are"
			}
		}
	})
}

func asks(cells []int, next chan int) {
	var arrived atomic.Int64
	each(members, func(g int) {
		for p := range 10 {
			cells[g] += <-next
			next <- p
			arrived.Add(1)
			for arrived.Load() < int64((p+1)*members) { // want "the loop asks arrived" // refuse "fewer: the task waits for a channel"
			}
		}
	})
}

func leaves(cells []int) {
	var arrived atomic.Int64
	each(members, func(g int) {
		for p := range 10 {
			if cells[g] < 0 {
				break
			}
			cells[g]--
			arrived.Add(1)
			for arrived.Load() < int64((p+1)*members) { // want "the loop asks arrived" // refuse "fewer: a round may end early, by break"
			}
		}
	})
}
