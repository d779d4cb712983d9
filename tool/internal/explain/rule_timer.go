package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// timers claims what setting, stopping and firing timers takes beyond the base,
// contexts with a deadline among them, and the collector's work on what they
// allocate.
func timers(f *facts) claim {
	c := f.library("making, setting and stopping timers", stack.Timer, stack.TimerMade)
	if c.ns <= 0 {
		return c
	}
	if collected := f.book.take(f.collecting(f.excess(stack.TimerMade)), at([]stack.Category{stack.GC, stack.Sweep}, AtOne, AtOnce)...); collected > 0 {
		c.ns += collected
		c.evidence = append(c.evidence, say("collecting them takes %s", ns(collected)))
	}
	return c
}
