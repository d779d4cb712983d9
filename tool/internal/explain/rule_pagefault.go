package explain

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
)

// touching are the categories in which memory is touched for the first time.
// A profile books the fault on the instruction that made it.
var touching = []cpuprof.Category{cpuprof.User, cpuprof.Copy, cpuprof.Alloc, cpuprof.PoolMiss, cpuprof.Map, cpuprof.MapGrow, cpuprof.GC, cpuprof.Sweep, cpuprof.Stack, cpuprof.Reflect}

// pageFaults claims the time of page faults beyond the base's: memory that is
// touched for the first time. It is their number at the price of one here, as
// far as the kernel took time outside of system calls.
func pageFaults(f *facts) claim {
	faults := f.new.Faults - f.base.Faults
	most := f.new.System - f.base.System - f.excess(cpuprof.Syscall, cpuprof.Net)
	want := min(faults*f.prices.Fault.NS, most)
	if faults < 1 || want <= 0 {
		return claim{}
	}
	held := 0.0
	from := at(touching, AtOne, AtOnce)
	for _, b := range from {
		held += f.book.opened[b]
	}
	if held <= 0 {
		return claim{}
	}
	part := min(1, want/held) // which of them faulted is not known
	c := claim{}
	for _, b := range from {
		c.ns += f.book.take(part*f.book.opened[b], b)
	}
	c.evidence = append(c.evidence,
		say("%s page faults per operation; %s has %s", count(f.new.Faults), f.baseName(), count(f.base.Faults)).at(f.lineOf(cpuprof.User, cpuprof.Copy, cpuprof.Alloc)),
		say("the kernel takes %s of processor time per operation, %s of all; in %s %s", ns(f.new.System), percent(f.new.System/f.new.CPU), f.baseName(), ns(f.base.System)))
	c.price = fmt.Sprintf("the first touch of a page costs %s here", ns(f.prices.Fault.NS))
	return c
}
