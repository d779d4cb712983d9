// Package m11 makes a timer for every value that it waits for.
package m11

import "time"

func take(in chan int, n int) (total int) {
	for range n {
		total += <-in
	}
	return total
}

func takeInTime(in chan int, n int) (total int) {
	for range n {
		select {
		case x := <-in:
			total += x
		case <-time.After(time.Minute): // mistake: timerloop
			return -1
		}
	}
	return total
}

func fill(n int) chan int {
	c := make(chan int, n)
	for i := range n {
		c <- i
	}
	return c
}
