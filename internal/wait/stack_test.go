package wait_test

import (
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/wait"
)

// A Stack against a slice.
func TestStack(t *testing.T) {
	seed := stress.Seed(t)
	r := rand.New(rand.NewPCG(seed, 0))
	for range 1000 {
		var s wait.Stack
		var want []*wait.Sleeper
		least := 0
		for range 60 {
			switch r.IntN(5) {
			case 0, 1:
				w := wait.NewSleeper()
				s.Push(&w)
				want = append(want, &w)
			case 2, 3:
				got := s.Pop()
				if len(want) == 0 {
					if got != nil {
						t.Fatal("Pop of an empty stack is not nil")
					}
					continue
				}
				if got != want[len(want)-1] {
					t.Fatal("Pop found another than the top")
				}
				want = want[:len(want)-1]
				least = min(least, len(want))
				got.Wake()
				got.Sleep()
				if r.IntN(2) == 0 {
					got.Leave = true
					s.Push(got) // as it parks again
					if got.Leave {
						t.Fatal("Leave stays after Push")
					}
					want = append(want, got)
				}
			case 4:
				if got := s.Unused(); !slices.Equal(got, want[:least]) {
					t.Fatalf("Unused took %d, want the %d at the bottom", len(got), least)
				}
				want = want[least:]
				least = len(want)
			}
			if s.Len() != len(want) {
				t.Fatalf("Len = %d, want %d", s.Len(), len(want))
			}
		}
	}
}

// A Timer that is set again while it is set fires once; one that is stopped does not,
// also where its function had begun, and then fires at its time where it is set anew.
func TestTimer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var timer wait.Timer
		fired := 0
		f := func() {
			mu.Lock()
			defer mu.Unlock()
			if timer.Fired() {
				fired++
			}
		}
		set := func(d time.Duration) {
			mu.Lock()
			defer mu.Unlock()
			timer.Set(d, f)
		}
		want := func(n int, is bool) {
			t.Helper()
			synctest.Wait()
			mu.Lock()
			defer mu.Unlock()
			if fired != n || timer.IsSet() != is {
				t.Errorf("fired %d times, IsSet() = %t, want %d, %t", fired, timer.IsSet(), n, is)
			}
		}
		set(time.Second)
		set(time.Minute) // does not matter
		want(0, true)
		time.Sleep(time.Second)
		want(1, false)
		set(time.Second)
		time.Sleep(time.Second)
		want(2, false)

		set(time.Second)
		mu.Lock()
		timer.Stop()
		mu.Unlock()
		time.Sleep(2 * time.Second)
		want(2, false)

		set(time.Second)
		mu.Lock()
		time.Sleep(time.Second) // f waits for the lock
		timer.Stop()
		mu.Unlock()
		want(2, false)

		set(time.Second)
		mu.Lock()
		time.Sleep(time.Second) // f waits for the lock
		timer.Stop()
		timer.Set(time.Second, f)
		mu.Unlock()
		want(2, true)
		time.Sleep(time.Second)
		want(3, false)
		time.Sleep(time.Hour)
		want(3, false)
	})
}
