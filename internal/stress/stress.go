// Package stress has what the tests of concurrent code in this library share:
// a ledger of the values sent and received, a walk over processor counts, a
// process that takes a processor away, and checks for goroutines that hang or
// stay behind.
//
// It is for tests only. A program that imports it does nothing but spin when
// PAYOFF_STRESS_HOG is in its environment; see [Hog].
package stress

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Procs runs f as a subtest at 1, 2 and 8 processors, and puts GOMAXPROCS back.
// Neither t nor f may be parallel to other tests.
func Procs(t *testing.T, f func(t *testing.T)) {
	for _, n := range []int{1, 2, 8} {
		t.Run(fmt.Sprintf("procs=%d", n), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(n))
			f(t)
		})
	}
}

// Turns runs f as subtests of one process at 1, 2, 8, 2 and 1 processors, and puts
// GOMAXPROCS back: what is kept of a number of processors has to follow it, up and down.
// Neither t nor f may be parallel to other tests.
func Turns(t *testing.T, f func(t *testing.T, procs int)) {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for i, n := range []int{1, 2, 8, 2, 1} {
		t.Run(fmt.Sprintf("turn=%d/procs=%d", i, n), func(t *testing.T) {
			runtime.GOMAXPROCS(n)
			f(t, n)
		})
	}
}

// Follows calls got until it returns want, and fails t where it does not for long.
func Follows(t testing.TB, what string, want int, got func() int) {
	t.Helper()
	from := time.Now()
	for n := got(); n != want; n = got() {
		if time.Since(from) > 20*time.Second {
			t.Fatalf("%s at GOMAXPROCS %d: %d, want %d", what, runtime.GOMAXPROCS(0), n, want)
		}
		time.Sleep(100 * time.Microsecond)
	}
}

// Long reports whether tests are to take their long form: PAYOFF_LONG is set, as
// .ci/run does it once. The short form looks for the same faults, with fewer
// seeds, at smaller sizes.
func Long() bool { return os.Getenv("PAYOFF_LONG") != "" }

// Seed returns the number that PAYOFF_SEED holds, or a random one, and logs it.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64()
	if s := os.Getenv("PAYOFF_SEED"); s != "" {
		var err error
		if seed, err = strconv.ParseUint(s, 10, 64); err != nil {
			t.Fatalf("PAYOFF_SEED: %v", err)
		}
	}
	t.Logf("PAYOFF_SEED=%d", seed)
	return seed
}

// Within runs f in a goroutine of its own and fails t, with the stacks of all
// goroutines, where f has not returned after d. What hangs is left behind.
//
// f may end the test as the test's goroutine may, by t.Fatal or t.Skip.
func Within(t testing.TB, d time.Duration, what string, f func()) {
	t.Helper()
	done := make(chan bool, 1)
	go func() {
		returned := false
		defer func() { done <- returned }()
		f()
		returned = true
	}()
	late := time.NewTimer(d)
	defer late.Stop()
	select {
	case returned := <-done:
		if !returned {
			runtime.Goexit() // t.FailNow or t.SkipNow ended f, and has told t
		}
	case <-late.C:
		t.Fatalf("%s: not done after %v; all goroutines:\n\n%s", what, d, strings.Join(stacks(), "\n\n"))
	}
}

// Goroutines are the identities of goroutines that were alive at one moment.
type Goroutines map[string]bool

// Running returns those alive now.
func Running() Goroutines {
	g := make(Goroutines)
	for _, s := range stacks() {
		g[identity(s)] = true
	}
	return g
}

// Left returns the stacks of goroutines that are alive and are not in g, or "".
// A goroutine that has done its last visible act may need a moment to end, so
// Left looks again, for about a second, before it says that one stays.
func (g Goroutines) Left() string {
	for pause := time.Millisecond; ; pause *= 2 {
		var left []string
		for _, s := range stacks() {
			// A process has one goroutine of os/signal as soon as it asked for a signal.
			if !g[identity(s)] && !strings.Contains(s, "\ncreated by os/signal.") {
				left = append(left, s)
			}
		}
		if len(left) == 0 || pause > time.Second/2 {
			return strings.Join(left, "\n\n")
		}
		time.Sleep(pause)
	}
}

// NoneLeft fails t at its end, with the stacks, where goroutines live that did
// not at the call. No test that runs at the same time may start any.
func NoneLeft(t testing.TB) {
	t.Helper()
	before := Running()
	t.Cleanup(func() {
		if left := before.Left(); left != "" {
			t.Errorf("goroutines are left:\n\n%s", left)
		}
	})
}

// stacks returns the stack of each goroutine.
func stacks() []string {
	buf := make([]byte, 1<<16)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			return strings.Split(strings.TrimSpace(string(buf[:n])), "\n\n")
		}
		buf = make([]byte, 2*len(buf))
	}
}

// identity returns the 7 of "goroutine 7 [running]:".
func identity(stack string) string {
	_, s, _ := strings.Cut(stack, " ")
	s, _, _ = strings.Cut(s, " ")
	return s
}
