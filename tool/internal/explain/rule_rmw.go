package explain

import (
	"github.com/gopayoff/payoff/tool/internal/cpuprof"
	"github.com/gopayoff/payoff/tool/internal/instr"
	"github.com/gopayoff/payoff/tool/internal/source"
)

// perItemRMW claims what the user's code takes on one processor beyond the
// base, where it is spent behind read-modify-writes of memory, or atomics,
// that the base does not have: it works in a register.
func perItemRMW(f *facts) claim {
	over := f.overhead(cpuprof.User)
	if over <= 0 || !f.rmwBound() {
		return claim{}
	}
	c := claim{ns: f.book.take(over, bucket{AtOne, cpuprof.User}), do: fit(f.shape(f.one))}
	one := f.one
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

// rmwBound reports whether the user's code on one processor spends its time
// behind read-modify-writes, and the base does not.
func (f *facts) rmwBound() bool {
	return f.one != nil && f.one.updates()-f.base.updates() >= 0.3*f.overhead(cpuprof.User)
}

// updates is the time behind read-modify-writes. A locked one holds up what
// comes after it, so it has all of a line in which it stands out.
func (x *Side) updates() float64 {
	if x == nil || x.Set == nil {
		return 0
	}
	locked, all := map[source.Place]float64{}, map[source.Place]float64{} // by line
	plain := 0.0
	for _, h := range x.Set.Hot {
		if h.Where.Category != cpuprof.User {
			continue
		}
		l := source.Place{File: h.Where.User.File, Line: h.Where.User.Line}
		all[l] += h.Where.Share
		switch {
		case h.What.Stack:
		case h.What.Kind == instr.Locked:
			locked[l] += h.Where.Share
		case h.What.Kind == instr.RMW:
			plain += h.Where.Share
		}
	}
	total := plain
	for l, share := range locked {
		if share > all[l]/10 {
			total += all[l]
		}
	}
	return min(total, 1) * x.CPU
}

func (f *facts) baseName() string {
	if f.self {
		return "itself on one processor"
	}
	if f.v.Kind == "variant" && f.v.Base != "" {
		return f.v.Base
	}
	return "the base"
}
