// Package loop runs loops in parts, and shares them with helpers where that pays.
// A loop that is too small for that costs a look at what is known of its body.
//
// A caller begins alone. After each part it looks at the clock, and so learns what
// an element takes; and once the rest is worth it, and a helper looks for work or a
// processor is idle, it offers the rest to others and goes on with it. How the rest
// is divided is in protocol.md.
package loop

import (
	"math/rand/v2"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/help"
)

// Run calls body for parts of [0, n), each element once, and returns true. Once
// a body returns false no further parts begin, and Run returns false. Panics and
// Goexit of a body come out of Run. What is learned is kept under key. At most
// limit goroutines work on it, the caller among them; 0 is no limit.
func Run(key uintptr, n, limit int, body func(lo, hi int) bool) bool {
	return run(key, n, limit, nil, body)
}

func run(key uintptr, n, limit int, overhead *Overhead, body func(lo, hi int) bool) bool {
	if n <= 0 {
		return true
	}
	switch force.Current() {
	case force.Spread:
		return force.Run(n, limit, body)
	case force.Serial:
		return body(0, n)
	}
	l := newLoop(key, n, limit)
	if overhead != nil {
		l.overhead = overhead
		overhead.ns.Store(l.site.overhead.Load())
		if rand.Uint32()%askOverhead == 0 {
			// Calls without joins, since these seemed dear, say nothing of the overhead.
			overhead.ns.Store(overhead.ns.Load() * 3 / 4)
		}
	}
	return l.run(body)
}

// RunCoarse is [Run] for elements that are believed to be worth a helper as long
// as they are not known: this is what par.Do is for.
func RunCoarse(key uintptr, n, limit int, body func(lo, hi int) bool) bool {
	switch force.Current() {
	case force.Spread:
		return force.RunEach(n, limit, body)
	case force.Serial:
		return body(0, n)
	}
	l := newLoop(key, n, limit)
	if l.perElem == 0 {
		l.perElem = coarseElem
	}
	return l.run(body)
}

// A loop is a loop as its caller runs it. What it shares with helpers is a
// [shared].
type loop struct {
	place
	n, next, limit int
	overhead       *Overhead // nil: there is none

	perElem int64    // ps for an element, as far as is believed; 0: not known
	before  [2]int64 // ps for one of the last two parts, the last one first; 0: not known
	refused int      // times in a row that there was no help
	trial   trial

	from, last time.Duration // of the looks at the clock

	ran    time.Duration // by the caller, as far as that is believed
	waited time.Duration // by the caller, for helpers that had taken the rest, or for a processor
	absent time.Duration // beyond what parts may take: the caller may have had no processor
	helped time.Duration // by helpers, who book it
}

const (
	// Parts that are handed out take at least this long, so that this costs
	// little...
	leastPart = 2 * time.Microsecond
	// ... and so long for each participant...
	travel = 200 * time.Nanosecond
	// ... and at most about this: so soon a loop can stop.
	mostPart = 100 * time.Microsecond
	// alonePart is a part of a caller that is alone.
	alonePart = 8 * time.Microsecond
	// Each time in a row that there is no help doubles it, so many times.
	mostRefused = 3

	// What takes less than so many ps is no loop over its elements.
	free = 10

	// coarseElem is what an element of RunCoarse is believed to take, in ps. It is
	// as much as a part may have, so each is one.
	coarseElem = int64(mostPart) * 1000

	// earnAfter is how long a caller runs before it books that; bookAfter is the least
	// that is booked.
	earnAfter = time.Millisecond
	bookAfter = 50 * time.Microsecond

	// A loop that has not been run for so long finds no helper that stayed for it,
	// and if it is shorter than tooShort it is over before one that is woken now has
	// come.
	gone     = 2 * time.Millisecond
	tooShort = 50 * time.Microsecond

	// To ask how often the system has taken a processor away is a system call. Right after
	// an offer that costs much more than itself: skewed loops of 2 ms took a third longer.
	// So it is asked where so much is shared, and only for a while after a call that had a
	// reason to ask. A processor that the system takes is away for a turn of its scheduler
	// (base_slice_ns of Linux, which is 3 ms with up to 7 processors).
	askTaken = 100 * time.Microsecond
	askAgain = 100 * time.Millisecond
	mostTurn = 4 * time.Millisecond
	// A part that takes less than this beyond its worth has long elements; it has not
	// waited for a processor.
	leastTurn = 200 * time.Microsecond
)

func newLoop(key uintptr, n, limit int) loop {
	now := help.Clock()
	p := siteOf(key, now)
	return loop{place: p, n: n, limit: limit, perElem: p.site.perElem.Load(), from: now, last: now}
}

func (l *loop) run(body func(lo, hi int) bool) bool {
	for l.next < l.n {
		if l.wantsHelp() {
			if s := l.offer(body); s != nil {
				return l.share(s)
			}
		}
		lo := l.next
		hi := lo + l.part()
		l.next = hi
		more := body(lo, hi)
		now := help.Clock()
		l.see(now-l.last, hi-lo)
		l.last = now
		if !more {
			l.settle(hi)
			return false
		}
	}
	l.settle(l.n)
	return true
}

// settle ends a loop of which so many elements were done.
func (l *loop) settle(done int) {
	l.earn()
	if done == 0 || help.Unreal(l.last) || !l.held() {
		return
	}
	if l.overhead != nil {
		l.site.learnOverhead(int64(l.overhead.theft()))
	}
	before := l.site.perElem.Load()
	took := l.last - l.from - l.waited + l.helped // without help
	perElem := l.learn(each(took, done))
	l.look(l.from, l.last, took, done, before != 0 && worth(float64(done), before) <= smallWork, perElem)
}

// earn books what the caller has run. Short calls book more, but seldom: by chance,
// for which the clock does as well as a generator, whose state is not in the cache
// where calls come seldom.
func (l *loop) earn() {
	ran := l.ran
	if ran < bookAfter {
		if chance := uint64(uint32(l.last)*0x9E3779B1) * uint64(bookAfter) >> 32; time.Duration(chance) >= ran {
			return
		}
		ran = bookAfter
	}
	l.site.account.Earn(ran)
}

// part is the number of elements in the caller's next part.
func (l *loop) part() int {
	rest := l.n - l.next
	switch {
	case l.overhead.alone(l.last):
		return rest
	case l.perElem == 0:
		return 1
	case l.perElem < free:
		return rest
	}
	want := elems(alonePart<<min(l.refused, mostRefused), l.perElem)
	if l.refused == 0 {
		// Help may be near.
		want = min(want, max(elems(leastPart, l.perElem), rest/16))
	}
	if l.before[0] > 2*l.perElem || l.before[0] == 0 && worth(float64(rest), l.perElem) <= smallWork {
		// Elements may not be what they were before.
		want = min(want, max(1, l.n/32))
	}
	// Where parts pay there was a look for help before this one.
	want = max(want, elems(mostShare*l.overhead.part(), l.perElem))
	if rest-want < want/2 {
		return rest
	}
	return want
}

// elems is how many elements of perElem ps make up d, at least 1.
func elems(d time.Duration, perElem int64) int { return int(max(1, int64(d)*1000/max(1, perElem))) }

// each is the ps of one of so many elements that took so long.
func each(took time.Duration, elems int) int64 {
	return max(1, int64(min(took, time.Hour))*1000/int64(elems))
}

// worth is what so many elements are worth.
func worth(elems float64, perElem int64) time.Duration {
	return time.Duration(min(elems*float64(perElem)/1000, float64(time.Hour)))
}

// see learns from a part without help. What three parts in a row say is believed, however
// far it is from what was.
func (l *loop) see(took time.Duration, elems int) {
	seen := each(took, elems)
	three := min(seen, l.before[0], l.before[1])
	l.credit(took, elems, l.perElem)
	l.trial.without(took, seen)
	if l.perElem == 0 {
		l.perElem = seen
	} else {
		l.perElem = max(three, believe(l.perElem, seen, l.before[1]))
	}
}

// believe returns what an element is believed to take, if it was old before, a part
// says seen, and the part before it said last. What seems slow may have been
// interrupted, unless that one was as slow; what is fast was not.
func believe(old, seen, last int64) int64 {
	return max(1, min(seen, max(2*old, min(last, 8*old))), old/16)
}

// credit books the time of the caller's part, as far as that is believed: time in
// which the caller did not run earns nothing. More than the mean of all calls is
// believed if three parts in a row say so.
func (l *loop) credit(took time.Duration, elems int, perElem int64) {
	seen := each(took, elems)
	if mean := l.site.perElem.Load(); mean != 0 {
		perElem = min(perElem, max(mean, min(seen, l.before[0], l.before[1])))
	}
	l.before[0], l.before[1] = seen, l.before[0]
	known := help.Beat
	if perElem != 0 {
		known = 2 * worth(float64(elems), perElem)
	}
	l.ran += min(took, known)
	if l.ran > earnAfter { // for help in this very loop
		l.site.account.Earn(l.ran)
		l.ran = 0
	}
}

// wantsHelp reports whether the rest is worth sharing, and help is to be had.
func (l *loop) wantsHelp() bool {
	rest := l.n - l.next
	if l.perElem == 0 || rest < 2 || l.limit == 1 || !l.site.account.MayAsk() {
		return false
	}
	// Where elements are short, the caller does some alone first, to see whether
	// they get slower when it has help: unless parts pay so much that the first is long.
	if l.next == 0 && mostShare*l.overhead.part() <= alonePart && elems(leastPart, l.perElem) > 1 {
		return false
	}
	worth := worth(float64(rest), l.perElem)
	if worth < max(2*leastPart, 2*theftShare*l.overhead.theft()) {
		return false
	}
	if worth < tooShort && l.from-time.Duration(l.site.timed.Load()) > gone {
		l.refused = mostRefused
		return false
	}
	if help.Sched.Seeking(l.last) {
		return true
	}
	if int64(worth) > 2*help.Sched.Price() && l.site.account.MayWake() && help.Sched.CanWake(l.last) {
		return true
	}
	l.refused++
	return false
}

// most is how many may work on the loop at once, the caller among them.
func (l *loop) most() int {
	most := max(2, help.Sched.Procs(l.last))
	if l.limit > 0 {
		most = min(most, l.limit)
	}
	return most
}

// offer offers the rest of the loop to helpers. It returns nil where the board is
// full.
func (l *loop) offer(body func(lo, hi int) bool) *shared {
	s := newShared(l.next, l.n, l.most(), l.perElem, body)
	s.account = &l.site.account
	s.overhead = l.overhead
	if !help.Sched.Post(&s.offer) {
		l.refused = mostRefused // to come back soon would be of no use
		return nil
	}
	return s
}

// share does the rest of the loop, which is offered, with helpers.
func (l *loop) share(s *shared) bool {
	from, ln := l.last, s.lanes[0].Load()
	taken := int64(-1)
	if at := time.Duration(l.site.absent.Load()); at != 0 && l.last < at+askAgain && worth(float64(l.n-l.next), l.perElem) >= askTaken {
		if n, known := help.Preempted(); known {
			taken = n
		}
	}
	returned := false
	defer func() {
		if !returned {
			s.set(stopped)
			s.over(nil)
		}
		help.Sched.Remove(&s.offer)
	}()
	if !help.Sched.Seeking(l.last) {
		s.grow(ln, l.last)
	}
	for {
		state := s.state.Load()
		lo, hi := s.part(ln, state)
		if lo == hi || state&stopped != 0 {
			over := s.over(ln)
			now := help.Clock()
			l.waited += now - l.last
			l.last = now
			if over {
				break
			}
			continue
		}
		l.partOf(s, ln, lo, hi, state)
		s.grow(ln, l.last)
	}
	returned = true
	for i := range s.lanes {
		if ln := s.lanes[i].Load(); ln != nil {
			l.helped += ln.worked
		}
	}
	// What all have worked is what it would have taken without help; what helpers have
	// worked is booked already.
	took := l.last - from
	l.waited += l.away(taken)
	s.account.Settle(took-l.waited+l.helped, took, l.helped)
	if out := s.out.Load(); out != nil {
		out.Raise()
	}
	if s.state.Load()&stopped != 0 {
		l.settle(l.n - s.left())
		return false
	}
	l.settle(l.n)
	return true
}

// away is how long the caller, while it shared its loop, had no processor: the system had
// given it to another program, or to a helper. The clock of a part does not tell that
// from elements that take long; so it is no more than a turn for each time that the
// system has taken a processor from the program since there were so many.
//
// It was no work. Otherwise helpers seem to pay where a machine has so much else to do
// that they run in the place of their caller, and then keep it waiting.
func (l *loop) away(before int64) time.Duration {
	if l.absent == 0 {
		return 0
	}
	l.site.absent.Store(int64(l.last))
	if before < 0 {
		return 0
	}
	now, known := help.Preempted()
	if !known || now <= before {
		return 0
	}
	help.Sched.Counts.Taken.Add(uint64(now - before))
	return min(l.absent, time.Duration(min(now-before, 1000))*mostTurn)
}

// partOf does a part of the caller's, and decides whether helpers may stay.
func (l *loop) partOf(s *shared, ln *lane, lo, hi, state uint64) {
	first, end := s.elements(lo, hi)
	if !s.body(first, end) {
		s.set(stopped)
	}
	now := help.Clock()
	took := now - l.last
	l.last = now
	if over := took - worth(float64(end-first), ln.perElem.Load()); over >= leastTurn && took > s.longest(end-first, ln) {
		l.absent += over
	}
	l.credit(took, end-first, ln.perElem.Load())
	ln.seen(took, end-first)
	seen := each(took, end-first)
	if n := helpers(state); n > 0 {
		if l.trial.with(took, seen, n) {
			s.set(shut)
		}
		return
	}
	switch known, harmful := l.trial.without(took, seen); {
	case harmful:
		l.site.account.Bar()
	case known:
		s.clear(shut)
	}
}
