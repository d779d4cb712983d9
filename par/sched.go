package par

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/cacheline"
)

// A scheduler has the goroutines that help others, which are there only while
// there is something to help with and a little longer, and the board on which
// callers offer them work.
//
// Nothing here is kept up by a timer: in Go none is fine enough. Callers look at
// the clock themselves, about every [beat].
type scheduler struct {
	// hungry is how many helpers look for work, read by callers at each beat.
	hungry atomic.Int32
	_      cacheline.Pad

	board [boardSize]atomic.Pointer[offer]
	_     cacheline.Pad

	procs    atomic.Int32 // GOMAXPROCS when it was last looked at
	helpers  atomic.Int32 // that live
	starting atomic.Int32 // of them, that have not run yet
	// busyUntil is the time before which nobody asks for idle processors: there
	// were none, or they were not to be had.
	busyUntil atomic.Int64
	price     atomic.Int64 // of waking a helper, in ns of the caller's time
	latency   atomic.Int64 // until the helper runs, in ns

	stats counts
}

// counts are what [Stats] tells.
type counts struct {
	offers, wakes, late, refused, steals, parts, parks atomic.Uint64
}

const (
	boardSize = 64

	// A beat is how long a caller runs without looking at the clock. A look
	// costs 10 to 50 ns.
	beat = 2 * time.Microsecond

	// What a wake costs before one was seen, and the most that is believed: a
	// caller that was preempted in the middle of it has learned nothing.
	firstPrice = 10 * time.Microsecond
	leastPrice = 500 * time.Nanosecond
	mostPrice  = 50 * time.Microsecond

	// A helper that found nothing to do stays for as long as it would take to
	// wake it again, within these bounds.
	leastLinger = 20 * time.Microsecond
	mostLinger  = 200 * time.Microsecond

	// late: a helper that takes so long to start had to queue for a processor.
	late = 2 * time.Millisecond

	// How long an answer to the question for idle processors holds.
	askAgain = 50 * time.Microsecond
	// How often a helper asks whether others want its processor.
	giveWay = 20 * time.Microsecond

	// A caller that waits for a helper spins for so long before it parks, and not
	// for longer than giveWay where others want its processor. To be woken takes
	// some 100 µs.
	spinFor = 200 * time.Microsecond
)

var sched = newScheduler()

func newScheduler() *scheduler {
	s := new(scheduler)
	s.price.Store(int64(firstPrice))
	s.latency.Store(int64(50 * time.Microsecond))
	s.procs.Store(int32(runtime.GOMAXPROCS(0)))
	return s
}

// clock tells the time since the program began, which in a bubble is negative.
// Tests have their own.
var clock = func() time.Duration { return time.Since(epoch) }

var epoch = time.Now()

// unreal reports whether now is a bubble's time (package testing/synctest), which
// begins in the year 2000 and stands still while anybody runs. There nothing is
// offered: helpers from outside could not touch the bubble's channels.
func unreal(now time.Duration) bool { return now < 0 }

// inBubble is unreal also where a bubble's time has come to our days.
func inBubble(now time.Duration) bool {
	if unreal(now) {
		return true
	}
	t := time.Now()
	return t == t.Round(0) // a bubble's clock is not monotonic
}

// An offer is work on the board: a call that helpers may take parts of.
type offer struct {
	work interface {
		// help takes one part of the work and does it. It reports whether there
		// was one, and tells the helper before it begins.
		help(h *helper) bool
		// publish makes parts known, up to the n'th.
		publish(n int)
	}
	slot int // on the board, from 1; 0: it is not there
}

// post puts o on the board, and reports whether there was room.
func (s *scheduler) post(o *offer) bool {
	for i := range s.board {
		if s.board[i].Load() == nil && s.board[i].CompareAndSwap(nil, o) {
			o.slot = i + 1
			s.stats.offers.Add(1)
			return true
		}
	}
	return false
}

// remove takes o from the board, if it is there. A helper may still look at it.
func (s *scheduler) remove(o *offer) {
	if o.slot > 0 {
		s.board[o.slot-1].Store(nil)
		o.slot = 0
	}
}

// canWake reports whether there is a processor that a helper could have.
func (s *scheduler) canWake(now time.Duration) bool {
	if int64(now) < s.busyUntil.Load() || inBubble(now) {
		return false
	}
	st, ok := ask()
	if !ok {
		return false
	}
	s.procs.Store(int32(st.procs))
	if st.runnable == 0 && st.procs-st.running > int(s.starting.Load()) && int(s.helpers.Load()) < 4*st.procs {
		return true
	}
	again := askAgain
	if st.procs == 1 {
		again = time.Millisecond
	}
	s.busyUntil.Store(int64(now + again))
	s.stats.refused.Add(1)
	return false
}

// wake starts a helper, at the expense of payer. It is called after canWake.
func (s *scheduler) wake(payer *account) {
	s.helpers.Add(1)
	s.starting.Add(1)
	s.stats.wakes.Add(1)
	from := clock()
	start(func() { s.helper(from, payer) })
	cost := min(clock()-from, mostPrice)
	s.learn(&s.price, max(cost, leastPrice))
	payer.add(-cost)
}

// start runs f in a goroutine. Tests have their own.
var start = func(f func()) { go f() }

// learn moves what is believed an eighth of the way to what was seen.
func (s *scheduler) learn(v *atomic.Int64, seen time.Duration) {
	old := v.Load()
	v.Store(old + (int64(seen)-old)/8)
}

// A helper is a goroutine that looks for work and does it.
type helper struct {
	s       *scheduler
	hungry  bool
	leaving bool
	payer   *account // of whom it was woken by, or worked for last
}

// eat is called by who has found work, before it begins.
func (h *helper) eat(payer *account) {
	h.payer = payer
	h.sated()
}

func (h *helper) sated() {
	if h.hungry {
		h.hungry = false
		h.s.hungry.Add(-1)
	}
}

func (h *helper) starve() {
	h.hungry = true
	h.s.hungry.Add(1)
}

// leave also comes where the work ended the goroutine, by Goexit.
func (h *helper) leave() {
	h.sated()
	h.s.helpers.Add(-1)
}

// helper is the life of a helper.
func (s *scheduler) helper(woken time.Duration, payer *account) {
	h := &helper{s: s, payer: payer}
	defer h.leave()
	s.starting.Add(-1)

	now := clock()
	took := now - woken
	if took > late {
		// Whoever had the processor will want it again.
		s.busyUntil.Store(int64(now + min(10*took, 100*time.Millisecond)))
		s.stats.late.Add(1)
		return
	}
	s.learn(&s.latency, took)
	if h.unwanted(now) {
		return
	}
	for idle, asked := now, now; ; {
		if !h.hungry {
			h.starve()
		}
		worked := false
		for range 16 {
			if worked = s.findWork(h); worked {
				break
			}
			pause(128)
		}
		now = clock()
		if worked {
			idle = now
		} else if now-idle > s.linger() {
			// It may have had the processor that its caller needs.
			h.payer.add(idle - now)
			return
		}
		if now-asked > giveWay {
			if h.unwanted(now) {
				return
			}
			asked = now
		}
	}
}

// A wait is that of a caller for what helpers have taken from it.
type wait struct {
	from, asked time.Duration
	looks       int
}

// spin waits a little. It reports whether the caller is to look again, and not to
// park.
func (w *wait) spin() bool {
	if w.looks++; w.looks%32 == 0 {
		now := clock()
		if now-w.from > spinFor {
			return false
		}
		if now-w.asked > giveWay {
			w.asked = now
			if st, ok := ask(); ok && st.runnable > 0 {
				return false
			}
		}
	}
	pause(64)
	return true
}

// unwanted reports whether others want the helper's processor.
func (h *helper) unwanted(now time.Duration) bool {
	if st, ok := ask(); ok && st.runnable > 0 {
		h.s.busyUntil.Store(int64(now + askAgain))
		h.leaving = true
	}
	return h.leaving
}

func (s *scheduler) linger() time.Duration {
	return min(max(2*time.Duration(s.latency.Load()), leastLinger), mostLinger)
}

// findWork does one piece of work from the board, if there is any.
func (s *scheduler) findWork(h *helper) bool {
	for i := range s.board {
		if o := s.board[i].Load(); o != nil && o.work.help(h) {
			return true
		}
	}
	return false
}

// A state says who has processors and who waits for one.
type state struct{ procs, running, runnable int }

// ask asks the runtime, unless somebody else is asking: then ok is false. It
// takes 0.1 to 0.2 µs and locks of the scheduler. Tests have their own.
var ask = func() (st state, ok bool) {
	if !asking.TryLock() {
		return state{}, false
	}
	defer asking.Unlock()
	metrics.Read(samples)
	for _, s := range samples {
		if s.Value.Kind() != metrics.KindUint64 {
			return state{}, false
		}
	}
	return state{
		procs:    int(samples[0].Value.Uint64()),
		running:  int(samples[1].Value.Uint64()),
		runnable: int(samples[2].Value.Uint64()),
	}, true
}

var (
	asking  sync.Mutex
	samples = []metrics.Sample{
		{Name: "/sched/gomaxprocs:threads"},
		{Name: "/sched/goroutines/running:goroutines"},
		{Name: "/sched/goroutines/runnable:goroutines"},
	}
)

// The first question takes 30 µs and more, which no call shall have to wait for.
// Nor shall it be told that processors are wanted: some of the runtime's goroutines
// wait from the start of the program until its first pause.
func init() {
	ask()
	runtime.Gosched()
}

// pause takes about n/3 ns and touches nothing that others use.
//
//go:noinline
func pause(n int) {
	var x atomic.Uint32
	for range n {
		x.Load()
	}
}
