package loop

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
)

const us = time.Microsecond

// TestForced: where all is to run in parts or nothing is, a loop has as many parts as
// that asks for, and all its elements.
func TestForced(t *testing.T) {
	defer force.Set(force.Current())
	const n = 20 // more than parts that are cut by chance
	for _, mode := range []force.Mode{force.Serial, force.Spread} {
		for name, run := range map[string]func(body func(lo, hi int) bool) bool{
			"Run":         func(body func(lo, hi int) bool) bool { return Run(16, n, 0, body) },
			"RunOverhead": func(body func(lo, hi int) bool) bool { return RunOverhead(16, n, 0, &Overhead{}, body) },
			"RunCoarse":   func(body func(lo, hi int) bool) bool { return RunCoarse(16, n, 0, body) },
		} {
			force.Set(mode)
			for _, more := range []bool{true, false} {
				var mu sync.Mutex
				var spans []span
				got := run(func(lo, hi int) bool {
					mu.Lock()
					defer mu.Unlock()
					spans = append(spans, span{lo, hi})
					return more
				})
				if got != more {
					t.Errorf("%s, mode %v: returned %t where bodies return %t", name, mode, got, more)
				}
				if mode == force.Serial && !slices.Equal(spans, []span{{0, n}}) {
					t.Errorf("%s, mode %v: parts %v, want one of all", name, mode, spans)
				}
				if mode == force.Spread && more {
					if verify(t, spans, 0, n); name == "RunCoarse" && len(spans) != n {
						t.Errorf("%s, mode %v: %d parts, want %d", name, mode, len(spans), n)
					}
				}
			}
		}
	}
	force.Set(force.Auto)
	for _, n := range []int{0, -1} {
		if !Run(16, n, 0, func(lo, hi int) bool { t.Errorf("a part [%d, %d) of %d elements", lo, hi, n); return false }) {
			t.Errorf("a loop of %d elements has not run to its end", n)
		}
	}
}

// TestCoarse: elements of which nothing is known are worth a helper in RunCoarse, and in
// Run the first is run to see; what is known counts.
func TestCoarse(t *testing.T) {
	for _, c := range []struct {
		coarse bool
		known  time.Duration // of an element; 0: not known
		first  bool          // a helper is woken before the first part
	}{{true, 0, true}, {false, 0, false}, {true, 100, false}, {true, 100 * us, true}, {false, 100 * us, true}} {
		b := newBench(t)
		siteOf(16, b.now).site.perElem.Store(int64(c.known) * 1000)
		siteOf(16, b.now).site.timed.Store(int64(b.now))
		first, parts := false, 0
		body := func(lo, hi int) bool {
			if parts++; parts == 1 {
				first = b.wakes > 0
			}
			b.now += time.Duration(hi-lo) * c.known
			return true
		}
		if c.coarse {
			RunCoarse(16, 2, 0, body)
		} else {
			Run(16, 2, 0, body)
		}
		if first != c.first {
			t.Errorf("%+v: a helper is woken at first: %t", c, first)
		}
	}
}

// TestPay: what an overhead is believed to be follows what it takes, and neither one that was
// interrupted nor one of a short part counts in full.
func TestPay(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ old, took, want time.Duration }{
		{0, 500, 250}, {0, us, 500}, {0, 10 * us, 500}, {us, 3 * us, 2 * us}, {us, 4 * us, 2500}, {us, 10 * us, 2500},
		{us, us, us}, {us, 200, 900}, {us, 999, 999},
	} {
		var overhead Overhead
		overhead.ns.Store(int64(c.old))
		called := 0
		overhead.Pay(func() { called++; b.now += c.took - lookCost })
		if got := time.Duration(overhead.ns.Load()); got != c.want || called != 1 {
			t.Errorf("an overhead of %v that took %v, in %d calls, is believed to be %v, want %v", c.old, c.took, called, got, c.want)
		}
	}
}

// TestOverheadKept: the next call knows the overhead of the one before, and chance has it believe
// less now and then.
func TestOverheadKept(t *testing.T) {
	newBench(t)
	const ns = 8000
	whole, less := 0, 0
	for range 50 * askOverhead {
		p := siteOf(16, time.Second)
		p.site.overhead.Store(ns)
		overhead := &Overhead{}
		RunOverhead(16, 1, 0, overhead, func(lo, hi int) bool {
			switch overhead.ns.Load() {
			case ns:
				whole++
			case ns * 3 / 4:
				less++
			}
			return true
		})
	}
	if all := 50 * askOverhead; whole+less != all || less == 0 || less > all/4 {
		t.Errorf("of %d calls, %d know the overhead and %d believe a part of it, want one of %d", all, whole, less, askOverhead)
	}
	p := siteOf(16, time.Second)
	for _, c := range []struct{ old, now, want int64 }{
		{0, 1, 1}, {800, 800, 800}, {800, 900, 800}, {800, 901, 901}, {800, 700, 800}, {800, 699, 699},
	} {
		p.site.overhead.Store(c.old)
		p.site.learnOverhead(c.now)
		if got := p.site.overhead.Load(); got != c.want {
			t.Errorf("an overhead of %d that was %d is kept as %d, want %d", c.old, c.now, got, c.want)
		}
	}
}

// TestOverheadOf: what parts and thefts cost, by whether each part pays, and where none can
// help.
func TestOverheadOf(t *testing.T) {
	for _, c := range []struct {
		overhead    *Overhead
		part, theft time.Duration
		alone       bool // with one processor
	}{
		{nil, 0, 0, false}, {&Overhead{}, 0, us, false}, {&Overhead{Each: true}, us, us, true}, {&Overhead{Stops: true}, 0, us, false}, {&Overhead{Each: true, Stops: true}, us, us, false},
	} {
		if c.overhead != nil {
			c.overhead.ns.Store(int64(us))
		}
		if part, theft := c.overhead.part(), c.overhead.theft(); part != c.part || theft != c.theft {
			t.Errorf("%+v: a part costs %v, a theft %v, want %v, %v", c.overhead, part, theft, c.part, c.theft)
		}
		for procs, want := range map[int]bool{1: c.alone, 2: false, 16: false} {
			b := newBench(t)
			h := help.Runtime
			h.Ask = func() (help.State, bool) { return help.State{Procs: procs, Running: 1}, true }
			help.Use(h)
			if c.overhead.alone(b.now) != want {
				t.Errorf("%+v, %d processors: alone %t, want %t", c.overhead, procs, !want, want)
			}
		}
		s := newShared(0, 1<<20, 2, 1000, nil)
		s.overhead = c.overhead
		for helpers, want := range map[uint64]time.Duration{0: leastPart, 9: leastPart, 10: 11 * travel, 99: 100 * travel} {
			if got := least(helpers * one); got != want {
				t.Errorf("with %d helpers a part lasts %v at least, want %v", helpers, got, want)
			}
			if got, want := s.theft(helpers*one), max(want/2, theftShare*c.theft); got != want {
				t.Errorf("%+v, %d helpers: a lane must be worth %v, want %v", c.overhead, helpers, got, want)
			}
		}
		whole := uint64(0)
		if c.part > 0 {
			whole = 2 * theftShare * 1000
		}
		if got := s.whole(1000); got != whole {
			t.Errorf("%+v: %d units are not divided, want %d", c.overhead, got, whole)
		}
	}
}

// TestEvict: a function that takes another's place knows nothing of it but its debts.
func TestEvict(t *testing.T) {
	for _, credit := range []time.Duration{-50 * us, 0, 50 * us} {
		b := newBench(t)
		var keys []uintptr
		for key := uintptr(16); len(keys) < ways+1; key += 16 {
			if index(key) == index(16) {
				keys = append(keys, key)
			}
		}
		for _, key := range keys[:ways] {
			p := siteOf(key, 1)
			p.most.Store(1000)
			for _, w := range []*atomic.Int64{&p.site.perElem, &p.site.overhead, &p.site.timed, &p.site.watch, &p.site.stale} {
				w.Store(77)
			}
			p.site.account.Add(-p.site.account.Credit())
			p.site.account.Add(credit)
		}
		p := siteOf(keys[ways], b.now)
		if p.most.Load() != 0 || Small(keys[ways], 1) {
			t.Error("calls of a function that is not known are small")
		}
		got := []int64{p.site.perElem.Load(), p.site.overhead.Load(), p.site.timed.Load(), p.site.watch.Load(), p.site.stale.Load()}
		if want := []int64{0, 0, int64(b.now) - int64(lookCost), 0, int64(leastStale)}; fmt.Sprint(got[:2], got[3:]) != fmt.Sprint(want[:2], want[3:]) || got[2] == 77 {
			t.Errorf("perElem, overhead, timed, watch, stale = %v, want %v", got, want)
		}
		want := credit
		if credit > 0 {
			want = help.FirstPrice
		}
		if got := p.site.account.Credit(); got != want {
			t.Errorf("after a function with a credit of %v, the next has %v, want %v", credit, got, want)
		}
		left := 0
		for _, key := range keys[:ways] {
			for w := range table[index(key)].code {
				if table[index(key)].code[w].Load() == key {
					left++
				}
			}
		}
		if left != ways-1 || !p.held() {
			t.Errorf("%d functions are still known, want %d, and the new one: %t", left, ways-1, p.held())
		}
	}
}

// TestSmallBound: calls are small up to what is known, and no other's.
func TestSmallBound(t *testing.T) {
	b := newBench(t)
	siteOf(16, b.now).most.Store(100)
	for n, want := range map[int]bool{-1: false, 1: true, 100: true, 101: false, math.MaxInt: false} {
		got := false
		for range 1000 { // one of some is timed
			got = got || Small(16, n)
		}
		if got != want {
			t.Errorf("%d elements of 100 that are small: %t, want %t", n, got, want)
		}
	}
	for n, want := range map[int]bool{-1: true, 0: true, 1: false} {
		if got := Small(32, n); got != want {
			t.Errorf("%d elements of a function that is not known are small: %t, want %t", n, got, want)
		}
	}
}

// TestLearn: what an element is known to take goes half of the way to what was seen, which
// is believed up to three times of it, and is written where that says something new.
func TestLearn(t *testing.T) {
	newBench(t)
	p := siteOf(16, 0)
	for _, c := range []struct{ old, seen, now, kept int64 }{
		{0, 1000, 1000, 1000}, {1000, 1000, 1000, 1000}, {1000, 3000, 2000, 2000}, {1000, 9000, 2000, 2000},
		{1000, 1250, 1125, 1000}, {1000, 1252, 1126, 1126}, {1000, 750, 875, 1000}, {1000, 748, 874, 874}, {1, 1, 1, 1}, {1, 0, 1, 1},
	} {
		p.site.perElem.Store(c.old)
		if now := p.learn(c.seen); now != c.now || p.site.perElem.Load() != c.kept {
			t.Errorf("%d, and then %d, is %d, kept as %d, want %d, %d", c.old, c.seen, now, p.site.perElem.Load(), c.now, c.kept)
		}
	}
	for _, c := range []struct{ old, seen, last, want int64 }{
		{1000, 1000, 1000, 1000}, {1000, 2000, 0, 2000}, {1000, 2001, 0, 2000}, {1000, 5000, 3000, 3000}, {1000, 5000, 9000, 5000},
		{1000, 9000, 9000, 8000}, {1600, 100, 0, 100}, {1600, 99, 0, 100}, {0, 0, 0, 1},
	} {
		if got := believe(c.old, c.seen, c.last); got != c.want {
			t.Errorf("believe(%d, %d, %d) = %d, want %d", c.old, c.seen, c.last, got, c.want)
		}
	}
}

// TestPart: how many elements a caller that is alone does before it looks at the clock.
func TestPart(t *testing.T) {
	newBench(t)
	const many = 1 << 20
	same := [2]int64{1000, 1000}
	each := &Overhead{Each: true}
	each.ns.Store(1000)
	for _, c := range []struct {
		why      string
		n, next  int
		perElem  int64
		before   [2]int64
		refused  int
		overhead *Overhead
		want     int
	}{
		{"nothing is known", many, 0, 0, [2]int64{}, 0, nil, 1},
		{"no work at all", many, 9, free - 1, same, 0, nil, many - 9},
		{"hardly any work", many, 0, free, [2]int64{free, free}, 0, nil, 200_000},
		{"8 µs", many, 0, 1000, same, 0, nil, 8000},
		{"a 16th of the rest", 64_000, 0, 1000, same, 0, nil, 4000},
		{"2 µs", 16_000, 0, 1000, same, 0, nil, 2000},
		{"twice as many where there was no help", many, 0, 1000, same, 1, nil, 16_000},
		{"eight times", many, 0, 1000, same, 3, nil, 64_000},
		{"and no more", many, 0, 1000, same, 4, nil, 64_000},
		{"what is left then is short", 2999, 0, 1000, same, 0, nil, 2999},
		{"or not", 3000, 0, 1000, same, 0, nil, 2000},
		{"the last part was slow", 32_000, 0, 1000, [2]int64{2001, 1000}, 1, nil, 1000},
		{"but not so slow", 32_000, 0, 1000, [2]int64{2000, 1000}, 1, nil, 16_000},
		{"small work is to be seen first", 3200, 0, 1000, [2]int64{}, 0, nil, 100},
		{"as much as 4 µs", 4000, 0, 1000, [2]int64{}, 0, nil, 125},
		{"more is not small", 4001, 0, 1000, [2]int64{}, 0, nil, 2000},
		{"parts that pay are long", many, 0, 1000, same, 0, each, 64_000},
	} {
		l := loop{place: place{site: new(site)}, n: c.n, next: c.next, perElem: c.perElem, before: c.before, refused: c.refused, overhead: c.overhead}
		if c.overhead.alone(l.last) {
			c.want = many // one processor: no other shares the elements
		}
		if got := l.part(); got != c.want {
			t.Errorf("%s: a part of %d elements, want %d", c.why, got, c.want)
		}
	}
}

// TestWantsHelp: when a loop is worth sharing.
func TestWantsHelp(t *testing.T) {
	for _, c := range []struct {
		why      string
		n, next  int
		perElem  int64
		limit    int
		credit   time.Duration
		seeking  bool
		gap      time.Duration // since it was run last
		overhead time.Duration
		want     bool
		refused  int
		released bool // processors are idle
	}{
		{why: "long, somebody looks for work", n: 2000, next: 1, perElem: 1_000_000, seeking: true, want: true},
		{why: "long, a processor is idle", n: 2000, next: 1, perElem: 1_000_000, credit: time.Millisecond, released: true, want: true},
		{why: "nobody is there", n: 2000, next: 1, perElem: 1_000_000, credit: time.Millisecond, refused: 1},
		{why: "not known", n: 2000, next: 1, seeking: true},
		{why: "one element is left", n: 2000, next: 1999, perElem: 1_000_000_000, seeking: true},
		{why: "two are", n: 2000, next: 1998, perElem: 1_000_000_000, seeking: true, want: true},
		{why: "it is to be alone", n: 2000, next: 1, perElem: 1_000_000, limit: 1, seeking: true},
		{why: "or two", n: 2000, next: 1, perElem: 1_000_000, limit: 2, seeking: true, want: true},
		{why: "help did not pay", n: 2000, next: 1, perElem: 1_000_000, credit: -100 * us, seeking: true},
		{why: "no credit for a wake", n: 2000, next: 1, perElem: 1_000_000, credit: help.FirstPrice - 1, released: true, refused: 1},
		{why: "credit for one", n: 2000, next: 1, perElem: 1_000_000, credit: help.FirstPrice, released: true, want: true},
		{why: "short elements are run alone first", n: 100_000, perElem: 1000, seeking: true},
		{why: "then not", n: 100_000, next: 1, perElem: 1000, seeking: true, want: true},
		{why: "long elements are not", n: 100_000, perElem: 2_000_000, seeking: true, want: true},
		{why: "4 µs are worth it", n: 4001, next: 1, perElem: 1000, seeking: true, want: true},
		{why: "less is not", n: 4000, next: 1, perElem: 1000, seeking: true},
		{why: "where thefts cost, 16 of them are", n: 16_001, next: 1, perElem: 1000, overhead: us, seeking: true, want: true},
		{why: "and less is not", n: 16_000, next: 1, perElem: 1000, overhead: us, seeking: true},
		{why: "short and seldom", n: 50_000, next: 1, perElem: 1000, seeking: true, gap: gone + 1, refused: mostRefused},
		{why: "not so seldom", n: 50_000, next: 1, perElem: 1000, seeking: true, gap: gone, want: true},
		{why: "not so short", n: 50_001, next: 1, perElem: 1000, seeking: true, gap: gone + 1, want: true},
		{why: "a wake costs half of it", n: 20_001, next: 1, perElem: 1000, credit: time.Millisecond, released: true, refused: 1},
		{why: "or less", n: 20_002, next: 1, perElem: 1000, credit: time.Millisecond, released: true, want: true},
	} {
		b := newBench(t)
		procs := 1
		if c.released {
			procs = 2
		}
		h := help.Runtime
		h.Clock = func() time.Duration { return b.now }
		h.Ask = func() (help.State, bool) { return help.State{Procs: procs, Running: 1}, true }
		help.Use(h)
		help.Sched.Pretend(c.seeking)
		s := new(site)
		s.account.Add(c.credit)
		s.timed.Store(int64(b.now - c.gap))
		overhead := &Overhead{}
		overhead.ns.Store(int64(c.overhead))
		l := loop{place: place{site: s}, n: c.n, next: c.next, limit: c.limit, perElem: c.perElem, overhead: overhead, from: b.now, last: b.now}
		if got := l.wantsHelp(); got != c.want || l.refused != c.refused {
			t.Errorf("%s: wants help: %t, refused %d, want %t, %d", c.why, got, l.refused, c.want, c.refused)
		}
	}
}

// TestShareWaits: all that a caller has waited counts, in each of its waits, and what all
// helpers have worked; it is the time that the loop would have taken without them.
func TestShareWaits(t *testing.T) {
	var now atomic.Int64
	slept := make(chan bool, 1)
	h := help.Runtime
	h.Clock = func() time.Duration { return time.Duration(now.Add(100)) }
	h.Ask = func() (help.State, bool) { return help.State{Procs: 2, Running: 2}, true }
	h.Park = func(gate *sync.Mutex) {
		slept <- true
		gate.Lock()
	}
	hosted(t, h)
	now.Store(int64(time.Second))
	const ms = time.Millisecond
	l := newLoop(16, 100, 3)
	s := newShared(0, 100, 3, 1000_000, func(lo, hi int) bool { return true })
	s.account = &l.site.account
	s.join()
	s.join()
	one, two := s.lane(), s.lane()
	s.rob(one, s.lanes[0].Load())
	s.lanes[0].Load().rest.Store(0)
	rest := one.rest.Swap(0)
	over := make(chan bool, 1)
	go func() { over <- l.share(s) }()
	wake := func(d time.Duration, ln *lane, worked time.Duration, behind bool) {
		<-slept
		now.Add(int64(d))
		ln.worked = worked
		ln.owned.Store(false)
		s.leave(behind)
	}
	stress.Within(t, time.Minute, "a loop with two helpers", func() {
		<-slept
		slept <- true
		one.rest.Store(rest)
		wake(3*ms, one, 5*ms, true)
		wake(4*ms, two, 7*ms, false)
		if !<-over {
			t.Error("the loop was stopped")
		}
	})
	if l.waited < 7*ms || l.waited > 8*ms || l.helped != 12*ms {
		t.Errorf("the caller has waited for %v, and was helped for %v, want 7ms and 12ms", l.waited, l.helped)
	}
}

// TestAskTaken: the system is asked how often it has taken a processor away for a while
// after a call in which a part took much longer than it should, and not otherwise.
func TestAskTaken(t *testing.T) {
	b := newBench(t)
	call := func(late time.Duration) (asked int) {
		before := b.asked
		Run(16, 1000, 0, func(lo, hi int) bool {
			if lo >= 970 { // the loop is shared by then, and its parts are short
				b.now += late
				late = 0
			}
			b.now += time.Duration(hi-lo) * us
			return true
		})
		return b.asked - before
	}
	for range 5 {
		if n := call(0); n != 0 {
			t.Fatalf("a call without a reason asks %d times", n)
		}
	}
	if n := call(leastTurn - 10*us); n != 0 || call(0) != 0 {
		t.Errorf("after an element that is long, a call asks")
	}
	if n := call(3 * time.Millisecond); n != 0 {
		t.Errorf("the first call with a reason asks %d times: when it knows, it is too late", n)
	}
	n := 0
	for range 5 { // not each is shared
		n += call(0)
	}
	if n == 0 {
		t.Errorf("those after it do not ask")
	}
	b.now += 2 * askAgain
	if n := call(0); n != 0 {
		t.Errorf("long after it a call asks %d times", n)
	}
}
