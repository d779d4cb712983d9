package force

import (
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// TestCuts: parts cover [0, n), none is empty, and there are not too many, nor one
// where there may be more: then a race would not be seen.
func TestCuts(t *testing.T) {
	for n := range 100 {
		for parts := 1; parts < 20; parts++ {
			at := cuts(n, parts)
			if len(at) < 1 || len(at)-1 > parts || at[0] != 0 || at[len(at)-1] != n || !slices.IsSorted(at) || len(slices.Compact(at)) != len(at) {
				t.Fatalf("cuts(%d, %d) = %v", n, parts, at)
			}
			if n > 1 && parts > 1 && len(at) < 3 {
				t.Fatalf("cuts(%d, %d) = %v, want several parts", n, parts, at)
			}
		}
	}
}

// TestRunNested: calls in calls in calls start no more goroutines than may live,
// and miss no element.
func TestRunNested(t *testing.T) {
	stress.NoneLeft(t)
	depth := 4
	if stress.Long() {
		depth = 5
	}
	var leaves, most, now atomic.Int64
	var nest func(depth int)
	nest = func(depth int) {
		if depth == 0 {
			leaves.Add(1)
			return
		}
		RunEach(8, 0, func(lo, hi int) bool {
			if n := now.Add(1); n > most.Load() {
				most.Store(n)
			}
			defer now.Add(-1)
			runtime.Gosched()
			for range hi - lo {
				nest(depth - 1)
			}
			return true
		})
	}
	nest(depth)
	if want := int64(1) << (3 * depth); leaves.Load() != want {
		t.Errorf("%d leaves, want %d", leaves.Load(), want)
	}
	if live.Load() != 0 {
		t.Errorf("%d goroutines are said to live", live.Load())
	}
	t.Logf("%d parts at once", most.Load())
}

// TestRunEnds: however a part ends, also on the goroutine of the caller, Run ends
// when all parts have, and a panic is that of the lowest part.
func TestRunEnds(t *testing.T) {
	stress.NoneLeft(t)
	for _, full := range []bool{false, true} {
		if full {
			live.Add(mostLive) // no part gets a goroutine of its own
			defer live.Add(-mostLive)
		}
		for _, how := range []string{"return", "stop", "panic", "Goexit"} {
			for range 50 {
				var running atomic.Int32
				var value any
				returned, more := false, false
				done := make(chan bool)
				go func() {
					defer close(done)
					defer func() {
						if running.Load() != 0 {
							t.Errorf("%s: over before its parts", how)
						}
						value = recover()
					}()
					more = RunEach(8, 0, func(lo, _ int) bool {
						running.Add(1)
						defer running.Add(-1)
						runtime.Gosched()
						switch {
						case lo < 3 || how == "return":
						case how == "stop":
							return false
						case how == "panic":
							panic(how)
						case how == "Goexit":
							runtime.Goexit()
						}
						return true
					})
					returned = true
				}()
				<-done
				if returned != (how == "return" || how == "stop") || more != (how == "return") || (value != nil) != (how == "panic") {
					t.Fatalf("%s, full %t: returned %t, more %t, value %v", how, full, returned, more, value)
				}
			}
		}
	}
}
