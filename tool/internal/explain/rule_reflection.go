package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// reflection claims what package reflect and its users take beyond the base.
func reflection(f *facts) claim {
	return f.library("reflection (fmt, encoding/json and their like)", stack.Reflect)
}
