package explain

import "github.com/gopayoff/payoff/tool/internal/exectrace"

// callsOfC claims what going to C and back takes beyond the base. What C does
// is work.
func callsOfC(f *facts) claim {
	m := f.foreign()
	direct := f.excess(m.cats...)
	if direct <= 0 {
		return claim{}
	}
	c := claim{ns: f.pay(f.wants(m))}
	c.evidence = append(c.evidence, say("going to C and back takes %s of processor time per operation, %s of all; in %s %s", ns(f.new.by(m.cats...)), percent(f.new.by(m.cats...)/f.new.CPU), f.baseName(), ns(f.base.by(m.cats...))).at(f.lineOf(m.cats...)))
	if m.events > 0 {
		c.evidence = append(c.evidence, say("calls of C take so long that their processor goes on without them %s", often(m.events)).at(f.mostBlocked(exectrace.Cgo)))
	}
	return c
}
