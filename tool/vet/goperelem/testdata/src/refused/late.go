package refused

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// What is ranged over is another before the goroutines look.
func cut(xs []int, out []int) {
	var wg sync.WaitGroup
	for i := range xs {
		wg.Go(func() { out[i] = f(i) }) // want "a goroutine starts" // refuse "chunk: xs changes before all goroutines have ended" "par: xs changes before all goroutines have ended"
	}
	xs = xs[:2]
	wg.Wait()
}

func number(n int, out []int) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { out[i] = f(i) }) // want "a goroutine starts" // refuse "chunk: n changes before" "par: n changes before"
	}
	n = 0
	wg.Wait()
}

type box struct{ xs []int }

func (b *box) clear() { b.xs = nil }

func field(b *box, sum *atomic.Int64) {
	var wg sync.WaitGroup
	for _, x := range b.xs {
		wg.Go(func() { sum.Add(int64(f(x))) }) // want "a goroutine starts" // refuse "chunk: xs changes before" "par: xs changes before"
	}
	b.xs = nil
	wg.Wait()
}

// The same by a method.
func method(b *box, sum *atomic.Int64) {
	var wg sync.WaitGroup
	for _, x := range b.xs {
		wg.Go(func() { sum.Add(int64(f(x))) }) // want "a goroutine starts" // refuse "chunk: what the loop goes over may be set" "par: what the loop goes over may be set"
	}
	b.clear()
	wg.Wait()
}

// The join is outside of the loop that changes it.
func rounds(xs []int, sum *atomic.Int64) {
	var wg sync.WaitGroup
	for k := range 3 {
		for _, x := range xs {
			wg.Go(func() { sum.Add(int64(f(x))) }) // want "a goroutine starts" // refuse "chunk: xs changes before" "par: xs changes before"
		}
		xs = xs[k:]
	}
	wg.Wait()
}

// The elements are taken when the goroutines start.
func elements(xs []int, sum *atomic.Int64) {
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { sum.Add(int64(f(x))) }) // want "a goroutine starts" // refuse "chunk: xs changes before" "par: xs changes before"
	}
	xs[0] = 9
	wg.Wait()
}

// Each goroutine writes where the loop has been.
func behind(xs []int) {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { // want "a goroutine starts" // refuse "chunk: the loop sets elements of xs" "par: the loop sets elements of xs"
			if i > 0 {
				xs[i-1] = f(x)
			}
		})
	}
	wg.Wait()
}

func leave(x int) {
	if x == 2 {
		runtime.Goexit()
	}
}

// The goroutine ends a call deeper.
func leaves(xs []int, sum *atomic.Int64) {
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { // want "a goroutine starts" // refuse "chunk: the task may end its goroutine" "serial: the task may end its goroutine" "par: the task may end its goroutine"
			leave(x)
			sum.Add(int64(x))
		})
	}
	wg.Wait()
}

type runner interface{ run() int }

type meet struct{ b *sync.WaitGroup }

func (m meet) run() int {
	m.b.Done()
	m.b.Wait()
	return 1
}

// All wait for all, behind an interface.
func meets(rs []runner, n *atomic.Int64) {
	var wg sync.WaitGroup
	for _, r := range rs {
		wg.Go(func() { n.Add(int64(r.run())) }) // want "a goroutine starts" // refuse "chunk: the task waits for other goroutines" "serial: the task waits for other" "par: the task waits for other"
	}
	wg.Wait()
}
