package explain

import (
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// collector claims what the collector takes beyond the base where much of the
// heap lives: each collection marks all of that anew.
func collector(f *facts) claim {
	if !f.marksMuch() {
		return claim{} // the collector's work is that of allocating
	}
	direct := f.excess(stack.GC)
	c := claim{ns: f.book.take(direct, at([]stack.Category{stack.GC}, AtOne, AtOnce)...), sites: f.blocked(exectrace.GC)}
	c.ns += f.book.take(f.lost, bucket{kind: IdleGC})
	c.ns += f.pay(f.idleBeside(direct))
	if c.ns <= 0 {
		return claim{}
	}
	c.evidence = append(c.evidence, say("the collector takes %s of processor time per operation, %s of all, and allocation %s%s", ns(f.new.by(stack.GC)), percent(f.new.by(stack.GC)/f.new.CPU), ns(f.new.by(stack.Alloc)), f.there("the collector takes "+ns(f.base.by(stack.GC)))))
	c.evidence = append(c.evidence, say("%.3g MB live in the heap, and each collection marks them: %s", f.new.Live/1e6, often(f.new.Cycles)))
	if n := f.blocks(exectrace.GC); n > 0 {
		c.evidence = append(c.evidence, say("goroutines that allocate must help or wait for it %s", often(n)).at(f.mostBlocked(exectrace.GC)))
	}
	return c
}
