package help

import (
	"sync"
	"time"

	"github.com/gopayoff/payoff/internal/home"
)

// A Helper is a goroutine that looks for work and does it. A caller is one as well
// while it waits for what helpers have taken of its work.
type Helper struct {
	s     *Scheduler
	payer *Account // of whom it was woken by, or worked for last
	found int      // the slot where it found work last
	seed  uint32   // for chance; any number

	now     time.Duration // when it looked at the clock last
	sought  int64         // what it stored in the scheduler's; 0: taken back
	leaving bool          // it is to give way, as soon as it can
	over    bool          // somebody waits for its processor, and for that alone

	// Steals are halves of a Func, or turns at a loop, that it took over; Parts are
	// those of loops. Both are since booked.
	Steals, Parts uint64
	relays        uint64 // likewise: it was started in somebody's place
	booked        time.Duration
}

const (
	// A helper that found nothing to do stays, within these bounds, for as long as who
	// pays has credit: over the serial end of a call, and until the next one has begun.
	// Where there are more, to wake all again takes longer. It is tempting to go by how
	// long helpers take to start; but that is short of what the caller loses, which has
	// to do without them in the meantime.
	leastLinger    = 10 * time.Microsecond
	mostLinger     = 200 * time.Microsecond
	mostLingerEach = 10 * time.Microsecond // for each processor

	// It looks again after this part of the time it has found nothing, so soon at
	// first; and where there may be many, not so often that they disturb those who post.
	// In units of [Host].Pause, a third of a ns.
	leastPause    = 128
	mostPauseEach = 300 // for each processor

	// late: a helper that takes so long to start had to queue for a processor.
	late = 2 * time.Millisecond
	// Where there are many, they are woken one after the other.
	lateEach = 20 * time.Microsecond
	// So many times as long as that, where nobody tells whether others wait, none is
	// started, within mostHold.
	lateHold = 10
	mostHold = 100 * time.Millisecond

	bookEach = time.Millisecond

	// Where many are woken, one after the other, the latency is that of a place in the
	// row; and a caller that spins keeps a processor from who would help.
	mostSpin = 50 * time.Microsecond
	// To park and to be resumed, with a helper in its place, costs a caller about that.
	relaySpin = 2 * time.Microsecond

	// That somebody looks for work is said for so long, and so much longer for each
	// processor: all who work read it, and so each store costs a transfer of its line to
	// each of them. It is taken back only where there are few of them.
	announce     = 10 * time.Microsecond
	announceEach = 500 * time.Nanosecond
	few          = 8
)

// Took is called by who has found work, before it begins.
func (h *Helper) Took(payer *Account) {
	h.payer = payer
	h.Settled()
}

// seek makes known that h looks for work, and that it will look again within again.
// Where many look, most leave it to others: all would store when the time is over.
func (h *Helper) seek(again time.Duration) {
	procs := h.s.answered()
	d := announce + announceEach*time.Duration(procs) + 2*again
	old := time.Duration(h.s.sought.Load())
	switch {
	case old > h.now+d/2:
		return
	case old > h.now && !h.chance(procs/4), !h.chance(procs / 32):
		return
	}
	h.sought = int64(h.now + d)
	h.s.sought.Store(h.sought)
}

// chance is true once in n times.
func (h *Helper) chance(n int) bool {
	if n <= 1 {
		return true
	}
	return int(h.random())%n == 0
}

func (h *Helper) random() uint32 {
	h.seed = h.seed*1664525 + 1013904223 // Numerical Recipes' generator
	return h.seed >> 8
}

// Settled makes known that h does not look for work, where h has said so last and
// few others do.
func (h *Helper) Settled() {
	if h.sought != 0 {
		if h.s.answered() <= few {
			h.s.sought.CompareAndSwap(h.sought, 0)
		}
		h.sought = 0
	}
}

// Resume wakes who sleeps at the gate, and gives it the processor. If another helper was
// started in its place there is one too many now: h ends, or if it waits itself parks, as
// soon as it can. It is tempting to yield then as well; but a goroutine that yields waits
// until some processor has nothing else to do, and may have work in hand.
func (h *Helper) Resume(gate *sync.Mutex, relayed bool) {
	host.Unpark(gate)
	if relayed {
		h.over = true
	} else {
		Yield()
	}
}

// Unwanted reports whether h is to give way to others who wait for a processor. It is
// called between parts. Then Help is to return, without a part in hand: h comes back,
// at once if it can.
func (h *Helper) Unwanted(now time.Duration) bool {
	h.s.look(now)
	if !h.leaving && h.s.answer.wanted.Load() > 0 {
		h.leaving = draw(&h.s.answer.wanted, 1) > 0
	}
	return h.leaving
}

// helper is the life of a helper. woken is 0 where it goes on in the place of who parks:
// how soon that one runs says nothing of how long a wake takes.
func (s *Scheduler) helper(woken time.Duration, payer *Account) {
	now := Clock()
	h := &Helper{s: s, payer: payer, seed: uint32(home.Page()), booked: now}
	defer h.leave()
	if woken != 0 {
		s.starting.Add(-1)
		s.started(now, now-woken)
	} else {
		h.relays = 1
	}
	var until time.Duration // when it leaves, if it has found nothing since idle; 0: not known
	for idle := now; ; {
		if h.Unwanted(now) {
			h.Settled()
			if s.answer.crowded.Load() {
				return // and leave the processor to whatever it finds
			}
			// Who waits for this very processor has it now; it may not be for long.
			Yield()
			h.leaving = false
			now = Clock()
		}
		if s.board.find(h) {
			if h.over {
				return
			}
			now = Clock()
			if now-h.booked > bookEach {
				h.book(now)
			}
			idle, until = now, 0
			continue
		}
		if until == 0 && now-idle >= leastLinger {
			until = idle + h.linger()
		}
		h.now = now
		if until != 0 && now >= until {
			// Others may have had use for the processor, as the caller has where the system
			// has put both on one. Where the helper has found something in the end, it has
			// kept itself ready for that: to charge it then as well leaves a caller with a
			// long serial part no credit, although help pays.
			h.payer.Add(idle - now)
			return
		}
		pause := min(max(int(now-idle)/4, leastPause), mostPauseEach*s.answered())
		h.seek(time.Duration(pause / 3))
		host.Pause(pause)
		now = Clock()
	}
}

// started learns from the start of a helper.
func (s *Scheduler) started(now, took time.Duration) {
	s.latency.Store(average(s.latency.Load(), min(took, mostLatency)))
	if took > late+lateEach*time.Duration(s.answered()) {
		s.Counts.Late.Add(1)
		s.answer.hold.Store(int64(now + min(lateHold*took, mostHold)))
	}
}

// linger returns how long h stays without work. All helpers together may spend half
// of what their payer has.
func (h *Helper) linger() time.Duration {
	most := max(mostLinger, mostLingerEach*time.Duration(h.s.answered()))
	return max(min(most, h.payer.Credit()/time.Duration(2*max(1, h.s.Helpers()))), leastLinger)
}

// leave also comes where the work ended the goroutine, by Goexit.
func (h *Helper) leave() {
	h.Settled()
	h.book(0)
	h.s.helpers.Add(-1)
}

func (h *Helper) book(now time.Duration) {
	h.booked = now
	if h.Steals > 0 {
		h.s.Counts.Steals.Add(h.Steals)
	}
	if h.Parts > 0 {
		h.s.Counts.Parts.Add(h.Parts)
	}
	if h.relays > 0 {
		h.s.Counts.Wakes.Add(h.relays)
	}
	h.Steals, h.Parts, h.relays = 0, 0, 0
}

// A Wait is that of a caller for what helpers have taken from it.
type Wait struct {
	Helper
	from  time.Duration
	looks int

	// Relay is set where the caller is to park and there is work that it must not take,
	// but others may: it is to start a helper in its place.
	Relay bool
	asked bool
}

// NewWait returns a Wait that begins now.
func NewWait(now time.Duration) Wait {
	return Wait{Helper: Helper{s: Sched, now: now, seed: uint32(now)}, from: now}
}

// PaidBy says who pays for help with other work in the meantime.
func (w *Wait) PaidBy(payer *Account) { w.payer = payer }

// Begin begins the wait anew: the caller has found something to do meanwhile.
func (w *Wait) Begin(now time.Duration) { w.from, w.now, w.looks, w.asked = now, now, 0, false }

// Spin waits a little. It reports whether the caller is to look again, and not to
// park.
//
// A caller spins for as long as it takes to be woken, mostSpin at most, and not at all
// where others want its processor. So it waits for less than twice as long as if it had
// known how long the helper needs. While it sleeps nothing is lost but that: where the
// system has put both on one processor, the helper does not get on before. Where there
// is other work its processor is worth more: then it leaves it soon.
func (w *Wait) Spin() bool {
	if w.over {
		w.over, w.Relay = false, false
		return false
	}
	if w.looks++; w.looks%32 == 0 {
		w.now = Clock()
		waited := w.now - w.from
		if !w.asked && waited > relaySpin {
			w.asked = true
			if w.mayRelay() {
				return false
			}
		}
		if int64(waited) > w.s.Price()+min(w.s.Latency(), int64(mostSpin)) || w.Unwanted(w.now) {
			w.leaving = false
			w.mayRelay()
			return false
		}
	}
	host.Pause(64)
	return true
}

// Over reports whether the caller is to park as soon as it can.
func (w *Wait) Over() bool { return w.over }

// End ends the wait.
func (w *Wait) End() {
	w.Settled()
	if w.over {
		w.over = false
		Yield()
	}
}

func (w *Wait) mayRelay() bool {
	w.Relay = w.payer != nil && w.s.MayRelay(w.payer, int(w.random()))
	return w.Relay
}

// Seek makes known that the caller looks for parts of its work, where it has looked
// at the clock since it did last.
func (w *Wait) Seek() {
	if w.looks%32 == 0 {
		w.seek(time.Microsecond)
	}
}
