package pool

import (
	"context"
	"slices"
	"sync"

	"github.com/gopayoff/payoff/pool"
)

// beside puts ours behind the base, which is the first of the rivals.
func beside[V any](rivals []V, ours ...V) []V {
	return slices.Concat(rivals[:1], ours, rivals[1:])
}

// background is the context of all calls.
var background = context.Background()

type none = struct{}

// doing makes do a function of a pool.
func doing(do func(i int)) func(context.Context, int) (none, error) {
	return func(_ context.Context, i int) (none, error) {
		do(i)
		return none{}, nil
	}
}

// taskFunc returns its result, where results are asked for.
func taskFunc(_ context.Context, i int) (uint64, error) { return task(i), nil }

var taskVariants = beside(taskRivals,
	each("payoff", func(n int, do func(int)) {
		p := pool.New(doing(do))
		for i := range n {
			must(p.Submit(background, i))
		}
		must(p.Close())
	}),
	// The pool is kept, and the results come from it.
	variant{name: "payoff-batch", open: func() (func([]uint64) []uint64, func()) {
		p := pool.New(taskFunc)
		return func(out []uint64) []uint64 {
			b := p.Batch(background)
			for i := range out {
				must(b.Submit(i))
			}
			results, err := b.Wait()
			must(err)
			return results
		}, func() { must(p.Close()) }
	}},
	// The pool is kept, and waited for as the examples of ants do.
	variant{name: "payoff-kept", open: func() (func([]uint64) []uint64, func()) {
		var out []uint64
		var wg sync.WaitGroup
		p := pool.New(doing(func(i int) {
			out[i] = task(i)
			wg.Done()
		}))
		return func(to []uint64) []uint64 {
			out = to
			wg.Add(len(out))
			for i := range out {
				must(p.Submit(background, i))
			}
			wg.Wait()
			return out
		}, func() { must(p.Close()) }
	}},
	each("payoff-group", func(n int, do func(int)) {
		var g pool.Group
		for i := range n {
			g.Go(func() error {
				do(i)
				return nil
			})
		}
		must(g.Wait())
	}),
)

var allVariants = beside(allRivals,
	variant{name: "payoff", open: func() (func([]uint64) []uint64, func()) {
		p := pool.New(taskFunc)
		return func(out []uint64) []uint64 {
			results, err := p.SubmitAll(background, inputs[:len(out)])
			must(err)
			return results
		}, func() { must(p.Close()) }
	}},
	over("payoff-new", func(in []int) []uint64 {
		p := pool.New(taskFunc)
		results, err := p.SubmitAll(background, in)
		must(err)
		must(p.Close())
		return results
	}),
)

var sizedPools = append(sizedRivals(), sized{name: "payoff", learns: true, open: func(do func(int)) (func(int), func(), func() int) {
	p := pool.New(doing(do))
	return func(i int) { must(p.Submit(background, i)) },
		func() { must(p.Close()) },
		func() int { return p.Stats().Workers }
}})

var articleVariants = beside(articleRivals, articleVariant{"payoff", func(do func(int)) (func(int), func()) {
	var wg sync.WaitGroup
	p := pool.New(doing(func(i int) {
		do(i)
		wg.Done()
	}))
	return func(n int) {
		wg.Add(n)
		for i := range n {
			must(p.Submit(background, i))
		}
		wg.Wait()
	}, func() { must(p.Close()) }
}})
