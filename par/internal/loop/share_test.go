package loop

import (
	"cmp"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

// A span is what a body was called for.
type span struct{ lo, hi int }

// verify fails unless the spans cover [base, n), each element once.
func verify(t *testing.T, spans []span, base, n int) {
	t.Helper()
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	at := base
	for _, s := range spans {
		if s.lo != at || s.hi <= s.lo {
			t.Fatalf("[%d, %d) comes after element %d", s.lo, s.hi, at)
		}
		at = s.hi
	}
	if at != n {
		t.Fatalf("elements %d to %d were not done", at, n-1)
	}
}

// TestLanes: whoever takes what from whom, in any order, and whoever comes and goes,
// each element is taken once; also where a unit is more than an element.
func TestLanes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	for range 500 {
		n := 1 + rnd.IntN(1<<rnd.IntN(16))
		switch rnd.IntN(4) {
		case 0:
			n = math.MaxInt - rnd.IntN(1<<rnd.IntN(30))
		case 1:
			n = max(n, int(min(math.MaxInt, int64(math.MaxUint32)*int64(1+rnd.IntN(3))+int64(rnd.IntN(5)-2))))
		}
		base := rnd.IntN(min(n, 1+1<<rnd.IntN(10)))
		s := newShared(base, n, 1+rnd.IntN(6), 1000, nil)
		least, most := 1+s.units/1000, 1+s.units/20
		if rnd.IntN(3) == 0 {
			s.overhead = &Overhead{Each: true}
			s.overhead.ns.Store(1 + rnd.Int64N(1<<rnd.IntN(20)))
		}
		mine := []*lane{s.lanes[0].Load()}
		var spans []span
		for done := false; !done; {
			switch ln := mine[rnd.IntN(len(mine))]; rnd.IntN(5) {
			case 0, 1:
				if lo, hi := ln.take(least, most, s.whole(1000)); lo != hi {
					lo, hi := s.elements(lo, hi)
					spans = append(spans, span{lo, hi})
				}
			case 2:
				if from := s.richest(s.state.Load(), 0); from != nil && ln.empty() {
					s.rob(ln, from)
				}
			case 3:
				if len(s.lanes) > 1 && s.join() {
					mine = append(mine, s.lane())
				}
			case 4:
				if i := rnd.IntN(len(mine)); i > 0 {
					mine[i].owned.Store(false)
					s.leave(true)
					mine = slices.Delete(mine, i, i+1)
				} else if mine[0].empty() && len(mine) == 1 {
					done = s.over(mine[0])
				}
			}
		}
		verify(t, spans, base, n)
		if s.join() {
			t.Fatal("joined after the end")
		}
	}
}

// TestJoinAtTheEnd: a helper joins while the caller, who was alone, looks at the
// lanes a last time. There are so many that one does.
func TestJoinAtTheEnd(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(max(2, runtime.GOMAXPROCS(0))))
	const n = 1 << 17
	stress.Within(t, time.Minute, "an end with a helper", func() {
		for joined := false; !joined; {
			s := newShared(0, n, n, 1000, nil)
			ln := s.lanes[0].Load()
			ln.rest.Store(0)
			var wg sync.WaitGroup
			var looking atomic.Bool
			wg.Go(func() {
				for !looking.Load() {
				}
				if joined = s.join(); joined {
					time.Sleep(time.Millisecond) // the caller begins to wait
					s.leave(false)
				}
			})
			looking.Store(true)
			if !s.over(ln) {
				t.Error("there is nothing to do")
			}
			wg.Wait()
			if s.join() {
				t.Fatal("joined after the end")
			}
		}
	})
}

// hosted has helpers live on h until t ends.
func hosted(t testing.TB, h help.Host) {
	rest := func() {
		stress.Within(t, time.Minute, "helpers leave", func() {
			for help.Sched.Helpers() != 0 {
				time.Sleep(time.Millisecond)
			}
		})
	}
	rest()
	old, sched, mode := help.Use(h), help.Sched, force.Set(force.Auto)
	help.Sched = help.NewScheduler()
	Forget()
	t.Cleanup(func() {
		rest()
		help.Use(old)
		help.Sched = sched
		force.Set(mode)
	})
}

// storm has helpers everywhere: each look at the clock finds that time has passed,
// and there are always idle processors and credit.
func storm(t testing.TB) {
	least := help.LeastCredit
	help.LeastCredit = help.Plenty
	t.Cleanup(func() { help.LeastCredit = least })
	var now atomic.Int64
	h := help.Runtime
	h.Clock = func() time.Duration {
		n := now.Add(int64(2500 * time.Nanosecond))
		if n%7 == 0 {
			runtime.Gosched()
		}
		return time.Duration(n)
	}
	h.Ask = func() (help.State, bool) { return help.State{Procs: 8, Running: 1}, true }
	hosted(t, h)
}

// TestStorm: many loops at once, with many helpers: each element is done once, or,
// where a body returns false, panics or ends its goroutine, at most once, and none
// after Run is over. No more goroutines work on a loop than may.
func TestStorm(t *testing.T) {
	seed := stress.Seed(t)
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		storm(t)
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				rnd := rand.New(rand.NewPCG(uint64(g), seed))
				times := 40
				if stress.Long() {
					times = 2000
				}
				for range times {
					stormy(t, rnd, uintptr(16*(1+rnd.IntN(50))))
				}
			})
		}
		wg.Wait()
		if n := help.Sched.Counts.Wakes.Load(); n == 0 {
			t.Error("no helper was woken")
		}
	})
}

func stormy(t *testing.T, rnd *rand.Rand, key uintptr) {
	n := 1 + rnd.IntN(1<<rnd.IntN(14))
	limit := rnd.IntN(5)
	how, at := rnd.IntN(8), rnd.IntN(n)
	var mu sync.Mutex
	var spans []span
	var working, most atomic.Int32
	var over, stop atomic.Bool
	var late atomic.Int32 // parts that began after the one that stops the loop has ended
	returned, all := false, false
	ended := make(chan any)
	go func() {
		defer func() {
			over.Store(true)
			if p := recover(); p != nil {
				ended <- p
			}
			close(ended)
		}()
		all = Run(key, n, limit, func(lo, hi int) bool {
			if over.Load() {
				t.Error("a part began after the loop was over")
			}
			if stop.Load() {
				late.Add(1)
			}
			w := working.Add(1)
			defer working.Add(-1)
			for m := most.Load(); w > m && !most.CompareAndSwap(m, w); m = most.Load() {
			}
			mu.Lock()
			spans = append(spans, span{lo, hi})
			mu.Unlock()
			help.Pause(20 * (hi - lo))
			if lo <= at && at < hi {
				switch how {
				case 0:
					stop.Store(true)
					return false
				case 1:
					panic("boom")
				case 2:
					runtime.Goexit()
				}
			}
			return true
		})
		returned = true
	}()
	p := <-ended
	if returned != (how != 1 && how != 2) || all != (how > 2) || (p != nil) != (how == 1) {
		t.Errorf("end %d: returned %t, all %t, panic %v", how, returned, all, p)
	}
	// Each of the others, of whom there are as many as the storm has processors, may
	// have had one in hand.
	if l := late.Load(); l > 7 {
		t.Errorf("%d parts began after the loop was stopped", l)
	}
	if m := int(most.Load()); limit > 0 && m > limit {
		t.Errorf("%d worked at once, and %d may", m, limit)
	}
	if how > 2 {
		verify(t, spans, 0, n)
		return
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.lo, b.lo) })
	for i := range spans[1:] {
		if spans[i].hi > spans[i+1].lo {
			t.Errorf("parts %v overlap", spans[i:i+2])
		}
	}
}

// TestLimit: as many work on a loop as there are processors, and no more than its
// limit.
func TestLimit(t *testing.T) {
	procs := max(2, help.Sched.Procs(0))
	for limit, want := range []int{procs, 1, 2, min(3, procs)} {
		if got := (&loop{limit: limit}).most(); got != want {
			t.Errorf("with a limit of %d and %d processors, %d work on a loop, want %d", limit, procs, got, want)
		}
	}
}

// TestHelpStops: a helper begins no part of a loop that has stopped, though there are
// more in its lane.
func TestHelpStops(t *testing.T) {
	h := help.Runtime
	h.Ask = func() (help.State, bool) { return help.State{Procs: 8, Running: 1}, true } // or it may give way
	hosted(t, h)
	parts := 0
	s := newShared(0, 1<<20, 2, 1_000_000, func(lo, hi int) bool {
		parts++
		return parts > 1
	})
	s.account = new(help.Account)
	w := help.NewWait(help.Clock())
	defer w.Settled()
	if !s.Help(&w.Helper) || parts != 1 {
		t.Errorf("%d parts of a loop that the first one stopped", parts)
	}
}

// TestWhole: where parts pay, who begins a lane leaves half of it for a thief, and what
// is not to be divided is taken by one.
func TestWhole(t *testing.T) {
	ln := new(lane)
	ln.rest.Store(100)
	if lo, hi := ln.take(80, 200, 60); hi-lo != 50 {
		t.Errorf("the first part is of %d units of 100, want 50", hi-lo)
	}
	if _, _, n := unpack(ln.halve(60)); n != 50 {
		t.Errorf("a thief gets %d units of the 50 that are left, want all", n)
	}
	ln.rest.Store(60)
	if lo, hi := ln.take(80, 200, 60); hi-lo != 60 {
		t.Errorf("a part of 60 units is cut to %d", hi-lo)
	}
}

// TestLeftBehind: a helper that gives way leaves what it has in its lane. A caller
// that sleeps is woken to do it, and by the last one that leaves.
func TestLeftBehind(t *testing.T) {
	h := help.Runtime
	slept := make(chan bool, 1)
	h.Park = func(gate *sync.Mutex) {
		slept <- true
		gate.Lock()
	}
	hosted(t, h)
	for _, behind := range []bool{true, false} {
		s := newShared(0, 100, 3, 1000, nil)
		caller := s.lanes[0].Load()
		stay := s.join()
		if !stay || !s.join() {
			t.Fatal("two helpers cannot join")
		}
		other, ln := s.lane(), s.lane()
		if other == ln || !s.rob(ln, caller) {
			t.Fatal("a helper has no lane of its own, or nothing in it")
		}
		caller.rest.Store(0)
		rest := ln.rest.Load()
		ln.rest.Store(0) // it is in the helper's hands
		over := make(chan bool, 1)
		go func() { over <- s.over(caller) }()
		<-slept
		if behind {
			ln.rest.Store(rest)
		}
		ln.owned.Store(false)
		s.leave(behind)
		if behind {
			stress.Within(t, 10*time.Second, "the caller wakes", func() {
				if <-over {
					t.Error("the loop is over, and a part is not done")
				}
			})
			for caller.rest.Swap(0) != 0 {
				ln.rest.Store(0)
			}
			go func() { over <- s.over(caller) }()
			<-slept
		}
		other.owned.Store(false)
		s.leave(false)
		stress.Within(t, 10*time.Second, "the caller wakes", func() {
			if !<-over {
				t.Error("the loop goes on, and nothing is left")
			}
		})
	}
}
