package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// sharedCores claims what running at once adds to code that does not wait for
// memory, where more processors are used than there are cores: two hardware
// threads share what one core has. It is no more than arithmetic slows down
// here when every thread is busy.
func sharedCores(f *facts) claim {
	slow := f.siblings()
	if slow <= 0 || f.one == nil || f.one == f.new {
		return claim{}
	}
	cats := []stack.Category{stack.User}
	if f.memoryBound() {
		cats = nil
	}
	for _, c := range effort {
		if c != stack.User && c != stack.Copy {
			cats = append(cats, c)
		}
	}
	want := min(f.inflation(cats...), slow*f.one.by(cats...))
	c := claim{ns: f.book.take(want, at(cats, AtOnce)...)}
	if c.ns <= 0 {
		return claim{}
	}
	c.evidence = append(c.evidence,
		say("%d processors are used and there are %d cores: %d of the processors are hardware threads that share a core", f.procs, f.s.Cores, min(f.procs, 2*(f.procs-f.s.Cores))).at(f.lineOf(cats...)),
		say("the same code takes %s of processor time on one processor and %s on %d", ns(f.one.by(cats...)), ns(f.new.by(cats...)), f.v.New.Procs),
		say("plain arithmetic takes %.2f times as long here with all processors busy", f.prices.StepAll.NS/f.prices.Step.NS))
	return c
}

// siblings is by how much the sharing of cores slows code down at most, in
// shares of its time; 0 if each processor has a core.
func (f *facts) siblings() float64 {
	threads := min(f.procs, 2*(f.procs-f.s.Cores)) // that have a sibling in use
	if f.s.Cores == 0 || threads <= 0 || f.prices.Step.NS <= 0 {
		return 0
	}
	return max(0, f.prices.StepAll.High/f.prices.Step.NS-1) * float64(threads) / float64(f.procs)
}
