package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// growingMaps claims what moving the entries of maps that grow takes beyond the
// base.
func growingMaps(f *facts) claim {
	return f.library("moving the entries of maps into larger tables", stack.MapGrow)
}
