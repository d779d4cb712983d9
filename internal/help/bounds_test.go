package help

import (
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

const us = time.Microsecond

// TestDraw: nobody gets more than there is, and what is drawn in vain is given back.
func TestDraw(t *testing.T) {
	for _, c := range []struct{ have, n, got, left int }{
		{5, 3, 3, 2}, {3, 3, 3, 0}, {3, 5, 3, 0}, {1, 4, 1, 0}, {0, 1, 0, 0}, {-1, 1, 0, -1}, {5, 0, 0, 5}, {5, -1, 0, 5},
	} {
		var p atomic.Int32
		p.Store(int32(c.have))
		if got := draw(&p, c.n); got != c.got || int(p.Load()) != c.left {
			t.Errorf("draw(%d of %d) = %d, and leaves %d, want %d, %d", c.n, c.have, got, p.Load(), c.got, c.left)
		}
	}
}

// TestAccountBounds: the bounds of what may be spent, and what is enough for what.
func TestAccountBounds(t *testing.T) {
	for _, procs := range []int{1, 2, 3, 64} {
		_, s := newFake(t)
		s.procs.Store(int32(procs))
		most := mostCredit * time.Duration(max(2, procs))
		for _, c := range []struct{ credit, add, want time.Duration }{
			{0, 7, 7}, {7, -8, -1}, {0, -mostDebt, -mostDebt}, {0, -mostDebt - 1, -mostDebt}, {-mostDebt, -1, -mostDebt},
			{0, most, most}, {0, most + 1, most}, {most - 1, 2, most}, {most, 1, most}, {most, -1, most - 1},
		} {
			a := new(Account)
			a.credit.Store(int64(c.credit))
			if a.Add(c.add); a.Credit() != c.want {
				t.Errorf("%d processors: %v and %v are %v, want %v", procs, c.credit, c.add, a.Credit(), c.want)
			}
		}
		price := time.Duration(s.Price())
		for _, c := range []struct {
			credit          time.Duration
			ask, wake, rich bool
		}{
			{-MostPrice - 1, false, false, false}, {-MostPrice, true, false, false},
			{price - 1, true, false, false}, {price, true, true, false},
			{most/2 - 1, true, true, false}, {most / 2, true, true, true},
		} {
			a := new(Account)
			a.credit.Store(int64(c.credit))
			if a.MayAsk() != c.ask || a.MayWake() != c.wake || a.Rich() != c.rich {
				t.Errorf("%d processors, credit %v: MayAsk %t, MayWake %t, Rich %t, want %+v", procs, c.credit, a.MayAsk(), a.MayWake(), a.Rich(), c)
			}
		}
	}
	newFake(t)
	a := new(Account)
	if a.Earn(Earns * us); a.Credit() != us {
		t.Errorf("work of %v earns %v, want %v", Earns*us, a.Credit(), us)
	}
	for _, c := range []struct{ alone, took, advanced, want time.Duration }{
		{100 * us, 100 * us, 30 * us, 0}, {100 * us, 100*us + 1, 30 * us, -30*us - 1}, {100 * us, 99 * us, 30 * us, 0},
	} {
		a := new(Account)
		if a.Settle(c.alone, c.took, c.advanced); a.Credit() != c.want {
			t.Errorf("Settle(%v, %v, %v) adds %v, want %v", c.alone, c.took, c.advanced, a.Credit(), c.want)
		}
	}
}

// TestPeriod: an answer holds for a hundred times what it cost, within bounds, and for a
// millisecond on one processor.
func TestPeriod(t *testing.T) {
	const look = 50 // of the fake's clock
	for _, c := range []struct {
		cost, want time.Duration
		procs      int
	}{
		{80, 30 * us, 2}, {300 - look, 30 * us, 2}, {301 - look, 30*us + 100, 2}, {5*us - look, 500 * us, 8},
		{100*us - look, 10 * time.Millisecond, 8}, {time.Second, 10 * time.Millisecond, 8},
		{80, time.Millisecond, 1}, {time.Second, time.Millisecond, 1},
	} {
		f, s := newFake(t)
		f.st = State{Procs: c.procs, Running: 1}
		f.askCost = c.cost
		s.look(f.now)
		if got := time.Duration(s.answer.next.Load()) - f.now; got != c.want {
			t.Errorf("%d processors: an answer that took %v holds for %v, want %v", c.procs, c.cost+look, got, c.want)
		}
		f.now = time.Duration(s.answer.next.Load()) - 1
		if s.look(f.now); f.asks != 1 {
			t.Errorf("%d processors: it was asked again before that was over", c.procs)
		}
		f.now++
		if s.look(f.now); f.asks != 2 {
			t.Errorf("%d processors: it was asked %d times when that was over, want 2", c.procs, f.asks)
		}
	}
	// The price is an average of those that were seen; where there is no answer, none was.
	f, s := newFake(t)
	f.askCost = 10*us - look
	s.look(f.now)
	f.now += time.Second
	f.askCost = 18*us - look
	s.look(f.now)
	if got := s.answer.price.Load(); got != 11_000 {
		t.Errorf("after answers that took 10 and 18 µs, one is believed to take %d ns, want 11000", got)
	}
	f.now += time.Second
	f.known, f.askCost = false, 50*us
	s.look(f.now)
	if got := s.answer.price.Load(); got != 11_000 {
		t.Errorf("after no answer, one is believed to take %d ns, want 11000", got)
	}
	f.now += time.Second
	f.known, f.askCost = true, time.Second
	s.look(f.now)
	if got, want := s.answer.price.Load(), int64(11_000+(mostAsk-11*us)/8); got != want {
		t.Errorf("after an asker that did not run, an answer is believed to take %d ns, want %d", got, want)
	}
}

// TestCrowded: only who is to give way by two answers in a row leaves for good.
func TestCrowded(t *testing.T) {
	for _, c := range []struct {
		runnable []int
		want     bool
	}{
		{[]int{1}, false}, {[]int{1, 1}, true}, {[]int{0, 1}, false}, {[]int{1, 0}, false}, {[]int{1, 1, 0}, false}, {[]int{1, 0, 1}, false}, {[]int{0, 2, 5}, true},
	} {
		_, s := newFake(t)
		for _, n := range c.runnable {
			s.take(State{Procs: 2, Running: 2, Runnable: n}, 0, 0)
		}
		if got := s.answer.crowded.Load(); got != c.want {
			t.Errorf("with %v goroutines that waited, crowded = %t, want %t", c.runnable, got, c.want)
		}
	}
}

// TestStarted: how long helpers take is an average in which one that had to queue counts
// for little; it is late where it took longer than many take one after the other.
func TestStarted(t *testing.T) {
	for _, c := range []struct {
		procs         int
		took, latency time.Duration
		hold          time.Duration // 0: none
	}{
		{8, 50 * us, 50 * us, 0}, {8, 58 * us, 51 * us, 0}, {8, 2 * us, 44 * us, 0},
		{8, late + 8*lateEach, 50*us + (mostLatency-50*us)/8, 0},
		{8, late + 8*lateEach + 1, 50*us + (mostLatency-50*us)/8, 10 * (late + 8*lateEach + 1)},
		{64, late + 8*lateEach + 1, 50*us + (mostLatency-50*us)/8, 0},
		{2, time.Second, 50*us + (mostLatency-50*us)/8, mostHold},
	} {
		_, s := newFake(t)
		s.procs.Store(int32(c.procs))
		const now = time.Minute
		s.started(now, c.took)
		if got := time.Duration(s.Latency()); got != c.latency {
			t.Errorf("after a helper that took %v, the latency is %v, want %v", c.took, got, c.latency)
		}
		hold, n := time.Duration(0), s.Counts.Late.Load()
		if n > 0 {
			hold = time.Duration(s.answer.hold.Load()) - now
		}
		if hold != c.hold || n > 1 {
			t.Errorf("%d processors: after a helper that took %v, %d were late and none starts for %v, want %v", c.procs, c.took, n, hold, c.hold)
		}
	}
}

// TestWakePrice: what a wake is believed to cost is an average of what was seen, within
// bounds, and who wakes pays what it cost.
func TestWakePrice(t *testing.T) {
	for _, c := range []struct{ cost, price, paid time.Duration }{
		{10 * us, 10 * us, 10 * us}, {18 * us, 11 * us, 18 * us}, {50 * us, 15 * us, 50 * us}, {time.Second, 15 * us, 50 * us},
		{500, 10*us - 1187, 500}, {100, 10*us - 1187, 100},
	} {
		f, s := newFake(t)
		h := host
		h.Start = func(int, func()) { f.now += c.cost - 50 }
		Use(h)
		s.answer.free.Store(1)
		a := new(Account)
		a.credit.Store(int64(time.Millisecond))
		if s.Wake(a, 1) != 1 {
			t.Fatal("no helper was woken")
		}
		if got := time.Duration(s.Price()); got != c.price {
			t.Errorf("after a wake of %v the price is %v, want %v", c.cost, got, c.price)
		}
		if paid := time.Millisecond - a.Credit(); paid != c.paid {
			t.Errorf("a wake of %v is paid %v, want %v", c.cost, paid, c.paid)
		}
	}
	// The account pays for some, and there are a few at a time.
	for _, c := range []struct {
		want, free, wakes int
		credit            time.Duration
	}{{100, 100, fan, time.Second}, {3, 100, 3, time.Second}, {100, 2, 2, time.Second}, {100, 100, 2, 3*FirstPrice - 1}, {100, 100, 3, 3 * FirstPrice}} {
		_, s := newFake(t)
		s.answer.free.Store(int32(c.free))
		a := new(Account)
		a.credit.Store(int64(c.credit))
		if n := s.Wake(a, c.want); n != c.wakes || s.Helpers() != n || int(s.starting.Load()) != n || int(s.answer.free.Load()) != c.free-n || int(s.Counts.Wakes.Load()) != n {
			t.Errorf("%+v: %d woken; %d helpers, %d starting, %d more free", c, n, s.Helpers(), s.starting.Load(), s.answer.free.Load())
		}
	}
}

// TestSpin: a caller that waits spins for as long as it takes to be woken, but not where
// others want its processor; where there is other work it parks soon, and says so.
func TestSpin(t *testing.T) {
	const round = 50 + 32*(64/3) // ns from one look at the clock to the next
	spin := func(f *fake, w *Wait) time.Duration {
		from := f.now
		for w.Spin() {
		}
		return f.now - from
	}
	for _, c := range []struct{ latency, want time.Duration }{
		{20 * us, 30 * us}, {50 * us, 60 * us}, {mostLatency, 60 * us},
	} {
		f, s := newFake(t)
		s.latency.Store(int64(c.latency))
		w := NewWait(f.now)
		if got := spin(f, &w); got < c.want || got > c.want+2*round {
			t.Errorf("with a latency of %v it spins for %v, want %v", c.latency, got, c.want)
		}
		if w.Relay {
			t.Error("it is to start a helper, and there is no work")
		}
		w.Begin(f.now)
		if got := spin(f, &w); got < c.want || got > c.want+2*round {
			t.Errorf("with a latency of %v it spins for %v the second time, want %v", c.latency, got, c.want)
		}
	}
	f, _ := newFake(t)
	f.st = State{Procs: 2, Running: 2, Runnable: 1}
	w := NewWait(f.now)
	if got := spin(f, &w); got > 2*round {
		t.Errorf("it spins for %v where others wait", got)
	}
	if w.leaving {
		t.Error("it leaves also when it goes on")
	}
	f, s := newFake(t)
	o := Offer{Work: work(func(*Helper) bool { return false })}
	s.Post(&o)
	w = NewWait(f.now)
	if spin(f, &w); w.Relay {
		t.Error("it is to start a helper that nobody pays")
	}
	w.PaidBy(rich())
	for range 2 {
		w.Begin(f.now)
		if got := spin(f, &w); got <= relaySpin || got > relaySpin+2*round || !w.Relay {
			t.Errorf("where there is work it spins for %v, want %v, and is to start a helper: %t", got, relaySpin, w.Relay)
		}
	}
}

// TestSettledLast: who has found work takes back what it has said itself, and not what
// another has said since.
func TestSettledLast(t *testing.T) {
	for procs, want := range map[int]bool{few: false, few + 1: true} {
		f, s := newFake(t)
		s.procs.Store(int32(procs))
		first, second := &Helper{s: s, now: f.now}, &Helper{s: s, now: f.now + 1}
		first.seek(0)
		s.sought.Store(s.sought.Load() + 1)
		second.sought = s.sought.Load()
		if first.Settled(); !s.Seeking(f.now) {
			t.Errorf("%d processors: one who has found work takes back what another has said", procs)
		}
		if second.Settled(); s.Seeking(f.now) != want {
			t.Errorf("%d processors: after the last has found work, Seeking = %t, want %t", procs, !want, want)
		}
	}
}

// TestBook: what a helper has done counts once.
func TestBook(t *testing.T) {
	_, s := newFake(t)
	s.helpers.Store(1)
	h := &Helper{s: s, Steals: 3, Parts: 5, relays: 1}
	h.book(1)
	h.Steals, h.Parts = 1, 1
	h.book(2)
	h.leave()
	if c := &s.Counts; c.Steals.Load() != 4 || c.Parts.Load() != 6 || c.Wakes.Load() != 1 || s.Helpers() != 0 {
		t.Errorf("%d steals, %d parts, %d wakes, %d helpers, want 4, 6, 1, 0", c.Steals.Load(), c.Parts.Load(), c.Wakes.Load(), s.Helpers())
	}
}

// TestLingerShare: all helpers together stay for half of what is there, the longer the
// more processors there are.
func TestLingerShare(t *testing.T) {
	for _, c := range []struct {
		procs, helpers int
		credit, want   time.Duration
	}{
		{2, 1, time.Second, 200 * us}, {20, 1, time.Second, 200 * us}, {64, 1, time.Second, 640 * us},
		{8, 1, 100 * us, 50 * us}, {8, 3, 120 * us, 20 * us}, {8, 0, 100 * us, 50 * us}, {8, 7, 14 * us, 10 * us}, {8, 1, -us, 10 * us},
	} {
		_, s := newFake(t)
		s.procs.Store(int32(c.procs))
		s.helpers.Store(int32(c.helpers))
		a := new(Account)
		a.credit.Store(int64(c.credit))
		if got := (&Helper{s: s, payer: a}).linger(); got != c.want {
			t.Errorf("%+v: it stays for %v", c, got)
		}
	}
}

// TestBoardSize: there are two slots for each processor, and 64 to 1024.
func TestBoardSize(t *testing.T) {
	for procs, want := range map[int]int{1: 64, 2: 64, 32: 64, 33: 128, 64: 128, 65: 256, 512: 1024, 513: 1024, 10_000: 1024} {
		if b := newBoard(procs); len(b.slots) != want || len(b.used) != want/64 {
			t.Errorf("%d processors: %d slots and bits for %d, want %d", procs, len(b.slots), 64*len(b.used), want)
		}
	}
}

// TestReady: a look at the board sees a few offers, from a place of chance on.
func TestReady(t *testing.T) {
	b := newBoard(1)
	for range 4 {
		b.post(&Offer{Work: idle{}})
	}
	if b.ready(0) {
		t.Error("there is a part to be had, and no offer has any")
	}
	o := Offer{Work: work(nil)}
	b.post(&o)
	found := 0
	for chance := range 1000 {
		if b.ready(chance) {
			found++
		}
	}
	if found == 0 {
		t.Error("a part that is to be had is not found from any place")
	}
	b.remove(&o)
	if b.remove(&o); b.ready(0) { // the second does nothing
		t.Error("there is a part to be had of an offer that was removed")
	}
}

// idle is an offer without parts.
type idle struct{ work }

func (idle) Ready() bool { return false }

// TestAsk: the runtime tells of a goroutine that runs, this one, and of the processors.
func TestAsk(t *testing.T) {
	st, ok := ask()
	if !ok || st.Procs != runtime.GOMAXPROCS(0) || st.Running < 1 || st.Runnable < 0 {
		t.Errorf("ask() = %+v, %t, want GOMAXPROCS %d, and 1 running at least", st, ok, runtime.GOMAXPROCS(0))
	}
}
