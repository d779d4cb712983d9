package pipecpu

import (
	"context"

	"github.com/gopayoff/payoff/pipe"
)

// Pipe is [Pipeline] in package pipe: the items go from stage to stage in
// batches, and raising and adding up are one stage. There is no number of
// workers to give, and no buffer.
func Pipe(n, _ int) uint64 {
	sum, err := pipe.Fold(context.Background(), pipe.Range(n), zero, addPower, plus)
	if err != nil {
		panic(err) // no stage fails, and nothing cancels the run
	}
	return sum
}

func zero() uint64                      { return 0 }
func addPower(sum uint64, i int) uint64 { return sum + power(i) }
func plus(a, b uint64) uint64           { return a + b }
