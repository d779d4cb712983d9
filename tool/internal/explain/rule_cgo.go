package explain

import "github.com/gopayoff/payoff/tool/internal/cpuprof"

// callsOfC claims what going to C and back takes beyond the base. What C does
// is work.
func callsOfC(f *facts) claim {
	return f.library(cpuprof.Cgo, "going to C and back")
}
