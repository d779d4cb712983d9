package loop

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/par/internal/help"
	"github.com/gopayoff/payoff/par/internal/outcome"
)

// A shared is the rest of a loop while helpers may take parts of it.
type shared struct {
	loop  *loop // the caller's; helpers do not touch it
	body  func(lo, hi int) bool
	n     int64
	procs int64
	offer help.Offer
	gate  sync.Mutex // locked; to park
	_     cacheline.Pad

	next    atomic.Int64 // the first element that nobody has taken
	left    atomic.Int64 // elements that are not done
	perElem atomic.Int64 // ps, of late
	helped  atomic.Int64 // ns that helpers worked
	stopped atomic.Bool  // a body has said so, or did not return
	in      atomic.Int32 // helpers that take parts, where there is a limit
	parked  atomic.Bool  // the caller sleeps until left is 0
	out     atomic.Pointer[outcome.Outcome]
}

// offer puts the rest of the loop on the board, or returns nil if that is full.
func (l *loop) offer(body func(lo, hi int) bool) *shared {
	s := &shared{loop: l, body: body, n: int64(l.n), procs: int64(max(2, help.Sched.Procs()))}
	s.next.Store(int64(l.next))
	s.left.Store(int64(l.n - l.next))
	s.perElem.Store(l.perElem)
	s.offer.Work = s
	s.gate.Lock()
	if !help.Sched.Post(&s.offer) {
		return nil
	}
	l.refused = 0
	if !help.Sched.Seeking(l.last) {
		help.Sched.Wake(&l.site.account, 1)
	}
	return s
}

// share does the rest of the loop with helpers, or some of it where help does not
// seem to help, and reports whether the loop goes on.
func (l *loop) share(s *shared) bool {
	var mine int64 // elements in the part at hand
	defer func() {
		help.Sched.Remove(&s.offer)
		if mine != 0 { // its body did not return
			s.stop()
			s.left.Add(-mine)
		}
		s.wait()
	}()
	for l.trial = 0; ; {
		lo, hi := s.take()
		if lo == hi {
			break
		}
		mine = hi - lo
		if !s.body(int(lo), int(hi)) {
			s.stop()
		}
		mine = 0
		now := help.Clock()
		took := now - l.last
		l.last = now
		l.credit(took, int(hi-lo), s.perElem.Load())
		s.see(took, hi-lo)
		s.left.Add(lo - hi)
		if l.suspicious(took, int(hi-lo)) {
			break
		}
	}
	l.next = int(s.next.Swap(s.n))
	s.left.Add(int64(l.next) - s.n)
	help.Sched.Remove(&s.offer)
	s.wait()
	now := help.Clock()
	helped := time.Duration(s.helped.Load())
	l.helped += helped
	l.gain += helped - (now - l.last)
	l.perElem = s.perElem.Load()
	l.last = now
	if out := s.out.Load(); out != nil {
		out.Raise()
	}
	return !s.stopped.Load()
}

// suspicious reports whether the caller's part with help took so much longer
// than the one without that two are not faster than one.
func (l *loop) suspicious(took time.Duration, elems int) bool {
	if l.trust > 0 {
		l.trust--
		return false
	}
	seen := each(took, elems)
	if l.alone == 0 || l.alone > int64(leastPart)*1000 || took < leastPart/2 || seen*10 < l.alone*18 {
		l.trial = 0
		return false
	}
	if l.trial++; l.trial < 3 {
		return false
	}
	l.suspect, l.trial = seen, 0
	return true
}

// take takes the next part. Parts are guided: large first, so that few are handed
// out, and small in the end, so that all are done at about the same time
// (Polychronopoulos and Kuck, IEEE Transactions on Computers, 1987).
func (s *shared) take() (lo, hi int64) {
	for {
		lo = s.next.Load()
		rest := s.n - lo
		if rest <= 0 {
			return 0, 0
		}
		perElem := s.perElem.Load()
		size := max(rest/(4*s.procs), int64(elems(leastPart, perElem)))
		size = min(size, int64(elems(mostPart, perElem)), rest)
		if s.next.CompareAndSwap(lo, lo+size) {
			return lo, lo + size
		}
	}
}

// see learns from a part, whoever did it.
func (s *shared) see(took time.Duration, elems int64) {
	old := s.perElem.Load()
	seen := min(each(took, int(elems)), 4*old)
	s.perElem.Store(max(1, (2*old+seen)/3))
}

// stop takes all parts that are left, and does none of them.
func (s *shared) stop() {
	s.stopped.Store(true)
	s.left.Add(s.next.Swap(s.n) - s.n)
}

// wait returns when nothing is left.
func (s *shared) wait() {
	if s.left.Load() == 0 {
		return
	}
	now := help.Clock()
	for w := (help.NewWait(now)); s.left.Load() != 0; {
		if w.Spin() {
			continue
		}
		s.parked.Store(true)
		if s.left.Load() != 0 || !s.parked.CompareAndSwap(true, false) {
			help.Sched.Counts.Parks.Add(1)
			help.Park(&s.gate)
		}
		return
	}
}

// Publish has nothing to add.
func (s *shared) Publish(int) {}

// Help is called by helpers. It does parts while there are any.
func (s *shared) Help(h *help.Helper) bool {
	if limit := int32(s.loop.limit); limit > 0 {
		defer s.in.Add(-1)
		if s.in.Add(1) >= limit {
			return false
		}
	}
	lo, hi := s.take()
	if lo == hi {
		return false
	}
	h.Took(&s.loop.site.account)
	h.Steals++
	for now := help.Clock(); lo != hi; lo, hi = s.take() {
		now = s.do(h, lo, hi, now)
		if h.Unwanted(now) {
			break
		}
		help.Sched.Bring(now, &s.loop.site.account, int(s.left.Load()))
	}
	return true
}

// do does a helper's part.
func (s *shared) do(h *help.Helper, lo, hi int64, from time.Duration) (now time.Duration) {
	returned := false
	defer func() {
		if !returned {
			s.out.Store(outcome.Of(recover(), nil))
			s.stop()
		}
		now = help.Clock()
		h.Parts++
		old := s.perElem.Load()
		s.see(now-from, hi-lo)
		s.helped.Add(int64(min(now-from, time.Duration((hi-lo)*old/1000*4)+help.Beat)))
		if s.left.Add(lo-hi) == 0 && s.parked.CompareAndSwap(true, false) {
			help.Unpark(&s.gate)
			help.Yield() // to let it run
		}
	}()
	if !s.body(int(lo), int(hi)) {
		s.stop()
	}
	returned = true
	return
}
