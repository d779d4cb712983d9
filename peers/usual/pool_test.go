package usual

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/panjf2000/ants/v2"
	"golang.org/x/sync/errgroup"

	"github.com/gopayoff/payoff/peers/internal/burn"
	"github.com/gopayoff/payoff/pool"
)

// one computes for some ns and returns 1.
func one(ns int) int {
	if burn.Rounds(1, ns) == 0 {
		return 0
	}
	return 1
}

func pools() (all []load) {
	for _, ns := range []int{0, 1000} {
		all = append(all, load{"Group", fmt.Sprintf("/work=%d", ns), func() []variant { return groups(ns) }, 10})
	}
	return append(all, load{"Do", "/work=1000/callers=100", callers, 300})
}

// groups run four functions each time.
func groups(ns int) []variant {
	type group interface {
		Go(f func() error)
		Wait() error
	}
	four := func(g group) int {
		var sum atomic.Int64
		for range 4 {
			g.Go(func() error {
				sum.Add(int64(one(ns)))
				return nil
			})
		}
		if g.Wait() != nil {
			return -1
		}
		return int(sum.Load())
	}
	each := func(f func() int) func(n int) int {
		return func(n int) (sum int) {
			for range n {
				sum += f()
			}
			return sum
		}
	}
	return []variant{
		{name: "errgroup", do: each(func() int { return four(new(errgroup.Group)) })},
		{name: "loop", do: each(func() (sum int) {
			for range 4 {
				sum += one(ns)
			}
			return sum
		})},
		{name: "payoff", do: each(func() int { return four(new(pool.Group)) })},
	}
}

// callers are 100 goroutines, which share n calls.
func callers() []variant {
	const many, ns = 100, 1000
	share := func(n int, call func() int) int {
		var left, sum atomic.Int64
		left.Store(int64(n))
		var wg sync.WaitGroup
		for range many {
			wg.Go(func() {
				mine := 0
				for left.Add(-1) >= 0 {
					mine += call()
				}
				sum.Add(int64(mine))
			})
		}
		wg.Wait()
		return int(sum.Load())
	}
	return []variant{
		{name: "semaphore", do: func(n int) int {
			turns := make(chan struct{}, runtime.GOMAXPROCS(0))
			return share(n, func() int {
				turns <- struct{}{}
				defer func() { <-turns }()
				return one(ns)
			})
		}},
		{name: "ants", do: func(n int) int {
			p, err := ants.NewPool(runtime.GOMAXPROCS(0))
			if err != nil {
				panic(err)
			}
			defer p.Release()
			return share(n, func() int {
				done := make(chan int, 1)
				if err := p.Submit(func() { done <- one(ns) }); err != nil {
					panic(err)
				}
				return <-done
			})
		}},
		{name: "payoff", do: func(n int) int {
			p := pool.New(func(context.Context, struct{}) (int, error) { return one(ns), nil })
			defer p.Close()
			ctx := context.Background()
			return share(n, func() int {
				v, err := p.Do(ctx, struct{}{})
				if err != nil {
					panic(err)
				}
				return v
			})
		}},
	}
}
