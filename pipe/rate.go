package pipe

import (
	"context"
	"sync"
	"time"
)

// A pace has calls begin at a rate.
type pace struct {
	each time.Duration // from one to the next
	// turn has the token of who waits for the next call: one at a time, so that nobody
	// holds a place in vain who is told to end.
	turn chan struct{}

	mu   sync.Mutex
	free time.Time // when the next may begin
}

// wait waits for the next call. It returns false where the context is done before.
func (p *pace) wait(ctx context.Context) bool {
	select {
	case p.turn <- struct{}{}:
	case <-ctx.Done():
		return false
	}
	defer func() { <-p.turn }()
	d := p.next()
	return (d <= 0 || sleep(ctx, d)) && ctx.Err() == nil
}

// next enters a call, and returns how long it has to wait.
func (p *pace) next() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	if p.free.Before(now) {
		p.free = now
	}
	d := p.free.Sub(now)
	p.free = p.free.Add(p.each)
	return d
}
