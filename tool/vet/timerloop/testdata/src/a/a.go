// Package a makes timers in loops.
package a

import (
	"context"
	"sync/atomic"
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

// One that calls a function is set again as well.
func later(items []int, late *atomic.Int64, work func(int) int) (sum int) {
	for _, x := range items {
		t := time.AfterFunc(time.Minute, func() { late.Add(1) }) // want "time.AfterFunc makes a timer in each iteration"
		sum += work(x)
		t.Stop()
	}
	for i, x := range items {
		t := time.AfterFunc(time.Duration(x)*time.Hour, func() { panic("late") }) // want "time.AfterFunc makes a timer"
		if x < 0 {
			t.Stop()
			break
		}
		sum += i
		// All is well.
		t.Stop()
	}
	return sum
}

func laters(items []int, late []int, work func(int) bool, alarm func()) (timers []*time.Timer) {
	for i, x := range items {
		t := time.AfterFunc(time.Minute, func() { late[i]++ }) // want "time.AfterFunc" // refuse "reuse: its function may be another in each iteration"
		work(x)
		t.Stop()
	}
	for _, x := range items {
		t := time.AfterFunc(time.Minute, alarm) // want "time.AfterFunc" // refuse "reuse: the next iteration may begin before it is stopped"
		if work(x) {
			continue
		}
		t.Stop()
	}
	for _, x := range items {
		t := time.AfterFunc(time.Minute, alarm) // want "time.AfterFunc" // refuse "reuse: it is not stopped before the next iteration"
		if work(x) {
			t.Stop()
		}
	}
	for range items {
		t := time.AfterFunc(time.Minute, alarm) // want "time.AfterFunc" // refuse "reuse: the timer is kept, passed on"
		timers = append(timers, t)
		t.Stop()
	}
	for _, x := range items {
		f := alarm
		t := time.AfterFunc(time.Minute, f) // want "time.AfterFunc" // refuse "reuse: its function may be another in each iteration"
		work(x)
		t.Stop()
	}
	for _, x := range items {
		t := time.AfterFunc(time.Minute, alarm) // want "time.AfterFunc" // refuse "reuse: it is not stopped before"
		t.Stop()
		if work(x) {
			t.Reset(time.Hour)
		}
	}
	for _, x := range items {
		time.AfterFunc(time.Minute, alarm) // want "time.AfterFunc" // refuse "reuse: its timer is not a variable of the loop"
		work(x)
	}
	return timers
}
