package explain

import (
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/machine"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// Wants says which evidence on a verdict would change what the rules claim. What is
// asked later may depend on what came of what was asked before.
type Wants struct{ f *facts }

// Want returns what a verdict wants; false where the samples and the profile of its
// sides are not known, and nothing can be claimed.
func Want(s *measure.Series, v judge.Verdict, prices machine.Prices) (Wants, bool) {
	f := newFacts(s, v, prices)
	return Wants{f}, f != nil
}

// Blind says why nothing can be claimed of a verdict whose sides are known; "" if that
// is not so.
func (w Wants) Blind() string {
	if !w.f.blind() {
		return ""
	}
	return w.f.unseen()
}

// Traced reports whether there is a trace: without one nothing more is worth its time.
func (w Wants) Traced() bool { return w.f.trace != nil }

// Locks reports whether the profiles of locks tell something.
func (w Wants) Locks() bool {
	m := w.f.allLocks()
	return m.events > 0 || w.f.excess(m.cats...) > least*w.f.new.CPU
}

// Counters reports whether the processor's counters do.
func (w Wants) Counters() bool { return w.f.memoryBound() }

// Pages reports whether it matters how much memory an operation reaches.
func (w Wants) Pages() bool { return w.f.slowerMemory() > 0 && !w.f.runsAlone() }

// Escapes reports whether it matters why values are on the heap.
func (w Wants) Escapes() bool {
	return w.f.new.Set.Escapes == nil && w.f.excess(stack.Alloc, stack.AllocWait, stack.GC, stack.Sweep) > least*w.f.lost
}

// Sharing reports whether it matters which goroutine writes what.
func (w Wants) Sharing() bool {
	return w.f.new.Set.Sharing == nil && (w.f.mayShare() || w.f.slowerLocks()) && !w.f.runsAlone()
}

// Tied reports whether the evidence on a verdict does not tell which cause is the
// largest.
func Tied(s *measure.Series, r judge.Result, v judge.Verdict, prices machine.Prices) bool {
	x := explain(s, r, v, prices)
	return x != nil && len(x.Causes) > 0 && x.Causes[0].Tie
}
