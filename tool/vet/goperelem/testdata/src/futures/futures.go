// Package futures waits for what goroutines compute.
package futures

import "time"

func price(x int) int {
	for range 50 {
		x ^= x << 7
	}
	return x
}

func future(f func() int) <-chan int {
	c := make(chan int, 1)
	go func() { c <- f() }()
	return c
}

func later[T any](f func() T) chan T {
	c := make(chan T)
	go func() { c <- f() }()
	return c
}

func total(amounts []int) int {
	fs := make([]<-chan int, len(amounts))
	for i, a := range amounts {
		fs[i] = future(func() int { return price(a) }) // want "a goroutine starts for each element"
	}
	sum := 0
	for _, f := range fs {
		sum += <-f
	}
	return sum
}

func names(n int) (all []string) {
	fs := make([]chan string, n)
	for i := 0; i < n; i++ {
		fs[i] = later(func() string { // want "a goroutine starts for each element"
			if i%2 == 0 {
				return "even"
			}
			return "odd"
		})
	}
	for i := range fs {
		name := <-fs[i]
		all = append(all, name)
	}
	return all
}

func asked(ids []int) (sum int) {
	fs := make([]<-chan int, len(ids))
	for i, id := range ids {
		fs[i] = future(func() int {
			time.Sleep(time.Millisecond)
			return id
		})
	}
	for _, f := range fs {
		sum += <-f
	}
	return sum
}

// They wait for each other.
func chain(xs []int) int {
	next := make(chan int, 1)
	next <- 1
	fs := make([]<-chan int, len(xs))
	for i, x := range xs {
		fs[i] = future(func() int { // want "a goroutine starts" // refuse "chunk: the task waits for a channel" "serial: the task waits for a channel"
			n := <-next + x
			next <- n
			return n
		})
	}
	sum := 0
	for _, f := range fs {
		sum += <-f
	}
	return sum
}

// Who is first is taken, or nobody.
func first(xs []int) (int, bool) {
	fs := make([]<-chan int, len(xs))
	for i, x := range xs {
		fs[i] = future(func() int { return price(x) })
	}
	for _, f := range fs {
		select {
		case x := <-f:
			return x, true
		default:
		}
	}
	return 0, false
}

// Others have them.
func handed(xs []int) []<-chan int {
	fs := make([]<-chan int, len(xs))
	for i, x := range xs {
		fs[i] = future(func() int { return price(x) })
	}
	return fs
}
