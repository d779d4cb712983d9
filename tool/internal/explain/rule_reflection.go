package explain

import "github.com/gopayoff/payoff/tool/internal/cpuprof"

// reflection claims what package reflect and its users take beyond the base.
func reflection(f *facts) claim {
	return f.library(cpuprof.Reflect, "reflection (fmt, encoding/json and their like)")
}

// library claims the time of a part of the standard library beyond the base,
// with all that it calls.
func (f *facts) library(cat cpuprof.Category, what string) claim {
	direct := f.excess(cat)
	if direct <= 0 {
		return claim{}
	}
	c := claim{ns: f.book.take(direct, at([]cpuprof.Category{cat}, AtOne, AtOnce)...)}
	c.ns += f.pay(f.idleBeside(direct)) // what runs alone in it keeps the others idle
	c.evidence = append(c.evidence, say("%s takes %s of processor time per operation, %s of all; in %s %s", what, ns(f.new.by(cat)), percent(f.new.by(cat)/f.new.CPU), f.baseName(), ns(f.base.by(cat))).at(f.lineOf(cat)))
	return c
}
