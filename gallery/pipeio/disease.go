package pipeio

// bufferSize is the size of the channels of the buffered variants, as in the
// article: they have room for all items.
const bufferSize = 1000

// Pipeline sends the items through three stages (generate, fetch, add up), each
// a goroutine, over unbuffered channels. It ignores the number of cores.
func Pipeline(n, _ int) uint64 {
	return pipeline(n, 0)
}

// PipelineBuffered is Pipeline over buffered channels.
func PipelineBuffered(n, _ int) uint64 {
	return pipeline(n, bufferSize)
}

func pipeline(n, buffer int) uint64 {
	answers := make(chan uint64, buffer)
	items := generate(n, buffer)
	go func() {
		defer close(answers)
		for i := range items {
			answers <- fetch(i)
		}
	}()
	return add(answers)
}

// generate sends the items 0..n-1.
func generate(n, buffer int) <-chan int {
	items := make(chan int, buffer)
	go func() {
		defer close(items)
		for i := range n {
			items <- i
		}
	}()
	return items
}

// add receives answers until there are no more, and adds them up.
func add(answers <-chan uint64) uint64 {
	var sum uint64
	for a := range answers {
		sum += a
	}
	return sum
}
