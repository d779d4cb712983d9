package wait

import (
	"math"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A Spinner decides, for one side of something that goroutines wait for, what a
// goroutine does before it parks: nothing, spin, or yield to others. Which is
// best nobody can tell from one side. A partner that runs on another processor
// is met soonest by spinning; one that is ready to run needs this processor; one
// that is far away is best waited for in peace. So a Spinner tries all three,
// measures how fast things go on, and keeps to what was fastest, for longer each
// time that proves right.
//
// The zero Spinner is ready. Many goroutines may use one at once.
type Spinner struct {
	way     atomic.Int32 // what to do
	settled atomic.Bool  // way is a finding, not a trial
	left    atomic.Int32 // waits until that is thought over
	timed   atomic.Int32 // yields that were timed in the trial

	// Below is the property of whoever has set thinking.
	thinking atomic.Bool
	phase    int32               // of the trials, from 1; 0: there was none yet
	found    int32               // the last finding
	keep     int                 // it is kept for keepFirst << keep waits
	took     [ways]time.Duration // for 1024 events: the shortest of the trials
	since    time.Duration
	from     uint64
}

// What a goroutine does before it parks.
const (
	park = iota
	spin
	yield
	ways
)

const (
	trial     = 8 // waits in a trial
	keepFirst = 64
	keepMost  = 8 // keepFirst << keepMost waits at most

	// What is not parking uses a processor that others may need: with several
	// processors it has to be this much faster, in percent.
	margin = 10

	// A look costs the processor that writes about one transfer of a cache line,
	// and what it writes until the next look comes for nothing: so looks become
	// rarer, and all of them, 1 to 2 µs, take about as long as it takes to wake a
	// goroutine that another processor is to run.
	spins     = 4
	firstSpin = 256

	// A yield takes 0.1 µs where nobody else is ready.
	yields = 8
)

// Again reports whether the caller should look again, after having waited a
// little. It is called for the i-th time, from 0, in one wait; when it returns
// false the caller parks. events counts what is waited for; those that come to a
// goroutine that is parked may be left out.
//
// Whatever was found, a partner that does not run now, because it waits too or
// something else has its processor, is not waited for longer than 2 µs of this
// processor's time. A yield may take longer, for as long as others run.
func (s *Spinner) Again(i int, events uint64) bool {
	if i == 0 && s.left.Add(-1) <= 0 {
		s.think(events)
	}
	switch s.way.Load() {
	case spin:
		if i < spins {
			busy(firstSpin << i)
			return true
		}
	case yield:
		if i < yields && !crowded.Load() {
			s.yield(i)
			return true
		}
	}
	return false
}

// yield lets others run. Where they run for long, whoever yields comes last
// again and again, up to a scheduler's time slice of 10 ms each time, and a
// goroutine that is parked and woken does not: so yields are timed, and while
// they take long nobody in the process yields here.
func (s *Spinner) yield(i int) {
	// Two looks at the clock cost about as much as a yield. Those of a trial are
	// all timed, and its result is without them; of others, a few.
	settled := s.settled.Load()
	if settled && watch.Load() <= 0 && (i > 0 || s.left.Load()%32 != 0) {
		runtime.Gosched()
		return
	}
	if !settled {
		s.timed.Add(1)
	}
	from := clock()
	runtime.Gosched()
	now := clock()
	switch took := now - from; {
	case took > slice:
		crowdedUntil.Store(int64(now + 100*took))
		crowded.Store(true)
		watch.Store(1000)
	case watch.Load() > 0:
		watch.Add(-1)
	}
}

// slice is how long a yield may take. What takes less than that, a trial finds
// to be slow at no great cost.
const slice = time.Millisecond

var (
	crowded      atomic.Bool
	crowdedUntil atomic.Int64 // on the clock
	watch        atomic.Int32 // so many yields are all timed
)

// Settled reports whether there is a finding, and no trial: a caller that was
// told to park may then do so some more times without asking.
func (s *Spinner) Settled() bool { return s.settled.Load() }

// think ends a trial, or the time of a finding, and begins the next.
func (s *Spinner) think(events uint64) {
	if !s.thinking.CompareAndSwap(false, true) {
		return
	}
	defer s.thinking.Store(false)
	if s.left.Load() > 0 {
		return // another has thought meanwhile
	}
	now := clock()
	if crowded.Load() && int64(now) > crowdedUntil.Load() {
		crowded.Store(false)
	}
	if s.phase > 0 && !s.settled.Load() {
		// Each wait ended with an event, that may not have been counted.
		d := now - s.since - time.Duration(s.timed.Swap(0))*2*clockCost()
		d = max(d, 0) * 1024 / time.Duration(max(trial, events-s.from))
		// Of two trials the longer is more likely to have been disturbed.
		s.took[s.way.Load()] = min(s.took[s.way.Load()], d)
	}
	if s.phase == 0 || s.settled.Load() {
		s.settled.Store(false)
		s.phase = 0
		s.took = [ways]time.Duration{never, never, never}
		procs.Store(int32(runtime.GOMAXPROCS(0)))
	}
	s.since, s.from = now, events
	if s.phase < 2*ways {
		s.phase++
		way := s.phase % ways
		if way == spin && Procs() == 1 {
			way = yield // nobody else runs
		}
		s.way.Store(way)
		s.left.Store(trial)
		return
	}
	found := s.best()
	if found == s.found {
		s.keep = min(s.keep+1, keepMost)
	} else {
		s.found, s.keep = found, 0
	}
	s.way.Store(found)
	s.settled.Store(true)
	s.left.Store(keepFirst << s.keep)
}

// best returns the way that was fastest.
func (s *Spinner) best() int32 {
	limit := s.took[park]
	if Procs() > 1 {
		limit = limit / 100 * (100 - margin)
	}
	way := int32(spin)
	if s.took[yield] < s.took[spin] {
		way = yield
	}
	if s.took[way] >= limit {
		way = park
	}
	return way
}

const never = time.Duration(math.MaxInt64)

// clock tells the time since some moment. Tests have their own.
var clock = func() time.Duration { return time.Since(start) }

var start = time.Now()

// clockCost is what a look at the clock costs.
var clockCost = sync.OnceValue(func() time.Duration {
	cost := time.Duration(math.MaxInt64)
	for range 16 {
		from := time.Since(start)
		cost = min(cost, time.Since(start)-from)
	}
	return cost
})

// busy takes about n/3 ns and touches nothing that others use.
//
//go:noinline
func busy(n int) {
	var x atomic.Uint32
	for range n {
		x.Load()
	}
}

var procs atomic.Int32

// Procs returns GOMAXPROCS as it was a little while ago: asking takes a lock
// of the scheduler.
func Procs() int {
	if n := procs.Load(); n > 0 {
		return int(n)
	}
	n := runtime.GOMAXPROCS(0)
	procs.Store(int32(n))
	return n
}
