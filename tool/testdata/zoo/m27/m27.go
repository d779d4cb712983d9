// Package m27 starts a goroutine and waits for it at once.
package m27

func step(x int) int { return x*1103515245 + 12345 }

func walk(n int) (x int) {
	for range n {
		x = step(x)
	}
	return x
}

func walkAway(n int) (x int) {
	for range n {
		done := make(chan int)
		go func() { done <- step(x) }() // mistake: inplace chanperitem
		x = <-done
	}
	return x
}
