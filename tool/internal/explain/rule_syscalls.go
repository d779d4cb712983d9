package explain

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/figure"
)

// systemCalls claims what system calls take beyond the base, with the
// processors that goroutines leave for them.
func systemCalls(f *facts) claim {
	m := f.syscalls()
	direct := f.excess(m.cats...)
	if direct <= 0 && (f.trace == nil || f.away.Syscall == 0) {
		return claim{}
	}
	c := claim{ns: f.pay(f.wants(m)), sites: f.waited(exectrace.Syscall)}
	if f.running && InARow(f.new.Set.CPU, f.trace) > 0 {
		c.evidence = append(c.evidence, say("system calls, the network's in a row among them, take %s of processor time per operation, %s of all", ns(direct), percent(direct/f.new.CPU)).at(f.lineOf(m.cats...)),
			say("%s of them follow one of the same goroutine at the same line, and nothing waits between: if they go to one connection or file, one call can carry them", percent(f.trace.InARow())).at(f.trace.Again[0].Site))
	} else {
		c.evidence = append(c.evidence, say("system calls take %s of processor time per operation, %s of all%s", ns(f.new.by(m.cats...)), percent(f.new.by(m.cats...)/f.new.CPU), f.there(ns(f.base.by(m.cats...)))).at(f.lineOf(m.cats...)))
	}
	if f.trace != nil && f.trace.Syscalls > 0 {
		n := float64(f.trace.Syscalls) / f.n
		c.evidence = append(c.evidence, say("%s system calls per operation, %s each", figure.Count(n), ns(f.trace.Syscall/float64(f.trace.Syscalls))))
		c.price = fmt.Sprintf("each of %s system calls costs %s and carries %s of work", figure.Count(n), ns(c.ns/n), ns(f.useful/n))
	}
	return c
}
