package wait_test

import (
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/wait"
)

func TestBackoffEnds(*testing.T) {
	for i := range 2 * wait.Tries {
		wait.Backoff(i)
	}
}

// Whoever has tried twice lets others run, with the only processor.
func TestBackoffYields(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	var ran atomic.Bool
	go ran.Store(true)
	for range 100 { // the scheduler may go on with this goroutine once
		if wait.Backoff(2); ran.Load() {
			return
		}
	}
	t.Error("another goroutine has not run while this one waited before its third try")
}

// A waiter is used again, but for one of a bubble, whose channel is of no use elsewhere.
func TestListKeeps(t *testing.T) {
	var l wait.List[int]
	w := l.Get()
	l.Put(w)
	if l.Get() != w {
		t.Error("a waiter that was put back is not used again")
	}
	var bubbled *wait.Waiter[int]
	synctest.Test(t, func(*testing.T) {
		bubbled = l.Get()
		l.Put(bubbled)
	})
	for range 3 {
		w := l.Get()
		if w == bubbled {
			t.Fatal("a waiter of a bubble is used outside")
		}
		w.Wake()
		<-w.C
	}
}

// TestBubbleClock: the clock of a bubble is not monotonic, and that outside is. By that
// [wait.List.Get] tells whether a channel that it makes is of use outside, and
// help.InBubble whether helpers from outside may be asked. Nothing else tells, and no
// document promises it: where this fails, both have to find another way.
func TestBubbleClock(t *testing.T) {
	monotonic := func() bool { now := time.Now(); return now != now.Round(0) }
	if !monotonic() {
		t.Error("outside of a bubble, time.Now() has no monotonic reading: all would be taken for a bubble")
	}
	synctest.Test(t, func(t *testing.T) {
		for range 2 {
			if monotonic() {
				t.Errorf("in a bubble, time.Now() = %v has a monotonic reading: bubbles are not found any more", time.Now())
			}
			time.Sleep(100 * 365 * 24 * time.Hour) // it begins in 2000; also past the present
		}
	})
}

// A List against a slice.
func TestList(t *testing.T) {
	seed := stress.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		var l wait.List[int]
		var want []*wait.Waiter[int]
		most, coming := 1+r.IntN(3), 0
		for range 50 {
			switch r.IntN(5) {
			case 0, 1:
				w := l.Get()
				first := r.IntN(4) == 0
				l.Push(w, first)
				if first {
					want = append([]*wait.Waiter[int]{w}, want...)
				} else {
					want = append(want, w)
				}
			case 2:
				if len(want) == 0 {
					continue
				}
				got := l.Pop()
				if got != want[0] {
					t.Fatal("Pop found another than the first")
				}
				want = want[1:]
				if got.Duty != (len(want) > 0) {
					t.Fatalf("Duty = %v with %d left", got.Duty, len(want))
				}
				if got.Duty {
					coming++
				}
				if l.Remove(got) {
					t.Fatal("Remove found what Pop had taken")
				}
				got.Wake()
				<-got.C
				l.Put(got)
			case 3:
				if len(want) > 0 {
					i := r.IntN(len(want))
					if !l.Remove(want[i]) {
						t.Fatal("Remove did not find what was pushed")
					}
					l.Put(want[i])
					want = append(want[:i:i], want[i+1:]...)
				}
			case 4:
				if coming > 0 {
					l.Done()
					coming--
				}
			}
			if l.Empty() != (len(want) == 0) {
				t.Fatalf("Empty = %v with %d waiting", l.Empty(), len(want))
			}
			if got, want := l.Ready(most), len(want) > 0 && coming < most; got != want {
				t.Fatalf("Ready(%d) = %v with %d coming, want %v", most, got, coming, want)
			}
		}
	}
}

// Those that were popped are woken in their order, and may wait again at once.
func TestWoken(t *testing.T) {
	var l wait.List[int]
	var woken wait.Woken[int]
	woken.Wake()
	var order []*wait.Waiter[int]
	for range 3 {
		w := l.Get()
		order = append(order, w)
		l.Push(w, false)
	}
	for !l.Empty() {
		woken.Add(l.Pop())
	}
	woken.Wake()
	for _, w := range order {
		<-w.C
		l.Push(w, false)
	}
	for _, w := range order {
		if l.Pop() != w {
			t.Fatal("Pop found another than the first")
		}
	}
}

// A waiter is used again without what it was woken with.
func TestListForgets(t *testing.T) {
	var l wait.List[*int]
	w := l.Get()
	w.Value[0], w.Full, w.Duty = new(int), true, true
	l.Put(w)
	for range 2 {
		if w := l.Get(); w.Value[0] != nil || w.Full || w.Duty {
			t.Errorf("Get = %+v, want nothing in it", w)
		}
	}
	runtime.KeepAlive(w)
}
