package loop

import (
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/help"
)

// An Overhead is what parts take beside their elements: where parts have results, it is
// the time of joining two of them. The loop keeps all of it small beside
// the elements. The body measures it; what it was is kept for the next call.
type Overhead struct {
	// Each says that each part pays. Otherwise those do that do not begin where
	// another has ended, which are as many as there are thefts.
	Each bool

	// Stops says that the loop may be stopped between parts.
	Stops bool

	// ns is what is believed of one. Whoever pays stores it; a lost one is no harm.
	ns atomic.Int64
}

const (
	// Where each part pays, it lasts so many times the overhead, which is also a sign that
	// a part costs something to begin: mostShare, and where a lane has not so much,
	// or thieves would find nothing, leastShare.
	mostShare  = 64
	leastShare = 32
	// What a thief finds is worth so many times the overhead at least: it takes half.
	theftShare = 8

	// One of so many calls believes less of an overhead than it was.
	askOverhead = 16
)

// RunOverhead is [Run] of a body that has an overhead.
func RunOverhead(key uintptr, n, limit int, overhead *Overhead, body func(lo, hi int) bool) bool {
	return run(key, n, limit, overhead, body)
}

// Pay calls f, which is what the overhead is for, and measures it. A single one that was
// interrupted is not believed.
func (t *Overhead) Pay(f func()) {
	from := help.Clock()
	f()
	old := time.Duration(t.ns.Load())
	took := min(help.Clock()-from, 3*old+time.Microsecond)
	if took < old {
		took = (3*old + took) / 4 // a short part may pay less
	}
	t.ns.Store(int64((old + took) / 2))
}

// theft is what a theft costs. A loop without an overhead has a nil one.
func (t *Overhead) theft() time.Duration {
	if t == nil {
		return 0
	}
	return time.Duration(t.ns.Load())
}

// part is what a part costs.
func (t *Overhead) part() time.Duration {
	if t == nil || !t.Each {
		return 0
	}
	return time.Duration(t.ns.Load())
}

// alone reports whether nobody can help in parts of which each pays.
func (t *Overhead) alone(now time.Duration) bool {
	return t != nil && t.Each && !t.Stops && help.Sched.Procs(now) == 1
}
