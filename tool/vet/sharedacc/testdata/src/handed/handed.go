// Package handed has functions that goroutines call, which others start.
package handed

import (
	"sync"
	"sync/atomic"
)

func each(parts [][]int, f func(int)) {
	var wg sync.WaitGroup
	for _, p := range parts {
		wg.Go(func() {
			for _, v := range p {
				f(v)
			}
		})
	}
	wg.Wait()
}

func byGo(n int, f func(int)) {
	done := make(chan bool)
	for i := range n {
		go func() {
			f(i)
			done <- true
		}()
	}
	for range n {
		<-done
	}
}

func count(parts [][]int) int64 {
	var n int64
	each(parts, func(int) { atomic.AddInt64(&n, 1) }) // want `n is updated atomically in each call of the function by goroutines that each starts`
	return n
}

type stats struct{ hits, misses atomic.Int64 }

// Once in each goroutine.
func (s *stats) count(parts [][]int) {
	byGo(len(parts), func(i int) {
		if len(parts[i]) > 0 {
			s.hits.Add(1)
			s.hits.Add(1)
		} else {
			s.misses.Add(1)
		}
	})
}

func (s *stats) sum() int64 { return s.hits.Load() + s.misses.Load() }

// Each goroutine has its own.
func own(parts [][]int) {
	each(parts, func(int) {
		var n atomic.Int64
		n.Add(1)
	})
}

// Once.
func once(f func()) {
	var wg sync.WaitGroup
	wg.Go(f)
	wg.Wait()
}

// By the goroutine that calls.
func serially(parts [][]int, f func(int)) {
	for _, p := range parts {
		f(len(p))
	}
}

func quiet(parts [][]int) int64 {
	var n atomic.Int64
	once(func() { n.Add(1) })
	serially(parts, func(int) { n.Add(1) })
	each(parts, func(int) { n.Load() })
	return n.Load()
}
