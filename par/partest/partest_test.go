package partest_test

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/par/partest"
)

// goroutine returns the identity of the calling goroutine.
func goroutine() string {
	buf := make([]byte, 64)
	return strings.Fields(string(buf[:runtime.Stack(buf, false)]))[1]
}

// where calls loops of small n and returns the goroutines that they ran on.
func where() map[string]int {
	var mu sync.Mutex
	on := make(map[string]int)
	here := func() {
		mu.Lock()
		defer mu.Unlock()
		on[goroutine()]++
	}
	par.For(10, func(lo, hi int) { here() })
	par.For(1, func(lo, hi int) { here() })
	par.ForEach(make([]int, 3), func(int, *int) { here() })
	par.Do(here, here)
	par.Filter([]int{1, 2, 3}, func(int) bool { here(); return true })
	par.Find([]int{1, 2, 3}, func(int) bool { here(); return false })
	return on
}

func TestModes(t *testing.T) {
	stress.NoneLeft(t)
	me := goroutine()
	where() // learns that all of it is small
	t.Run("spread", func(t *testing.T) {
		partest.Spread(t)
		// Two or more for the first loop, one for each element or function of the rest.
		if on := where(); on[me] > 0 || len(on) < 2+1+3+2+3+3 {
			t.Errorf("calls ran on %d goroutines, %d on that of the caller", len(on), on[me])
		}
	})
	t.Run("serial", func(t *testing.T) {
		partest.Serial(t)
		if on := where(); len(on) != 1 {
			t.Errorf("calls ran on %d goroutines", len(on))
		}
		// So does what par would share.
		done := 0
		par.For(100, func(lo, hi int) {
			for range hi - lo {
				done++
				time.Sleep(100 * time.Microsecond)
			}
		})
		if done != 100 {
			t.Errorf("%d of 100 elements", done)
		}
	})
}

// In a bubble the goroutines belong to the bubble.
func TestSpreadBubble(t *testing.T) {
	partest.Spread(t)
	synctest.Test(t, func(t *testing.T) {
		from := time.Now()
		par.For(8, func(lo, hi int) { time.Sleep(time.Second) })
		if took := time.Since(from); took != time.Second {
			t.Errorf("eight sleeps of a second took %v", took)
		}
	})
}

// TestLimits: a Limit holds where parts are spread.
func TestLimits(t *testing.T) {
	partest.Spread(t)
	busy := 0
	par.For(100, func(lo, hi int) { busy++ }, par.Limit(1))
	if busy != 1 {
		t.Errorf("%d parts, want 1", busy)
	}
}

// TestReuse: where parts are spread, a sequence that reuses what it has yielded is
// wrong already with two elements, also where it is slow.
func TestReuse(t *testing.T) {
	partest.Spread(t)
	synctest.Test(t, func(t *testing.T) {
		reusing := func(yield func([]byte) bool) {
			buf := make([]byte, 1)
			for _, c := range "ab" {
				time.Sleep(time.Second)
				if buf[0] = byte(c); !yield(buf) {
					return
				}
			}
		}
		same := func(b []byte) string { return string(b) }
		if got := slices.Collect(par.MapSeq(reusing, same)); !slices.Equal(got, []string{"b", "b"}) {
			t.Errorf("MapSeq worked on %q; nobody sees that the first was reused", got)
		}
	})
}

// TestParallel: modes are for the process, so parallel tests are refused.
func TestParallel(t *testing.T) {
	t.Run("parallel first", func(t *testing.T) {
		t.Parallel()
		defer func() {
			if recover() == nil {
				t.Error("Spread in a parallel test does not panic")
			}
		}()
		partest.Spread(t)
	})
	t.Run("mode first", func(t *testing.T) {
		partest.Serial(t)
		if mode := os.Getenv("PAYOFF_PAR"); mode != "serial" {
			t.Errorf("PAYOFF_PAR=%s, want serial", mode)
		}
		defer func() {
			if recover() == nil {
				t.Error("a test that is parallel after Serial does not panic")
			}
		}()
		t.Parallel()
	})
}

// TestEnvironment: the variable is read, and a value that means nothing is passed
// over.
func TestEnvironment(t *testing.T) {
	if os.Getenv("PARTEST_CHILD") != "" {
		par.Map([]int{1, 2, 3}, func(int) int { fmt.Println("part on", goroutine()); return 0 })
		return
	}
	for value, want := range map[string]int{"spread": 3, "serial": 1, "sometimes": 0} {
		cmd := exec.Command(os.Args[0], "-test.run=^TestEnvironment$", "-test.v")
		cmd.Env = append(os.Environ(), "PARTEST_CHILD=1", "PAYOFF_PAR="+value)
		out, err := cmd.CombinedOutput()
		var parts []string
		for line := range strings.Lines(string(out)) {
			if strings.HasPrefix(line, "part on ") {
				parts = append(parts, line)
			}
		}
		slices.Sort(parts)
		if got := len(slices.Compact(parts)); err != nil || got != want && want != 0 {
			t.Errorf("PAYOFF_PAR=%s: %d goroutines, want %d: %v\n%s", value, got, want, err, out)
		}
	}
}

// A test whose loop is spread, so that the race detector, or a wrong result, tells of
// what parts share.
func ExampleSpread() {
	testSquares := func(t *testing.T) {
		partest.Spread(t) // until t ends
		squares := make([]int, 100)
		par.ForEach(squares, func(i int, v *int) { *v = i * i })
		if squares[7] != 49 {
			t.Errorf("squares[7] = %d, want 49", squares[7])
		}
	}
	_ = testSquares // go test -race runs it
}

// A test that counts calls without a lock: all run on its goroutine.
func ExampleSerial() {
	testCalls := func(t *testing.T) {
		partest.Serial(t)
		calls := 0
		par.ForEach(make([]int, 100), func(int, *int) { calls++ })
		if calls != 100 {
			t.Errorf("%d calls, want 100", calls)
		}
	}
	_ = testCalls
}
