package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// timers claims what setting, stopping and firing timers takes beyond the base.
func timers(f *facts) claim {
	return f.library(stack.Timer, "making, setting and stopping timers")
}
