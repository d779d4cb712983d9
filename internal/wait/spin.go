package wait

import (
	"runtime"
	"sync/atomic"
	"time"
)

// A Spinner decides, for one side of something that goroutines wait for,
// whether a goroutine that would have to park looks again first. Which is
// better nobody can tell from one side: a partner that runs on another
// processor is met sooner by looking again, one that waits for this processor
// is kept from it. So a Spinner tries both, measures how fast things go on, and
// keeps to what was faster, for longer each time that proves right.
//
// The zero Spinner is ready. Many goroutines may use one at once.
type Spinner struct {
	look    atomic.Bool  // look again before parking
	settled atomic.Bool  // look is a finding, not a trial
	left    atomic.Int32 // waits until that is thought over

	// Below is the property of whoever has set thinking.
	thinking atomic.Bool
	phase    int8
	keep     int8             // the last finding is kept for keepFirst << keep waits
	found    bool             // the last finding
	took     [2]time.Duration // for 1024 events, by look: the shorter of two trials
	since    time.Duration
	from     uint64
}

const (
	trial     = 8 // waits in a trial
	trials    = 4 // by turns with and without looking again
	keepFirst = 64
	keepMost  = 6 // keepFirst << keepMost waits at most

	// Spinning burns time that others may need: it has to be this much faster, in
	// percent.
	margin = 10

	// A look costs the processor that writes about one transfer of a cache line,
	// and what it writes until the next look comes for nothing: so looks become
	// rarer, and all of them take about as long as it takes to wake a goroutine
	// that another processor is to run.
	looks     = 5
	firstSpin = 64
)

// Again reports whether the caller should look again, after having waited a
// little. It is called for the i-th time, from 0, in one wait; when it returns
// false the caller parks. events counts what is waited for.
//
// With one processor nobody else runs while the caller does: it yields, once.
// With several it spins, for 1 µs in all; so a partner that does not run now,
// whatever holds its processor, is not waited for much longer than that.
func (s *Spinner) Again(i int, events uint64) bool {
	if i == 0 {
		if s.left.Add(-1) <= 0 {
			s.think(events)
		}
		if !s.look.Load() {
			return false
		}
	}
	if Procs() == 1 {
		if i > 0 {
			return false
		}
		runtime.Gosched()
		return true
	}
	if i == looks {
		return false
	}
	spin(firstSpin << i)
	return true
}

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
	now := time.Since(start)
	if 1 <= s.phase && s.phase <= trials {
		which := index(s.look.Load())
		// Of two trials the longer is more likely to have been disturbed.
		// Each wait ended with an event, that may not have been counted.
		d := (now - s.since) * 1024 / time.Duration(max(trial, events-s.from))
		if s.phase <= 2 || d < s.took[which] {
			s.took[which] = d
		}
	}
	s.phase++
	s.settled.Store(s.phase > trials)
	s.since, s.from = now, events
	if s.phase <= trials {
		s.look.Store(s.phase%2 == 1)
		s.left.Store(trial)
		return
	}
	s.phase = 0
	procs.Store(int32(runtime.GOMAXPROCS(0)))
	found := s.took[1] < s.took[0]
	if Procs() > 1 {
		found = s.took[1] < s.took[0]*(100-margin)/100
	}
	if found == s.found {
		s.keep = min(s.keep+1, keepMost)
	} else {
		s.found, s.keep = found, 0
	}
	s.look.Store(found)
	s.left.Store(keepFirst << s.keep)
}

func index(b bool) int {
	if b {
		return 1
	}
	return 0
}

// start makes durations of times.
var start = time.Now()

// spin takes about n/2 ns and touches nothing that others use.
//
//go:noinline
func spin(n int) {
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
