package main

import "sync/atomic"

// An item counts its readers, for nobody.
type item struct {
	refs atomic.Int32 // want `refs is updated atomically, and never read`
	size int
}

func (it *item) retain()  { it.refs.Add(1) }
func (it *item) release() { it.refs.Add(-1) }

func (it *item) weigh(n int) int {
	it.retain()
	defer it.release()
	it.refs.Store(int32(n))
	return it.size * n
}

func weighed(xs []int, workers int) int {
	it := &item{size: 3}
	sums := make([]int, workers)
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			sums[w] += it.weigh(x) // want `it.weigh updates it.refs atomically in each iteration, and the goroutines share it` // refuse "local: weigh does more than add up"
		}
	})
	total := 0
	for _, s := range sums {
		total += s
	}
	return total
}
