package pipeio

import "sync"

// Fan hands the items to workers that all receive from one channel, half as many as
// there are cores. It merges their answers through another. Both are unbuffered.
func Fan(n, cores int) uint64 {
	return fan(n, max(1, cores/2), 0)
}

// FanBuffered is Fan over buffered channels.
func FanBuffered(n, cores int) uint64 {
	return fan(n, max(1, cores/2), bufferSize)
}

func fan(n, workers, buffer int) uint64 {
	answers := make(chan uint64, buffer)
	items := generate(n, buffer)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range items {
				answers <- fetch(i)
			}
		})
	}
	go func() {
		wg.Wait()
		close(answers)
	}()
	return add(answers)
}
