package par

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par/internal/loop"
)

// parking has what is sent on parked tell, until t ends, that somebody sleeps at a gate
// or is about to.
func parking(t *testing.T) (parked chan bool) {
	parked = make(chan bool, 1)
	rest(t)
	h := help.Use(help.Runtime)
	park := h.Park
	h.Park = func(gate *sync.Mutex) {
		select {
		case parked <- true:
		default:
		}
		park(gate)
	}
	help.Use(h) // whoever set the one before puts the first back
	return parked
}

// TestHelperEnds: what a helper runs comes to an end of each kind, while its
// caller sleeps. The caller's part lasts until the other one has begun, so a
// helper takes it sooner or later, however busy the machine is.
func TestHelperEnds(t *testing.T) {
	stress.NoneLeft(t)
	storm(t)
	parked := parking(t)
	var inFirst, began, ended atomic.Bool
	first := func() {
		inFirst.Store(true)
		for from := time.Now(); !began.Load() && time.Since(from) < time.Second; {
			runtime.Gosched()
			help.Clock() // a storm's time passes
		}
		inFirst.Store(false)
	}
	second := func(how string) {
		helped := inFirst.Load()
		began.Store(true)
		if helped {
			<-parked // the caller
		}
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
				select { // somebody may have slept before
				case <-parked:
				default:
				}
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
	parked := parking(t)
	var inFirst, began, ended atomic.Bool
	f := New(func(t *Task[int, int], i int) int {
		switch i {
		case 0:
			a, b := t.Join(1, 2)
			return a + b
		case 1:
			inFirst.Store(true)
			for from := time.Now(); !began.Load() && time.Since(from) < time.Second; {
				runtime.Gosched()
				help.Clock()
			}
			inFirst.Store(false)
			panic("first")
		}
		helped := inFirst.Load()
		began.Store(true)
		if helped {
			<-parked // the caller
		}
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
