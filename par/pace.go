package par

import (
	"sync/atomic"

	"github.com/gopayoff/payoff/par/internal/help"
)

// A pace is how fast a function comes by forks.
type pace struct {
	perFork int64 // ps from one fork to the next
	perBeat int   // forks that take a [help.Beat]; rounded up
}

// paceOf returns the pace of forks that take so many ps.
func paceOf(perFork int64) pace {
	const beat = int64(help.Beat) * 1000
	return pace{perFork, int((beat + perFork - 1) / perFork)}
}

// saw corrects p by what one look has seen, in ps for a fork. The look may have come
// late, since its goroutine did not run; so the time for a fork grows to the double at
// most.
func (p *pace) saw(perFork int64) {
	*p = paceOf(max(min(perFork, 2*p.perFork), p.perFork/2, 1))
}

// A lastPace is the pace of a Func, as the last of its calls to differ by more than
// an eighth has left it. Each call takes a copy when it comes to its first beat, and
// goes by that: a word that all write at their looks would take more time than they
// measure.
type lastPace struct{ perFork atomic.Int64 }

// load returns the pace of a new call. Where nobody has called, a fork takes a beat.
func (l *lastPace) load() pace {
	if perFork := l.perFork.Load(); perFork > 0 {
		return paceOf(perFork)
	}
	return paceOf(int64(help.Beat) * 1000)
}

// leave is called at the end of a call.
func (l *lastPace) leave(p pace) {
	if old := l.perFork.Load(); 8*max(p.perFork-old, old-p.perFork) > old {
		l.perFork.Store(p.perFork)
	}
}
