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
	if f.running {
		return f.dialing()
	}
	m := f.messages()
	direct := f.excess(m.cats...)
	if direct <= 0 {
		return claim{}
	}
	c := claim{ns: f.pay(f.wants(m)), sites: f.blocked(exectrace.Net)}
	c.evidence = append(c.evidence, say("package net with its system calls takes %s of processor time per operation, %s of all; in %s %s", ns(f.new.by(m.cats...)), percent(f.new.by(m.cats...)/f.new.CPU), f.baseName(), ns(f.base.by(m.cats...))).at(f.lineOf(m.cats...)))
	if m.events > 0 {
		c.evidence = append(c.evidence, say("goroutines wait for the network %s, and are parked and woken through its poller each time", often(m.events)).at(f.mostBlocked(exectrace.Net)))
		c.price = fmt.Sprintf("%s costs %s and carries %s of work", each(m.events, "wait"), ns(c.ns/m.events), ns(f.useful/m.events))
	}
	return c
}

// dialing claims what setting up connections takes in a program that runs: what it sends
// and receives over them is its work.
func (f *facts) dialing() claim {
	c := f.library("setting up connections, with the handshakes of TLS,", stack.Dial)
	if c.ns <= 0 {
		return c
	}
	c.title, c.do = "Connections set up again and again", "Keep connections open and use them again: one client for all requests, which keeps as many idle as there are at once"
	return c
}
