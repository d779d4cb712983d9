package world_test

import (
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/world"
	"github.com/gopayoff/payoff/internal/world/shim"
)

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
