package a

import "sync"

func work(seed int) int {
	x := uint64(seed)*2 + 1
	for range 1000 {
		x ^= x << 13
	}
	return int(x >> 33)
}

// Three stages, of which the middle one has the work.
func stages(n int) int {
	a, b := make(chan int, 4), make(chan int, 4)
	go func() {
		for i := range n {
			a <- i
		}
		close(a)
	}()
	go func() {
		// Each item costs the same.
		for v := range a { // want "one goroutine does what this stage does"
			b <- work(v) // and is worth it
		}
		close(b)
	}()
	total := 0
	for v := range b {
		total += v
	}
	return total
}

type item struct {
	key  string
	cost int
}

// A filter that defers the close, and counts in a map.
func filter(in <-chan item) map[string]int {
	out := make(chan item)
	go func() {
		defer close(out)
		for it := range in { // want "one goroutine does what this stage does"
			c := work(it.cost)
			if c%2 == 0 {
				continue
			}
			it.cost = c
			out <- it
		}
	}()
	counts := make(map[string]int)
	most := 0
	for it := range out {
		if it.cost < 0 {
			continue
		}
		counts[it.key] += it.cost
		most = max(most, it.cost)
	}
	counts[""] = most
	return counts
}

// generators hand their channel on.
func square(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		for v := range in { // want "one goroutine does what this stage does"
			out <- work(v * v)
		}
		close(out)
	}()
	return out
}

func numbers(n int) <-chan int {
	out := make(chan int)
	go func() {
		for i := range n {
			out <- i
		}
		close(out)
	}()
	return out
}

func add(in <-chan int) (total int) {
	for v := range in {
		total += v
	}
	return total
}

func squares(n int) int { return add(square(square(numbers(n)))) }

// A stage of its own function, which is counted.
func digest(in <-chan []byte, out chan<- int, done *sync.WaitGroup) {
	defer done.Done()
	for b := range in { // want "one goroutine does what this stage does"
		sum := make([]int, 1)
		for _, x := range b {
			sum[0] += work(int(x))
		}
		out <- sum[0]
	}
}

func digests(in [][]byte) int {
	blocks, sums := make(chan []byte), make(chan int, len(in))
	var done sync.WaitGroup
	done.Add(1)
	go digest(blocks, sums, &done)
	for _, b := range in {
		blocks <- b
	}
	close(blocks)
	done.Wait()
	total := 0
	for range in {
		total ^= <-sums
	}
	return total
}

type source struct{ items map[string]chan int }

// What is ranged over is looked up once.
func (s *source) drain(name string) int {
	out := make(chan int)
	go func() {
		for v := range s.items[name] { // want "one goroutine does what this stage does"
			out <- work(v)
		}
		close(out)
	}()
	return add(out)
}
