package wait_test

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/internal/wait"
)

// A world is a partner that takes so long for an event, by what the goroutine
// that waits for it does.
type world struct {
	s      wait.Spinner
	now    time.Duration
	events uint64
	cost   [3]time.Duration
	did    [3]int // waits, by what was done
	looks  int    // most looks in a wait
}

// wait is one wait: the world goes on, and nothing else counts.
func (w *world) wait() {
	for i := 0; ; i++ {
		again := w.s.Again(i, w.events)
		if i == 0 {
			way := w.s.Way()
			w.did[way]++
			w.now += w.cost[way]
		}
		if !again {
			w.looks = max(w.looks, i)
			break
		}
	}
	w.events++
}

func newWorld(t *testing.T, park, spin, yield time.Duration) *world {
	w := new(world)
	w.cost = [3]time.Duration{wait.Park: park, wait.Spin: spin, wait.Yield: yield}
	wait.SetClock(t, func() time.Duration { return w.now })
	return w
}

// atProcs sets GOMAXPROCS until the test ends.
func atProcs(t *testing.T, n int) {
	old := runtime.GOMAXPROCS(n)
	t.Cleanup(func() { runtime.GOMAXPROCS(old) })
}

func TestSpinnerFindsWhatIsFastest(t *testing.T) {
	for _, c := range []struct {
		procs             int
		park, spin, yield time.Duration
		want              int
	}{
		{2, 200, 100, 300, wait.Spin},
		{2, 200, 300, 100, wait.Yield},
		{2, 100, 200, 300, wait.Park},
		{2, 100, 95, 96, wait.Park}, // not by enough
		{2, 200_000, 200_000, 200_000, wait.Park},
		{1, 100, 1, 99, wait.Yield}, // one processor: spinning is not tried
		{1, 100, 1, 101, wait.Park},
	} {
		t.Run(fmt.Sprintf("procs=%d,park=%d,spin=%d,yield=%d", c.procs, c.park, c.spin, c.yield), func(t *testing.T) {
			atProcs(t, c.procs)
			w := newWorld(t, c.park, c.spin, c.yield)
			const n = 20_000
			for range n {
				w.wait()
			}
			if got := w.did[c.want]; got < n*95/100 {
				t.Errorf("way %d in %d of %d waits, want nearly all; all: %v", c.want, got, n, w.did)
			}
			if c.procs == 1 && w.did[wait.Spin] > 0 {
				t.Errorf("spun in %d waits with one processor", w.did[wait.Spin])
			}
			if w.looks > wait.Looks {
				t.Errorf("looked again %d times in one wait, want at most %d", w.looks, wait.Looks)
			}
		})
	}
}

// What was right is not for ever.
func TestSpinnerLearnsAgain(t *testing.T) {
	atProcs(t, 2)
	w := newWorld(t, 100, 50, 200)
	for range wait.Longest {
		w.wait()
	}
	w.cost = [3]time.Duration{wait.Park: 100, wait.Spin: 500, wait.Yield: 200}
	w.did = [3]int{}
	for range 2 * wait.Longest {
		w.wait()
	}
	if w.s.Way() != wait.Park || w.did[wait.Park] < wait.Longest*9/10 {
		t.Errorf("now does %d, did %v; want to park after %d waits at most", w.s.Way(), w.did, wait.Longest)
	}
}

// A trial that something interrupts does not decide.
func TestSpinnerDisturbed(t *testing.T) {
	atProcs(t, 2)
	w := newWorld(t, 200, 100, 300)
	w.wait() // begins the trial of spinning
	w.now += 10 * time.Millisecond
	for range 1000 {
		w.wait()
	}
	if w.did[wait.Spin] < 800 {
		t.Errorf("spun in %d of 1000 waits, want most", w.did[wait.Spin])
	}
}

// Values that were counted several at a time count.
func TestSpinnerCountsEvents(t *testing.T) {
	atProcs(t, 2)
	w := newWorld(t, 1000, 2000, 3000)
	for range 5_000 {
		w.wait()
		if w.s.Way() == wait.Spin {
			w.events += 99 // a wait is longer, and for more
		}
	}
	if w.did[wait.Spin] < 4_500 {
		t.Errorf("spun in %d of 5000 waits, want most", w.did[wait.Spin])
	}
}

// Where others run for long at each yield, few yields are done.
func TestSpinnerCrowded(t *testing.T) {
	atProcs(t, 1)
	wait.Uncrowd(t)
	var now time.Duration
	wait.SetClock(t, func() time.Duration {
		now += 5 * time.Millisecond // so a yield takes that long
		return now
	})
	var s wait.Spinner
	yields := 0
	const waits = 10_000
	for n := range uint64(waits) {
		for i := 0; s.Again(i, n); i++ {
			yields++
		}
	}
	if yields == 0 || yields > waits/100 {
		t.Errorf("yielded %d times in %d waits, want some, but hardly any", yields, waits)
	}
}

// A Spinner that many use at once keeps deciding.
func TestSpinnerShared(t *testing.T) {
	atProcs(t, 8)
	var s wait.Spinner
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for n := range uint64(2_000) {
				for i := 0; s.Again(i, n); i++ {
					if i > wait.Looks {
						t.Error("looks again for ever")
						return
					}
				}
			}
		})
	}
	all.Wait()
}

func TestBackoffEnds(t *testing.T) {
	for _, procs := range []int{1, 2} {
		atProcs(t, procs)
		for i := range 40 {
			wait.Backoff(i)
		}
	}
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
