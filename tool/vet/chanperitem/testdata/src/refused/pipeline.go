package refused

import "sync"

// Others may call it.
func Numbers(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want "each item crosses out" // refuse "direct: Numbers may be used by others" "batch: out is used" "ring: out is used" "buffer: out goes to other packages"
		}
	}()
	return out
}

// It is a value somewhere.
func tens(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i * 10 // want "each item crosses out" // refuse "direct: tens may be used by others" "batch: out is used" "ring: out is used"
		}
	}()
	return out
}

var maker = tens

// Two take from it.
func shared(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i * 10 // want "each item crosses out" // refuse "direct: shared has not one loop over it" "batch: out is used" "ring: out is used"
		}
	}()
	return out
}

func both(n int) (a, b int) {
	shared := shared(n)
	var wg sync.WaitGroup
	wg.Go(func() {
		for x := range shared {
			a += x
		}
	})
	for x := range shared {
		b += x
	}
	wg.Wait()
	return a, b
}

// A worker of several.
func lasting(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want "each item crosses out" // refuse "direct: several goroutines use one end of in" "batch: out is used" "ring: out is used"
		}
	}()
	return out
}

func worked(n int) int {
	in := lasting(n)
	sums := make([]int, 2)
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() { sums[w] = added(in) })
	}
	wg.Wait()
	return sums[0] + sums[1]
}

func added(in <-chan int) (sum int) {
	for x := range in {
		sum += x
	}
	return sum
}

// It is kept.
type holder struct{ in <-chan int }

func held(n int) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		for i := range n {
			out <- i // want "each item crosses out" // refuse "direct: a channel that is returned is used in another way" "batch: out is used" "ring: out is used"
		}
	}()
	return out
}

func holds(n int) holder { return holder{in: held(n)} }

// What is called would have to be told of the end.
func stopped(s string) <-chan string {
	out := make(chan string)
	go func() {
		defer close(out)
		tails(s, func(w string) { out <- w }) // want "each item crosses out" // refuse "direct: the loop over out may end early" "batch: out is used" "ring: out is used"
	}()
	return out
}

func tails(s string, emit func(string)) {
	for i := range s {
		emit(s[i:])
	}
}

func firstLong(s string) string {
	for w := range stopped(s) {
		if len(w) > 3 {
			return w
		}
	}
	return ""
}

// It waits for what is not of the pipeline.
func released(n int, at <-chan bool) <-chan int {
	out := make(chan int)
	go func() {
		defer close(out)
		<-at
		for i := range n {
			out <- i // want "each item crosses out" // refuse "direct: the task waits for a channel" "batch: out is used" "ring: out is used"
		}
	}()
	return out
}

func releases(n int) (sum int) {
	at := make(chan bool, 1)
	at <- true
	for x := range released(n, at) {
		sum += x
	}
	return sum
}

// The stage ends early where the loop over what it sends does.
func staged(s string) string {
	in, out := make(chan string), make(chan string)
	go func() {
		defer close(in)
		tails(s, func(w string) { in <- w }) // want "each item crosses in and out" // refuse "direct: the loop over in may end early" "direct: the task waits for a channel"
	}()
	go func() {
		defer close(out)
		for w := range in {
			out <- w + "."
		}
	}()
	for w := range out {
		if len(w) > 3 {
			return w
		}
	}
	return ""
}
