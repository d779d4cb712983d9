package explain

import (
	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// pooling claims what a sync.Pool takes beyond the base: its Get and Put, the
// objects that New makes because nothing came back, and the collector's work
// on those. What the pool saves of the base's allocation is in its favour.
func pooling(f *facts) claim {
	direct, missed := f.excess(stack.Pool), f.excess(stack.PoolMiss)
	if direct+missed <= 0 {
		return claim{}
	}
	garbage := f.collecting(missed)
	c := claim{ns: f.book.take(direct+missed, at([]stack.Category{stack.Pool, stack.PoolMiss}, AtOne, AtOnce)...)}
	c.ns += f.book.take(garbage, at([]stack.Category{stack.GC, stack.Sweep}, AtOne, AtOnce)...)
	c.ns += f.pay(f.idleBeside(direct + missed + garbage))
	c.evidence = append(c.evidence, say("Get and Put of sync.Pool take %s of processor time per operation, %s of all", ns(f.new.by(stack.Pool)), percent(f.new.by(stack.Pool)/f.new.CPU)).at(f.lineOf(stack.Pool)))
	if missed > 0 {
		c.evidence = append(c.evidence, say("Get finds nothing and calls New: making the objects takes %s, collecting them %s; objects are not put back, or not by the time they are wanted", ns(missed), ns(garbage)).at(f.lineOf(stack.PoolMiss)))
	}
	if f.base.Allocs <= f.new.Allocs {
		c.evidence = append(c.evidence, say("it saves no allocation: %s per operation, %s in %s", figure.Count(f.new.Allocs), figure.Count(f.base.Allocs), f.baseName()))
	}
	return c
}
