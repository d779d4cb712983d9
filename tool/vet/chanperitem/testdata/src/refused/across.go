package refused

import "sync"

// What two loops take is gone through once.

func both(xs []int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for _, x := range xs {
			out <- x // want "each item crosses out" // refuse "direct: all may be gone through more than once" "batch: out is used in another way"
		}
	}()
	return out
}

func firstAndRest(xs []int) (first, rest int) {
	all := both(xs)
	for x := range all {
		first = x
		break
	}
	for x := range all {
		rest += x
	}
	return first, rest
}

// Workers share what a stage makes.

func shared(xs []int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for _, x := range xs {
			out <- x // want "each item crosses out" // refuse "direct: in may be gone through more than once" "batch: out is used in another way"
		}
	}()
	return out
}

func share(in <-chan int, out []int) {
	var wg sync.WaitGroup
	for w := range out {
		wg.Go(func() {
			for x := range in {
				out[w] += x
			}
		})
	}
	wg.Wait()
}

func shares(xs, out []int) { share(shared(xs), out) }

// One of them has a channel of others.

func mixed(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for x := range in {
			out <- x + 1 // want "each item crosses out" // refuse "direct: given.0. comes from elsewhere" "batch: out is used in another way"
		}
	}()
	return out
}

func mixes(given []chan int) (sum int) {
	for x := range mixed(given[0]) {
		sum += x
	}
	return sum
}

// A function that others may have as a value keeps its type.

func upTo(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want "each item crosses out" // refuse "direct: upTo is used as a value" "batch: out is used in another way"
		}
	}()
	return out
}

var ups = []func(int) <-chan int{upTo}

// The stage and the loop take one lock.

type tally struct {
	mu sync.Mutex
	n  int
}

func counts(t *tally, n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			t.mu.Lock()
			t.n++
			out <- i // want "each item crosses out" // refuse "direct: the goroutine that sends on out may have a lock" "batch: out is used in another way"
			t.mu.Unlock()
		}
	}()
	return out
}

func (t *tally) add(n int) {
	t.mu.Lock()
	t.n += n
	t.mu.Unlock()
}

func tallies(t *tally) {
	for i := range counts(t, 3) {
		if i > 5 {
			t.add(i)
		}
	}
}

// A nil channel is no stream.

func some(n int) <-chan int {
	if n == 0 {
		return nil
	}
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want "each item crosses out" // refuse "direct: nil comes from elsewhere" "batch: out is used in another way"
		}
	}()
	return out
}

func somes() (sum int) {
	for x := range some(3) {
		sum += x
	}
	return sum
}

// What takes it waits until it has begun.

func begun(n int, ready chan bool) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		close(ready)
		for i := range n {
			out <- i // want "each item crosses out" // refuse "direct: others may wait for what the goroutine" "batch: out is used in another way"
		}
	}()
	return out
}

func begins(n int) (sum int) {
	ready := make(chan bool)
	c := begun(n, ready)
	<-ready
	for x := range c {
		sum += x
	}
	return sum
}

// An interface has a method of that name.

type lister interface{ items() <-chan int }

type few struct{ n int }

func (f few) items() <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range f.n {
			out <- i // want "each item crosses out" // refuse "direct: items may be called by others" "batch: out is used in another way"
		}
	}()
	return out
}

func listedBy(l lister) (sum int) {
	for x := range l.items() {
		sum += x
	}
	return sum + len(few{3}.items())
}

// A channel has a type of its own.

type ints <-chan int

func typed(n int) ints {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want "each item crosses out" // refuse "direct: the type of the channel cannot be changed here" "batch: out is used in another way"
		}
	}()
	return out
}

func typeds() (sum int) {
	for x := range typed(3) {
		sum += x
	}
	return sum
}

// Where the channel comes from is a variable of the package.

var given chan int

func doubled(in <-chan int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for x := range in {
			out <- 2 * x // want "each item crosses out" // refuse "direct: given comes from elsewhere" "batch: out is used in another way"
		}
	}()
	return out
}

func doubles() (sum int) {
	for x := range doubled(given) {
		sum += x
	}
	return sum
}
