package quiet

import "sync"

func work(seed int) int {
	x := uint64(seed)*2 + 1
	for range 1000 {
		x ^= x << 13
	}
	return int(x >> 33)
}

// Too little is done with an item.
func small(in <-chan int) (total int) {
	out := make(chan int)
	go func() {
		for v := range in {
			out <- v + 1
		}
		close(out)
	}()
	for v := range out {
		total += v
	}
	return total
}

// There are several already.
func several(in <-chan int) (total int) {
	out := make(chan int)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for v := range in {
				out <- work(v)
			}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	for v := range out {
		total += v
	}
	return total
}

// A sink sends nothing.
func sink(in <-chan int) int {
	total := 0
	var wg sync.WaitGroup
	wg.Go(func() {
		for v := range in {
			total += work(v)
		}
	})
	wg.Wait()
	return total
}
