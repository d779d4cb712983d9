package explain

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// allocation claims what allocating and freeing takes beyond the base, and the
// collecting, unless it is a large heap that makes it dear.
func allocation(f *facts) claim {
	cats := []stack.Category{stack.Alloc, stack.AllocWait, stack.Sweep}
	direct := f.excess(cats...)
	collects := !f.marksMuch()
	if collects {
		direct += f.excess(stack.GC)
		cats = append(cats, stack.GC)
	}
	c := claim{ns: f.book.take(direct, at(cats, AtOne, AtOnce)...)}
	if collects {
		c.ns += f.book.take(f.lost, bucket{kind: IdleGC})
	}
	c.ns += f.pay(f.idleBeside(direct)) // what runs alone allocating keeps the others idle
	if c.ns <= 0 {
		return c
	}
	allocating := func(x *Side) string { return ns(x.by(stack.Alloc, stack.AllocWait)) }
	collecting := func(x *Side) string { return ns(x.by(stack.GC, stack.Sweep)) }
	c.evidence = append(c.evidence, say("allocation takes %s and collection %s of processor time per operation%s", allocating(f.new), collecting(f.new), f.there(allocating(f.base)+" and "+collecting(f.base))).at(f.lineOf(cats...)))
	if wait := f.excess(stack.AllocWait); wait > least*c.ns {
		c.evidence = append(c.evidence, say("%s of it is at the allocator's own locks: goroutines allocate large or many objects at the same time", ns(wait)).at(f.lineOf(stack.AllocWait)))
	}
	more := f.new.Allocs - f.base.Allocs
	if f.v.Kind != measure.Variant {
		more = f.new.Allocs
	}
	if more >= 1 {
		c.evidence = append(c.evidence, say("%s allocations per operation; %s has %s", figure.Count(f.new.Allocs), f.baseName(), figure.Count(f.base.Allocs)))
		// Where the base allocates about as much, it is the old ones that cost more.
		if more >= f.new.Allocs/2 {
			c.price = fmt.Sprintf("each of %s allocations costs %s, collection included", figure.Count(more), ns(c.ns/more))
		}
	}
	if f.new.Set != nil {
		for i, e := range f.new.Set.Escapes {
			if i == 2 {
				break
			}
			c.evidence = append(c.evidence, say("the compiler says: %s", e.Message).at(e.Place))
		}
	}
	return c
}
