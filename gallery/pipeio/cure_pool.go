package pipeio

import (
	"context"

	"github.com/gopayoff/payoff/pool"
)

// fetches is one pool for the whole program. It has as many workers as do the
// work soonest, and none when it was not used for a second or two.
var fetches = pool.New(func(_ context.Context, item int) (uint64, error) {
	return fetch(item), nil
})

// Pool hands the items to a pool that finds its size.
func Pool(n, _ int) uint64 {
	items := make([]int, n)
	for i := range items {
		items[i] = i
	}
	answers, err := fetches.SubmitAll(context.Background(), items)
	if err != nil {
		panic(err) // no fetch fails, and nothing cancels them
	}
	var sum uint64
	for _, a := range answers {
		sum += a
	}
	return sum
}
