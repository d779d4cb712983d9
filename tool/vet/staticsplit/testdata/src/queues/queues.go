// Package queues has workers with a queue each.
package queues

import "sync"

type event struct{ tenant, load int }

func (e event) handle() int {
	x := e.load
	for range 1000 {
		x ^= x << 7
	}
	return x
}

func handled(es []event) (sum int) {
	var queues [2]chan event
	results := make(chan int, 2)
	for i := range queues {
		queues[i] = make(chan event, len(es))
		go func() {
			sum := 0
			for e := range queues[i] { // want "each worker has a queue of its own"
				sum += e.handle()
			}
			results <- sum
		}()
	}
	for _, e := range es {
		queues[e.tenant%2] <- e // by tenant
	}
	for _, q := range queues {
		close(q)
	}
	for range queues {
		sum += <-results
	}
	return sum
}

func many(xs []int, n int) (total int) {
	queues := make([]chan int, n)
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range queues {
		queues[w] = make(chan int)
		wg.Go(func() {
			for x := range queues[w] { // want "each worker has a queue of its own"
				sums[w] += x * x
			}
		})
	}
	for i, x := range xs {
		queues[i%len(queues)] <- x
	}
	for _, q := range queues {
		close(q)
	}
	wg.Wait()
	for _, s := range sums {
		total += s
	}
	return total
}

// What a tenant has is its worker's.
func owned(es []event, of []int) {
	queues := make([]chan event, 4)
	var wg sync.WaitGroup
	for w := range queues {
		queues[w] = make(chan event, 8)
		wg.Go(func() {
			for e := range queues[w] { // want "each worker has a queue of its own" // refuse "together: two workers could change of\[e.tenant\] at once"
				of[e.tenant] += e.load
			}
		})
	}
	for _, e := range es {
		queues[e.tenant%len(queues)] <- e
	}
	for _, q := range queues {
		close(q)
	}
	wg.Wait()
}

var state [4]int

func apply(e event) int {
	state[e.tenant]++
	return state[e.tenant]
}

func stateful(es []event) (total int) {
	queues := make([]chan event, 4)
	results := make(chan int)
	for w := range queues {
		queues[w] = make(chan event, 8)
		go func() {
			n := 0
			for e := range queues[w] { // want "each worker has a queue of its own" // refuse "together: the worker calls apply, which changes state"
				n += apply(e)
			}
			results <- n
		}()
	}
	for _, e := range es {
		queues[e.tenant%len(queues)] <- e
	}
	for _, q := range queues {
		close(q)
	}
	for range queues {
		total += <-results
	}
	return total
}

func ordered(es []event, out chan<- int) {
	queues := make([]chan event, 4)
	var wg sync.WaitGroup
	for w := range queues {
		queues[w] = make(chan event, 8)
		wg.Go(func() {
			for e := range queues[w] { // want "each worker has a queue of its own" // refuse "together: the worker waits for other goroutines"
				out <- e.handle()
			}
		})
	}
	for _, e := range es {
		queues[e.tenant%len(queues)] <- e
	}
	for _, q := range queues {
		close(q)
	}
	wg.Wait()
}

func named(es []event, known func([]chan event)) (total int) {
	queues := make([]chan event, 4)
	results := make(chan int)
	for w := range queues {
		queues[w] = make(chan event, 8)
		go func() {
			n := 0
			for e := range queues[w] { // want "each worker has a queue of its own" // refuse "together: the queues are used in another way, too"
				n += e.handle()
			}
			results <- n
		}()
	}
	known(queues)
	for _, q := range queues {
		close(q)
	}
	for range queues {
		total += <-results
	}
	return total
}

// Who has how much is told.
func told(es []event) (most int) {
	queues := make([]chan event, 4)
	results := make(chan int)
	for w := range queues {
		queues[w] = make(chan event, 8)
		go func() {
			n := 0
			for e := range queues[w] { // want "each worker has a queue of its own" // refuse "together: what a worker keeps in n depends on the elements it gets"
				n += e.handle()
			}
			results <- n
		}()
	}
	for _, e := range es {
		queues[e.tenant%len(queues)] <- e
	}
	for _, q := range queues {
		close(q)
	}
	for range queues {
		most = max(most, <-results)
	}
	return most
}
