package pipe_test

import (
	"context"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pipe"
)

// TestCosts: calls allocate as often as the README says.
func TestCosts(t *testing.T) {
	ctx := context.Background()
	in := make([]int, 100)
	next := func(v int) int { return v + 1 }
	odd := func(v int) bool { return v%2 == 1 }
	try := func(_ context.Context, v int) (int, error) { return v, nil }
	run := func(p pipe.Pipe[int]) { p.Drain(ctx) }
	stress.Costs(t, map[string]func(){
		"`Slice` and `Drain`":           func() { run(pipe.Slice(in)) },
		"with a `Map`":                  func() { run(pipe.Map(pipe.Slice(in), next)) },
		"with a `MapContext`":           func() { run(pipe.MapContext(pipe.Slice(in), try)) },
		"with two `Map` and a `Filter`": func() { run(pipe.Filter(pipe.Map(pipe.Map(pipe.Slice(in), next), next), odd)) },
		"`All` in the place of `Drain`": func() {
			for range pipe.Slice(in).All(ctx) {
			}
		},
	})
}
