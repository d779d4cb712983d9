package loop

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

// A bench is a machine with an idle processor on which time passes as the test says.
// Helpers that are woken never come.
type bench struct {
	now   time.Duration
	wakes int

	looks, glances int // at the clock, and at the ticks
	asked          int // how often processors were taken away
}

const (
	lookCost   = 40 * time.Nanosecond
	glanceCost = 10 * time.Nanosecond
	wakeCost   = 15 * time.Microsecond
)

func newBench(t *testing.T) *bench {
	b := &bench{now: time.Second}
	h := help.Runtime
	h.Clock = func() time.Duration {
		b.now += lookCost
		b.looks++
		return b.now
	}
	h.Ticks = func() int64 {
		b.now += glanceCost
		b.glances++
		return int64(b.now)
	}
	h.Ask = func() (help.State, bool) { return help.State{Procs: 2, Running: 1}, true }
	h.Start = func(n int, _ func()) {
		b.wakes += n
		b.now += wakeCost
		for range n {
			help.Sched.Absent()
		}
	}
	h.Preempted = func() (int64, bool) {
		b.asked++
		return 0, true
	}
	hosted(t, h)
	return b
}

// call is For of n elements that take elem each.
func (b *bench) call(key uintptr, n int, elem time.Duration) {
	body := func(lo, hi int) bool {
		b.now += time.Duration(hi-lo) * elem
		return true
	}
	if Small(key, n) {
		body(0, n)
	} else {
		Run(key, n, 0, body)
	}
}

// each is a call that goes through n elements one by one.
func (b *bench) each(key uintptr, n int, elem time.Duration) {
	lo, hi := 0, First(key, n)
	for lo < hi {
		for ; lo < hi; lo++ {
			b.now += elem
		}
		hi = More(key, lo, n)
	}
	if lo < n {
		Run(key, n-lo, 0, func(lo, hi int) bool {
			b.now += time.Duration(hi-lo) * elem
			return true
		})
	}
}

// TestGlance: a call that goes through its elements one by one gets help where these are
// long, whatever those of the calls before were.
func TestGlance(t *testing.T) {
	for _, n := range []int{8, 32} {
		const elem = 10 * time.Millisecond
		b := newBench(t)
		for round := range 20 {
			for range 2000 {
				b.each(16, n, 1)
			}
			before := b.wakes
			if b.each(16, n, elem); b.wakes == before {
				t.Errorf("round %d: %d elements of %v between short ones got no help", round, n, elem)
			}
		}
	}
}

// TestGlanceFirst: what a glance has seen of the first elements holds for the rest of
// the call, or four of them that are long would be done before help is asked for.
func TestGlanceFirst(t *testing.T) {
	b := newBench(t)
	for range 2000 {
		b.each(16, 4, 1)
	}
	if b.each(16, 4, 10*time.Millisecond); b.wakes == 0 {
		t.Error("4 elements of 10 ms after short ones got no help")
	}
}

// TestGlanceCost: calls that are small take one glance each, and hardly any look at the
// clock, whether they follow each other or come now and then.
func TestGlanceCost(t *testing.T) {
	for _, pause := range []time.Duration{0, 10 * time.Microsecond, time.Millisecond} {
		b := newBench(t)
		for range 200 {
			b.each(16, 8, 1)
		}
		const calls = 20_000
		b.looks, b.glances = 0, 0
		from, work := b.now, time.Duration(0)
		for range calls {
			b.each(16, 8, 1)
			b.now += pause
			work += 8 + pause
		}
		over := b.now - from - work
		if most := calls*glanceCost*21/10 + work/20; over > most || b.wakes > 2 {
			t.Errorf("%d calls, one each %v: %v more than %v, want %v at most (%d glances, %d looks, %d wakes)",
				calls, pause, over, work, most, b.glances, b.looks, b.wakes)
		}
	}
}

// TestSmallCorrected: calls that are thought to be small and are not get help while
// they run: those that have many more elements than was seen, and those that come
// after one that was as long.
func TestSmallCorrected(t *testing.T) {
	t.Run("elements", func(t *testing.T) {
		b := newBench(t)
		for range 1000 {
			b.call(16, 10, 1)
		}
		if b.wakes != 0 {
			t.Fatalf("%d wakes for small calls", b.wakes)
		}
		for range 20 { // of which chance may pick one to be timed, whatever is known
			if Small(16, 300) {
				t.Fatal("after calls of 10 elements, one of 300 is small")
			}
		}
		if b.call(16, 300, 100*time.Microsecond); b.wakes == 0 {
			t.Error("a call with many more elements got no help")
		}
	})
	for _, dear := range []time.Duration{2 * time.Microsecond, 200 * time.Microsecond} {
		t.Run(dear.String(), func(t *testing.T) {
			b := newBench(t)
			// Chance finds the first. It does not in one of a million runs.
			const calls = 450
			got, first := 0, calls
			for i := range calls {
				for range 100 {
					b.call(16, 1000, 1)
				}
				before := b.wakes
				if b.call(16, 1000, dear); b.wakes > before {
					got++
					first = min(first, i)
				}
			}
			if got <= (calls-first)*9/10 {
				t.Errorf("%d of %d calls of %v between small ones got help, from call %d on", got, calls, 1000*dear, first)
			}
		})
	}
}

// TestSmallFound: the second of two long calls between short ones gets help, or, by
// chance, one soon after it. A call that got help is as long as it was without.
func TestSmallFound(t *testing.T) {
	for range 16 {
		b := newBench(t)
		b.call(16, 1000, 1) // of which nothing is known, so it may get help
		b.wakes = 0
		for i := 0; b.wakes == 0; i++ {
			if i == 10 {
				t.Fatalf("none of %d calls of 2ms between small ones got help", i)
			}
			for range 100 {
				b.call(16, 1000, 1)
			}
			b.call(16, 1000, 2*time.Microsecond)
		}
	}
	const alone = 10 * surprise
	p := siteOf(48, 0)
	if p.look(0, alone/2, alone, 1000, true, 1000); p.site.watch.Load() != int64(alone/watchShare) {
		t.Errorf("after a call of %v that is known as small, calls are timed for %v, want %v", alone, time.Duration(p.site.watch.Load()), alone/watchShare)
	}
}

// TestSmallCost: what is spent on finding such calls is a small part of the time.
func TestSmallCost(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, stress.Seed(t)))
	for _, pause := range []time.Duration{0, 10 * time.Microsecond, time.Millisecond, 200 * time.Millisecond} {
		b := newBench(t)
		from, work := b.now, time.Duration(0)
		for range 20_000 {
			n := 1 + rnd.IntN(1000)
			b.call(16, n, 1)
			b.now += pause
			work += time.Duration(n) + pause
		}
		if over := b.now - from - work; over > work/50+2*wakeCost {
			t.Errorf("calls each %v: %v more than %v", pause, over, work)
		}
	}
}

// TestCollisions: functions whose addresses collide keep what is known of them; and
// where too many do, they do not wake more helpers than one alone.
func TestCollisions(t *testing.T) {
	var keys []uintptr
	for key := uintptr(16); len(keys) < 2*ways; key += 16 {
		if index(key) == index(16) {
			keys = append(keys, key)
		}
	}
	for _, n := range []int{1, 2, ways, 2 * ways} {
		b := newBench(t)
		const calls = 20_000
		from, work := b.now, time.Duration(0)
		for i := range calls {
			b.call(keys[i%n], 60, time.Microsecond)
			work += 60 * time.Microsecond
		}
		if over := b.now - from - work; over > work*4/100 {
			t.Errorf("%d functions: %v more than %v, %d wakes", n, over, work, b.wakes)
		}
	}
}

// TestSeldom: calls that come seldom are not timed, but for two in a row now and then:
// the second tells how long it is since the one before.
func TestSeldom(t *testing.T) {
	const n, perElem, took = 200, 100_000, 20 * time.Microsecond
	newBench(t)
	p, now := siteOf(16, 0), time.Duration(0)
	for i, c := range []struct {
		pause time.Duration
		small bool
	}{
		{0, false}, {10 * gone, true}, {10 * gone, false}, {10 * gone, true}, {10 * gone, false},
		{gone / 10, false}, {gone / 10, false}, {10 * gone, true},
	} {
		from := now + c.pause
		now = from + took
		p.look(from, now, took, n, false, perElem)
		if got := p.most.Load() >= n; got != c.small {
			t.Errorf("call %d, after %v: the next is small: %t, want %t", i, c.pause, got, c.small)
		}
	}
}

// TestStopped: a call that ends early says what its elements take, also where it was
// offered to others.
func TestStopped(t *testing.T) {
	const elem, n = 100 * time.Microsecond, 1000
	b := newBench(t)
	Run(16, n, 0, func(lo, hi int) bool {
		b.now += time.Duration(hi-lo) * elem
		return hi < n/2
	})
	if got := siteOf(16, b.now).site.perElem.Load(); b.wakes == 0 || got < int64(elem)*500 || got > int64(elem)*2000 {
		t.Errorf("after %d wakes an element of %v is believed to take %d ps", b.wakes, elem, got)
	}
}

// TestLate: what a call has learned is not kept where another function's is by now.
func TestLate(t *testing.T) {
	b := newBench(t)
	p := siteOf(16, b.now)
	p.code.Store(32)
	l := loop{place: p, n: 10, last: b.now}
	if l.settle(10); p.site.perElem.Load() != 0 {
		t.Error("another function's elements are taken for this one's")
	}
	if p.code.Store(16); !p.held() {
		t.Error("a place is not held")
	}
	if l.settle(10); p.site.perElem.Load() == 0 {
		t.Error("nothing is learned")
	}
}

// TestTrial: elements that take longer with help keep helpers away; elements that
// take longer anyway do not.
func TestTrial(t *testing.T) {
	const us = time.Microsecond
	for _, c := range []struct {
		name                 string
		alone, with, without int64 // ps
		helpers              int
		suspect, harmful     bool
	}{
		{"as fast", 1000, 1000, 1000, 1, false, false},
		{"shares its lines", 1000, 3000, 1000, 1, true, true},
		{"takes longer anyway", 1000, 3000, 3000, 1, true, false},
		{"shares memory with many", 1000, 3000, 1000, 7, false, false},
		{"shares its lines with many", 1000, 9000, 1000, 7, true, true},
	} {
		var tr trial
		tr.without(8*us, c.alone)
		suspect := false
		for range 10 {
			suspect = suspect || tr.with(8*us, c.with, c.helpers)
		}
		known, harmful := tr.without(8*us, c.without)
		if !known {
			known, harmful = tr.without(8*us, c.without)
		}
		if suspect != c.suspect || known != suspect || harmful != c.harmful {
			t.Errorf("%s: suspect %t, known %t, harmful %t", c.name, suspect, known, harmful)
		}
	}
}

// TestEarn: short calls earn what long ones do.
func TestEarn(t *testing.T) {
	for _, ran := range []time.Duration{time.Microsecond, 20 * time.Microsecond, 50 * time.Microsecond, 300 * time.Microsecond} {
		var s site
		l := loop{place: place{site: &s}}
		var earned, of time.Duration
		for ; of < time.Second; of += ran {
			l.ran = ran
			l.last += ran + lookCost
			l.earn()
			earned += s.account.Credit()
			s.account.Add(-s.account.Credit())
		}
		if want := of / help.Earns; earned < want*9/10 || earned > want*11/10 {
			t.Errorf("calls of %v earn %v in %v, want %v", ran, earned, of, want)
		}
	}
}
