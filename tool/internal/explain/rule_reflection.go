package explain

import "github.com/gopayoff/payoff/tool/internal/cpuprof"

// reflection claims what package reflect and its users take beyond the base.
func reflection(f *facts) claim {
	return f.library(cpuprof.Reflect, "reflection (fmt, encoding/json and their like)")
}
