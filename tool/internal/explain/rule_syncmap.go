package explain

import "github.com/gopayoff/payoff/tool/internal/stack"

// concurrentMap claims what a sync.Map takes beyond the base and its maps.
func concurrentMap(f *facts) claim {
	return f.library("sync.Map", stack.SyncMap)
}
