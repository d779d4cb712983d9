package pool_test

import (
	"context"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pool"
)

// TestCosts: calls allocate as often as the README says.
func TestCosts(t *testing.T) {
	p := pool.New(func(_ context.Context, v int) (int, error) { return v, nil })
	defer p.Close()
	own, cancel := context.WithCancel(ctx)
	defer cancel()
	ins := numbers(100)
	b := p.Batch(ctx)
	stress.Costs(t, map[string]func(){
		"`Submit`":                       func() { p.Submit(ctx, 1) },
		"`Submit` under another context": func() { p.Submit(own, 1) },
		"`Do`":                           func() { p.Do(ctx, 1) },
		"`Do` under another context":     func() { p.Do(own, 1) },
		"`SubmitAll`":                    func() { p.SubmitAll(ctx, ins) },
		"`Batch`":                        func() { p.Batch(ctx) },
		"`Batch.Submit`":                 func() { b.Submit(1) },
	})
}
