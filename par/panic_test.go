package par

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/outcome"
	"github.com/gopayoff/payoff/internal/stress"
)

// The tests are of what par does when it decides, also in builds for the race
// detector, unless they say otherwise.
func TestMain(m *testing.M) {
	if os.Getenv(force.Env) == "" {
		force.Set(force.Auto)
	}
	m.Run()
}

// raw returns what a body panicked with, from what came out of the call.
func raw(v any) any {
	switch p := v.(type) {
	case *Panic:
		return p.Value
	case *outcome.Outcome: // from a function that is not public
		return p.Value
	}
	return v
}

// A guilty function has a name of its own, to be found in stacks.
//
//go:noinline
func guilty() {
	var s []int
	_ = s[len(os.Args)]
}

// TestPanic: whatever is called, and wherever the body runs, one *Panic comes out
// that has the value and the stack of where it began.
func TestPanic(t *testing.T) {
	stress.NoneLeft(t)
	fork := New(func(t *Task[int, int], i int) int {
		if i == 0 {
			guilty()
		}
		a, b := t.Join(i-1, 0)
		return a + b
	})
	calls := map[string]func(){
		"For":    func() { For(100, func(lo, hi int) { guilty() }) },
		"Do":     func() { Do(func() {}, guilty) },
		"Map":    func() { MapN(100, func(i int) int { guilty(); return i }) },
		"Func":   func() { fork.Call(10) },
		"nested": func() { For(10, func(lo, hi int) { Do(guilty, func() { fork.Call(2) }) }) },
	}
	each := func(t *testing.T) {
		for name, call := range calls {
			for range times(50) {
				var v any
				func() {
					defer func() { v = recover() }()
					call()
				}()
				p, ok := v.(*Panic)
				if !ok {
					t.Fatalf("%s panics with %T %v, want a *Panic", name, v, v)
				}
				if _, twice := p.Value.(*Panic); twice {
					t.Fatalf("%s panics with a *Panic of a *Panic", name)
				}
				var bounds runtime.Error
				if !errors.As(p, &bounds) || errors.Unwrap(p) != p.Value {
					t.Errorf("%s: errors.As does not find the runtime.Error in %v", name, p.Value)
				}
				// The runtime prints the stack of this goroutine.
				elsewhere := 0
				if len(p.Callers) > 0 {
					elsewhere = 1
				}
				if text := p.Error(); !strings.Contains(text, "index out of range") || strings.Count(text, "par.guilty(") != elsewhere {
					t.Errorf("%s: the text does not name the guilty function %d times:\n%s", name, elsewhere, text)
				}
				if !strings.HasPrefix(string(p.Stack), "goroutine ") || strings.Contains(string(p.Stack), "outcome.Of") {
					t.Errorf("%s: the stack does not begin at the panic:\n%s", name, p.Stack)
				}
			}
		}
	}
	modes(t, each)
	t.Run("spread", func(t *testing.T) {
		defer force.Set(force.Set(force.Spread))
		stress.Procs(t, each)
	})
}

// TestPanicHelper: the same, where it is known that a helper panicked.
func TestPanicHelper(t *testing.T) {
	stress.NoneLeft(t)
	storm(t)
	var caller, other atomic.Bool
	for try := 0; !other.Load(); try++ {
		if try == 50 {
			t.Fatal("no helper in 50 calls")
		}
		caller.Store(false)
		var v any
		func() {
			defer func() { v = recover() }()
			Do(func() {
				caller.Store(true)
				for from := time.Now(); !other.Load() && time.Since(from) < time.Second; {
					runtime.Gosched()
				}
				caller.Store(false)
			}, func() {
				if caller.Load() {
					other.Store(true)
				}
				panic(fmt.Errorf("full: %w", errBoom))
			})
		}()
		p, ok := v.(*Panic)
		if !ok || !errors.Is(p, errBoom) || !strings.Contains(string(p.Stack), "TestPanicHelper.func") {
			t.Fatalf("panics with %v", v)
		}
	}
}

// TestCrash: a program that recovers nothing names the guilty function and its caller,
// each in one stack.
func TestCrash(t *testing.T) {
	if os.Getenv("PAR_CRASH") != "" {
		For(1000, func(lo, hi int) { time.Sleep(time.Millisecond); guilty() })
	}
	for _, mode := range []string{"spread", "serial"} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestCrash$")
		cmd.Env = append(os.Environ(), "PAR_CRASH=1", force.Env+"="+mode)
		out, err := cmd.CombinedOutput()
		guilty, caller := strings.Count(string(out), "par.guilty("), strings.Count(string(out), "par.TestCrash(")
		if err == nil || guilty != 1 || caller != 1 {
			t.Fatalf("%s: %v; the report names the guilty function %d times and its caller %d times, want 1 and 1:\n%s", mode, err, guilty, caller, out)
		}
	}
}
