package help

import (
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// An answer says how many processors have nothing to do, and how many helpers stand
// in others' way. One goroutine at a time asks the runtime, and all go by what it
// was told until the next one may ask.
//
// A processor is idle where no goroutine runs on it and none that is runnable will
// take it soon. A helper that was started and has not run yet is one of those:
//
//	free   = processors - running - starting - runnable others
//	wanted = runnable others - (processors - running)
//
// where others are the runnable goroutines that are no helpers.
type answer struct {
	// next is the time from which somebody may ask. Who moves it on by
	// compare-and-swap asks, and then says how long the answer holds.
	next atomic.Int64

	// free is how many helpers may still be started, and wanted how many are still to
	// give way. The asker stores them. Who starts a helper or gives way draws one, so an
	// answer is not used twice; for a moment they are below 0 where many draw.
	free, wanted atomic.Int32
	// idle is how many processors nobody had, or -1 where that is not known, and runnable
	// how many goroutines waited for one. The asker stores them, and nobody draws. See
	// [Load].
	idle, runnable atomic.Int32

	// crowded is set by the asker where helpers were to give way by the answer before
	// as well: to yield was not enough.
	crowded atomic.Bool
	waited  atomic.Bool // wanted was more than 0; the asker's

	price atomic.Int64 // of asking, in ns; the asker stores it
	hold  atomic.Int64 // where the runtime does not tell: no helper before that time

	_ cacheline.Pad
}

const (
	// An answer holds for [AskShare] times the time it took, and for so long at least and
	// at most. On one processor there is nothing to hope for but that it changes.
	leastPeriod = 30 * time.Microsecond
	mostPeriod  = 10 * time.Millisecond
	alonePeriod = time.Millisecond

	// A preempted asker has learned nothing of the price.
	mostAsk = 100 * time.Microsecond

	// Calls whose bodies sleep keep helpers without processors. All calls together
	// have at most so many helpers for each processor.
	mostHelpers = 4
)

// AskShare is a variable for tests in which a look at the clock takes long.
var AskShare = time.Duration(100)

// look asks, if it is time to.
func (s *Scheduler) look(now time.Duration) {
	a := &s.answer
	if int64(now) < a.next.Load() || InBubble(now) {
		return
	}
	// Somebody may have asked by now: it is cheaper to see that by a load.
	next := a.next.Load()
	if int64(now) < next || !a.next.CompareAndSwap(next, int64(now+leastPeriod)) {
		return
	}
	// A helper may begin to run while the runtime is asked.
	starting := s.starting.Load()
	st, ok := host.Ask()
	starting = max(starting, s.starting.Load())
	after := Clock()
	if ok {
		s.take(st, int(starting), after)
		cost := min(after-now, mostAsk)
		if old := a.price.Load(); old != 0 {
			a.price.Store(average(old, cost))
		} else {
			a.price.Store(int64(cost))
		}
	}
	period := min(max(AskShare*time.Duration(a.price.Load()), leastPeriod), mostPeriod)
	if st.Procs == 1 {
		period = alonePeriod
	}
	a.next.Store(int64(after + period))
}

// take makes st the answer.
func (s *Scheduler) take(st State, starting int, now time.Duration) {
	a := &s.answer
	helpers := int(s.helpers.Load())
	free, wanted := 0, 0
	idle, runnable := -1, 0
	if st.Running >= 0 {
		idle, runnable = max(0, st.Procs-st.Running-st.Runnable), st.Runnable
		others := max(0, st.Runnable-starting)
		free = st.Procs - st.Running - starting - others
		wanted = max(0, others-(st.Procs-st.Running))
	} else if int64(now) >= a.hold.Load() {
		free = st.Procs - 1 - helpers
	}
	free = max(0, min(free, mostHelpers*st.Procs-helpers))
	a.crowded.Store(a.waited.Swap(wanted > 0) && wanted > 0)
	store(&s.procs, st.Procs)
	store(&a.free, free)
	store(&a.idle, idle)
	store(&a.runnable, runnable)
	store(&a.wanted, wanted)
}

// store stores v where it is not there yet: others read the line.
func store(p *atomic.Int32, v int) {
	if p.Load() != int32(v) {
		p.Store(int32(v))
	}
}

// draw takes up to n of what p has left, and returns how many. It is tempting to
// compare and swap; but where many draw at once, each would have to try as often as
// there are others. What is given back after another answer came makes that wrong by
// a few, for as long as it holds.
func draw(p *atomic.Int32, n int) int {
	if n <= 0 || p.Load() <= 0 {
		return 0
	}
	left := int(p.Add(-int32(n)))
	if left >= 0 {
		return n
	}
	got := max(0, n+left)
	p.Add(int32(n - got))
	return got
}

// Load tells of the processors: how many there are, how many are idle, and how many
// goroutines wait for one. It is the answer that all go by, as old as 10 ms at most. Who
// asked had a processor. Where the program has used less of the processors than that
// says, it is the average of the last some 10 ms (see usage). Where the runtime does not
// tell, and in a bubble of testing/synctest, idle is -1.
func Load(now time.Duration) (procs, idle, runnable int) {
	s := Sched
	if InBubble(now) {
		return s.answered(), -1, 0
	}
	procs = s.Procs(now)
	idle, runnable = s.usage.correct(now, procs, int(s.answer.idle.Load()), int(s.answer.runnable.Load()))
	return procs, idle, runnable
}
