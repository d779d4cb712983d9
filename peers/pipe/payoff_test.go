package pipe

import (
	"context"
	"math"
	"slices"

	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/pipe"
	"github.com/gopayoff/payoff/queue"
)

// beside puts ours behind the base, which is the first of the rivals.
func beside[V any](rivals []V, ours ...V) []V {
	return slices.Concat(rivals[:1], ours, rivals[1:])
}

// stages are the three stages over a source.
func stages(from pipe.Pipe[uint64]) pipe.Pipe[uint64] {
	return pipe.Map(pipe.Map(pipe.Map(from, first), second), third)
}

// forEach ends a pipeline in a tally.
func forEach(p pipe.Pipe[uint64]) (t tally) {
	must(p.ForEach(context.Background(), func(v uint64) error {
		t.add(v)
		return nil
	}))
	return t
}

// withContext makes a stage one that is given a context and returns an error.
func withContext(f func(uint64) uint64) func(context.Context, uint64) (uint64, error) {
	return func(_ context.Context, x uint64) (uint64, error) { return f(x), nil }
}

var stagesVariants = beside(stagesRivals,
	variant{name: "payoff", run: func(items []uint64) tally { return forEach(stages(pipe.Slice(items))) }},
	variant{name: "payoff-all", run: func(items []uint64) (t tally) {
		for v, err := range stages(pipe.Slice(items)).All(context.Background()) {
			must(err)
			t.add(v)
		}
		return t
	}},
	variant{name: "payoff-reduce", run: func(items []uint64) tally {
		t, err := pipe.Reduce(context.Background(), stages(pipe.Slice(items)), tally{}, func(t tally, v uint64) tally {
			t.add(v)
			return t
		})
		must(err)
		return t
	}},
	variant{name: "payoff-kept", prepare: func(items []uint64) func([]uint64) tally {
		p := stages(pipe.Slice(items))
		return func([]uint64) tally { return forEach(p) }
	}},
	variant{name: "payoff-context", run: func(items []uint64) tally {
		p := pipe.MapContext(pipe.Slice(items), withContext(first))
		return forEach(pipe.MapContext(pipe.MapContext(p, withContext(second)), withContext(third)))
	}},
	variant{name: "payoff-unordered", unordered: true, run: func(items []uint64) tally {
		return forEach(stages(pipe.Slice(items)).Unordered())
	}},
	variant{name: "payoff-par", run: func(items []uint64) tally {
		return all(par.Map(items, func(x uint64) uint64 { return third(second(first(x))) }))
	}},
)

var chanVariants = beside(chanRivals,
	variant{name: "payoff", run: func(items []uint64) tally { return forEach(stages(pipe.Chan(source(items, sourceRoom)))) }},
	variant{name: "payoff-queue", run: func(items []uint64) tally {
		q := queue.NewSPSC[uint64](max(1, sourceRoom))
		go func() {
			defer q.Close()
			for _, x := range items {
				must(q.Send(x))
			}
		}()
		return forEach(stages(pipe.Queue[uint64](q)))
	}},
)

// power is the work of the article: that of gallery/pipecpu, which keeps it to
// itself.
func power(i uint64) uint64 { return math.Float64bits(math.Pow(3.1415926, float64(i%512))) }

func plus(a, b uint64) uint64 { return a + b }

var articleVariants = beside(articleRivals,
	sumOf("payoff", func(n, _ int) uint64 {
		numbers := pipe.Map(pipe.Range(n), func(i int) uint64 { return power(uint64(i)) })
		sum, err := pipe.Fold(context.Background(), numbers, func() uint64 { return 0 }, plus, plus)
		must(err)
		return sum
	}),
	// The numbers come from a loop that only one goroutine can run, and are added up
	// in order.
	sumOf("payoff-seq", func(n, _ int) uint64 {
		numbers := pipe.Seq(func(yield func(uint64) bool) {
			for i := range uint64(n) {
				if !yield(i) {
					return
				}
			}
		})
		return forEach(pipe.Map(numbers, power)).sum
	}),
)

// liveOf runs the stages over a source of stamped items.
func liveOf(from pipe.Pipe[stamped], arrive func(stamped)) {
	must(pipe.Map(pipe.Map(pipe.Map(from, step), step), step).ForEach(context.Background(), func(s stamped) error {
		arrive(s)
		return nil
	}))
}

var lives = beside(liveRivals,
	overChan("payoff", room, func(in <-chan stamped, arrive func(stamped)) { liveOf(pipe.Chan(in), arrive) }),
	live{"payoff-queue", func() (func(stamped), func(), func(func(stamped))) {
		q := queue.NewSPSC[stamped](room)
		return func(s stamped) { must(q.Send(s)) }, q.Close, func(arrive func(stamped)) { liveOf(pipe.Queue[stamped](q), arrive) }
	}},
)

var waiters = beside(waitRivals(), waiter{name: "payoff", learns: true, run: func(items []uint64, stage func(uint64) uint64) tally {
	return forEach(pipe.Map(pipe.Map(pipe.Map(pipe.Slice(items), first), stage), third))
}})
