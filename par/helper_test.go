package par

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par/internal/help"
	"github.com/gopayoff/payoff/par/internal/loop"
)

// TestHelperEnds: what a helper runs comes to an end of each kind, while its
// caller sleeps. The caller's part lasts until the other one has begun, so a
// helper takes it sooner or later, however busy the machine is.
func TestHelperEnds(t *testing.T) {
	stress.NoneLeft(t)
	storm(t)
	var began, ended atomic.Bool
	first := func() {
		for from := time.Now(); !began.Load() && time.Since(from) < time.Second; {
			runtime.Gosched()
			help.Clock() // a storm's time passes
		}
	}
	second := func(how string) {
		began.Store(true)
		time.Sleep(3 * time.Millisecond) // the caller is parked by now
		ended.Store(true)
		switch how {
		case "panic":
			panic(errBoom)
		case "Goexit":
			runtime.Goexit()
		}
	}
	for _, how := range []string{"return", "panic", "Goexit"} {
		fork := New(func(t *Task[int, int], i int) int {
			switch i {
			case 0:
				a, b := t.Join(1, 2)
				return a + b
			case 1:
				first()
			case 2:
				second(how)
			}
			return i
		})
		for kind, call := range map[string]func(){
			"Do": func() { Do(first, func() { second(how) }) },
			"For": func() {
				For(64, func(lo, hi int) {
					if lo == 0 {
						first()
					}
					if hi == 64 {
						second(how)
					}
				})
			},
			"Fork": func() { fork.Call(0); fork.Call(0) },
		} {
			helped := booked(t, &help.Sched.Counts.Steals)
			for try := 0; booked(t, &help.Sched.Counts.Steals) == helped; try++ {
				if try == 20 {
					t.Fatalf("%s, %s: no helper in 20 calls", kind, how)
				}
				if try > 0 {
					loop.Forget() // a call that panics teaches nothing, so a wrong guess would stay
				}
				began.Store(false)
				ended.Store(false)
				value, returned := catch(call)
				if returned != (how == "return") || how == "panic" && value != errBoom || how != "panic" && value != nil {
					t.Fatalf("%s, %s: returned %t, value %v", kind, how, returned, value)
				}
				if !ended.Load() {
					t.Fatalf("%s, %s: over before the helper was", kind, how)
				}
			}
		}
	}
}

// TestHelperPanics: where both halves panic, the one of the caller comes out, as
// it does from serial code, and not before the other has ended.
func TestHelperPanics(t *testing.T) {
	stress.NoneLeft(t)
	storm(t)
	var began, ended atomic.Bool
	f := New(func(t *Task[int, int], i int) int {
		switch i {
		case 0:
			a, b := t.Join(1, 2)
			return a + b
		case 1:
			for from := time.Now(); !began.Load() && time.Since(from) < time.Second; {
				runtime.Gosched()
				help.Clock()
			}
			panic("first")
		}
		began.Store(true)
		time.Sleep(3 * time.Millisecond)
		ended.Store(true)
		panic("second")
	})
	for try := 0; booked(t, &help.Sched.Counts.Steals) == 0; try++ {
		if try == 20 {
			t.Fatal("no helper in 20 calls")
		}
		began.Store(false)
		ended.Store(false)
		value, returned := catch(func() { f.Call(0) })
		if returned || value != "first" {
			t.Fatalf("returned %t, value %v", returned, value)
		}
		if began.Load() && !ended.Load() {
			t.Fatal("over before the helper was")
		}
	}
}
