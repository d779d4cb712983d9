package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// interfaceSort claims what sorting through an interface takes beyond the base.
func interfaceSort(f *facts) claim {
	return f.library("sorting through an interface, with its Less and Swap,", stack.Sort)
}
