package explain

import (
	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/instr"
)

// perItemRMW claims what the user's code takes on one processor beyond the
// base, where it is spent behind read-modify-writes of memory, or atomics,
// that the base does not have: it works in a register.
func perItemRMW(f *facts) claim {
	over := f.overhead(cpuprof.User)
	if over <= 0 || !f.rmwBound() {
		return claim{}
	}
	c := claim{ns: over}
	one := f.single()
	c.evidence = append(c.evidence, say("on one processor already, where nothing runs at once, its own code takes %s and that of %s %s", ns(one.by(cpuprof.User)), f.baseName(), ns(f.base.by(cpuprof.User))))
	if h := one.hottest(instr.Locked, instr.RMW); h != nil {
		c.evidence = append(c.evidence, say("%s of that time is behind %s: %s", percent(h.Where.Share), h.What.Text, kindWord(h.What.Kind)).at(userSite(*h)))
	}
	return c
}

func kindWord(k instr.Kind) string {
	if k == instr.Locked {
		return "an atomic read-modify-write"
	}
	return "a read-modify-write of memory"
}

// single is the side on one processor, or the best there is.
func (f *facts) single() *Side {
	if f.one != nil {
		return f.one
	}
	return f.new
}

// rmwBound reports whether the user's code on one processor spends its time
// behind read-modify-writes, and the base does not.
func (f *facts) rmwBound() bool {
	one := f.single()
	extra := one.kind(instr.Locked, instr.RMW) - f.base.kind(instr.Locked, instr.RMW)
	return extra >= 0.3*f.overhead(cpuprof.User)
}

func (f *facts) baseName() string {
	if f.v.Kind == "variant" && f.v.Base != "" {
		return f.v.Base
	}
	return "the base"
}
