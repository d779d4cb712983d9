package explain

import (
	"fmt"

	"github.com/gopayoff/payoff/tool/internal/exectrace"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// network claims what sending and receiving takes beyond the base: package net,
// its system calls, and the scheduler, which parks and wakes a goroutine for
// each message that it waits for. Processors that are idle until the other side
// answers are waiting's.
func network(f *facts) claim {
	m := f.messages()
	direct := f.excess(m.cats...)
	if direct <= 0 {
		return claim{}
	}
	c := claim{ns: f.pay(f.wants(m)), sites: f.blocked(exectrace.Net)}
	c.evidence = append(c.evidence, say("package net with its system calls takes %s of processor time per operation, %s of all; in %s %s", ns(f.new.by(stack.Net)), percent(f.new.by(stack.Net)/f.new.CPU), f.baseName(), ns(f.base.by(stack.Net))).at(f.lineOf(stack.Net)))
	if m.events > 0 {
		c.evidence = append(c.evidence, say("goroutines wait for the network %s, and are parked and woken through its poller each time", often(m.events)).at(f.mostBlocked(exectrace.Net)))
		c.price = fmt.Sprintf("%s costs %s and carries %s of work", each(m.events, "wait"), ns(c.ns/m.events), ns(f.useful/m.events))
	}
	return c
}
