package explain

import (
	"slices"

	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/instr"
)

// oversubscription claims the time of goroutines that wait by running: more of
// them are ready than there are processors, and they take turns with the one
// that would end their wait.
func oversubscription(f *facts) claim {
	m := f.yields()
	c := claim{}
	if m.events > 0 && f.crowded() {
		c.ns = f.pay(f.wants(m))
		c.evidence = append(c.evidence, say("goroutines yield %s and find nothing changed: %s of processor time", often(m.events), ns(f.excess(cpuprof.Yield, cpuprof.Switch))).at(f.lineOf(cpuprof.Yield)))
	}
	if f.spins() {
		c.ns += f.book.take(f.excess(cpuprof.User), at([]cpuprof.Category{cpuprof.User}, AtOne, AtOnce)...)
		line := say("goroutines use up their time slices %.3g times per operation while others are ready to run", float64(f.trace.Preempted)/f.n)
		if h := f.hottest(instr.Load, instr.Locked, instr.Pause); h != nil {
			line = line.at(userSite(*h))
		}
		c.evidence = append(c.evidence, line)
	}
	if n := f.v.New.Procs; n > f.procs && !f.memoryBound() && !f.spins() {
		if more := f.inflation(cpuprof.User, cpuprof.Idle, cpuprof.Switch); more > 0 {
			c.ns += f.book.take(more, slices.Concat(at([]cpuprof.Category{cpuprof.User, cpuprof.Switch}, AtOnce), idles)...)
			c.evidence = append(c.evidence, say("GOMAXPROCS is %d on %d processors: threads take turns, which takes %s more of processor time than one does", n, f.procs, ns(more)))
		}
	}
	if c.ns > 0 && f.trace != nil && f.trace.RunnableWait.N > 0 {
		c.evidence = append(c.evidence, say("a goroutine that is ready waits %s for a processor on average, one in ten %s or more", ns(f.trace.RunnableWait.Mean), ns(f.trace.RunnableWait.P90)))
	}
	return c
}

// crowded reports whether goroutines are ready that no processor is free for:
// without, who yields or spins takes nobody's turn.
func (f *facts) crowded() bool {
	w := f.trace.RunnableWait
	return float64(w.N)*w.Mean > 0.5*f.trace.Window
}

// spins reports whether the excess of user code is goroutines that run in a
// tight loop until their time slice, 10ms, is over: what they wait for needs
// the processor they hold.
func (f *facts) spins() bool {
	const slice = 10e6
	if f.trace == nil || f.new.Set.CPU == nil || !f.crowded() {
		return false
	}
	over := f.excess(cpuprof.User) - f.spun()
	if over < least*f.new.CPU || float64(f.trace.Preempted)*slice/f.n < over/2 {
		return false
	}
	tight := 0.0
	for i, h := range f.new.Set.Hot {
		if i == 4 {
			break
		}
		switch k := h.What.Kind; {
		case h.Where.Category == cpuprof.User && (k == instr.Load || k == instr.Pause || k == instr.Locked):
			tight += h.Where.Share // it looks whether something has changed
		}
	}
	return tight > 0.5*f.new.Set.CPU.Share[cpuprof.User]
}
