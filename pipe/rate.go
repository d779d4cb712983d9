package pipe

import (
	"sync"
	"time"
)

// A pace has calls begin at a rate.
type pace struct {
	each time.Duration // from one to the next

	mu   sync.Mutex
	free time.Time // when the next may begin
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
