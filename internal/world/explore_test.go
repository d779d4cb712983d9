package world_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
)

// asked is what threads set and the explorer asks for, which nothing orders.
var asked atomic.Int64

// orders runs main in all orders with two delays.
func orders(main func() string) (int, *world.Finding) {
	return world.Explorer{Delays: 2, Runs: 100_000, Look: time.Microsecond, Procs: 2}.Explore(main)
}

// both runs two functions at once and waits for them.
func both(a, b func()) {
	var wg shim.WaitGroup
	wg.Go(a)
	wg.Go(b)
	wg.Wait()
}

// TestExplore: what some order makes wrong is found, and what none does is not.
func TestExplore(t *testing.T) {
	for _, c := range []struct {
		name, wrong string // what is found, or nothing
		main        func() string
	}{
		{"an addition in two steps", "2 additions make 1", func() string {
			var n shim.Int32
			add := func() { n.Store(n.Load() + 1) }
			both(add, add)
			if n.Load() != 2 {
				return "2 additions make 1"
			}
			return ""
		}},
		{"an addition", "", func() string {
			var n shim.Int32
			add := func() { n.Add(1) }
			both(add, add)
			if n.Load() != 2 {
				return "2 additions do not make 2"
			}
			return ""
		}},
		{"each writes and then looks at the other's", "", func() string {
			var x, y shim.Int32
			var a, b int32
			both(func() { x.Store(1); a = y.Load() }, func() { y.Store(1); b = x.Load() })
			if a+b == 0 {
				return "neither has seen the other"
			}
			return ""
		}},
		{"each looks and then writes", "neither", func() string {
			var x, y shim.Int32
			var a, b int32
			both(func() { a = y.Load(); x.Store(1) }, func() { b = x.Load(); y.Store(1) })
			if a+b == 0 {
				return "neither has seen the other"
			}
			return ""
		}},
		{"two locks in two orders", "waits for ever", func() string {
			var a, b shim.Mutex
			n := 0
			add := func(x, y *shim.Mutex) {
				x.Lock()
				y.Lock()
				n++
				y.Unlock()
				x.Unlock()
			}
			both(func() { add(&a, &b) }, func() { add(&b, &a) })
			return ""
		}},
		{"a panic", "boom", func() string {
			both(func() {}, func() { panic("boom") })
			return ""
		}},
		{"one that waits for another's word", "", func() string {
			var x shim.Bool
			both(func() {
				for !x.Load() {
					shim.Pause(100)
				}
			}, func() { x.Store(true) })
			return ""
		}},
		{"one that waits for nobody's", "nothing goes forward", func() string {
			var x shim.Bool
			both(func() {
				for !x.Load() {
					shim.Gosched()
				}
			}, func() {})
			return ""
		}},
	} {
		n, f := orders(c.main)
		switch {
		case f == nil && c.wrong != "":
			t.Errorf("%s: nothing was found in %d orders", c.name, n)
		case f != nil && (c.wrong == "" || !strings.Contains(f.Wrong, c.wrong)):
			t.Errorf("%s: %v", c.name, f)
		default:
			t.Logf("%s: %d orders", c.name, n)
		}
	}
}

// TestChannels: what waits for a channel, a condition or a time goes on when that is
// there, and no sooner.
func TestChannels(t *testing.T) {
	for _, c := range []struct {
		name, wrong string
		main        func() string
	}{
		{"a token", "", func() string {
			c, n := make(chan int, 1), 0
			both(func() { n = 1; shim.Sending(c) <- 1; shim.Sending(c) <- 2 }, func() {
				if n += <-shim.Receiving(c); n != 2 {
					panic("a receive before its send")
				}
				n += <-shim.Receiving(c)
			})
			return ""
		}},
		{"two take one token", "waits for ever", func() string {
			c := make(chan int, 2)
			c <- 1
			both(func() { <-shim.Receiving(c) }, func() { <-shim.Receiving(c) })
			return ""
		}},
		{"a channel that is closed", "", func() string {
			c := make(chan int)
			both(func() { close(shim.Closing(c)) }, func() {
				if _, ok := <-shim.Receiving(c); ok {
					panic("received")
				}
			})
			return ""
		}},
		{"either of two", "both", func() string {
			a, b, got := make(chan int, 1), make(chan int, 1), ""
			both(func() { shim.Sending(a) <- 1; shim.Sending(b) <- 1 }, func() {
				for range 2 {
					switch shim.Select(true, shim.CanRecv(a), shim.CanRecv(b)) {
					case 0:
						<-a
						got += "a"
					case 1:
						<-b
						got += "b"
					}
				}
			})
			if got == "ba" {
				return "both orders"
			}
			return ""
		}},
		{"a look", "nothing there", func() string {
			c := make(chan int, 1)
			wrong := ""
			both(func() { shim.Sending(c) <- 1 }, func() {
				if shim.Select(false, shim.CanRecv(c)) < 0 {
					wrong = "nothing there"
				}
			})
			return wrong
		}},
		{"a condition", "", func() string {
			var mu shim.Mutex
			c, there := shim.Cond{L: &mu}, false
			both(func() { mu.Lock(); there = true; mu.Unlock(); c.Broadcast() }, func() {
				mu.Lock()
				for !there {
					c.Wait()
				}
				mu.Unlock()
			})
			return ""
		}},
		{"a condition that is told too early", "waits for ever", func() string {
			var mu shim.Mutex
			c, there := shim.Cond{L: &mu}, false
			both(func() { c.Broadcast(); mu.Lock(); there = true; mu.Unlock() }, func() {
				mu.Lock()
				for !there {
					c.Wait()
				}
				mu.Unlock()
			})
			return ""
		}},
		{"a time", "", func() string {
			c, n := make(chan int, 1), 0
			timer := shim.AfterFunc(time.Second, func() { n++; shim.Sending(c) <- 1 })
			<-shim.Receiving(c)
			if timer.Stop() || n != 1 {
				return "a timer that fired is stopped"
			}
			timer.Reset(time.Second)
			shim.AfterFunc(time.Millisecond, func() { timer.Stop(); shim.Sending(c) <- 1 })
			if <-shim.Receiving(c); n != 1 && n != 2 {
				return "a timer fired twice"
			}
			return ""
		}},
		{"a time that is stopped", "waits for ever", func() string {
			c := make(chan int, 1)
			shim.AfterFunc(time.Second, func() { shim.Sending(c) <- 1 }).Stop()
			<-shim.Receiving(c)
			return ""
		}},
		{"what is soon", "", func() string {
			c, n := make(chan int, 1), &asked
			n.Store(0)
			shim.Go(func() { n.Store(1); shim.Gosched(); n.Store(2); <-shim.Receiving(c); n.Store(3) })
			shim.AfterFunc(time.Nanosecond, func() { shim.Sending(c) <- 1 })
			if !world.Soon(func() bool { return n.Load() >= 2 }) {
				return "what a goroutine does was not soon"
			}
			if n.Load() < 3 && world.Soon(func() bool { return n.Load() < 0 }) {
				return "what never is was soon"
			}
			if n.Load() != 3 { // the timer comes when nothing else is left
				world.Wait(func() bool { return n.Load() == 3 })
			}
			return ""
		}},
		{"what is not soon", "time was needed", func() string {
			n := &asked
			n.Store(0)
			shim.AfterFunc(time.Nanosecond, func() { n.Store(1) })
			if !world.Soon(func() bool { return n.Load() == 1 }) {
				return "time was needed"
			}
			return ""
		}},
		{"the end of a context", "", func() string {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			c, n := make(chan int, 1), 0
			shim.ContextAfterFunc(ctx, func() { n++; shim.Sending(c) <- 1 })
			stop := shim.ContextAfterFunc(ctx, func() { n += 10 })
			if !stop() || stop() {
				return "what was stopped was not, or twice"
			}
			cancel()
			if <-shim.Receiving(c); n != 1 {
				return "another function was called"
			}
			return ""
		}},
	} {
		n, f := orders(c.main)
		switch {
		case f == nil && c.wrong != "":
			t.Errorf("%s: nothing was found in %d orders", c.name, n)
		case f != nil && (c.wrong == "" || !strings.Contains(f.Wrong, c.wrong)):
			t.Errorf("%s: %v", c.name, f)
		}
	}
}

// kept is put back before each order.
var kept struct {
	n    int
	next *struct{ n int }
}

func init() {
	kept.n = 7
	kept.next = &struct{ n int }{8}
	world.Keep(&kept)
}

func TestKeep(t *testing.T) {
	n, f := orders(func() string {
		if kept.n != 7 || kept.next.n != 8 {
			return "something is left of the order before"
		}
		kept.n, kept.next.n = 0, 0
		return ""
	})
	if f != nil {
		t.Errorf("after %d orders: %v", n, f)
	}
}
