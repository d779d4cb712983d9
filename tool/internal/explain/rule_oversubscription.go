package explain

import (
	"slices"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// oversubscription claims the time of goroutines that wait by running: more of
// them are ready than there are processors, and they take turns with the one
// that would end their wait.
func oversubscription(f *facts) claim {
	m := f.yields()
	alone, more := f.looked()
	looks := alone+more > 0 && !f.spins()
	c := claim{sites: f.blocked(exectrace.Yield, exectrace.Preempted)}
	if m.events > 0 && f.crowded() {
		c.ns = f.pay(f.wants(m))
		if own := f.excess(stack.Yield, stack.Switch); (!looks || f.shows(own)) && (own > 0 || !f.running) {
			c.evidence = append(c.evidence, say("goroutines yield %s and find nothing changed: %s of processor time", often(m.events), ns(own)).at(f.lineOf(stack.Yield)))
		}
	}
	if f.spins() {
		c.ns += f.book.take(f.excess(stack.User), at([]stack.Category{stack.User}, AtOne, AtOnce)...)
		line := say("goroutines use up their time slices %s while others are ready to run", often(float64(f.trace.Preempted)/f.n))
		if f.running {
			line = say("goroutines load a word again and again, for %s of processor time, and give their turn up %s", ns(f.excess(stack.User)), often(float64(f.trace.Preempted+f.trace.Yields)/f.n)).at(f.lineOf(stack.User))
		}
		if h := f.hottest(instr.Load, instr.Locked, instr.Pause); h != nil {
			line = line.at(userSite(*h))
		}
		c.evidence = append(c.evidence, line)
		if x := f.beside(); x != nil {
			c.evidence = append(c.evidence, say("on %d processors it takes %s of processor time, here %s: the rest is waiting for what those that wait keep from running", x.Cell.Procs, ns(x.CPU), ns(f.new.CPU)).at(f.lineOf(stack.User)))
		}
	}
	if looks {
		c.ns += f.book.take(alone, bucket{AtOne, stack.User}) + f.book.take(more, bucket{AtOnce, stack.User})
		c.lines = f.shaped(evidence.Look)
		where, side := "", f.new
		if more == 0 && f.one != f.new {
			where, side = "on one processor ", f.one
		}
		c.evidence = append(c.evidence, say("goroutines wait by looking again and again, for %s of processor time; %sthey let others run %s", ns(alone+more), where, often(turns(side))).at(f.mostIn(evidence.Look)))
	}
	if run, on1 := f.loops(); run > 0 && !looks && !f.spins() {
		c.ns += f.book.take(run, at([]stack.Category{stack.User}, AtOne, AtOnce)...)
		c.evidence = append(c.evidence, say("lines where goroutines wait by running until their time slices are over, on one processor for %s, take %s here", ns(on1), ns(run)).at(f.lineOf(stack.User)))
	}
	if n := f.v.New.Procs; n > f.procs && !f.memoryBound() && !f.spins() {
		if more := f.inflation(stack.User, stack.Idle, stack.Switch); more > 0 {
			c.ns += f.book.take(more, slices.Concat(at([]stack.Category{stack.User, stack.Switch}, AtOnce), idles)...)
			c.evidence = append(c.evidence, say("GOMAXPROCS is %d on %d processors: threads take turns, which takes %s more of processor time than one does", n, f.procs, ns(more)))
		}
	}
	if c.ns > 0 && f.trace != nil && f.trace.RunnableWait.N > 0 {
		c.evidence = append(c.evidence, say("a goroutine that is ready waits %s for a processor on average, one in ten %s or more", ns(f.trace.RunnableWait.Mean), ns(f.trace.RunnableWait.P90)))
	}
	return c
}
