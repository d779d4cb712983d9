package refused

import "sync"

// Filled by a function that is declared.
func fillTriples(out chan<- int, xs []int) {
	defer close(out)
	for _, x := range xs {
		out <- x * 3
	}
}

func filledTriples(xs []int) (sum int) {
	c := make(chan int, 16)
	go fillTriples(c, xs) // want "each item crosses c by itself" // refuse "direct: out is used in another way than to send, receive and clo" "batch: c is handed to a function"
	for x := range c {
		sum += x
	}
	return sum
}

// Workers between two channels.
func work(jobs <-chan int, results chan<- int, wg *sync.WaitGroup) {
	defer wg.Done()
	for j := range jobs {
		results <- j * j
	}
}

func enqueue(jobs chan<- int, xs []int) {
	for _, x := range xs {
		jobs <- x
	}
	close(jobs)
}

func pooled(xs []int) (sum int) {
	jobs, results := make(chan int, 8), make(chan int, 8)
	var wg sync.WaitGroup
	for range 3 {
		wg.Add(1)
		go work(jobs, results, &wg) // want "each item crosses jobs and results by itself" // refuse "direct: jobs may be gone through more than once" "direct: results may be gone through more than once" "batch: jobs is handed to a function" "batch: results is handed to a function"
	}
	go enqueue(jobs, xs)
	go func() {
		wg.Wait()
		close(results)
	}()
	for r := range results {
		sum += r
	}
	return sum
}
