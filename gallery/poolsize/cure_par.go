package poolsize

import "github.com/gopayoff/payoff/par"

// Par has no pool: package par shares a loop that computes, where that pays. It
// is not for items that wait.
func Par(w *work, n, _ int) uint64 {
	return par.ReduceN(n, func(lo, hi int) uint64 {
		var sum uint64
		for i := lo; i < hi; i++ {
			sum += w.do(i)
		}
		return sum
	}, func(a, b uint64) uint64 { return a + b })
}
