// Package levels has recursions whose work grows with the power of a number.
package levels

import "sync"

// It stays when all groups are gone.
var once sync.Once

// fib answers over a channel.
func fib(n int) int {
	if n < 2 {
		return n
	}
	ch := make(chan int)
	go func() { ch <- fib(n - 1) }() // want "fib starts"
	b := fib(n - 2)
	return <-ch + b
}

// depth is the only thing that bounds a perfect tree.
func leaves(depth int) int {
	if depth == 0 {
		return 1
	}
	var l, r int
	var wg sync.WaitGroup
	wg.Go(func() { l = leaves(depth - 1) }) // want "leaves starts"
	wg.Go(func() { r = leaves(depth - 1) })
	wg.Wait()
	return l + r
}
