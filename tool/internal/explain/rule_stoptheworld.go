package explain

import (
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// stopsTheWorld claims what calls take that stop all goroutines: their own time, the
// processors that they stop, and those that wait to do the same.
func stopsTheWorld(f *facts) claim {
	direct := f.excess(stack.World)
	c := claim{ns: f.book.take(direct, at([]stack.Category{stack.World}, AtOne, AtOnce)...)}
	if f.trace != nil && f.n > 0 {
		c.ns += f.book.take(f.trace.Stopped/f.n, bucket{kind: IdleReady})
		queue, all := 0.0, 0.0
		for _, b := range f.trace.Blocks {
			switch b.Kind {
			case exectrace.World:
				queue += b.Total
				all += b.Total
			case exectrace.Mutex, exectrace.RWMutex, exectrace.Once:
				all += b.Total
			}
		}
		if queue > 0 {
			c.ns += f.book.take(queue/all*f.book.opened[bucket{kind: IdleLock}], bucket{kind: IdleLock})
			c.sites = f.waited(exectrace.World)
		}
	}
	if c.ns <= 0 {
		return claim{}
	}
	c.evidence = append(c.evidence, say("stopping the world takes %s of processor time per operation, %s of all%s", ns(f.new.by(stack.World)), percent(f.new.by(stack.World)/f.new.CPU), f.there(ns(f.base.by(stack.World)))).at(f.lineOf(stack.World)))
	if f.trace != nil && len(f.trace.Stops) > 0 {
		n := 0
		for _, s := range f.trace.Stops {
			n += s.N
		}
		c.evidence = append(c.evidence, say("goroutines stop the world %s", often(float64(n)/f.n)).at(f.trace.Stops[0].Site))
	}
	return c
}
