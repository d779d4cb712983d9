package poolsize

import "sync"

// A fixed is a pool of a fixed number of workers, as the article has it: they
// take inputs of any type from one channel, and call a function for each. Here
// they send what it returns to another channel.
type fixed[In, Out any] struct {
	inputs  chan In
	results chan Out
	workers sync.WaitGroup
}

// newFixed starts a pool of so many workers, with channels for so many inputs and
// results.
func newFixed[In, Out any](workers, buffer int, do func(In) Out) *fixed[In, Out] {
	p := &fixed[In, Out]{inputs: make(chan In, buffer), results: make(chan Out, buffer)}
	for range workers {
		p.workers.Go(func() {
			for in := range p.inputs {
				p.results <- do(in)
			}
		})
	}
	return p
}

// close ends the pool when all inputs have their results.
func (p *fixed[In, Out]) close() {
	close(p.inputs)
	p.workers.Wait()
	close(p.results)
}

// Half has half as many workers as there are cores.
func Half(w *work, n, cores int) uint64 { return inFixed(w, n, max(1, cores/2)) }

// Cores has a worker for each core.
func Cores(w *work, n, cores int) uint64 { return inFixed(w, n, cores) }

// TenTimes has ten workers for each core.
func TenTimes(w *work, n, cores int) uint64 { return inFixed(w, n, 10*cores) }

// bufferSize is the article's.
const bufferSize = 100

func inFixed(w *work, n, workers int) uint64 {
	p := newFixed(workers, bufferSize, w.do)
	go func() {
		for i := range n {
			p.inputs <- i
		}
		p.close()
	}()
	var sum uint64
	for answer := range p.results {
		sum += answer
	}
	return sum
}
