package explain

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/figure"
)

// handoff claims what goes into channels and condition variables: their code,
// the scheduler they call, the processors idle while control passes to and fro.
func handoff(f *facts) claim {
	m := f.handovers()
	direct := f.excess(m.cats...)
	if direct <= 0 && m.events == 0 {
		return claim{} // nothing is handed over
	}
	c := claim{ns: f.pay(f.wants(m)), sites: f.blocked(exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select, exectrace.Cond)}
	what := "channel operations"
	if f.queues() {
		c.ns += f.pay(f.guarded(m))
		c.title, c.do = "Hand-offs by a condition dearer than the work", "Hand over batches instead of single items, or call the other side directly"
		what = "waits and signals of a condition, with its lock,"
	}
	if f.shows(direct) {
		c.evidence = append(c.evidence, say("%s take %s of processor time per operation, %s of all", what, ns(direct), percent(direct/f.new.CPU)).at(f.lineOf(m.cats...)))
	}
	if f.trace != nil && m.events > 0 {
		kinds := []exectrace.Kind{exectrace.ChanSend, exectrace.ChanReceive, exectrace.Select, exectrace.Cond}
		c.evidence = append(c.evidence, say("goroutines block there %s and run %s in between (median)", often(m.events), ns(f.trace.Run.Median)).at(f.mostBlocked(kinds...)))
		if h := f.away; f.procs > 1 && h.Total > 0 {
			c.evidence = append(c.evidence, say("of the idle processor time %s passes while control goes to and fro, %s while work is ready and no processor has taken it yet", percent(h.Handoff/h.Total), percent(h.Runnable/h.Total)))
		}
	}
	n := m.events
	about := ""
	if by := f.prices.HandoffSameP.NS; by > 0 && direct/by > 2*n {
		// Most operations find the buffer ready and leave no trace.
		n, about = direct/by, "about "
	}
	switch {
	case n > 0 && about != "":
		c.price = fmt.Sprintf("at %s each, the price of a hand-off here, that is the time of about %s hand-offs", ns(f.prices.HandoffSameP.NS), figure.Count(n))
	case n > 0 && f.useful > 0:
		work, price := f.useful/n, c.ns/n
		c.price = fmt.Sprintf("%s costs %s and carries %s of work", each(n, "hand-off"), ns(price), ns(work))
		if k := batch(price, work); k > 1 {
			c.price += fmt.Sprintf("; %s of them in one would bring that to a tenth", figure.Count(k))
		}
	}
	return c
}
