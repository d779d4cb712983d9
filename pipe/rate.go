package pipe

import (
	"context"
	"math"
	"time"
)

// A pace has calls begin at a rate.
type pace struct {
	each time.Duration // from one to the next
	// lead is how much time that was not used is kept: of so many calls but one, times
	// each.
	lead time.Duration

	// turn has the token of who waits for the next call, one at a time: so nobody has a
	// place in a row who is told to end. free, which it guards, is when that call may
	// begin.
	turn chan struct{}
	free time.Time
}

func newPace(each time.Duration, burst int) *pace {
	lead := time.Duration(min(float64(each)*float64(burst-1), math.MaxInt64/2))
	return &pace{each: each, lead: lead, turn: make(chan struct{}, 1)}
}

// wait waits for the next call. It returns false where the context is done before: then
// the call is somebody else's.
func (p *pace) wait(ctx context.Context) bool {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-p.turn }()
	now := time.Now()
	at := p.free
	if kept := now.Add(-p.lead); at.Before(kept) {
		at = kept
	} else if d := at.Sub(now); d > 0 && !sleep(ctx, d) {
		return false
	}
	if ctx.Err() != nil {
		return false
	}
	p.free = at.Add(p.each)
	return true
}
