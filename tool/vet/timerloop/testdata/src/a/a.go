// Package a makes timers in loops.
package a

import (
	"context"
	"time"
)

func drain(in <-chan int, limit time.Duration) (sum int, ok bool) {
	for {
		select {
		case x, more := <-in:
			if !more {
				return sum, true
			}
			sum += x
		case <-time.After(limit): // want "time.After makes a timer in each iteration"
			return sum, false
		}
	}
}

// The label stays that of the loop, and the timer is made before both.
func labelled(in, out chan int) {
	timer := 1
Loop:
	for x := range in {
		x += timer
		select {
		case out <- x:
		case <-time.After(time.Second): // want "time.After"
			break Loop
		}
	}
}

func twice(ctx context.Context, in <-chan int, n int) (late time.Time) {
	for range n {
		select {
		case <-in:
		case <-ctx.Done():
			return late
		case late = <-time.After(time.Duration(n) * time.Second): // want "time.After"
		case at := <-time.After(time.Minute): // want "time.After"
			return at
		}
	}
	return late
}

// The limit changes, so the timer is set to it in each iteration.
func backoff(in <-chan int) {
	for limit := time.Millisecond; limit < time.Second; limit *= 2 {
		select {
		case <-in:
			return
		case <-time.After(limit): // want "time.After"
		}
	}
}

func tick(in <-chan int) {
	for {
		select {
		case <-in:
			return
		case <-time.Tick(time.Second): // want "time.Tick"
		}
	}
}

func stopped(in <-chan int, limit time.Duration) {
	for {
		t := time.NewTimer(limit) // want "time.NewTimer"
		select {
		case <-in:
			t.Stop()
		case <-t.C:
			return
		}
	}
}

func again(in <-chan int, limit time.Duration) {
	t := 0
	for {
		t++
		{
			t := time.NewTimer(limit) // want "time.NewTimer"
			select {
			case <-in:
				if !t.Stop() {
					<-t.C
				}
			case <-t.C:
				return
			}
		}
	}
}

// The loop is in a literal: so is the timer.
func worker(in <-chan int, limit time.Duration) func() {
	return func() {
		for {
			select {
			case <-in:
			case <-time.After(limit): // want "time.After"
				return
			}
		}
	}
}

func generic[T any](in <-chan T) {
	switch {
	case in != nil:
		for {
			select {
			case <-in:
			case <-time.After(time.Second): // want "time.After"
				return
			}
		}
	}
}
