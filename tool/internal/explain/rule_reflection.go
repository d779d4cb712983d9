package explain

import "github.com/gopayoff/payoff/tool/internal/cpuprof"

// reflection claims what package reflect and its users take beyond the base.
func reflection(f *facts) claim {
	return f.library(cpuprof.Reflect, "reflection (fmt, encoding/json and their like)")
}

// library claims the time of a part of the standard library beyond the base,
// with all that it calls.
func (f *facts) library(cat cpuprof.Category, what string) claim {
	c := claim{ns: f.excess(cat)}
	if c.ns <= 0 {
		return c
	}
	c.evidence = append(c.evidence, say("%s takes %s of processor time per operation, %s of all; in %s %s", what, ns(f.new.by(cat)), percent(f.new.by(cat)/f.new.CPU), f.baseName(), ns(f.base.by(cat))).at(f.lineOf(cat)))
	if f.trace != nil && f.away.Total > 0 { // what runs alone in it keeps the others idle
		c.ns += f.idle * (f.away.Serial + f.away.Imbalance) / f.away.Total * f.busyWith(f.excess(cat))
	}
	return c
}
