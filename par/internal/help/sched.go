// Package help has the goroutines that help others with their work, and decides
// when they are woken, by whom they are paid, and when they leave. It is the only
// user of runtime/metrics, and costs nothing at rest: then there are none.
package help

import (
	"runtime"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A Scheduler has the goroutines that help others, which are there only while
// there is something to help with and a little longer, and the board on which
// callers offer them work.
//
// Nothing here is kept up by a timer: in Go none is fine enough. Callers look at
// the clock themselves, about every [Beat].
type Scheduler struct {
	// seeking is how many helpers look for work, read by callers at each beat.
	seeking atomic.Int32
	_       cacheline.Pad

	board [boardSize]atomic.Pointer[Offer]
	_     cacheline.Pad

	procs    atomic.Int32 // GOMAXPROCS when it was last looked at
	helpers  atomic.Int32 // that live
	starting atomic.Int32 // of them, that have not run yet
	// busyUntil is the time before which nobody asks for idle processors: there
	// were none, or they were not to be had.
	busyUntil atomic.Int64
	price     atomic.Int64 // of waking a helper, in ns of the caller's time
	latency   atomic.Int64 // until the helper runs, in ns

	Counts Counts
}

// Counts are what par.Stats tells.
type Counts struct {
	Offers, Wakes, Late, Refused, Steals, Parts, Parks atomic.Uint64
}

const (
	boardSize = 64

	// A Beat is how long a caller runs without looking at the clock. A look
	// costs 10 to 50 ns.
	Beat = 2 * time.Microsecond

	// What a wake costs before one was seen, and the most that is believed: a
	// caller that was preempted in the middle of it has learned nothing.
	FirstPrice = 10 * time.Microsecond
	leastPrice = 500 * time.Nanosecond
	MostPrice  = 50 * time.Microsecond

	// A helper that found nothing to do stays for as long as it would take to
	// wake it again, within these bounds.
	leastLinger = 20 * time.Microsecond
	mostLinger  = 200 * time.Microsecond

	// late: a helper that takes so long to start had to queue for a processor.
	late = 2 * time.Millisecond

	// How long an answer to the question for idle processors holds.
	askAgain = 50 * time.Microsecond
	// How often a helper asks whether others want its processor.
	GiveWay = 20 * time.Microsecond

	// A caller that waits for a helper spins for so long before it parks, and not
	// for longer than GiveWay where others want its processor. To be woken takes
	// some 100 µs.
	spinFor = 200 * time.Microsecond
)

var Sched = NewScheduler()

func NewScheduler() *Scheduler {
	s := new(Scheduler)
	s.price.Store(int64(FirstPrice))
	s.latency.Store(int64(50 * time.Microsecond))
	s.procs.Store(int32(runtime.GOMAXPROCS(0)))
	return s
}

// Seeking reports whether a helper looks for work.
func (s *Scheduler) Seeking() bool { return s.seeking.Load() > 0 }

// Pretend adds n to the helpers that seem to look for work. It is for tests.
func (s *Scheduler) Pretend(n int) { s.seeking.Add(int32(n)) }

// Helpers is how many helpers live.
func (s *Scheduler) Helpers() int { return int(s.helpers.Load()) }

// Procs is GOMAXPROCS when it was last looked at.
func (s *Scheduler) Procs() int { return int(s.procs.Load()) }

// Price is what waking a helper costs its caller, in ns, and Latency how long it
// takes until the helper runs.
func (s *Scheduler) Price() int64   { return s.price.Load() }
func (s *Scheduler) Latency() int64 { return s.latency.Load() }

// Absent ends a helper that was started and will not come. It is for tests.
func (s *Scheduler) Absent() {
	s.starting.Add(-1)
	s.helpers.Add(-1)
}

// An Offer is work on the board: a call that helpers may take parts of.
type Offer struct {
	Work interface {
		// Help takes one part of the work and does it. It reports whether there
		// was one, and tells the helper before it begins.
		Help(h *Helper) bool
		// Publish makes parts known, up to the n'th.
		Publish(n int)
	}
	slot int // on the board, from 1; 0: it is not there
}

// Post puts o on the board, and reports whether there was room.
func (s *Scheduler) Post(o *Offer) bool {
	for i := range s.board {
		if s.board[i].Load() == nil && s.board[i].CompareAndSwap(nil, o) {
			o.slot = i + 1
			s.Counts.Offers.Add(1)
			return true
		}
	}
	return false
}

// Remove takes o from the board, if it is there. A helper may still look at it.
func (s *Scheduler) Remove(o *Offer) {
	if o.slot > 0 {
		s.board[o.slot-1].Store(nil)
		o.slot = 0
	}
}

// CanWake reports whether there is a processor that a helper could have.
func (s *Scheduler) CanWake(now time.Duration) bool {
	if int64(now) < s.busyUntil.Load() || InBubble(now) {
		return false
	}
	st, ok := host.Ask()
	if !ok {
		return false
	}
	s.procs.Store(int32(st.Procs))
	if st.Runnable == 0 && st.Procs-st.Running > int(s.starting.Load()) && int(s.helpers.Load()) < 4*st.Procs {
		return true
	}
	again := askAgain
	if st.Procs == 1 {
		again = time.Millisecond
	}
	s.busyUntil.Store(int64(now + again))
	s.Counts.Refused.Add(1)
	return false
}

// Wake starts a helper, at the expense of payer. It is called after CanWake.
func (s *Scheduler) Wake(payer *Account) {
	s.helpers.Add(1)
	s.starting.Add(1)
	s.Counts.Wakes.Add(1)
	from := host.Clock()
	host.Start(func() { s.helper(from, payer) })
	cost := min(host.Clock()-from, MostPrice)
	s.learn(&s.price, max(cost, leastPrice))
	payer.Add(-cost)
}

// learn moves what is believed an eighth of the way to what was seen.
func (s *Scheduler) learn(v *atomic.Int64, seen time.Duration) {
	old := v.Load()
	v.Store(old + (int64(seen)-old)/8)
}

// NewHelper returns the helper that a caller is which waits.
func NewHelper() Helper { return Helper{s: Sched} }

// A Helper is a goroutine that looks for work and does it.
type Helper struct {
	s       *Scheduler
	seeking bool
	leaving bool
	payer   *Account // of whom it was woken by, or worked for last
}

// Took is called by who has found work, before it begins.
func (h *Helper) Took(payer *Account) {
	h.payer = payer
	h.Settled()
}

// Settled makes known that h does not look for work.
func (h *Helper) Settled() {
	if h.seeking {
		h.seeking = false
		h.s.seeking.Add(-1)
	}
}

// Seek makes known that h looks for work.
func (h *Helper) Seek() {
	if !h.seeking {
		h.seeking = true
		h.s.seeking.Add(1)
	}
}

// leave also comes where the work ended the goroutine, by Goexit.
func (h *Helper) leave() {
	h.Settled()
	h.s.helpers.Add(-1)
}

// helper is the life of a helper.
func (s *Scheduler) helper(woken time.Duration, payer *Account) {
	h := &Helper{s: s, payer: payer}
	defer h.leave()
	s.starting.Add(-1)

	now := host.Clock()
	took := now - woken
	if took > late {
		// Whoever had the processor will want it again.
		s.busyUntil.Store(int64(now + min(10*took, 100*time.Millisecond)))
		s.Counts.Late.Add(1)
		return
	}
	s.learn(&s.latency, took)
	if h.Unwanted(now) {
		return
	}
	for idle, asked := now, now; ; {
		h.Seek()
		worked := false
		for range 16 {
			if worked = s.FindWork(h); worked {
				break
			}
			host.Pause(128)
		}
		now = host.Clock()
		if worked {
			idle = now
		} else if now-idle > s.linger() {
			// It may have had the processor that its caller needs.
			h.payer.Add(idle - now)
			return
		}
		if now-asked > GiveWay {
			if h.Unwanted(now) {
				return
			}
			asked = now
		}
	}
}

// A Wait is that of a caller for what helpers have taken from it.
type Wait struct {
	from, asked time.Duration
	looks       int
}

// NewWait returns a Wait that begins now.
func NewWait(now time.Duration) Wait { return Wait{from: now, asked: now} }

// Spin waits a little. It reports whether the caller is to look again, and not to
// park.
func (w *Wait) Spin() bool {
	if w.looks++; w.looks%32 == 0 {
		now := host.Clock()
		if now-w.from > spinFor {
			return false
		}
		if now-w.asked > GiveWay {
			w.asked = now
			if st, ok := host.Ask(); ok && st.Runnable > 0 {
				return false
			}
		}
	}
	host.Pause(64)
	return true
}

// Unwanted reports whether others want the helper's processor.
func (h *Helper) Unwanted(now time.Duration) bool {
	if st, ok := host.Ask(); ok && st.Runnable > 0 {
		h.s.busyUntil.Store(int64(now + askAgain))
		h.leaving = true
	}
	return h.leaving
}

func (s *Scheduler) linger() time.Duration {
	return min(max(2*time.Duration(s.latency.Load()), leastLinger), mostLinger)
}

// FindWork does one piece of work from the board, if there is any.
func (s *Scheduler) FindWork(h *Helper) bool {
	for i := range s.board {
		if o := s.board[i].Load(); o != nil && o.Work.Help(h) {
			return true
		}
	}
	return false
}
