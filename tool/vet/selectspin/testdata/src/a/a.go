// Package a has loops around a select.
package a

import (
	"context"
	"runtime"
	"time"
)

func empty(in chan int) (n int) {
	for {
		select {
		case x, more := <-in:
			if !more {
				return n
			}
			n += x
		default: // want "the select never waits"
		}
	}
}

func first(ctx context.Context, in, out chan int) (n int) {
	for {
		select {
		default: // want "the select never waits"
			continue
		case x := <-in:
			n += x
		case out <- n:
			n = 0
		case <-ctx.Done():
			return n
		}
	}
}

func yields(in chan int) int {
	for {
		select {
		case x := <-in:
			return x
		default: // want "the select never waits"
			runtime.Gosched() // or nobody sends
		}
	}
}

func until(in chan int, end time.Time) int {
	for time.Now().Before(end) {
		select {
		case x := <-in:
			return x
		default: // want "the select never waits" // refuse "block: what waits does not come to the condition"
		}
	}
	return 0
}

func counted(in chan int) int {
	for i := 0; ; i++ {
		select {
		case x := <-in:
			return x + i
		default: // want "the select never waits" // refuse "block: what waits does not come to the condition"
		}
	}
}

func anew(in chan int) int {
	for {
		select {
		case x := <-in:
			return x
		case <-time.After(time.Second):
			return 0
		default: // want "the select never waits" // refuse "block: a case calls something anew each time"
		}
	}
}

// Not: it works in between, leaves, waits elsewhere, or asks once.
func busy(in chan int, step func()) int {
	for {
		select {
		case x := <-in:
			return x
		default:
			step()
		}
	}
}

func drain(in chan int) (n int) {
	for {
		select {
		case x := <-in:
			n += x
		default:
			return n
		}
	}
}

func sleeps(in chan int) int {
	for {
		select {
		case x := <-in:
			return x
		default:
		}
		time.Sleep(time.Millisecond)
	}
}

func once(in chan int) int {
	select {
	case x := <-in:
		return x
	default:
	}
	return 0
}

func waits(in chan int) (n int) {
	for {
		select {
		case x := <-in:
			n += x
		}
	}
}
