package wait

import (
	"runtime"
	"sync/atomic"
)

// A Spinner decides, for one side of something that goroutines wait for,
// whether a goroutine that would have to park looks again first. It learns from
// what came of it: where looking again does not help, it says to park at once.
//
// The zero Spinner is ready. Many goroutines may use one at once.
type Spinner struct {
	// state is the credit while it is positive: waits that may look again. Each
	// that was worth it adds to it, each that was not takes away. At zero and
	// below it counts up, one per wait, to the next trial.
	state atomic.Int32
}

const (
	maxCredit = 8   // waits in vain in a row before a side that spun well parks
	rest      = -64 // waits between trials of a side where spinning is in vain

	// A look costs the processor that writes about one transfer of a cache line,
	// and what it writes until the next look comes for nothing: so the looks
	// become rarer, and all of them take about as long as it takes to wake a
	// goroutine that another processor is to run.
	looks     = 5
	firstSpin = 64
)

// Again reports whether the caller should look again, after having waited a
// little. The i-th call of one wait, from 0. When it returns false the caller
// parks. Whoever found what it waited for calls [Spinner.Won] with the same i.
//
// With one processor nobody else runs while the caller does: it yields once.
// With several it spins for 0.1 to 2 µs; a partner that does not run now is not
// waited for, whatever holds its processor.
func (s *Spinner) Again(i int) bool {
	c := s.state.Load()
	if i == 0 && c <= 0 {
		if c == 0 {
			// The zero value, or time for a trial.
			c = 1
		} else {
			c++
		}
		s.state.Store(c)
		if c <= 0 {
			return false
		}
	}
	if Procs() == 1 {
		if i == 0 {
			runtime.Gosched()
			return true
		}
	} else if i < looks {
		spin(firstSpin << i)
		return true
	}
	if c--; c <= 0 {
		c = rest
		procs.Store(int32(runtime.GOMAXPROCS(0)))
	}
	s.state.Store(c)
	return false
}

// Won says that the i-th look found what the caller waited for.
func (s *Spinner) Won(i int) {
	if c := s.state.Load(); i > 0 && c > 0 && c < maxCredit {
		s.state.Store(c + 1)
	}
}

// spin takes about n/4 ns and touches nothing that others use.
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
