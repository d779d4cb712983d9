package explain

import (
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// concurrentMap claims what a sync.Map takes beyond the base and its maps. Beside itself
// on fewer processors a benchmark has it on both sides: what it takes more of there is
// sharing, which another map would have as well.
func concurrentMap(f *facts) claim {
	if f.v.Kind == measure.Scaling {
		return claim{}
	}
	return f.library("sync.Map", stack.SyncMap)
}
