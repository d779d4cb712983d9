package par

import (
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/help"
)

// A pace is how fast a function comes by forks.
type pace struct {
	perFork int64 // ps from one fork to the next
	perBeat int64 // forks that take a [help.Beat]; rounded up
}

// paceOf returns the pace of forks that take so many ps.
func paceOf(perFork int64) pace {
	const beat = int64(help.Beat) * 1000
	return pace{perFork, (beat + perFork - 1) / perFork}
}

// saw corrects p by what one look has seen, in ps for a fork. The look may have come
// late, since its goroutine did not run; so the time for a fork grows to the double at
// most.
func (p *pace) saw(perFork int64) {
	*p = paceOf(max(min(perFork, 2*p.perFork), p.perFork/2, 1))
}

// A history is what the calls of a Func have left for the next. Each call takes a copy
// of the pace when it comes to its first beat, and goes by that: a word that all write
// at their looks would take more time than they measure. The words are stored at the
// end of calls that had a look, where they have changed by more than an eighth. Sizes
// grow at most once in notePeriod, so that calls of many sizes do not store them all
// the time.
type history struct {
	perFork atomic.Int64 // as the last call to differ has left it

	// How many leaves the last call had that was noted, and the lesser of the last two:
	// so many are expected of the next.
	recent, usual atomic.Int64
	next          atomic.Int64 // from that time on calls that are no shorter are noted

	first atomic.Int64 // forks before the first beat of a call
}

const notePeriod = 50 * time.Microsecond

// load returns the pace of a new call. Where nobody has called, a fork takes a beat.
func (h *history) load() pace {
	if perFork := h.perFork.Load(); perFork > 0 {
		return paceOf(perFork)
	}
	return paceOf(int64(help.Beat) * 1000)
}

// leave is called at the end of a call of so many leaves.
func (h *history) leave(now time.Duration, p pace, leaves int64) {
	moved(&h.perFork, p.perFork)
	next := h.next.Load()
	// The clock of a bubble may be ahead of the others by years.
	if int64(now) >= next || next > int64(now+notePeriod) || leaves < h.usual.Load() {
		h.next.Store(int64(now + notePeriod))
		usual := leaves
		if recent := h.recent.Load(); recent > 0 {
			usual = min(recent, leaves)
		}
		moved(&h.usual, usual)
		moved(&h.recent, leaves)
	}
	first := p.perBeat - 1
	if h.usual.Load() >= longBeats*p.perBeat {
		first = 0
	}
	moved(&h.first, first)
}

// moved stores v where it is more than an eighth away.
func moved(x *atomic.Int64, v int64) {
	if old := x.Load(); 8*max(v-old, old-v) > old {
		x.Store(v)
	}
}
