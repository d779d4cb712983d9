package explain

import (
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// perItemRMW claims what the user's code takes on one processor beyond the
// base, where it is spent behind read-modify-writes of memory, or atomics,
// that the base does not have: it works in a register.
func perItemRMW(f *facts) claim {
	over := f.overhead(stack.User)
	if over <= 0 || !f.rmwBound() {
		return claim{}
	}
	c := claim{ns: f.book.take(over, bucket{AtOne, stack.User}), do: fit(f.shape(f.one)), lines: f.one.updated()}
	one := f.one
	c.evidence = append(c.evidence, say("on one processor already, where nothing runs at once, its own code takes %s and that of %s %s", ns(one.by(stack.User)), f.baseName(), ns(f.base.by(stack.User))))
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
