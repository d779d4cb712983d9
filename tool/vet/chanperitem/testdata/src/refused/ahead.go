// Goldens show the edit batch alone.

package refused

import (
	"runtime"
	"sync"
	"sync/atomic"
)

type nums []int

// Two buffers in turn: a hand-over says that the other one is free.
func buffers(n int) (sum int) {
	bufs := [2][]int{make([]int, 1), make([]int, 1)}
	c := make(chan nums)
	go func() {
		defer close(c)
		for i := range n {
			b := bufs[i%2]
			b[0] = i
			c <- nums(b) // want "each item crosses c" // refuse "batch: what sends on c may write again"
		}
	}()
	for b := range c {
		sum = sum*3 + b[0]
	}
	return sum
}

type part struct {
	at   int
	text []byte
}

func same(text []byte) []byte { return text }

// The same memory within a struct.
func texts(xs []string) (n int) {
	c := make(chan part)
	buf := make([]byte, 0, 100)
	go func() {
		defer close(c)
		for i, x := range xs {
			buf = append(buf[:0], x...)
			c <- part{i, same(buf)} // want "each item crosses c" // refuse "batch: what sends on c may write again"
			c <- part{}
		}
	}()
	for p := range c {
		n += len(p.text)
	}
	return n
}

// What the consumer says of an item, the producer sees two items later.
func told(xs []int) (sum int) {
	enough := false
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			if !enough {
				c <- x // want "each item crosses c" // refuse "batch: what receives from c may write to what"
			}
		}
	}()
	for x := range c {
		sum += x
		if sum > 100 {
			enough = true
		}
	}
	return sum
}

// A panic ends the loop, and the goroutine stops it.
func recovers(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		defer func() { recover() }()
		for i := 0; ; i++ {
			c <- xs[i] // want "each item crosses c" // refuse "direct: the goroutine that sends on c recovers" "batch: the goroutine that sends on c may end within"
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

func leave(x int) {
	if x == 4 {
		runtime.Goexit()
	}
}

// The goroutine ends a call deeper.
func leaves(xs []int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			leave(x)
			c <- x // want "each item crosses c" // refuse "batch: the goroutine that sends on c may end within the loop" "direct: the goroutine that sends on c recovers or may"
		}
	}()
	for x := range c {
		sum += x
	}
	return sum
}

// The producer looks until the item has been seen.
func polls(n int) (sum int) {
	var seen atomic.Int64
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range n {
			c <- i // want "each item crosses c" // refuse "direct: the task looks until another has set something" "batch: the goroutine that sends on c waits, or looks"
			for seen.Load() <= int64(i) {
			}
		}
	}()
	for x := range c {
		sum += x
		seen.Add(1)
	}
	return sum
}

func wait(mu *sync.Mutex, seen map[int]bool, x int) {
	for ok := false; !ok; {
		mu.Lock()
		ok = seen[x]
		mu.Unlock()
	}
}

// The same in a function, by a lock.
func pollsLock(n int) (sum int) {
	var mu sync.Mutex
	seen := map[int]bool{}
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range n {
			c <- i // want "each item crosses c" // refuse "batch: what receives from c may write to what" "direct: the goroutine that sends on c may have a lock"
			wait(&mu, seen, i)
		}
	}()
	for x := range c {
		sum += x
		mu.Lock()
		seen[x] = true
		mu.Unlock()
	}
	return sum
}

type series struct{ xs []int }

func (s *series) add(at, x int) { s.xs[at+2] += x }

// What the consumer calls writes to what the producer reads two items later.
func adds(s *series) {
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range s.xs[2:] {
			c <- s.xs[i] // want "each item crosses c" // refuse "batch: what receives from c may write to what"
		}
	}()
	at := 0
	for x := range c {
		s.add(at, x)
		at++
	}
}

// The same by another name.
func renamed(xs []int) {
	ys := xs
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs[2:] {
			c <- x // want "each item crosses c" // refuse "batch: what receives from c may write to what"
		}
	}()
	i := 4
	for x := range c {
		if i < len(ys) {
			ys[i] = x
		}
		i++
	}
}

// A function that is handed over may have the slice.
func visits(xs []int, visit func(int)) {
	c := make(chan int)
	go func() {
		defer close(c)
		for _, x := range xs {
			c <- x // want "each item crosses c" // refuse "batch: what receives from c may write to what"
		}
	}()
	for x := range c {
		visit(x)
	}
}

// Two numbers in turn: the item says which.
func turns(n int) (sum int) {
	var two [2]int
	c := make(chan int)
	go func() {
		defer close(c)
		for i := range n {
			two[i%2] = i * i
			c <- i % 2 // want "each item crosses c" // refuse "batch: what sends on c may write to what"
		}
	}()
	for k := range c {
		sum = sum*3 + two[k]
	}
	return sum
}

// The goroutine has the lock while it sends, and the loop takes it.
func (l *list) locked(mu *sync.Mutex, m map[int]int) (sum int) {
	c := make(chan int)
	go func() {
		defer close(c)
		mu.Lock()
		defer mu.Unlock()
		l.each(func(x int) { c <- m[x] }) // want "each item crosses c" // refuse "direct: the goroutine that sends on c may have a lock that the loop takes" "batch: what sends on c is in no loop, or in a function that ot"
	}()
	n := 0
	for x := range c {
		if n++; n == len(m) {
			mu.Lock()
			sum += m[n]
			mu.Unlock()
		}
		sum += x
	}
	return sum
}
