package par

import (
	"sync/atomic"

	"github.com/gopayoff/payoff/par/internal/help"
)

// A pace is how fast a function comes by forks. All calls read it. A call writes it
// when what it has seen differs by more than an eighth, so that in general nobody
// does.
type pace struct {
	perFork atomic.Int64 // ps from one fork to the next
	perBeat atomic.Int64 // forks that take a [help.Beat], by perFork; rounded up
}

// begin is for a function that nobody has called.
func (p *pace) begin() { p.set(int64(help.Beat) * 1000) }

func (p *pace) set(perFork int64) {
	p.perFork.Store(perFork)
	p.perBeat.Store((int64(help.Beat)*1000 + perFork - 1) / perFork)
}

// saw corrects the pace by what one look has seen, in ps for a fork. The look may
// have come late, since its goroutine did not run; so the time for a fork grows to
// the double at most.
func (p *pace) saw(perFork int64) {
	old := p.perFork.Load()
	seen := max(min(perFork, 2*old), old/2, 1)
	if 8*max(seen-old, old-seen) > old {
		p.set(seen)
	}
}
