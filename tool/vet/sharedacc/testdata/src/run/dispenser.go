package main

import (
	"sync"
	"sync/atomic"
)

func dealt(xs []int, workers int) (total int) {
	var next atomic.Int64
	sums := make([]int, workers)
	each(workers, func(w int) {
		for i := next.Add(1) - 1; i < int64(len(xs)); i = next.Add(1) - 1 { // want `next is updated atomically` // refuse `local: the result of adding to next is used`
			if xs[i] < 0 {
				continue // to the next item
			}
			sums[w] += xs[i] & 0xff
		}
	})
	for _, s := range sums {
		total += s
	}
	return total
}

func until(xs []int, workers int) []int {
	out := make([]int, len(xs))
	next := uint64(7)
	atomic.StoreUint64(&next, 1)
	var wg sync.WaitGroup
	for range workers {
		wg.Add(1)
		go func() {
			for {
				i := int(atomic.AddUint64(&next, 1) - 2) // want `next is updated atomically` // refuse `local: the loop has a return`
				if i >= len(xs) {
					wg.Done()
					return
				}
				out[i] = churn(xs[i], 3)
			}
		}()
	}
	wg.Wait()
	return out
}

type queue struct {
	next  atomic.Int64
	items []int
	done  []int
}

func (q *queue) work() {
	for {
		n := q.next.Add(1) // want `q.next is updated atomically` // refuse `local: the result of adding to q.next is used`
		if int(n) >= len(q.items) {
			break
		}
		// One after the other.
		q.done[n] = churn(q.items[n], 2)
	}
}

func queued(xs []int, workers int) []int {
	q := &queue{items: xs, done: make([]int, len(xs))}
	q.next.Store(-1)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(q.work)
	}
	wg.Wait()
	return q.done
}

func dealtLocked(xs []int, workers int) (total int) {
	var mu sync.Mutex
	next := 0
	sums := make([]int, workers)
	each(workers, func(w int) {
		for {
			mu.Lock() // want `mu is locked in each iteration` // refuse `local: it does more under the lock than add up` `atomic: a section uses next twice`
			i := next
			next++
			mu.Unlock()
			if i >= len(xs) {
				break
			}
			sums[w] += xs[i]
		}
	})
	for _, s := range sums {
		total += s
	}
	return total
}
