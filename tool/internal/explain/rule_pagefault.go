package explain

import (
	"fmt"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/figure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// touching are the categories in which memory is touched for the first time.
// A profile books the fault on the instruction that made it.
var touching = []stack.Category{stack.User, stack.Copy, stack.Alloc, stack.PoolMiss, stack.TimerMade, stack.Map, stack.MapGrow, stack.GC, stack.Sweep, stack.Stack, stack.Reflect}

// pageFaults claims the time of page faults beyond the base's: memory that is
// touched for the first time. It is their number at the price of one here, as
// far as the kernel took time that no other category explains, and what that
// time grows by where several threads fault at once and queue in the kernel.
func pageFaults(f *facts) claim {
	one := f.one
	if one == nil {
		one = f.new
	}
	outside := func(x, y *Side) float64 {
		more := x.System - y.System
		for _, c := range categories(x, y) {
			if !slices.Contains(touching, c) {
				more -= max(0, x.by(c)-y.by(c))
			}
		}
		return more
	}
	cost := f.new.Faults * f.prices.Fault.NS
	if f.new.Faults < 1 || cost < least/2*f.new.CPU {
		return claim{}
	}
	c := claim{}
	c.ns += f.touch(min((one.Faults-f.base.Faults)*f.prices.Fault.NS, outside(one, f.base)), AtOne)
	c.ns += f.touch(outside(f.new, one), AtOnce)
	if c.ns <= 0 {
		return claim{}
	}
	c.evidence = append(c.evidence,
		say("%s page faults per operation; %s has %s", figure.Count(f.new.Faults), f.baseName(), figure.Count(f.base.Faults)).at(f.lineOf(touching[:3]...)),
		say("the kernel takes %s of processor time per operation, %s of all; in %s %s", ns(f.new.System), percent(f.new.System/f.new.CPU), f.baseName(), ns(f.base.System)))
	if one != f.new && one.System > 0 && f.new.System > (1+inflated)*one.System {
		c.evidence = append(c.evidence, say("on one processor it takes %s: threads that fault at once queue there", ns(one.System)))
	}
	c.price = fmt.Sprintf("the first touch of a page costs %s here", ns(f.prices.Fault.NS))
	return c
}

// touch takes time of the categories that touch memory, of each the same share:
// which of them faulted is not known.
func (f *facts) touch(want float64, kind Kind) float64 {
	held := 0.0
	from := at(touching, kind)
	for _, b := range from {
		held += f.book.left[b]
	}
	got := 0.0
	if want > 0 && held > 0 {
		part := min(1, want/held)
		for _, b := range from {
			got += f.book.take(part*f.book.left[b], b)
		}
	}
	return got
}
