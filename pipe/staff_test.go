package pipe

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/size"
)

// ring is a shared segment whose ring of four has so many batches delivered, begun and
// filled. It is pushed to, or is fed by a source with so many items more.
func ring(head, taken, filled uint64, fed bool, more int) *shared {
	s := &segment{r: &run{}}
	if fed {
		s.feed = numbers(100)
	}
	sh := &shared{s: s, head: head, taken: taken, filled: filled}
	s.shared = sh
	sh.extend(4)
	sh.staff.more = more
	return sh
}

// Who waits for a worker: items that were pushed, and where the ring is full those that
// are not in it yet; where there is a feed what it has, but nobody while the ring is full.
func TestUnserved(t *testing.T) {
	for _, c := range []struct {
		sh        *shared
		shut      bool
		want      int
		begun     bool // there is a batch in flight
		delivered bool // all is
		ended     bool // and nothing comes
	}{
		{sh: ring(0, 0, 0, false, 0), delivered: true},
		{sh: ring(0, 0, 0, false, 0), shut: true, delivered: true, ended: true},
		{sh: ring(5, 6, 6, false, 0), begun: true},
		{sh: ring(5, 6, 8, false, 0), want: 2, begun: true},
		{sh: ring(5, 6, 8, false, 0), shut: true, begun: true},
		{sh: ring(5, 8, 9, false, 0), want: size.Many, begun: true},
		{sh: ring(5, 9, 9, false, 0), begun: true},
		{sh: ring(5, 5, 6, false, 0), shut: true},
		{sh: ring(5, 5, 5, true, 7), want: 7, delivered: true},
		{sh: ring(5, 8, 8, true, 7), want: 7, begun: true},
		{sh: ring(5, 9, 9, true, 7), begun: true},
		{sh: ring(5, 5, 5, true, 7), shut: true, delivered: true, ended: true},
	} {
		sh := c.sh
		sh.shut = c.shut
		if got := sh.unserved(); got != c.want {
			t.Errorf("batches %d, %d, %d, fed %v, shut %v: %d are unserved, want %d", sh.head, sh.taken, sh.filled, sh.s.feed != nil, c.shut, got, c.want)
		}
		if sh.inFlight() != c.begun || sh.empty() != c.delivered || sh.finished() != c.ended {
			t.Errorf("batches %d, %d, %d: in flight %v, empty %v, finished %v", sh.head, sh.taken, sh.filled, sh.inFlight(), sh.empty(), sh.finished())
		}
	}
}

// Whether one more may be hired, and whether the caller could hire one for an item that is
// there.
func TestHiring(t *testing.T) {
	for _, c := range []struct {
		name                       string
		hired, inside, want, limit int
		change                     func(sh *shared)
		hires, vacant, leaves      bool
	}{
		{name: "none is there", want: 1, hires: true, vacant: true},
		{name: "as many as are wanted", hired: 2, inside: 2, want: 2},
		{name: "one fewer", hired: 1, inside: 1, want: 2, hires: true, vacant: true},
		{name: "one more", hired: 3, inside: 3, want: 2, leaves: true},
		{name: "a helper has the last place", hired: 1, inside: 2, want: 2, limit: 2},
		{name: "a place is free", hired: 1, inside: 1, want: 2, limit: 2, hires: true, vacant: true},
		{name: "one waits for the rate", hired: 1, inside: 1, want: 2, change: func(sh *shared) { sh.staff.turns.Add(1) }},
		{name: "no batch is begun any more", want: 1, change: func(sh *shared) { sh.shut = true }},
		{name: "the run ends", want: 1, change: func(sh *shared) { sh.closed, sh.shut = true, true }},
		{name: "all were taken", want: 1, change: func(sh *shared) { sh.taken = sh.filled }, hires: true},
		{name: "nothing is there", want: 1, change: func(sh *shared) { sh.open.Store(false) }, hires: true},
		{name: "items are short", want: 1, change: func(sh *shared) { sh.staff.on.Store(false) }, hires: true},
		{name: "the feed has some", want: 1, change: func(sh *shared) { sh.s.feed, sh.taken = numbers(1), sh.filled }, hires: true, vacant: true},
		{name: "the feed may have some", want: 1, change: func(sh *shared) { sh.s.feed = channel[int](nil) }, hires: true},
	} {
		sh := ring(0, 1, 2, false, 0)
		sh.open.Store(true)
		sh.staff.on.Store(true)
		sh.s.limit, sh.s.counters = c.limit, []*counter{new(counter)}
		sh.staff.hired, sh.inside = c.hired, c.inside
		sh.staff.want.Store(int32(c.want))
		if c.change != nil {
			c.change(sh)
		}
		if got := sh.vacant(); got != c.vacant {
			t.Errorf("%s: vacant is %v", c.name, got)
		}
		if got := sh.superfluous(); got != c.leaves {
			t.Errorf("%s: superfluous is %v", c.name, got)
		}
		l := sh.hire()
		if (l != nil) != c.hires {
			t.Errorf("%s: one is hired: %v", c.name, l != nil)
		}
		if l == nil {
			continue
		}
		if !l.own || sh.staff.hired != c.hired+1 || sh.inside != c.inside+1 {
			t.Errorf("%s: the next is one of %d, %d inside, own %v", c.name, sh.staff.hired, sh.inside, l.own)
		}
		workers := &sh.s.counters[0].workers
		if n := workers.Load(); n != 1 {
			t.Errorf("%s: %d are metered, want 1 more", c.name, n)
		}
		if sh.dismiss(l); workers.Load() != 0 || l.own || sh.staff.hired != c.hired || sh.inside != c.inside || sh.lanes[0] != l {
			t.Errorf("%s: who left is one of %d, %d inside, own %v", c.name, sh.staff.hired, sh.inside, l.own)
		}
	}
	none := (*shared)(nil)
	if none.vacant() {
		t.Error("a segment that is not shared has a place")
	}
}

// The rule of a run goes on in the next one, where that has the same functions and the same
// limit, and no other run has it; in a bubble, where time is another, it does not.
func TestKept(t *testing.T) {
	st := new(site)
	begin := func(known bool, limit, floor int) *shared {
		sh := ring(0, 0, 0, false, 0)
		sh.s.site, sh.s.known, sh.s.limit, sh.s.floor = st, known, limit, floor
		sh.staff.begun, sh.staff.ended = 2, 1
		sh.employ(clock())
		return sh
	}
	first := begin(true, 0, 0)
	first.staff.ended = 2
	first.retire()
	rule := first.staff.rule
	for _, c := range []struct {
		name   string
		known  bool
		limit  int
		floor  int
		taken  bool
		bubble bool
		goesOn bool
	}{
		{name: "the same functions", known: true, goesOn: true},
		{name: "other functions"},
		{name: "another limit", known: true, limit: 5},
		{name: "another floor", known: true, floor: 5},
		{name: "another run has it", known: true, taken: true},
		{name: "in a bubble", known: true, bubble: true},
	} {
		st.kept.Store(&kept{rule, 40, 0, 0})
		if c.taken {
			st.kept.Store(nil)
		}
		test := func(t *testing.T) {
			sh := begin(c.known, c.limit, c.floor)
			seen := uint64(0)
			if c.goesOn {
				seen = 40
			}
			if got := sh.staff.rule == rule; got != c.goesOn || sh.staff.begun != seen+2 || sh.staff.ended != seen+1 {
				t.Errorf("%s: goes on %v, batches begun %d, ended %d; want %v, %d, %d",
					c.name, got, sh.staff.begun, sh.staff.ended, c.goesOn, seen+2, seen+1)
			}
			if sh.retire(); c.bubble {
				if k := st.kept.Load(); k == nil || k.rule != rule {
					t.Errorf("%s: the rule of another time is not left alone", c.name)
				}
			} else if k := st.kept.Load(); k == nil || k.rule != sh.staff.rule || k.batches != sh.staff.begun {
				t.Errorf("%s: it is not kept", c.name)
			}
		}
		if c.bubble {
			synctest.Test(t, test)
		} else {
			test(t)
		}
	}
}

// TestRunIsBurst: the rule is told how long a run took, whatever goes on between two of
// them. So runs of five batches come to have five workers.
func TestRunIsBurst(t *testing.T) {
	sh := ring(0, 0, 0, true, 5)
	st := &sh.staff
	st.rule, sh.s.site = size.New(0, 0), new(site)
	for range 40 {
		now := clock()
		n, _ := st.decide(now, size.View{Since: now, Begun: st.begun, Ended: st.ended, Waiting: 5})
		st.begun, st.ended = st.begun+5, st.ended+5
		st.since = now - time.Duration((5+n-1)/n)*10*time.Millisecond
		sh.retire()
	}
	if n := st.want.Load(); n < 5 {
		t.Errorf("after 40 runs of five batches there are to be %d workers, want 5", n)
	}
}

// Which batch is to be delivered next, and what becomes of those that are.
func TestFirst(t *testing.T) {
	for _, c := range []struct {
		done, gone []int
		unordered  bool
		want       int // -1: none
	}{
		{want: -1},
		{done: []int{0}, want: 0},
		{done: []int{1, 2}, want: -1},
		{done: []int{0, 1, 2}, want: 0},
		{done: []int{1}, unordered: true, want: 1},
		{done: []int{0, 1}, unordered: true, want: 0},
		{done: []int{1, 2}, gone: []int{1}, unordered: true, want: 2},
		{done: []int{1}, gone: []int{1}, unordered: true, want: -1},
		{done: []int{3}, unordered: true, want: -1}, // it was not taken
	} {
		sh := ring(6, 9, 10, false, 0) // the ring's end is in between
		sh.s.unordered = c.unordered
		for _, i := range c.done {
			sh.slot(6 + uint64(i)).done = true
		}
		for _, i := range c.gone {
			sh.gone(sh.slot(6 + uint64(i)))
		}
		b := sh.ready()
		got := -1
		for i := range 4 {
			if b == sh.slot(6+uint64(i)) {
				got = i
			}
		}
		if got != c.want || (b == nil) != (c.want < 0) {
			t.Errorf("done %v, gone %v, unordered %v: batch %d is next, want %d", c.done, c.gone, c.unordered, got, c.want)
		}
	}
	sh := ring(6, 9, 9, false, 0)
	for i, head := range []uint64{6, 6, 9} { // the third one is the first in order
		b := sh.slot([]uint64{7, 8, 6}[i])
		b.n = 10
		if sh.gone(b); sh.head != head || sh.delivered.items != 10*(i+1) || sh.delivered.batches != i+1 {
			t.Errorf("%d batches gone: the ring begins at %d, %v", i+1, sh.head, sh.delivered)
		}
	}
	if len(sh.ins) != 3 || len(sh.outs) != 3 {
		t.Errorf("3 batches gave back %d and %d vectors", len(sh.ins), len(sh.outs))
	}
}
