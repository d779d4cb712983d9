package planted

import "sync"

// Values that cross goroutines one at a time and carry next to no work.

const handed = 2000

// square is the work on a value: about 20 ns.
func square(i int) int {
	return i * churn(i, 8) & 0xff
}

func squares(n int) int {
	total := 0
	for i := range n {
		total += square(i)
	}
	return total
}

// Three stages over unbuffered channels.
func squaresStages(n int) int {
	in, out := make(chan int), make(chan int)
	go func() {
		for i := range n {
			in <- i
		}
		close(in)
	}()
	go func() {
		for i := range in {
			out <- square(i)
		}
		close(out)
	}()
	total := 0
	for v := range out {
		total += v
	}
	return total
}

// A pool of workers that takes jobs from, and answers into, buffered channels.
func squaresPool(n int) int {
	jobs, results := make(chan int, 64), make(chan int, 64)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range jobs {
				results <- square(i)
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
	total := 0
	for v := range results {
		total += v
	}
	return total
}

// A generator that offers each value in a select beside a done channel.
func squaresDone(n int) int {
	done := make(chan struct{})
	values := make(chan int, 16)
	go func() {
		for i := 0; ; i++ {
			select {
			case values <- square(i):
			case <-done:
				return
			}
		}
	}()
	total := 0
	for range n {
		total += <-values
	}
	close(done)
	return total
}

const primes = 130

// primesSerial finds primes by dividing by all smaller ones, as the sieve does.
func primesSerial() int {
	var found []int
next:
	for i := 2; len(found) < primes; i++ {
		for _, p := range found {
			if i%p == 0 {
				continue next
			}
		}
		found = append(found, i)
	}
	return found[primes-1]
}

// primesSieve is the daisy chain: a goroutine per prime, and each number
// crosses a channel for every prime that does not divide it.
func primesSieve() int {
	done := make(chan struct{})
	defer close(done)
	ch := make(chan int)
	go func(out chan<- int) {
		for i := 2; ; i++ {
			select {
			case out <- i:
			case <-done:
				return
			}
		}
	}(ch)
	prime := 0
	for range primes {
		prime = <-ch
		next := make(chan int)
		go func(in <-chan int, p int) {
			for {
				select {
				case i := <-in:
					if i%p != 0 {
						select {
						case next <- i:
						case <-done:
							return
						}
					}
				case <-done:
					return
				}
			}
		}(ch, prime)
		ch = next
	}
	return prime
}

func balances(n int) int {
	accounts := make([]int, 64)
	for i := range n {
		accounts[i&63] += square(i)
	}
	return accounts[7]
}

// One goroutine owns the accounts; everyone else sends a request and waits for
// its reply.
func balancesOwner(n int) int {
	type request struct {
		account, amount int
		reply           chan int
	}
	requests := make(chan request)
	go func() {
		accounts := make([]int, 64)
		for r := range requests {
			accounts[r.account] += square(r.amount)
			r.reply <- accounts[r.account]
		}
	}()
	halves(n, func(_, lo, hi int) {
		reply := make(chan int)
		for i := lo; i < hi; i++ {
			requests <- request{i & 63, i, reply}
			<-reply
		}
	})
	reply := make(chan int)
	requests <- request{7, 0, reply}
	defer close(requests)
	return <-reply
}

// queue is bounded and signals a condition for each value that enters or leaves.
type queue struct {
	mu       sync.Mutex
	notEmpty sync.Cond
	notFull  sync.Cond
	items    []int
	size     int
}

func newQueue(size int) *queue {
	q := &queue{size: size}
	q.notEmpty.L, q.notFull.L = &q.mu, &q.mu
	return q
}

func (q *queue) put(v int) {
	q.mu.Lock()
	for len(q.items) == q.size {
		q.notFull.Wait()
	}
	q.items = append(q.items, v)
	q.mu.Unlock()
	q.notEmpty.Signal()
}

func (q *queue) take() int {
	q.mu.Lock()
	for len(q.items) == 0 {
		q.notEmpty.Wait()
	}
	v := q.items[0]
	q.items = append(q.items[:0], q.items[1:]...)
	q.mu.Unlock()
	q.notFull.Signal()
	return v
}

func squaresQueue(n int) int {
	q := newQueue(4)
	go func() {
		for i := range n {
			q.put(square(i))
		}
	}()
	total := 0
	for range n {
		total += q.take()
	}
	return total
}
