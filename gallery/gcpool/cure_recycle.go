package gcpool

import "github.com/gopayoff/payoff/recycle"

var records recycle.Pool[record]

// Recycle takes the records from a recycle.Pool, which knows their type and sets
// them to zero.
func Recycle(n, workers int) int {
	return concurrently(n, workers, func(i int) int {
		r := records.Get()
		r.fill(i)
		a := answer(r)
		records.Put(r)
		return a
	})
}
