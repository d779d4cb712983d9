package main

import "sync"

func evens(xs []int) (total int) {
	numbers := make(chan int)
	go func() {
		defer close(numbers)
		for _, x := range xs {
			if x%2 == 0 {
				numbers <- x // want "each item crosses numbers by itself"
			}
		}
	}()
	for x := range numbers {
		total += x
	}
	return total
}

// Three stages, two channels in a statement.
func stages(n int) (total int) {
	in, out := make(chan int), make(chan int, 8)
	go func() {
		for i := range n {
			in <- i // want "each item crosses in and out by itself"
		}
		close(in)
	}()
	go func() {
		for i := range in {
			out <- i * i
		}
		close(out)
	}()
	for v := range out {
		total += v
	}
	return total
}

// The consumer stops early, the producer returns.
func first(xs []string, min int) string {
	long := make(chan string, 4)
	go func() {
		defer close(long)
		for _, x := range xs {
			if x == "" {
				return
			}
			long <- x // want "each item crosses long" // refuse "batch: the loop over long may end early"
		}
	}()
	for x := range long {
		if len(x) < min {
			continue
		}
		if x == "stop" {
			break
		}
		return x
	}
	return ""
}

func words(s string, emit func(string)) {
	start := 0
	for i := range s {
		if s[i] == ' ' {
			emit(s[start:i])
			start = i + 1
		}
	}
	emit(s[start:])
}

// What sends is called by a function.
func lengths(s string) (n int) {
	ch := make(chan string)
	var wg sync.WaitGroup
	wg.Go(func() {
		defer close(ch)
		for range 2 {
			words(s, func(w string) { ch <- w }) // want "each item crosses ch" // refuse "batch: what sends on ch is in no loop, or in a function that o"
		}
	})
	for w := range ch {
		n += len(w)
	}
	wg.Wait()
	return n
}

// A pool: jobs go out, results come in.
func pool(n int) (total int) {
	jobs, results := make(chan int), make(chan int, 50)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			for i := range jobs {
				results <- i * i // want "each item crosses jobs and results" // refuse "direct: jobs may be gone through more than once" "direct: jobs may be gone through more than once"
			}
		})
	}
	go func() {
		for i := range n {
			jobs <- i
		}
		close(jobs)
		wg.Wait()
		close(results)
	}()
	for v := range results {
		total += v
	}
	return total
}

// The function itself fills the channel.
func feed(xs []int) (total int) {
	jobs := make(chan int)
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := 0; w < 4; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range jobs {
				mu.Lock()
				total += xs[i]
				mu.Unlock()
			}
		}()
	}
	for i := range xs {
		jobs <- i // want "each item crosses jobs" // refuse "direct: jobs may be gone through more than once"
	}
	close(jobs)
	wg.Wait()
	return total
}

// The type is generic.
func doubled[T int | float64](xs []T) (sum T) {
	c := make(chan T)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- 2 * x // want "each item crosses c"
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// Two loops of a case.
func both(xs []int, twice bool) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		switch {
		case twice:
			for _, x := range xs {
				c <- x // want "each item crosses c"
			}
			for _, x := range xs {
				c <- -x
			}
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}
