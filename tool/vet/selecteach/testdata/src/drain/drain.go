// Package drain has loops that receive through a select.
package drain

import (
	"context"
	"sync/atomic"
	"time"
)

func merge(left, right <-chan int, out func(int)) {
	open := 2
	for open > 0 {
		select { // want "each value comes through a select"
		case v, ok := <-left:
			// The last one.
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

type server struct {
	in   chan string
	quit chan struct{}
	last string
	n    int
	done atomic.Bool
}

func (s *server) serve(ctx context.Context, replies chan<- int, tick *time.Ticker) error {
	for {
		select { // want "each value comes through a select"
		case m := <-s.in: // one at a time
			n := len(m)
			s.n += n
			if s.n < 0 {
				return nil
			}
		case s.last = <-s.in:
			s.n++
		case replies <- s.n:
			s.n = 0
		case <-tick.C:
			s.n++
		case <-s.quit:
			s.n--
		case <-time.After(time.Second):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func named(ok bool, in, more chan bool) (n int) {
	for ok {
		select { // want "each value comes through a select"
		case <-in:
			n++
		case ok = <-more:
			n--
		}
	}
	return n
}

// It takes what there is already.
func drains(in, more chan int, quit chan struct{}) (sum int) {
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
			if v > 0 {
				return v, nil
			} else {
				panic("less than nothing")
			}
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

func counts(in, more chan int) (sum int) {
	for range 10 {
		select { // want "each value" // refuse "drain: the loop does more than the select"
		case v := <-in:
			sum += v
		case v := <-more:
			sum -= v
		}
	}
	for i := 0; i < 10; i++ {
		select { // want "each value" // refuse "drain: the loop does more than the select"
		case v := <-in:
			sum += v
		case v := <-more:
			sum -= v
		}
	}
	for sum < 100 {
		sum++
		select { // want "each value" // refuse "drain: the loop does more than the select"
		case v := <-in:
			sum += v
		case v := <-more:
			sum -= v
		}
	}
	return sum
}

func (s *server) asks(more chan string) (n int) {
	for !s.done.Load() {
		select { // want "each value" // refuse "drain: the loop does more than the select"
		case m := <-s.in:
			n += len(m)
		case m := <-more:
			n -= len(m)
		}
	}
	return n
}

func anew(in chan int, next func() int, out chan<- int, which func() chan int) (sum int) {
	for {
		select { // want "each value" // refuse "drain: a case calls something anew each time"
		case v := <-in:
			sum += v
		case out <- next():
			return sum
		}
	}
}

func called(in chan int, quit chan struct{}, which func() chan int) (sum int) {
	for {
		select { // want "each value" // refuse "drain: a case calls something anew each time"
		case v := <-which():
			sum += v
		case <-quit:
			return sum
		}
	}
}

func keeps(in, more chan int, quit chan struct{}) (all []func() int, at []*int) {
	for {
		select { // want "each value" // refuse "drain: the case keeps w"
		case v := <-in:
			all = append(all, func() int { return v })
		case w := <-more:
			at = append(at, &w)
		case <-quit:
			return all, at
		}
	}
}

func goesOn(in, more chan int, quit chan struct{}) (sum int) {
	for {
		select { // want "each value" // refuse "drain: the case goes on by continue"
		case v := <-in:
			if v < 0 {
				continue
			}
			sum += v
		case <-quit:
			return sum
		}
	}
}

func hides(in, more chan int, quit chan struct{}) (sum int) {
	for {
		select { // want "each value" // refuse "drain: more is something else in the case"
		case in := <-in:
			sum += in
		case v := <-more:
			more := v + 1
			sum += more
		case <-quit:
			return sum
		}
	}
}

func indexed(in, more chan int, to []int, quit chan struct{}) {
	for len(to) > 0 {
		select { // want "each value" // refuse "drain: to.0. is not the same each time"
		case to[0] = <-in:
			to = to[1:]
		case <-quit:
			return
		}
	}
}
