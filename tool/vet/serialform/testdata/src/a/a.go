package a

import (
	"sync"
	"sync/atomic"
)

func square(x int) int { return x * x }

// SquaresParallel returns the squares, each by a goroutine of some workers.
func SquaresParallel(xs []int, workers int) []int { // want "SquaresParallel starts goroutines, and Squares is its serial form"
	out := make([]int, len(xs))
	var next atomic.Int64
	var t team
	for range max(workers, 1) {
		t.start(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(xs) {
					return
				}
				out[i] = square(xs[i])
			}
		})
	}
	t.wait()
	return out
}

// A team is of goroutines.
type team struct{ wg sync.WaitGroup }

func (t *team) start(f func()) { t.wg.Go(f) }

// wait waits for all.
func (t *team) wait() { t.wg.Wait() }

// MapConcurrent is Map with a goroutine for each element.
func MapConcurrent[T, U any](xs []T, f func(T) U) []U { // want "MapConcurrent starts goroutines, and Map is its serial form"
	out := make([]U, len(xs))
	var wg sync.WaitGroup
	for i := range xs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			out[i] = f(xs[i])
		}()
	}
	wg.Wait()
	return out
}

// A runner changes each element.
type runner interface {
	run(xs []int, f func(int) int)
}

type inTurn struct{}

func (inTurn) run(xs []int, f func(int) int) {
	for i, x := range xs {
		xs[i] = f(x)
	}
}

type atOnce struct{ workers int }

func (a atOnce) run(xs []int, f func(int) int) { // want "run starts goroutines, and inTurn.run is its serial form"
	room := make(chan struct{}, max(a.workers, 1))
	var wg sync.WaitGroup
	for i := range xs {
		room <- struct{}{}
		wg.Go(func() {
			xs[i] = f(xs[i])
			<-room
		})
	}
	wg.Wait()
}

func apply(xs []int, n int) []int {
	r := []runner{inTurn{}, atOnce{2}}[n&1]
	out := append([]int(nil), xs...)
	r.run(out, square)
	return out
}
