package loop

import (
	"math"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/outcome"
)

// A shared is the rest of a loop, while helpers may take parts of it. See
// protocol.md.
type shared struct {
	// These are set before the loop is offered, and read by all.

	body     func(lo, hi int) bool
	account  *help.Account
	overhead *Overhead // nil: there is none
	base     uint64    // the first element
	n        uint64    // elements
	unit     uint64    // elements in a unit, but the last: with 2³² and more, more than one
	units    uint64
	// lanes[0] is the caller's. The others are made by helpers, one for each that
	// can be there at once.
	lanes []atomic.Pointer[lane]
	offer help.Offer
	gate  sync.Mutex // locked; to park

	out atomic.Pointer[outcome.Outcome] // of a helper's part that did not return

	_ cacheline.Pad
	// state is written where a helper joins or leaves, and once or twice in the
	// end, and read before each part.
	state atomic.Uint64
	_     [cacheline.Size - 8]byte
}

// The state of a shared loop: flags, how many helpers are there, and, in the
// upper half, how many have joined since it began.
const (
	closed  = 1 << iota // nobody may join: all is done, and the caller has seen it
	parked              // the caller sleeps until somebody clears this
	shut                // helpers are to leave: the caller tries what it is without
	stopped             // no part may begin
	one                 // a helper
	joined  = 1 << 32
)

func helpers(state uint64) int { return int(uint32(state) / one) }

// newShared returns elements [base, n) of a loop, for limit participants at most.
func newShared(base, n, limit int, perElem int64, body func(lo, hi int) bool) *shared {
	s := &shared{body: body, base: uint64(base), n: uint64(n - base)}
	s.unit = (s.n-1)/math.MaxUint32 + 1
	s.units = (s.n-1)/s.unit + 1
	s.lanes = make([]atomic.Pointer[lane], min(uint64(limit), s.units))
	ln := new(lane)
	ln.owned.Store(true)
	ln.perElem.Store(perElem)
	ln.rest.Store(s.units)
	s.lanes[0].Store(ln)
	s.offer.Work = s
	s.gate.Lock()
	return s
}

// elements returns the elements of units.
func (s *shared) elements(lo, hi uint64) (int, int) {
	end := s.n
	if hi < s.units { // for the last one, hi*unit may be too large
		end = hi * s.unit
	}
	return int(s.base + lo*s.unit), int(s.base + end)
}

// unitsFor is how many units of elements that take perElem ps make up d.
func (s *shared) unitsFor(d time.Duration, perElem int64) uint64 {
	return max(1, uint64(elems(d, perElem))/s.unit)
}

// worth is what units are worth.
func (s *shared) worth(units uint64, perElem int64) time.Duration {
	return worth(float64(units)*float64(s.unit), perElem)
}

// part returns the next part of the lane, which is empty where the lane is.
func (s *shared) part(ln *lane, state uint64) (lo, hi uint64) {
	perElem, overhead := ln.perElem.Load(), s.overhead.part()
	return ln.take(s.unitsFor(max(least(state), leastShare*overhead), perElem), s.unitsFor(max(mostPart, mostShare*overhead), perElem), s.whole(perElem))
}

// whole is how many units are not divided any more, since each part pays; 0 where
// none does.
func (s *shared) whole(perElem int64) uint64 {
	if overhead := s.overhead.part(); overhead > 0 {
		return s.unitsFor(2*theftShare*overhead, perElem)
	}
	return 0
}

// theft is what a lane must be worth to be robbed.
func (s *shared) theft(state uint64) time.Duration {
	return max(least(state)/2, theftShare*s.overhead.theft())
}

// least is how long parts take at least, where there is so much to do.
//
// All participants together are not to end parts more often than a cache line that
// each of them writes can travel, some ten million times a second: bodies have such
// lines, and so has what is written when helpers come and go.
func least(state uint64) time.Duration {
	return max(leastPart, time.Duration(helpers(state)+1)*travel)
}

// seen learns from a part of the lane.
func (ln *lane) seen(took time.Duration, elems int) {
	old, seen := ln.perElem.Load(), each(took, elems)
	ln.perElem.Store(max(1, (old+believe(old, seen, ln.last))/2))
	ln.last = seen
}

// richest returns the lane with the most work, if that is worth least: of a few at
// random, where there are many. Lanes fill from the first on.
func (s *shared) richest(state uint64, least time.Duration) *lane {
	const all, some = 8, 4
	n := min(len(s.lanes), helpers(state)+2)
	looks := n
	if n > all {
		looks = some
	}
	var best *lane
	for at := range looks {
		if n > all {
			at = int(rand.Uint32N(uint32(n)))
		}
		if ln, w := s.value(at); w > 0 && w >= least {
			best, least = ln, w
		}
	}
	return best
}

// value returns a lane and what is left in it.
func (s *shared) value(at int) (*lane, time.Duration) {
	ln := s.lanes[at].Load()
	if ln == nil {
		return nil, 0
	}
	_, _, n := unpack(ln.rest.Load())
	if n == 0 {
		return nil, 0
	}
	return ln, max(1, s.worth(n, ln.perElem.Load()))
}

// left is how many elements are in lanes.
func (s *shared) left() int {
	var units uint64
	for i := range s.lanes {
		if ln := s.lanes[i].Load(); ln != nil {
			_, _, n := unpack(ln.rest.Load())
			units += n
		}
	}
	return int(min(units*s.unit, s.n))
}

// rob fills ln, which is empty, with half of what from has.
func (s *shared) rob(ln, from *lane) bool {
	perElem := from.perElem.Load()
	taken := from.halve(s.whole(perElem))
	if taken == 0 {
		return false
	}
	ln.perElem.Store(perElem)
	ln.rest.Store(taken)
	return true
}

// set sets a flag.
func (s *shared) set(flag uint64) {
	for {
		old := s.state.Load()
		if old&flag != 0 || s.state.CompareAndSwap(old, old|flag) {
			return
		}
	}
}

// clear clears a flag, and reports whether it was set.
func (s *shared) clear(flag uint64) bool {
	for {
		old := s.state.Load()
		if old&flag == 0 {
			return false
		}
		if s.state.CompareAndSwap(old, old&^flag) {
			return true
		}
	}
}

// join makes a helper one of the loop's, if that takes any. It is tempting to look
// before, and to compare and swap; but where all come or go at once, each would
// have to try as often as there are others.
func (s *shared) join() bool {
	now := s.state.Add(one + joined)
	if now&(closed|shut|stopped) != 0 || helpers(now) > len(s.lanes)-1 {
		s.leave(false)
		return false
	}
	return true
}

// leave ends what join began. The caller is woken by the last one, and by one that
// leaves something behind.
func (s *shared) leave(behind bool) {
	now := s.state.Add(^uint64(one - 1))
	if now&parked != 0 && (behind || helpers(now) == 0) && s.clear(parked) {
		help.Unpark(&s.gate)
		help.Yield() // to let it run
	}
}

// lane returns a lane for a helper that has joined. There are as many as may
// join, and who leaves gives its lane back before.
func (s *shared) lane() *lane {
	for i := helpers(s.state.Load()) - 1; ; i++ {
		slot := &s.lanes[1+i%(len(s.lanes)-1)]
		ln := slot.Load()
		if ln == nil {
			ln = new(lane)
			ln.owned.Store(true)
			if slot.CompareAndSwap(nil, ln) {
				return ln
			}
			continue
		}
		if !ln.owned.Load() && ln.owned.CompareAndSwap(false, true) {
			return ln
		}
	}
}

// Ready is for a look to find out.
func (s *shared) Ready() bool { return true }

// Publish has nothing to add.
func (s *shared) Publish(int) {}

// Help is called by helpers. It does parts while there are any.
func (s *shared) Help(h *help.Helper) bool {
	state := s.state.Load()
	if state&(closed|shut|stopped) != 0 || helpers(state) >= len(s.lanes)-1 {
		return false
	}
	from := s.richest(state, s.theft(state))
	if from == nil || !s.join() {
		return false
	}
	ln := s.lane()
	defer func() {
		// Also where the body did not return. No part is lost: what was not begun is
		// in the lane.
		behind := !ln.empty()
		ln.owned.Store(false)
		s.leave(behind)
	}()
	if ln.empty() && !s.rob(ln, from) {
		return false
	}
	h.Took(s.account)
	h.Steals++
	now := help.Clock()
	booked, at := ln.worked, now
	defer func() { s.account.Add(ln.worked - booked) }()
	s.grow(ln, now)
	for {
		state := s.state.Load()
		if state&(shut|stopped) != 0 {
			return true
		}
		lo, hi := s.part(ln, state)
		if lo == hi {
			if from := s.richest(state, s.theft(state)); from == nil || !s.rob(ln, from) {
				return true
			}
			continue
		}
		now = s.do(ln, lo, hi, now)
		h.Parts++
		// What helpers do is a gain, from which those that they bring are paid.
		if now-at >= max(bookEach, time.Duration(helpers(state))*travel) {
			s.account.Add(ln.worked - booked)
			booked, at = ln.worked, now
		}
		if h.Unwanted(now) {
			return true
		}
		s.grow(ln, now)
	}
}

// bookEach is how often a helper books its work, where there are few.
const bookEach = 20 * time.Microsecond

// grow brings more helpers, if a participant has work for them. So they come as a
// tree grows: each that finds work brings the next, and divides what it has with
// them. One is brought if its wake costs little beside that work; more, if they will
// be there before it is done.
func (s *shared) grow(ln *lane, now time.Duration) {
	room := len(s.lanes) - 1 - helpers(s.state.Load())
	_, _, n := unpack(ln.rest.Load())
	if room <= 0 || n == 0 {
		return
	}
	worth, price := int64(s.worth(n, ln.perElem.Load())), help.Sched.Price()
	if worth > max(2*price, int64(theftShare*s.overhead.theft())) {
		help.Sched.Bring(now, s.account, min(room, max(1, int(worth/(price+help.Sched.Latency())))))
	}
}

// do does a helper's part.
func (s *shared) do(ln *lane, lo, hi uint64, from time.Duration) (now time.Duration) {
	first, end := s.elements(lo, hi)
	returned := false
	defer func() {
		if !returned {
			s.out.Store(outcome.Of(recover(), nil))
			s.set(stopped)
		}
		now = help.Clock()
		// A helper that did not run has not worked.
		ln.worked += min(now-from, s.longest(end-first, ln))
		ln.seen(now-from, end-first)
	}()
	if !s.body(first, end) {
		s.set(stopped)
	}
	returned = true
	return
}

// longest is how long a part is believed to have taken, at most.
func (s *shared) longest(elems int, ln *lane) time.Duration {
	return 4*worth(float64(elems), ln.perElem.Load()) + help.Beat
}

// The rule: a loop is over when no helper is there and all lanes are empty, and no helper
// has come between the two looks.
//
// over returns true when all is done, or the loop has stopped and nobody is at
// work: then nobody joins any more. It returns false where the caller, whose lane
// is ln, got something to do instead. With a nil ln it gets nothing.
func (s *shared) over(ln *lane) bool {
	var wait help.Wait
	waits := false // wait has begun: not at the first turn, if a helper joins in that
	for spins, tired := 0, false; ; spins++ {
		old := s.state.Load()
		alone := helpers(old) == 0
		if ln != nil && old&stopped == 0 && (alone || tired || spins%lookEvery == 0) {
			// What is not worth a theft is left to its owner at first; but only for a
			// moment, since what it is worth is a guess.
			for at := range s.lanes {
				if from, w := s.value(at); from != nil && (alone || w >= s.theft(old) || spins > 0 && w >= s.overhead.theft()) && s.rob(ln, from) {
					return false
				}
			}
		}
		switch {
		case alone:
			// If old is still the state, nobody has joined since, and so nobody has
			// moved anything to a lane that was empty when it was looked at.
			if s.state.CompareAndSwap(old, old|closed) {
				return true
			}
		case tired:
			// Likewise, nobody has left anything behind since.
			if s.state.CompareAndSwap(old, old|parked) {
				help.Sched.Counts.Parks.Add(1)
				help.Park(&s.gate)
				spins, tired, waits = -1, false, false
			}
		default:
			if !waits {
				wait, waits = help.NewWait(help.Clock()), true
			}
			tired = !wait.Spin()
		}
	}
}

// lookEvery is how many turns of waiting pass between two looks at the lanes.
const lookEvery = 32
