package sieve

// Chain is the daisy chain: a goroutine generates the numbers, and one for each
// prime drops its multiples, all joined by channels without buffer. It ignores
// the number of workers.
func Chain(limit, _ int) []int {
	ch := make(chan int)
	go generate(ch, limit)

	var primes []int
	for {
		prime, ok := <-ch // nothing that came so far could be divided
		if !ok {
			return primes
		}
		primes = append(primes, prime)
		next := make(chan int)
		go filter(ch, next, prime)
		ch = next
	}
}

// generate sends 2, 3, 4, … below limit.
func generate(out chan<- int, limit int) {
	for i := 2; i < limit; i++ {
		out <- i
	}
	close(out)
}

// filter sends on what prime does not divide.
func filter(in <-chan int, out chan<- int, prime int) {
	for i := range in {
		if i%prime != 0 {
			out <- i
		}
	}
	close(out)
}
