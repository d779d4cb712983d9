package explain

import "github.com/gopayoff/payoff/tool/internal/cpuprof"

// timers claims what setting, stopping and firing timers takes beyond the base.
func timers(f *facts) claim {
	return f.library(cpuprof.Timer, "making, setting and stopping timers")
}
