package explain

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
)

// allocation claims what allocating and collecting takes beyond the base.
func allocation(f *facts) claim {
	direct := f.excess(cpuprof.Alloc) + f.excess(cpuprof.GC)
	c := claim{ns: f.book.take(direct, at([]cpuprof.Category{cpuprof.Alloc, cpuprof.GC}, AtOne, AtOnce)...)}
	c.ns += f.book.take(f.lost, bucket{kind: IdleGC})
	c.ns += f.pay(f.idleBeside(direct)) // what runs alone allocating keeps the others idle
	if c.ns <= 0 {
		return c
	}
	c.evidence = append(c.evidence, say("allocation takes %s and collection %s of processor time per operation; in %s %s and %s", ns(f.new.by(cpuprof.Alloc)), ns(f.new.by(cpuprof.GC)), f.baseName(), ns(f.base.by(cpuprof.Alloc)), ns(f.base.by(cpuprof.GC))).at(f.lineOf(cpuprof.Alloc, cpuprof.GC)))
	more := f.new.Allocs - f.base.Allocs
	if f.v.Kind != "variant" {
		more = f.new.Allocs
	}
	if more >= 1 {
		c.evidence = append(c.evidence, say("%s allocations per operation; %s has %s", count(f.new.Allocs), f.baseName(), count(f.base.Allocs)))
		c.price = fmt.Sprintf("each of %s allocations costs %s, collection included", count(more), ns(c.ns/more))
	}
	if f.new.Set != nil {
		for i, e := range f.new.Set.Escapes {
			if i == 2 {
				break
			}
			c.evidence = append(c.evidence, say("the compiler says: %s", e.Message).at(exectrace.Site{File: e.File, Line: e.Line}))
		}
	}
	return c
}
