// Package refused has loops whose goroutines are not easily taken together.
package refused

import "sync"

func f(x int) int { return x }

// The results come over a channel that is emptied later, of more than were known when it was made.
func results(xs []int) (sum int) {
	c := make(chan int)
	xs = append(xs, 1)
	for _, x := range xs {
		go func() { c <- f(x) }() // want "a goroutine starts" // refuse "serial: the task sends on c, which has no room" "par: the task sends on c"
	}
	for range xs {
		sum += <-c
	}
	return sum
}

// The loop stops early.
func stops(xs []int) {
	var wg sync.WaitGroup
	for _, x := range xs {
		if x < 0 {
			break
		}
		wg.Go(func() { f(x) }) // want "a goroutine starts" // refuse "chunk: the loop does more than" "par: the loop does more than"
	}
	wg.Wait()
}

// A map has no numbers.
func keys(m map[string]int) {
	var wg sync.WaitGroup
	for _, x := range m {
		wg.Go(func() { f(x) }) // want "a goroutine starts" // refuse "chunk: the iterations of the loop have no numbers" "par: the iterations"
	}
	wg.Wait()
}

// Each waits for the one before.
func chain(xs []int) {
	var wg sync.WaitGroup
	turn := make([]chan int, len(xs)+1)
	for i := range turn {
		turn[i] = make(chan int, 1)
	}
	turn[0] <- 0
	for i, x := range xs {
		wg.Go(func() { turn[i+1] <- <-turn[i] + x }) // want "a goroutine starts" // refuse "chunk: the task waits for a channel" "serial: the task sends on a channel" "par: the task sends on a channel"
	}
	wg.Wait()
}

// All wait for all.
func barrier(xs []int) {
	var all sync.WaitGroup
	var wg sync.WaitGroup
	all.Add(len(xs))
	for range xs {
		wg.Go(func() { // want "a goroutine starts" // refuse "chunk: the task waits for other" "serial: the task waits for other" "par: the task waits for other"
			all.Done()
			all.Wait()
		})
	}
	wg.Wait()
}

// The group is somebody else's.
func given(xs []int, wg *sync.WaitGroup) {
	for _, x := range xs {
		wg.Add(1)
		go func() { // want "a goroutine starts" // refuse "chunk: the wait group has other uses"
			defer wg.Done()
			f(x)
		}()
	}
	wg.Wait()
}

// The loop changes its variable.
func jumps(xs []int) {
	var wg sync.WaitGroup
	for i := 0; i < len(xs); i++ {
		wg.Go(func() { f(xs[i]); i++ }) // want "a goroutine starts" // refuse "chunk: the loop sets its variable i" "par: the loop sets"
	}
	wg.Wait()
}

// Not by one.
func steps(xs []int) {
	var wg sync.WaitGroup
	for i := 0; i < len(xs); i += 2 {
		wg.Go(func() { f(xs[i]) }) // want "a goroutine starts" // refuse "chunk: the loop does not count one by one" "par: the loop does not"
	}
	wg.Wait()
}

// The first panics, and the function would recover.
func recovers(xs []int) {
	defer func() { recover() }()
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { f(x) }) // want "a goroutine starts" // refuse "serial: the function recovers" "par: the function recovers"
	}
	wg.Wait()
}

// A lock that the tasks want.
func locked(xs []int, mu *sync.Mutex) {
	var wg sync.WaitGroup
	mu.Lock()
	for _, x := range xs {
		wg.Go(func() { mu.Lock(); f(x); mu.Unlock() }) // want "a goroutine starts" // refuse "serial: the function holds a lock" "par: the function holds a lock"
	}
	mu.Unlock()
	wg.Wait()
}

func catch(err *error) {
	if x := recover(); x != nil {
		*err = nil
	}
}

// What a task panics with ends the program, and would be caught in place.
func caught(xs []int) (err error) {
	defer catch(&err)
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { f(x) }) // want "a goroutine starts" // refuse "serial: the function recovers" "par: the function recovers"
	}
	wg.Wait()
	return nil
}

// Another goroutine waits for the group, too.
func awaited(xs []int, ready func()) {
	var wg sync.WaitGroup
	wg.Add(len(xs))
	go func() {
		wg.Wait()
		ready()
	}()
	for _, x := range xs {
		go func() { // want "a goroutine starts" // refuse "chunk: the wait group has other uses"
			defer wg.Done()
			f(x)
		}()
	}
	wg.Wait()
}

// Each sends to one of several channels.
func each(xs []int, cs []chan int) {
	var wg sync.WaitGroup
	for _, x := range xs {
		wg.Go(func() { cs[0] <- x }) // want "a goroutine starts" // refuse "serial: the task sends on a channel that may have no room" "par: the task sends on a channel that may have no room"
	}
	wg.Wait()
}

func count(wg *sync.WaitGroup, out []int, i int) {
	defer wg.Done()
	out[i] = f(i)
}

// counted counts its goroutines where they start, and a function tells of their end.
func counted(out []int) {
	var wg sync.WaitGroup
	for i := range out {
		wg.Add(1)
		go count(&wg, out, i) // want "a goroutine starts" // refuse "chunk: the wait group has other uses"
	}
	wg.Wait()
}
