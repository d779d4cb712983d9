// Package loop runs loops in parts, and shares them with helpers where that pays.
// A loop that is too small for that costs a look at what is known of its body.
package loop

import (
	"time"

	"github.com/gopayoff/payoff/par/internal/force"
	"github.com/gopayoff/payoff/par/internal/help"
)

// Run calls body for parts of [0, n), each element once, and returns true. Once
// a body returns false no further parts begin, and Run returns false. Panics and
// Goexit of a body come out of Run. What is learned is kept under key. At most
// limit goroutines work on it, where that is not 0.
func Run(key uintptr, n, limit int, body func(lo, hi int) bool) bool {
	if n <= 0 {
		return true
	}
	switch force.Current() {
	case force.Spread:
		return force.Run(n, limit, body)
	case force.Serial:
		return body(0, n)
	}
	l := newLoop(key, n)
	l.limit = limit
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
	l := newLoop(key, n)
	l.limit = limit
	if l.perElem == 0 {
		l.perElem = coarseElem
	}
	return l.run(body)
}

// A loop is a loop as its caller runs it: in parts, after each of which it looks
// at the clock and for help. What it shares with helpers is a [shared].
type loop struct {
	site    *site
	n, next int
	limit   int           // of goroutines; 0: none
	perElem int64         // ps, a mean; 0: not known
	helped  time.Duration // by helpers
	ran     time.Duration // by the caller, as far as that is believed
	gain    time.Duration
	refused int // times in a row that there was no help

	from, last time.Duration // of the looks at the clock

	// alone is the ps for an element in the last part without help, or 0, and
	// suspect what it was with help, where that was so much more that help does
	// not pay: elements may write to the same cache lines, or wait for a lock.
	alone, suspect int64
	trial          int // parts done since suspect
	trust          int // parts that suspect is not to be looked for
}

const (
	// Parts that are handed out take at least this long, so that this costs
	// little...
	leastPart = 2 * time.Microsecond
	// ... and at most about this: so soon a loop can stop.
	mostPart = 100 * time.Microsecond
	// alonePart is a part of a caller that is alone.
	alonePart = 8 * time.Microsecond

	// What takes less than so many ps is no loop over its elements.
	free = 10

	// coarseElem is what an element of RunCoarse is believed to take, in ps.
	coarseElem = int64(50 * time.Microsecond * 1000)
)

func newLoop(key uintptr, n int) loop {
	s := siteOf(key)
	now := help.Clock()
	return loop{site: s, n: n, perElem: s.perElem.Load(), from: now, last: now}
}

func (l *loop) run(body func(lo, hi int) bool) bool {
	for l.next < l.n {
		if l.wantsHelp() {
			if s := l.offer(body); s != nil {
				if !l.share(s) {
					l.settle(0) // nobody knows how many were done
					return false
				}
				continue
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
	l.site.account.Earn(l.ran)
	l.site.account.Add(l.gain)
	l.remember(l.last-l.from+l.helped, done)
}

// part is the number of elements in the caller's next part.
func (l *loop) part() int {
	rest := l.n - l.next
	if l.perElem == 0 {
		return 1
	}
	if l.perElem < free {
		return rest
	}
	want := elems(alonePart<<min(l.refused, 3), l.perElem)
	if l.refused == 0 {
		// Help may be near.
		want = min(want, max(elems(leastPart, l.perElem), rest/16))
	}
	if rest-want < want/2 {
		return rest
	}
	return want
}

// elems is how many elements of perElem ps make up d, at least 1.
func elems(d time.Duration, perElem int64) int { return int(max(1, int64(d)*1000/perElem)) }

// each is the ps of one of so many elements that took so long.
func each(took time.Duration, elems int) int64 {
	return max(1, int64(min(took, time.Hour))*1000/int64(elems))
}

// see learns from a part without help.
func (l *loop) see(took time.Duration, elems int) {
	seen := each(took, elems)
	l.credit(took, elems, l.perElem)
	l.alone = 0
	if took >= leastPart/2 {
		l.alone = seen
	}
	if old := l.perElem; old == 0 {
		l.perElem = seen
	} else {
		// What seems slow may have been interrupted; what is fast is not.
		l.perElem = max(1, min(seen, 2*old), old/16)
	}
	if l.suspect != 0 {
		l.judge(seen)
	}
}

// credit books the time of the caller's part, as far as that is believed: time in
// which the caller did not run earns nothing.
func (l *loop) credit(took time.Duration, elems int, perElem int64) {
	known := help.Beat
	if perElem != 0 {
		known = 2 * time.Duration(float64(elems)*float64(perElem)/1000)
	}
	l.ran += min(took, known)
}

// judge decides, after a part without help, whether it was help that made the
// elements before take so long.
func (l *loop) judge(seen int64) {
	if l.trial++; l.trial < 2 {
		return // caches are still cold
	}
	if seen*10 < l.suspect*6 {
		l.site.account.Bar()
		l.refused = 3
	}
	l.suspect, l.trial, l.trust = 0, 0, 64
}

// remember keeps the mean for the next loop.
func (l *loop) remember(took time.Duration, elems int) {
	if elems == 0 || help.Unreal(l.last) {
		return
	}
	seen := each(took, elems)
	if old := l.site.perElem.Load(); old != 0 {
		seen = max(1, (old+min(seen, 3*old))/2)
	}
	l.site.perElem.Store(seen)
}

// wantsHelp reports whether the rest is worth sharing, and help is to be had.
func (l *loop) wantsHelp() bool {
	rest := l.n - l.next
	if l.limit == 1 || l.perElem == 0 || rest < 2 || l.suspect != 0 || !l.site.account.MayAsk() {
		return false
	}
	// Where elements are short, the caller does some alone first, to see whether
	// they get slower when it has help.
	if l.next == 0 && elems(leastPart, l.perElem) > 1 {
		return false
	}
	worth := time.Duration(float64(rest) * float64(l.perElem) / 1000)
	if worth < 2*leastPart {
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
