// Package b has timers that stay.
package b

import "time"

// Outside of loops, or made once.
func once(in <-chan int) {
	select {
	case <-in:
	case <-time.After(time.Second):
	}
	for range time.Tick(time.Second) {
		return
	}
	deadline := time.After(time.Second)
	for {
		select {
		case <-in:
		case <-deadline:
			return
		}
	}
}

// A function that is called in the loop has none of its own.
func literal(in <-chan int) {
	for range 3 {
		func() {
			select {
			case <-in:
			case <-time.After(time.Second):
			}
		}()
	}
}

func kept(in <-chan int) {
	for range in {
		late := time.After(time.Second) // want "time.After" // refuse "reuse: its channel is not one of"
		select {
		case <-in:
		case <-late:
		}
	}
}

type conn struct{ limit time.Duration }

func (c *conn) next() <-chan int { c.limit /= 2; return nil }

func (c *conn) read() {
	for {
		select {
		case <-c.next():
		case <-time.After(c.limit): // want "time.After" // refuse "reuse: a call that its select makes"
		}
	}
}

func jitter() time.Duration { return 1 }

func random(in <-chan int) {
	for {
		select {
		case <-in:
		case <-time.After(jitter()): // want "time.After" // refuse "reuse: its duration is computed by a call"
			return
		}
	}
}

func never(in <-chan int, d time.Duration) {
	for {
		select {
		case <-in:
			return
		case <-time.Tick(d): // want "time.Tick" // refuse "reuse: time.Tick of 0 or less never fires"
		}
	}
}

func jump(in <-chan int) {
again:
	for {
		select {
		case <-in:
			goto again
		case <-time.After(time.Second): // want "time.After" // refuse "reuse: the function has a goto"
			return
		}
	}
}

func deferred(in <-chan int) {
	for range 2 {
		t := time.NewTimer(time.Second) // want "time.NewTimer" // refuse "reuse: the timer is kept, passed on or used later"
		defer t.Stop()
		<-t.C
	}
}

func passed(in <-chan int, f func(*time.Timer)) {
	for range 2 {
		t := time.NewTimer(time.Second) // want "time.NewTimer" // refuse "reuse: the timer is kept, passed on or used later"
		f(t)
	}
}

func caught(f func(func())) {
	for range 2 {
		t := time.NewTimer(time.Second) // want "time.NewTimer" // refuse "reuse: the timer is kept, passed on or used later"
		f(func() { t.Stop() })
	}
}

func method(f func(func() bool)) {
	for range 2 {
		t := time.NewTimer(time.Second) // want "time.NewTimer" // refuse "reuse: the timer is kept, passed on or used later"
		f(t.Stop)
	}
}

func assigned(in <-chan int) (at time.Time) {
	for range in {
		at = <-time.After(time.Second) // want "time.After" // refuse "reuse: its channel is not one of"
	}
	return at
}

// The call may take longer than the timer.
func (c *conn) slow() {
	for {
		select {
		case <-c.next():
		case <-time.After(time.Second): // want "time.After" // refuse "reuse: a call that its select makes"
		}
	}
}

func poll(ready func() bool, d time.Duration) {
	for !ready() {
		<-time.After(d) // want "time.After" // refuse "reuse: its channel is not one of"
	}
}
