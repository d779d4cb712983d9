package help

import (
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/home"
	"github.com/gopayoff/payoff/internal/stress"
)

// A fake is a Host on which time passes only as a test says so, and where helpers
// run when the test lets them.
type fake struct {
	now     time.Duration
	st      State
	known   bool
	askCost time.Duration
	asks    int
	yields  int
	onYield func()
	started []func()
}

// newFake makes a fake the host, and a new Scheduler that of the program, until t
// ends.
func newFake(t *testing.T) (*fake, *Scheduler) {
	f := &fake{known: true, st: State{Procs: 8, Running: 1}}
	oldHost, oldSched := Use(Host{
		Clock: func() time.Duration { f.now += 50; return f.now },
		Ask: func() (State, bool) {
			f.asks++
			f.now += f.askCost
			return f.st, f.known
		},
		Start: func(n int, g func()) {
			f.now += 5 * time.Microsecond
			for range n {
				f.started = append(f.started, g)
			}
		},
		Relay: func(g func()) { f.started = append(f.started, g) },
		Pause: func(n int) { f.now += time.Duration(n / 3) },
		Yield: func() {
			f.yields++
			if f.onYield != nil {
				f.onYield()
			}
		},
		Park: (*sync.Mutex).Lock, Unpark: (*sync.Mutex).Unlock,
	}), Sched
	Sched = NewScheduler()
	t.Cleanup(func() { Use(oldHost); Sched = oldSched })
	return f, Sched
}

// rich returns an account that can pay for anything.
func rich() *Account {
	a := new(Account)
	a.credit.Store(int64(time.Hour))
	return a
}

// TestBubble: a bubble is known by its clock, also where that has come to the present
// and goes on.
func TestBubble(t *testing.T) {
	if InBubble(Clock()) {
		t.Error("this is no bubble")
	}
	synctest.Test(t, func(t *testing.T) {
		for range 3 {
			if !InBubble(Clock()) {
				t.Errorf("at %v no bubble is seen", time.Now())
			}
			time.Sleep(20 * 365 * 24 * time.Hour)
		}
	})
}

// TestRelay: who is about to park starts a helper where something is on offer, and
// not without bound.
func TestRelay(t *testing.T) {
	f, s := newFake(t)
	if s.MayRelay(rich(), 0) {
		t.Error("a helper would be started for an empty board")
	}
	o := Offer{Work: work(func(*Helper) bool { return false })}
	s.Post(&o)
	poor := new(Account)
	poor.Bar()
	if s.MayRelay(poor, 0) {
		t.Error("a helper would be started for a function that help does not make faster")
	}
	for range 100 {
		if s.MayRelay(rich(), 0) {
			s.Relay(rich())
		}
	}
	if want := 2 * s.answered(); len(f.started) != want || s.Helpers() != want {
		t.Errorf("%d helpers were started, and %d live, want %d", len(f.started), s.Helpers(), want)
	}
	s.Remove(&o)
}

// TestResume: a helper that has ended somebody's wait, in whose place another was
// started, ends; and a caller that waits itself parks, or yields where its wait is over.
func TestResume(t *testing.T) {
	for _, relayed := range []bool{false, true} {
		f, s := newFake(t)
		s.answer.next.Store(int64(time.Hour))
		done := 0
		o := Offer{Work: work(func(h *Helper) bool {
			if done++; done > 3 {
				return false
			}
			var gate sync.Mutex
			gate.Lock()
			h.Resume(&gate, relayed)
			if !gate.TryLock() {
				t.Error("who sleeps is not woken")
			}
			return true
		})}
		s.Post(&o)
		s.Relay(rich())
		f.started[0]()
		if parts := map[bool]int{false: 3, true: 1}[relayed]; done < parts || relayed && done > parts || s.Helpers() != 0 {
			t.Errorf("relayed %v: a helper did %d parts, want %d, and %d live", relayed, done, parts, s.Helpers())
		}
		if n := s.Counts.Wakes.Load(); n != 1 {
			t.Errorf("relayed %v: %d helpers were counted, want 1", relayed, n)
		}

		w := NewWait(Clock())
		var gate sync.Mutex
		gate.Lock()
		f.yields = 0
		w.Resume(&gate, relayed)
		if w.Over() != relayed || f.yields == 1 == relayed {
			t.Errorf("relayed %v: over is %v, %d yields", relayed, w.Over(), f.yields)
		}
		if w.Spin() == relayed {
			t.Errorf("relayed %v: a caller that waits spins %v", relayed, !relayed)
		}
		gate.Lock()
		f.yields = 0
		w.Resume(&gate, relayed)
		f.yields = 0
		if w.End(); f.yields == 1 != relayed {
			t.Errorf("relayed %v: a wait ends with %d yields", relayed, f.yields)
		}
	}
}

// TestIdle: what is known of goroutines decides how many helpers may start and how
// many are to give way.
func TestIdle(t *testing.T) {
	for _, c := range []struct {
		why               string
		st                State
		starting, helpers int
		free, wanted      int
		idle              int
	}{
		{"a caller alone", State{64, 1, 0}, 0, 0, 63, 0, 63},
		{"helpers that start are runnable themselves", State{64, 1, 3}, 3, 3, 60, 0, 60},
		{"they may have left the queue before they run", State{64, 1, 0}, 3, 3, 60, 0, 63},
		{"others who are runnable will take processors", State{64, 10, 5}, 2, 4, 49, 0, 49},
		{"all processors work", State{2, 2, 0}, 0, 1, 0, 0, 0},
		{"somebody else waits", State{2, 2, 1}, 0, 1, 0, 1, 0},
		{"somebody waits, and a processor is about to take it", State{2, 1, 1}, 0, 1, 0, 0, 0},
		{"a helper that waits for its start pushes nobody out", State{2, 2, 1}, 1, 1, 0, 0, 0},
		{"many wait", State{4, 4, 900}, 0, 3, 0, 900, 0},
		{"helpers sleep in bodies", State{4, 1, 0}, 0, 15, 1, 0, 3},
		{"the runtime does not tell", State{8, -1, 0}, 0, 2, 5, 0, -1},
		{"one processor", State{1, 1, 0}, 0, 0, 0, 0, 0},
	} {
		_, s := newFake(t)
		s.helpers.Store(int32(c.helpers))
		s.take(c.st, c.starting, 0)
		s.answer.next.Store(1) // nobody asks
		if free, wanted := int(s.answer.free.Load()), int(s.answer.wanted.Load()); free != c.free || wanted != c.wanted {
			t.Errorf("%s: %+v, %d starting, %d helpers: free %d, wanted %d; want %d, %d", c.why, c.st, c.starting, c.helpers, free, wanted, c.free, c.wanted)
		}
		if procs, idle, runnable := Load(0); procs != c.st.Procs || idle != c.idle || idle >= 0 && runnable != c.st.Runnable {
			t.Errorf("%s: %+v is told as %d processors, %d idle, %d goroutines runnable", c.why, c.st, procs, idle, runnable)
		}
		if s.answered() != c.st.Procs {
			t.Errorf("%s: %d processors, want %d", c.why, s.answered(), c.st.Procs)
		}
	}
}

// TestAskSeldom: whoever asks and how often, the runtime is asked for a hundredth of
// the time at most, and about each 30 µs where that is cheap.
func TestAskSeldom(t *testing.T) {
	for _, cost := range []time.Duration{80, 500, 2000, 50_000} {
		f, s := newFake(t)
		f.askCost = cost
		const took = 100 * time.Millisecond
		for f.now < took {
			s.CanWake(f.now)
			(&Helper{s: s}).Unwanted(f.now)
			f.now += 100
		}
		share := float64(f.asks) * float64(cost) / float64(took)
		if share > 0.013 {
			t.Errorf("an answer that takes %v is asked for in %.1f %% of the time", cost, 100*share)
		}
		if most := max(cost*120, 36*time.Microsecond); f.asks < int(took/most) {
			t.Errorf("an answer that takes %v is asked for %d times in %v", cost, f.asks, took)
		}
	}
}

// TestNoMetric: where the runtime does not tell who runs, helpers are woken all the
// same, no more than processors, and not while they come late.
func TestNoMetric(t *testing.T) {
	if st := stateOf([]metrics.Sample{{Name: "/sched/gomaxprocs:threads"}}); st.Running >= 0 || st.Procs < 1 {
		t.Errorf("without metrics the state is %+v", st)
	}
	f, s := newFake(t)
	f.st = State{Procs: 4, Running: -1}
	woken := 0
	for range 10 {
		woken += s.Bring(f.now, rich(), 9)
		f.now += time.Millisecond
	}
	if woken != 3 {
		t.Fatalf("%d helpers on 4 processors, want 3", woken)
	}
	f.now += 20 * time.Millisecond
	for _, g := range f.started {
		g() // finds nothing and leaves
	}
	if late := s.Counts.Late.Load(); late != 3 {
		t.Errorf("%d helpers were late, want 3", late)
	}
	if n := s.Bring(f.now, rich(), 1); n != 0 {
		t.Errorf("%d helpers were woken after some came late", n)
	}
	f.now += mostHold + time.Millisecond
	if n := s.Bring(f.now, rich(), 1); n != 1 {
		t.Errorf("%d helpers were woken long after, want 1", n)
	}
}

// TestLateStart: one late helper does not keep others away where processors are idle.
func TestLateStart(t *testing.T) {
	f, s := newFake(t)
	s.Bring(f.now, rich(), 1)
	f.now += 30 * time.Millisecond
	f.started[0]()
	f.now += time.Millisecond
	if n := s.Bring(f.now, rich(), 1); n != 1 {
		t.Errorf("%d helpers were woken, want 1", n)
	}
}

// TestBring: no more helpers than processors are idle, than work has parts, than
// the account pays.
func TestBring(t *testing.T) {
	for _, c := range []struct {
		idle, want int
		credit     time.Duration
		woken      int
	}{
		{7, 100, time.Second, 7},
		{7, 2, time.Second, 2},
		{1, 100, time.Second, 1},
		{0, 100, time.Second, 0},
		{7, 100, FirstPrice, 1},
		{7, 100, FirstPrice - 1, 0},
		{7, 0, time.Second, 0},
	} {
		f, s := newFake(t)
		f.st.Running = f.st.Procs - c.idle
		a := new(Account)
		a.credit.Store(int64(c.credit))
		woken := 0
		for range 5 { // an answer is used once
			woken += s.Bring(f.now, a, c.want-woken)
		}
		if woken != c.woken || len(f.started) != c.woken || s.Helpers() != c.woken {
			t.Errorf("%+v: %d woken, %d started, %d helpers", c, woken, len(f.started), s.Helpers())
		}
		if cost := c.credit - a.Credit(); c.woken > 0 && cost < 5*time.Microsecond || c.woken == 0 && cost != 0 {
			t.Errorf("%+v: the account paid %v", c, cost)
		}
	}
}

// work is an offer that lets a test see what helpers do.
type work func(h *Helper) bool

func (w work) Help(h *Helper) bool { return w(h) }
func (w work) Ready() bool         { return true }
func (w work) Publish(int)         {}

// TestGiveWay: a helper yields where somebody waits, and goes on when it is back; it
// leaves where somebody still waits then.
func TestGiveWay(t *testing.T) {
	for _, still := range []bool{false, true} {
		f, s := newFake(t)
		f.st = State{Procs: 2, Running: 1}
		s.Bring(f.now, rich(), 1)
		f.st = State{Procs: 2, Running: 2}
		parts, after := 0, 0
		o := &Offer{Work: work(func(h *Helper) bool {
			if parts == 100 {
				return false
			}
			h.Took(rich())
			for ; parts < 100; parts++ {
				if parts == 10 {
					f.st.Runnable = 1
				}
				if f.now += 10 * time.Microsecond; h.Unwanted(f.now) {
					return true
				}
				if f.yields > 0 {
					after++
				}
			}
			return true
		})}
		s.Post(o)
		f.onYield = func() {
			if !still {
				f.st.Runnable = 0
			}
		}
		f.started[0]()
		s.Remove(o)
		switch {
		case f.yields != 1:
			t.Errorf("still %t: the helper yielded %d times, want 1", still, f.yields)
		case still && (parts == 100 || after > 10):
			t.Errorf("the helper did %d parts more where others waited", after)
		case !still && parts != 100:
			t.Errorf("the helper left after %d of 100 parts, where nobody waited any more", parts)
		}
		if s.Helpers() != 0 {
			t.Errorf("%d helpers at rest", s.Helpers())
		}
	}
}

// TestGiveWayFew: no more helpers give way than goroutines wait.
func TestGiveWayFew(t *testing.T) {
	f, s := newFake(t)
	f.st = State{Procs: 8, Running: 8, Runnable: 2}
	s.helpers.Store(7)
	gone := 0
	for range 7 {
		if (&Helper{s: s}).Unwanted(f.now) {
			gone++
		}
	}
	if gone != 2 {
		t.Errorf("%d of 7 helpers give way to 2 goroutines", gone)
	}
}

// TestSeek: that somebody looks for work is written seldom, is withdrawn by who has
// written it last, where there are few, and ends by itself.
func TestSeek(t *testing.T) {
	for _, procs := range []int{2, 8, 64, 256} {
		f, s := newFake(t)
		s.procs.Store(int32(procs))
		helpers := make([]*Helper, procs-1)
		for i := range helpers {
			helpers[i] = &Helper{s: s, seed: uint32(i) * 0x9e3779b9}
		}
		// All read the word before any of them stores, as they do while the line is on
		// its way.
		writes := 0
		const took = 200 * time.Microsecond
		for end := f.now + took; f.now < end; f.now += 200 {
			before := s.sought.Load()
			after := before
			for _, h := range helpers {
				h.now = f.now
				h.seek(100)
				if v := s.sought.Load(); v != before {
					writes++
					after = v
					s.sought.Store(before)
				}
			}
			s.sought.Store(after)
		}
		if !s.Seeking(f.now) {
			t.Errorf("%d processors: nobody seems to look for work", procs)
		}
		if each := took / time.Duration(writes); each < time.Microsecond {
			t.Errorf("%d processors: it was written %d times in %v, each %v", procs, writes, took, each)
		}
		for _, h := range helpers {
			h.Settled()
		}
		if procs <= few && s.Seeking(f.now) {
			t.Errorf("%d processors: somebody looks for work after all have found some", procs)
		}
		helpers[0].now = f.now
		for range 100 {
			helpers[0].seek(100)
		}
		if !s.Seeking(f.now) {
			t.Errorf("%d processors: one who looks long is not seen", procs)
		}
		if f.now += time.Millisecond; s.Seeking(f.now) {
			t.Errorf("%d processors: who was seen 1 ms ago looks for work", procs)
		}
	}
}

// TestBoard: each offer is found as long as it is on the board, and no other.
func TestBoard(t *testing.T) {
	_, s := newFake(t)
	b := newBoard(200)
	seen := make(map[int]bool)
	offers := make([]*Offer, len(b.slots))
	for i := range offers {
		offers[i] = &Offer{Work: work(func(*Helper) bool { seen[i] = true; return false })}
		if !b.post(offers[i]) {
			t.Fatalf("no room for offer %d of %d", i, len(offers))
		}
	}
	if b.post(&Offer{}) {
		t.Fatal("room for one more")
	}
	h := &Helper{s: s}
	for left := len(offers); ; left /= 2 {
		clear(seen)
		if b.find(h) {
			t.Fatal("found work where there is none")
		}
		for i := range offers {
			if seen[i] != (i < left) {
				t.Fatalf("%d offers on the board: offer %d seen: %t", left, i, seen[i])
			}
		}
		if left == 0 {
			break
		}
		for i := left / 2; i < left; i++ {
			b.remove(offers[i])
		}
	}
	for i := range b.used {
		if bits := b.used[i].bits.Load(); bits != 0 {
			t.Errorf("slots %d to %d are used: %b", 64*i, 64*i+63, bits)
		}
	}
}

// TestBoardAtOnce: goroutines post, remove and find at once; nobody sees an offer
// that was removed before it began to look.
func TestBoardAtOnce(t *testing.T) {
	_, s := newFake(t)
	b := newBoard(2)
	var wg sync.WaitGroup
	var over atomic.Bool
	var found atomic.Int64
	for range 4 {
		wg.Go(func() {
			h := &Helper{s: s, seed: uint32(home.Page())}
			for !over.Load() {
				b.find(h)
			}
		})
	}
	var posters sync.WaitGroup
	for range 4 {
		posters.Go(func() {
			for i := range 2000 {
				var began, ended atomic.Int64
				o := &Offer{Work: work(func(*Helper) bool {
					began.Add(1)
					found.Add(1)
					ended.Add(1)
					return true
				})}
				if !b.post(o) {
					t.Errorf("no room for offer %d", i)
				}
				b.remove(o)
			}
		})
	}
	stress.Within(t, time.Minute, "posters", posters.Wait)
	over.Store(true)
	wg.Wait()
	for i := range b.slots {
		if b.slots[i].offer.Load() != nil {
			t.Errorf("slot %d is not empty", i)
		}
	}
	t.Logf("%d found", found.Load())
}
