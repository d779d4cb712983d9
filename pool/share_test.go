package pool

import (
	"context"
	"math"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

// idleMachine has processors idle for as long as t runs.
func idleMachine(t *testing.T) {
	host := help.Runtime
	host.Ask = func() (help.State, bool) { return help.State{Procs: 4, Running: 1}, true }
	oldHost, oldSched := help.Use(host), help.Sched
	help.Sched = help.NewScheduler()
	t.Cleanup(func() {
		help.Use(oldHost)
		help.Sched = oldSched
	})
}

// TestSliceHires: the caller of SubmitAll wakes a worker for tasks that are short, where
// there are enough: also in a pool that is not new, whose watch is set.
func TestSliceHires(t *testing.T) {
	idleMachine(t)
	for _, test := range []struct{ tasks, workers int }{{110, 1}, {100_000, 2}} {
		var p *Pool[int, int]
		active, seen := 0, make(chan struct{})
		p = New(func(_ context.Context, i int) (int, error) {
			if i == 0 {
				active = p.Stats().Workers
				close(seen)
			}
			<-seen // or who was woken may be done with all others by then
			return i, nil
		}, Options{Min: 2, Max: 2})
		c := &p.crew
		c.mean.Store(100)
		c.mu.Lock()
		c.arm(time.Hour)
		c.mu.Unlock()
		if _, err := p.SubmitAll(background, indexes(test.tasks)); err != nil {
			t.Error(err)
		}
		if active != test.workers {
			t.Errorf("SubmitAll of %d tasks of 100 ns begins the first as one of %d that work, want %d",
				test.tasks, active, test.workers)
		}
		p.Close()
	}
}

// TestSliceOffers: where a worker looks for work, a slice of short tasks is offered to it,
// also where no more may be woken.
func TestSliceOffers(t *testing.T) {
	for looking := range int32(2) {
		var p *Pool[int, int]
		waiting := 0
		p = New(func(_ context.Context, i int) (int, error) {
			if i == 0 {
				waiting = p.Stats().Waiting
			}
			return i, nil
		}, Options{Min: 1, Max: 1})
		p.crew.mean.Store(100)
		p.crew.looking.Add(looking)
		if _, err := p.SubmitAll(background, indexes(100_000)); err != nil {
			t.Error(err)
		}
		if waiting != int(looking) {
			t.Errorf("%d tasks wait while %d workers look for one", waiting, looking)
		}
		p.crew.looking.Add(-looking)
		p.Close()
	}
}

// TestLinger: a worker looks for more work for 5 µs, and longer where it has done short
// tasks for long: a sixteenth of that, and 100 µs at most, which it has then used up.
func TestLinger(t *testing.T) {
	idleMachine(t)
	help.Sched.CanWake(help.Clock()) // asks how many processors there are
	for _, test := range []struct {
		mean, worked, looks, left time.Duration
	}{
		{100, 0, linger, 0},
		{100, 320 * time.Microsecond, 20 * time.Microsecond, 0},
		{100, lingerShare * longLinger, longLinger, 0},
		{100, time.Hour, longLinger, time.Hour - lingerShare*longLinger},
		{time.Millisecond, time.Hour, linger, time.Hour - lingerShare*linger},
	} {
		host := help.Runtime
		now := time.Second
		host.Clock = func() time.Duration { now += 10; return now }
		host.Pause = func(int) {}
		host.Ask = func() (help.State, bool) { return help.State{Procs: 4, Running: 1}, true }
		oldHost := help.Use(host)
		c := newCrew(2, func(int) int { return 1 })
		c.mean.Store(int64(test.mean))
		c.active = 1
		w := &worker{worked: test.worked, last: now}
		from := now
		_, found := c.look(w)
		took := now - from
		help.Use(oldHost)
		if about := func(got, want, by time.Duration) bool { return got >= want-by && got <= want+by }; found ||
			!about(took, test.looks, 100) || !about(w.worked, test.left, lingerShare*100) {
			t.Errorf("after %v of tasks of %v: looks for %v, found %v, has %v left; want %v, false, %v",
				test.worked, test.mean, took, found, w.worked, test.looks, test.left)
		}
	}
}

// TestBurstEnds: a burst is over when all active workers look for work, and none of them has
// parked: the call that waited for it may bring the next before they do.
func TestBurstEnds(t *testing.T) {
	idleMachine(t)
	help.Sched.CanWake(help.Clock()) // asks how many processors there are
	for _, test := range []struct {
		looking int32 // besides the worker that begins to
		over    bool
	}{{2, true}, {1, false}} {
		c := newCrew(0, func(int) int { return 1 })
		c.govern(sizing(0, 0))
		c.mean.Store(int64(time.Millisecond))
		c.active, c.since, c.crowd = 3, time.Second, 3
		c.looking.Store(test.looking)
		c.look(&worker{last: help.Clock()})
		if over := c.since == 0 && c.crowd == 0; over != test.over {
			t.Errorf("%d of 3 look for work: the burst is over: %v", test.looking+1, over)
		}
	}
}

// TestGuest: a worker that only looks for work gives way to a caller that has some.
func TestGuest(t *testing.T) {
	c := newCrew(1, func(int) int { return 1 })
	c.mu.Lock()
	c.active++
	c.mu.Unlock()
	if c.enterSoon() {
		t.Fatal("a caller runs a task where as many work as may")
	}
	c.looking.Add(1)
	gave := make(chan bool)
	go func() {
		for !draw(&c.entering) {
			time.Sleep(time.Microsecond)
		}
		c.mu.Lock()
		c.active--
		c.mu.Unlock()
		gave <- true
	}()
	for !c.enterSoon() {
	}
	<-gave
	if n := c.entering.Load(); n != 0 {
		t.Errorf("%d callers are still entering", n)
	}
}

// TestShortKeepsProcessors: tasks that are so short do not wait for anything, so the rule
// takes no processor from them, however many there have come to be.
func TestShortKeepsProcessors(t *testing.T) {
	for _, test := range []struct {
		mean time.Duration
		want func(procs int) int
	}{{100, func(procs int) int { return procs }}, {time.Millisecond, func(int) int { return 1 }}} {
		c := newCrew(0, func(int) int { return 1 })
		first := true
		stress.Turns(t, func(t *testing.T, procs int) {
			if first { // what New does, which begins with what the last answer said
				stress.Follows(t, "processors", procs, func() int { return help.Sched.Procs(help.Clock()) })
				c.govern(sizing(0, 0))
				c.mean.Store(int64(test.mean))
				first = false
			}
			stress.Follows(t, "workers for tasks of "+test.mean.String(), test.want(procs), func() int {
				c.mu.Lock()
				defer c.mu.Unlock()
				c.next.Store(math.MinInt64)
				c.decide(help.Clock())
				return c.want
			})
		})
	}
}

// newCrew returns a crew of fixed size.
func newCrew(want int, run func(int) int) *crew[int] {
	c := new(crew[int])
	c.init(16, want, nil, run, nil)
	return c
}
