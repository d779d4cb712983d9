// Package m30 makes a ticker for every value.
package m30

import "time"

func drain(in chan int) (total int) {
	for x := range in {
		total += x
	}
	return total
}

func drainTicking(in chan int) (total int) {
	for {
		select {
		case x, more := <-in:
			if !more {
				return total
			}
			total += x
		case <-time.Tick(time.Minute): // mistake: timerloop
			return -1
		}
	}
}

func fill(n int) chan int {
	c := make(chan int, n)
	for i := range n {
		c <- i
	}
	close(c)
	return c
}
