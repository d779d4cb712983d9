package main

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
)

func lockedFloats(xs []int, workers int) (total float64) {
	var mu sync.Mutex
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			mu.Lock() // want `mu is locked in each iteration`
			total += float64(x & 7)
			mu.Unlock()
		}
	})
	return total
}

// A crew starts functions, and waits for them.
type crew struct{ wg sync.WaitGroup }

func (c *crew) start(f func() bool) {
	c.wg.Add(1)
	go func() {
		defer c.wg.Done()
		f()
	}()
}

func (c *crew) wait() { c.wg.Wait() }

// stopped adds up to where each goroutine stops.
func stopped(xs []int, workers int) (total int, n int64) {
	var mu sync.Mutex
	var seen atomic.Int64
	var c crew
	for w := range workers {
		c.start(func() bool {
		parts:
			for i := 0; ; i++ {
				for _, x := range part(xs, w, workers)[i:] {
					if seen.Add(1); x == 4 { // want `seen is updated atomically`
						return false
					}
					if x < 0 {
						continue parts
					}
				}
				for _, x := range part(xs, w, workers) {
					if x == 3 {
						return false
					}
					mu.Lock() // want `mu is locked in each iteration`
					total += x
					mu.Unlock()
				}
				return true
			}
		})
	}
	c.wait()
	return total, seen.Load()
}

type line struct{ n, sum, most int }

// lines are what loops add to by themselves, of several kinds.
func lines(xs []int, workers int) (string, []int, int) {
	var mu sync.Mutex
	byKind, odd := map[int]line{}, map[int]*line{}
	sizes := make([]int, 32)
	var best int
	var e sync.Map
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			mu.Lock() // want `mu is locked in each iteration` // dearer "local: "
			l := byKind[x&3]
			l.n++
			l.sum += x
			byKind[x&3] = l
			if x&1 == 1 {
				p := odd[x]
				if p == nil {
					p = &line{}
					odd[x] = p
				}
				p.n++
				if x > p.most {
					p.most = x
				}
			}
			sizes[x&31]++
			if x > best {
				best = x
			}
			mu.Unlock()
		}
		for _, x := range part(xs, w, workers) {
			v, _ := e.LoadOrStore(x&7, new(int64)) // want `the loop looks in the map e for something to add to` // dearer "local: "
			atomic.AddInt64(v.(*int64), int64(x))
		}
	})
	var sums [8]int64
	e.Range(func(k, v any) bool {
		sums[k.(int)] = *v.(*int64)
		return true
	})
	text := fmt.Sprint(byKind, sums)
	for x := range 32 {
		if p := odd[x]; p != nil {
			text += fmt.Sprint(*p)
		}
	}
	return text, sizes, best
}

func items(xs []int, workers int) (out []int) {
	var mu sync.Mutex
	each(workers, func(w int) {
		for _, x := range part(xs, w, workers) {
			if x > 0 {
				mu.Lock() // want `mu is locked in each iteration` // dearer "local: each goroutine takes more memory: a slice of what it appends to out"
				out = append(out, churn(x, 3), x)
				mu.Unlock()
			}
		}
	})
	slices.Sort(out)
	return out
}
