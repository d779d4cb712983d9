// Package counted has pools whose callers say how many workers they have.
package counted

import (
	"sync"
	"time"
)

func squeeze(xs []int) []int {
	for i, x := range xs {
		for range 1000 {
			x ^= x << 7
		}
		xs[i] = x
	}
	return xs
}

func stages(batches [][]int, n int) (sum int) {
	in, out := make(chan []int, n), make(chan []int, 4)
	go func() {
		defer close(in)
		for _, b := range batches {
			in <- b
		}
	}()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for b := range in {
				out <- squeeze(b)
			}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for b := range out {
		sum += len(b) + b[0]
	}
	return sum
}

func stagesOne(batches [][]int) int {
	return stages(batches, 1) // want "one goroutine takes the items"
}

func stagesMany(batches [][]int) int { return stages(batches, 8) }

func ask(id int) int {
	time.Sleep(time.Millisecond)
	return id * 3
}

// What is kept is in the order of the items.
func listed(ids []int, n int) (all []int) {
	queue := make(chan int, len(ids))
	for _, id := range ids {
		queue <- id
	}
	close(queue)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for id := range queue {
				x := ask(id)
				mu.Lock()
				all = append(all, x)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return all
}

func listedOne(ids []int) []int {
	return listed(ids, 1) // want "one goroutine takes the items" // refuse "workers: the worker takes a lock"
}

type list struct {
	mu  sync.Mutex
	all []int
}

func (l *list) add(x int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.all = append(l.all, x)
}

func added(l *list, queue chan int, n int) {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for id := range queue {
				l.add(ask(id))
			}
		})
	}
	wg.Wait()
}

func addedOne(l *list, queue chan int) {
	added(l, queue, 1) // want "one goroutine takes the items" // refuse "workers: the worker calls l.add"
}

// Who takes them keeps the order.
func ordered(batches [][]int, n int) (all [][]int) {
	in, out := make(chan []int), make(chan []int, 4)
	go func() {
		defer close(in)
		for _, b := range batches {
			in <- b
		}
	}()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for b := range in {
				out <- squeeze(b)
			}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for b := range out {
		all = append(all, b)
	}
	return all
}

func orderedOne(batches [][]int) [][]int {
	return ordered(batches, 1) // want "one goroutine takes the items" // refuse "workers: the order of what out brings may matter"
}

// The number says more.
func slots(ids chan int, n int) []int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for id := range ids {
				sums[w] += ask(id)
			}
		})
	}
	wg.Wait()
	return sums
}

func slotsOne(ids chan int) []int { return slots(ids, 1) }
