package a

import "github.com/gopayoff/payoff/tool/vet/flow/testdata/src/b"

func within(t *T, c chan int, m map[int]int, f func(), s []int) {
	n := len(s)   //
	n += <-c      // receives from a channel
	for range c { // receives from a channel
		n++
	}
	t.n = n                  // changes n of parameter 0
	c <- n                   // may panic; sends to a channel
	func() { t.mu.Lock() }() // takes a lock
	go f()                   // calls parameter 3; starts a goroutine
	defer b.Count()          // changes Total of variables of packages
	for k := range m {       // changes elements of parameter 2
		m[k]++
	}
	n /= len(s)        // may panic
	for i := range s { //
		n += s[i]
	}
	n += s[n] // may panic
	select {  // receives from a channel
	case <-c:
	default:
	}
	n = b.Wait(c) // receives from a channel
	t.mu.Unlock() // takes a lock
	for n < 3 {   // changes n of parameter 0
		t.inc()
	}
}

// fails: perhaps
func shifts(n, by int) int { return n << by }

// fails: never
func shiftsOnce(n int, by uint) int { return n << by << 1 }

// fails: perhaps
func entryOf(m map[any]int, k any) int { return m[k] }

// fails: never
func entryOfName(m map[string]int, k string) int { return m[k] }

// fails: perhaps
func drops(m map[any]int, k any) { delete(m, k) }

type union struct {
	n int
	v [1]any
}

// fails: perhaps
func alike(a, b union) bool { return a == b }

// fails: never
func samePointers(a, b *union) bool { return a == b }

// fails: perhaps
func quotient[N int | float64](a, b N) N { return a / b }

// fails: perhaps
func buffered(n int) chan int { return make(chan int, n) }

// fails: never
func adds(s []int) (n int) {
	for i := range s {
		n += s[i]
	}
	return n
}
