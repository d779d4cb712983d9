// Package a has loops that receive through a select.
package a

import (
	"context"
	"time"
)

func merge(left, right <-chan int, out func(int)) {
	open := 2
	for open > 0 {
		select { // want "each value comes through a select"
		case v, ok := <-left:
			if !ok {
				left = nil
				open--
				break
			}
			out(v)
		case v, ok := <-right:
			if ok {
				out(v)
			} else {
				right = nil
				open--
			}
		}
	}
}

func serve(ctx context.Context, in chan string, replies chan<- int, quit chan struct{}) (n int) {
	for {
		select { // want "each value comes through a select"
		case m := <-in:
			n += len(m)
			if n < 0 {
				return n
			}
		case replies <- n:
			n = 0
		case <-quit:
			n--
		case <-ctx.Done():
			return n
		}
	}
}

// It goes on with the loop of the select, and with the one around it.
func again(in, more chan int) (n int) {
outer:
	for range 10 {
	inner:
		for {
			select { // want "each value comes through a select"
			case v := <-in:
				n += v
				continue inner
			case <-more:
				break outer
			}
		}
	}
	for range 10 {
		{
			select {
			case v := <-in:
				n += v
			case <-more:
			}
		}
	}
	return n
}

func outward(in, more chan int) (n int) {
outer:
	for range 10 {
		for {
			select {
			case v := <-in:
				n += v
				continue outer
			case v := <-more:
				n -= v
				break outer
			}
		}
	}
	return n
}

// Signals alone: nothing piles up.
func ticks(tick *time.Ticker, quit chan struct{}) (n int) {
	for {
		select {
		case <-tick.C:
			n++
		case <-quit:
			n--
		}
	}
}

func given[C chan int](in C, quit chan struct{}) (n int) {
	for {
		select {
		case v := <-in:
			n += v
		case <-quit:
			return n
		}
	}
}

// It takes what there is already.
func drains(in chan int, quit chan struct{}) (sum int) {
	for {
		select {
		case v := <-in:
			sum += v
			for len(in) > 0 {
				sum += <-in
			}
		case <-quit:
			return sum
		}
	}
}

// No more than the first of each.
func first(in, more chan int, failed chan error) (sum int, err error) {
	for {
		select {
		case v := <-in:
			return v, nil
		case v := <-more:
			panic(v)
		case err := <-failed:
			return 0, err
		}
	}
}

// One channel; or now and then.
func one(in, more chan int) (sum int) {
	for {
		select {
		case v := <-in:
			sum += v
			if v == 0 {
				return sum
			}
		}
		select {
		case v := <-in:
			sum += v
		default:
		}
		for range more {
			sum++
		}
	}
}
