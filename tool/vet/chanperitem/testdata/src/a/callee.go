package a

import "sync"

// Filled by a function that is declared.
func fill(out chan<- int, xs []int) {
	defer close(out)
	for _, x := range xs {
		out <- x * 3
	}
}

func filled(xs []int) (sum int) {
	c := make(chan int, 16)
	go fill(c, xs) // want "each item crosses c by itself" // refuse "ring: c is handed"
	for x := range c {
		sum += x
	}
	return sum
}

// A walk that calls itself, over two trees.
type node struct {
	left, right *node
	key         int
}

func walk(keys chan<- int, n *node) {
	if n == nil {
		return
	}
	walk(keys, n.left)
	keys <- n.key
	walk(keys, n.right)
}

func rooted(xs []int) (n *node) {
	for _, x := range xs {
		n = &node{left: n, key: x}
		if n.left != nil {
			n.right, n.left.left = n.left.left, nil
		}
	}
	return n
}

func walked(xs []int) (sum int) {
	a, b := rooted(xs), rooted(xs[len(xs)/2:])
	keys := make(chan int)
	go func() {
		defer close(keys)
		walk(keys, a) // want "each item crosses keys by itself" // refuse "ring: keys is handed" "batch: what sends on keys calls itself"
		walk(keys, b)
	}()
	for k := range keys {
		sum = sum*3 + k
	}
	return sum
}

// Of a loop that ends early, the goroutine is what sends.
func digits(out chan int, n int) {
	for n > 0 {
		out <- n % 10
		n /= 10
	}
	close(out)
}

func until(n int) (sum int) {
	n &= 0xffffff
	c := make(chan int, 1)
	m := n | 1
	go digits(c, m) // want "each item crosses c by itself" // refuse "ring: c is handed"
	for x := range c {
		if x == 7 {
			return -sum
		}
		sum += x
	}
	return sum
}

// A function with a loop for each call, and one that makes one item.
func pairs(out chan<- [2]int, x int) {
	for i := range x & 7 {
		out <- [2]int{x, i}
	}
}

func one(out chan<- int, x int) { out <- x + 1 }

func paired(xs []int) (sum int) {
	ps, ones := make(chan [2]int, 4), make(chan int)
	go func() {
		defer close(ps)
		for _, x := range xs {
			pairs(ps, x) // want "each item crosses ps and ones by itself" // refuse "ring: ps is handed" "ring: ones is handed" "batch: a call sends one item on ones"
		}
	}()
	go func() {
		defer close(ones)
		for _, x := range xs {
			one(ones, x)
		}
	}()
	for p := range ps {
		sum += p[0] * p[1]
	}
	for x := range ones {
		sum -= x
	}
	return sum
}

// Filled and emptied by functions.
func emit(out chan<- int, n int) {
	for i := range n {
		out <- i
	}
	close(out)
}

func added(in <-chan int) (sum int) {
	for x := range in {
		if x == 1000 {
			return -1
		}
		sum += x
	}
	return sum
}

func both(n int) int {
	m := n & 1023
	c := make(chan int, m)
	go emit(c, m) // want "each item crosses c by itself" // refuse "ring: c is handed"
	return added(c)
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
		go work(jobs, results, &wg) // want "each item crosses jobs and results by itself" // refuse "direct: several goroutines use one end of jobs" "ring: jobs is handed" "direct: several goroutines use one end of results" "ring: results is handed"
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

// The function returns what another fills.
func numbers(n int) <-chan int {
	out := make(chan int)
	go emitted(out, n) // want "each item crosses out by itself" // refuse "batch: out is used in another way" "ring: out is used in another way"
	return out
}

func emitted(out chan<- int, n int) {
	for i := range n & 255 {
		out <- i
	}
	close(out)
}

func summed(n int) (sum int) {
	for x := range numbers(n) {
		sum += x
	}
	return sum
}

// A method, and literals with parameters.
type series struct{ xs []int }

func (s *series) send(out chan<- int) {
	for _, x := range s.xs {
		out <- x
	}
	close(out)
}

func scaled(xs []int, n int) (sum int) {
	s := &series{xs}
	c, d := make(chan int), make(chan int, 2)
	go s.send(c) // want "each item crosses c and d by itself" // refuse "ring: c is handed" "ring: d is a parameter"
	go func(in <-chan int, out chan<- int) {
		for x := range in {
			out <- x + n
		}
		close(out)
	}(c, d)
	for x := range d {
		sum = sum*3 + x
	}
	return sum
}

// An offer of a function.
func count32(values chan<- int, done <-chan struct{}, from int) {
	for i := from; ; i++ {
		select {
		case values <- i * i:
		case <-done:
			return
		}
	}
}

func offering(n int) (sum int) {
	done := make(chan struct{})
	values := make(chan int, 8)
	go count32(values, done, n) // want "each item crosses values by itself" // refuse "direct: values is received" "ring: values is handed"
	for range n & 255 {
		sum += <-values
	}
	close(done)
	return sum
}
