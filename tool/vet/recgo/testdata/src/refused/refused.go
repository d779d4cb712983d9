// Package refused has recursions whose goroutines are needed, or hard to take
// away.
package refused

import (
	"runtime"
	"sync"
)

// Both halves send on one channel, which gets room.
func sum(xs []int) int {
	if len(xs) < 2 {
		return len(xs)
	}
	c := make(chan int)
	go func() { c <- sum(xs[:len(xs)/2]) }() // want "sum starts"
	go func() { c <- sum(xs[len(xs)/2:]) }()
	return <-c + <-c
}

// They have room.
func roomy(xs []int) int {
	if len(xs) < 2 {
		return len(xs)
	}
	c := make(chan int, 2)
	go func() { c <- roomy(xs[:len(xs)/2]) }() // want "roomy starts"
	go func() { c <- roomy(xs[len(xs)/2:]) }()
	return <-c + <-c
}

// The answers go where the caller waits for one of them; in place none would take them.
func answer(n int, out chan int) {
	for range 2 {
		out <- n
	}
	if n < 2 {
		return
	}
	a, b := make(chan int), make(chan int)
	go answer(n-1, a) // want "answer starts" // refuse "threshold: the task sends on a" "serial: the task sends"
	go answer(n-2, b)
	out <- <-a + <-b
}

// The lock is held when the task starts, which takes it.
func locked(mu *sync.Mutex, xs []int) {
	if len(xs) < 2 {
		return
	}
	var wg sync.WaitGroup
	mu.Lock()
	wg.Go(func() { locked(mu, xs[:len(xs)/2]) }) // want "locked starts" // refuse "threshold: the function holds a lock" "serial: the function holds a lock"
	xs[0]++
	mu.Unlock()
	wg.Wait()
}

func recovers(xs []int) (err any) {
	defer func() { err = recover() }()
	if len(xs) < 2 {
		return nil
	}
	var wg sync.WaitGroup
	wg.Go(func() { recovers(xs[1:]) }) // want "recovers starts" // refuse "threshold: the function recovers" "serial: the function recovers"
	wg.Wait()
	return nil
}

func exits(xs []int) {
	if len(xs) < 2 {
		return
	}
	var wg sync.WaitGroup
	wg.Go(func() { // want "exits starts" // refuse "threshold: the task may end its goroutine" "serial: the task may end"
		exits(xs[1:])
		runtime.Goexit()
	})
	wg.Wait()
}

// The two talk to each other.
func talks(xs []int) {
	if len(xs) < 2 {
		return
	}
	var wg sync.WaitGroup
	ask := make(chan int)
	wg.Go(func() { // want "talks starts" // refuse "threshold: the task waits for a channel" "serial: the task waits"
		n := <-ask
		talks(xs[:n])
	})
	ask <- len(xs) / 2
	wg.Wait()
}

// The group has other members.
func shares(xs []int, wg *sync.WaitGroup) {
	if len(xs) < 2 {
		return
	}
	var own sync.WaitGroup
	own.Add(1)
	go func() { // want "shares starts"
		defer own.Done()
		shares(xs[:len(xs)/2], &own)
	}()
	own.Wait()
}

// lengths has a len of its own: its number tells the size.
func lengths(xs []int, len int) int {
	if len == 1 {
		return xs[0]
	}
	var left int
	var wg sync.WaitGroup
	wg.Go(func() { left = lengths(xs[:len/2], len/2) }) // want "lengths starts a goroutine"
	right := lengths(xs[len/2:], len-len/2)
	wg.Wait()
	return left + right
}

// The lock is held when the goroutines start, which take it.
func counted(wg *sync.WaitGroup, mu *sync.Mutex, xs []int) {
	defer wg.Done()
	mu.Lock()
	if len(xs) > 1 {
		wg.Add(1)
		go counted(wg, mu, xs[1:]) // want "counted starts" // refuse "threshold: the function holds a lock" "serial: the function holds a lock"
	}
	mu.Unlock()
}

// What a caller sends comes after the goroutine that waits for it.
func chain(wg *sync.WaitGroup, from, to chan int, n int) {
	defer wg.Done()
	if n > 0 {
		wg.Add(1)
		next := make(chan int)
		go chain(wg, to, next, n-1)
		to <- <-from + 1
	}
}
