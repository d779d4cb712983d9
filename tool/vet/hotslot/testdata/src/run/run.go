// Program run has slots that can be kept in local variables.
package main

import (
	"sync"
	"sync/atomic"
)

func part(xs []int, w, n int) []int { return xs[len(xs)*w/n : len(xs)*(w+1)/n] }

func sum(xs []int, workers int) (total int) {
	sums := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, x := range part(xs, w, workers) {
				sums[w] += x // want `sums\[w\] is updated in memory in each iteration, and its neighbours`
			}
		})
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}

type rate struct{ hits, misses int }

func rates(xs []int, workers int) (total int) {
	slots := make([]rate, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Add(1)
		go func(id int) {
			defer wg.Done()
			// Count both kinds.
			for _, x := range part(xs, id, workers) {
				if x < 10 {
					slots[id].hits++ // want `slots\[id\].hits is updated`
				} else {
					slots[id].misses++
				}
			}
		}(w)
	}
	wg.Wait()
	for _, s := range slots {
		total += s.hits - s.misses
	}
	return total
}

func walk(state *uint64, n int) (at int) {
	for range n {
		*state ^= *state << 13 // want `\*state is updated`
		*state ^= *state >> 7
		at += int(*state & 2)
	}
	return at
}

func walks(n int) (total int) {
	states := []uint64{3, 5, 7}
	ends := make([]int, len(states))
	var wg sync.WaitGroup
	for w := range states {
		wg.Go(func() { ends[w] = walk(&states[w], n) })
	}
	wg.Wait()
	for _, e := range ends {
		total += e
	}
	return total
}

func each(n int, f func(w int)) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { f(w) })
	}
	wg.Wait()
}

func halves(n int, f func(w, lo, hi int)) {
	each(2, func(w int) { f(w, w*n/2, (w+1)*n/2) })
}

type slot struct {
	total atomic.Int64
	_     int64
}

func tally(n int) (total int) {
	slots := make([]slot, 2)
	halves(n, func(w, lo, hi int) {
		for i := lo; i < hi; i++ {
			slots[w].total.Add(int64(i & 7)) // want `slots\[w\].total is updated atomically in each iteration, and its neighbours`
		}
	})
	for w := range slots {
		total += int(slots[w].total.Load())
	}
	return total
}

func raw(xs []int) (total int64) {
	var ns [4]int64
	var wg sync.WaitGroup
	for w := range ns {
		wg.Go(func() {
			for range part(xs, w, len(ns)) {
				atomic.AddInt64(&ns[w], 1) // want `ns\[w\] is updated atomically`
			}
		})
	}
	wg.Wait()
	for _, n := range ns {
		total += n
	}
	return total
}

type apart struct {
	at atomic.Int64
	_  [120]byte
}

func publish(xs []int) int {
	var progress [2]apart
	best := make([]int, 2)
	halves(len(xs), func(w, lo, hi int) {
		for i := lo; i < hi; i++ {
			best[w] = max(best[w], xs[i]^i) // want `best\[w\] is updated in memory in each iteration, and`
			progress[w].at.Store(int64(i))
		}
	})
	return max(best[0], best[1])
}

// The workers of a pool each count for themselves. Whether there is a slot is
// not to be seen here.
type pool struct{ counts []int }

func (p *pool) run(n int, jobs []int) {
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, j := range jobs {
				if j > w {
					p.counts[w]++ // want `p.counts\[w\] is updated` // refuse `local: jobs may be the same memory as p.counts\[w\]`
				}
			}
		})
	}
	wg.Wait()
}

type worker struct {
	xs  []float64
	sum float64
	_   [32]byte
}

func (w *worker) run() {
	for _, x := range w.xs {
		if x > 0 {
			w.sum += x // want `w.sum is updated`
		}
	}
}

func all(ws []*worker) {
	var wg sync.WaitGroup
	for _, w := range ws {
		wg.Go(w.run)
	}
	wg.Wait()
}

// The outer loop can have the variable as well.
func grid(rows [][]int, workers int) []int {
	counts := make([]int, workers)
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(rows); i += workers {
				for _, x := range rows[i] {
					if x == 0 {
						continue
					}
					counts[w]++ // want `counts\[w\] is updated`
				}
			}
		})
	}
	wg.Wait()
	return counts
}

func generic[T int | float64](xs []T, n int) (total T) {
	sums := make([]T, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w:] {
				sums[w] += x // want `sums\[w\] is updated`
			}
		})
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}

type extent struct{ min, max int }

func (e *extent) add(v int) {
	if v < e.min {
		e.min = v
	}
	e.max = max(e.max, v)
}

func (e *extent) addAll(vs []int) {
	for _, v := range vs {
		e.add(v) // want `e.add updates the slot of a goroutine in each iteration`
	}
}

func extents(xs []int) (int, int) {
	es := make([]extent, 2)
	halves(len(xs), func(w, lo, hi int) { es[w].addAll(xs[lo:hi]) })
	return es[0].min + es[1].min, max(es[0].max, es[1].max)
}

type mean struct{ sum, n int }

func (m *mean) note(v int) {
	m.sum += v
	m.n++
}

var none = mean{0, 1}

// The loop is in the goroutine.
func means(xs []int) int {
	ms := []mean{none, {1, 2}}
	halves(len(xs), func(w, lo, hi int) {
		for _, x := range xs[lo:hi] {
			ms[w].note(x) // want `ms\[w\].note updates the slot` // refuse "pad: a literal of it has no field names"
		}
	})
	return ms[0].sum/ms[0].n - ms[1].sum/ms[1].n
}

// work has its own name for everything.
func work(wg *sync.WaitGroup, id int, slots []int, xs []int8) {
	defer wg.Done()
	total := int8(0)
	for _, x := range xs {
		total ^= x
		slots[id] += int(x) // want `slots\[id\] is updated`
	}
	slots[id] ^= int(total)
}

func started(xs []int8, n int) []int {
	total := make([]int, n)
	var wg sync.WaitGroup
	for id := range total {
		wg.Add(1)
		go work(&wg, id, total, xs)
	}
	wg.Wait()
	return total
}
