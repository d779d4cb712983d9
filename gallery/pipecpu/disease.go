package pipecpu

import "sync"

// bufferSize is the capacity of the channels of the buffered variants, as in
// the article.
const bufferSize = 1000

// Pipeline sends the items through three stages (generate, raise, add up),
// each a goroutine, over unbuffered channels. It ignores the number of workers.
func Pipeline(n, _ int) uint64 {
	return pipeline(n, 0)
}

// PipelineBuffered is Pipeline over buffered channels.
func PipelineBuffered(n, _ int) uint64 {
	return pipeline(n, bufferSize)
}

func pipeline(n, buffer int) uint64 {
	items := make(chan int, buffer)
	go func() {
		defer close(items)
		for i := range n {
			items <- i
		}
	}()

	powers := make(chan uint64, buffer)
	go func() {
		defer close(powers)
		for i := range items {
			powers <- power(i)
		}
	}()

	var sum uint64
	for p := range powers {
		sum += p
	}
	return sum
}

// Fan hands the items to workers that all receive from one channel, and merges
// their answers through another, both unbuffered.
func Fan(n, workers int) uint64 {
	return fan(n, workers, 0)
}

// FanBuffered is Fan over buffered channels.
func FanBuffered(n, workers int) uint64 {
	return fan(n, workers, bufferSize)
}

func fan(n, workers, buffer int) uint64 {
	items := make(chan int, buffer)
	go func() {
		defer close(items)
		for i := range n {
			items <- i
		}
	}()

	powers := make(chan uint64, buffer)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range items {
				powers <- power(i)
			}
		})
	}
	go func() {
		wg.Wait()
		close(powers)
	}()

	var sum uint64
	for p := range powers {
		sum += p
	}
	return sum
}
