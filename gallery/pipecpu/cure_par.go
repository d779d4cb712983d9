package pipecpu

import "github.com/gopayoff/payoff/par"

// Par is [Partitioned] in package par, which cuts the items while it works on
// them, as finely as pays. Where there is one processor it does not.
func Par(n, _ int) uint64 {
	return par.ReduceN(n, sumRange, plus)
}
