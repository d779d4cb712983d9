package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// callsOfC claims what going to C and back takes beyond the base. What C does
// is work.
func callsOfC(f *facts) claim {
	return f.library("going to C and back", stack.Cgo)
}
