package par

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

// TestForOracle: each element once, whatever its cost.
func TestForOracle(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	modes(t, func(t *testing.T) {
		for range times(300) {
			n := rnd.IntN(1 << rnd.IntN(16))
			ran := make([]atomic.Int32, n)
			heavy := rnd.IntN(n + 1)
			For(n, func(lo, hi int) {
				if lo >= hi {
					t.Errorf("an empty part: [%d, %d)", lo, hi)
				}
				for i := lo; i < hi; i++ {
					ran[i].Add(1)
					if i == heavy {
						help.Pause(30000)
					}
				}
			})
			for i := range ran {
				if got := ran[i].Load(); got != 1 {
					t.Fatalf("n = %d: element %d was done %d times", n, i, got)
				}
			}
		}
	})
}

// TestForShares: helpers take parts in a storm.
func TestForShares(t *testing.T) {
	storm(t)
	for try := 0; booked(t, &help.Sched.Counts.Parts) < 10; try++ {
		if try == 1000 {
			t.Fatalf("helpers did %d parts in 1000 loops", booked(t, &help.Sched.Counts.Parts))
		}
		For(1000, func(lo, hi int) { help.Pause(300 * (hi - lo)) })
	}
}

// TestForEnds: one element panics or calls Goexit. That comes out of For, and
// nothing runs after For has ended.
func TestForEnds(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	modes(t, func(t *testing.T) {
		for _, how := range []string{"panic", "Goexit"} {
			for range times(200) {
				n := 1 + rnd.IntN(1<<rnd.IntN(13))
				bad := rnd.IntN(n)
				ran := make([]atomic.Int32, n)
				var over atomic.Bool
				var late atomic.Int32
				value, returned := catch(func() {
					For(n, func(lo, hi int) {
						for i := lo; i < hi; i++ {
							if over.Load() {
								late.Add(1)
							}
							ran[i].Add(1)
							help.Pause(100)
							if i == bad && how == "panic" {
								panic(errBoom)
							}
							if i == bad {
								runtime.Goexit()
							}
						}
					})
				})
				over.Store(true)
				if returned || how == "panic" && value != errBoom || how == "Goexit" && value != nil {
					t.Fatalf("%s at %d of %d: returned %t, value %v", how, bad, n, returned, value)
				}
				for i := range ran {
					if got := ran[i].Load(); got > 1 {
						t.Fatalf("%s at %d of %d: element %d was done %d times", how, bad, n, i, got)
					}
				}
				if late.Load() != 0 {
					t.Fatalf("%s at %d of %d: %d elements ran after For had ended", how, bad, n, late.Load())
				}
			}
		}
	})
}

// TestForAtOnce: many goroutines run loops, nested ones too.
func TestForAtOnce(t *testing.T) {
	seed := stress.Seed(t)
	modes(t, func(t *testing.T) {
		var wg sync.WaitGroup
		for g := range 32 {
			wg.Go(func() {
				rnd := rand.New(rand.NewPCG(uint64(g), seed))
				for range times(20) {
					n, m := rnd.IntN(200), rnd.IntN(200)
					var sum atomic.Int64
					For(n, func(lo, hi int) {
						for i := lo; i < hi; i++ {
							For(m, func(lo, hi int) { sum.Add(int64(hi - lo)) })
						}
					})
					if got := sum.Load(); got != int64(n*m) {
						t.Errorf("%d × %d elements: %d were done", n, m, got)
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestDo(t *testing.T) {
	modes(t, func(t *testing.T) {
		for n := range 20 {
			for range times(20) {
				ran := make([]atomic.Int32, n)
				fs := make([]func(), n)
				for i := range fs {
					fs[i] = func() { help.Pause(1000); ran[i].Add(1) }
				}
				Do(fs...)
				for i := range ran {
					if got := ran[i].Load(); got != 1 {
						t.Fatalf("function %d of %d ran %d times", i, n, got)
					}
				}
			}
		}
		for bad := range 3 {
			value, returned := catch(func() {
				f := func(i int) func() {
					return func() {
						if i == bad {
							panic(errBoom)
						}
					}
				}
				Do(f(0), f(1), f(2))
			})
			if returned || value != errBoom {
				t.Errorf("function %d panics: returned %t, value %v", bad, returned, value)
			}
		}
	})
}

// TestDoRecursion: Do in the functions of Do, as deep as a sort does it.
func TestDoRecursion(t *testing.T) {
	modes(t, func(t *testing.T) {
		var sum func(lo, hi int) int
		sum = func(lo, hi int) (s int) {
			if hi-lo <= 4 {
				for i := lo; i < hi; i++ {
					s += i
				}
				return s
			}
			var l, r int
			mid := (lo + hi) / 2
			Do(func() { l = sum(lo, mid) }, func() { r = sum(mid, hi) })
			return l + r
		}
		stress.Within(t, 10*time.Second, "recursion through Do", func() {
			for range times(20) {
				if got := sum(0, 5000); got != 5000*4999/2 {
					t.Fatalf("sum is %d", got)
				}
			}
		})
	})
}

func TestLoopMisuse(t *testing.T) {
	for want, f := range map[string]func(){
		"par.For: n < 0":       func() { For(-1, func(lo, hi int) {}) },
		"par.For: body is nil": func() { For(3, nil) },
		"par.Do: fs[1] is nil": func() { Do(func() {}, nil) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != want {
					t.Errorf("panicked with %q, want %q", got, want)
				}
			}()
			f()
		}()
	}
	Do()
	For(0, func(lo, hi int) { t.Errorf("a body for no elements: [%d, %d)", lo, hi) })
}
