package pipe

import (
	"sync"
	"testing"

	"github.com/alitto/pond/v2"
	"github.com/destel/rill"
	lo "github.com/samber/lo/parallel"
	"github.com/sourcegraph/conc/iter"
	"github.com/sourcegraph/conc/stream"
	"golang.org/x/sync/errgroup"
)

// skewed is all stages with a first one in which few items outweigh the others.
func skewed(x uint64) uint64 { return third(second(firstSkewed(x))) }

// The rivals that keep the order, with a first stage that is heavy for few items.
var skewRivals = []variant{
	{name: "serial", run: func(items []uint64) (t tally) {
		for _, x := range items {
			t.add(third(second(firstSkewed(x))))
		}
		return t
	}},
	{name: "chunked", run: func(items []uint64) tally { return all(inParts(items, procs())) }},
	{name: "chunked-64", run: func(items []uint64) tally { return all(inParts(items, 64)) }},
	{name: "chan-1000", run: func(items []uint64) tally {
		return chanSink(chanStage(chanStage(chanStage(source(items, 1000), 1000, firstSkewed), 1000, second), 1000, third))
	}},
	{name: "rill-ordered", run: func(items []uint64) tally {
		n := procs()
		in := rill.OrderedMap(rill.FromSlice(items, nil), n, withError(firstSkewed))
		return rillSink(rill.OrderedMap(rill.OrderedMap(in, n, secondErr), n, thirdErr))
	}},
	{name: "rill-batch", run: func(items []uint64) tally {
		n := procs()
		in := rill.OrderedMap(rill.Batch(rill.FromSlice(items, nil), batch, -1), n, eachOf(firstSkewed))
		return rillBatchSink(rill.OrderedMap(rill.OrderedMap(in, n, eachOf(second)), n, eachOf(third)))
	}},
	{name: "conc-stream", run: func(items []uint64) (t tally) {
		s := stream.New().WithMaxGoroutines(procs())
		for _, x := range items {
			s.Go(func() stream.Callback {
				v := skewed(x)
				return func() { t.add(v) }
			})
		}
		s.Wait()
		return t
	}},
	{name: "conc-map", run: func(items []uint64) tally {
		return all(iter.Map(items, func(x *uint64) uint64 { return skewed(*x) }))
	}},
	{name: "pond", run: func(items []uint64) tally {
		pool := pond.NewResultPool[uint64](procs())
		group := pool.NewGroup()
		for _, x := range items {
			group.Submit(func() uint64 { return skewed(x) })
		}
		results, err := group.Wait()
		must(err)
		pool.StopAndWait()
		return all(results)
	}},
	{name: "errgroup", run: func(items []uint64) tally {
		results := make([]uint64, len(items))
		var g errgroup.Group
		g.SetLimit(procs())
		for i, x := range items {
			g.Go(func() error {
				results[i] = skewed(x)
				return nil
			})
		}
		must(g.Wait())
		return all(results)
	}},
	{name: "lo", run: func(items []uint64) tally {
		return all(lo.Map(items, func(x uint64, _ int) uint64 { return skewed(x) }))
	}},
}

// inParts cuts the slice into parts, which as many goroutines as processors take
// in turn.
func inParts(items []uint64, parts int) []uint64 {
	results := make([]uint64, len(items))
	next := make(chan int, parts)
	for p := range parts {
		next <- p
	}
	close(next)
	var wg sync.WaitGroup
	for range procs() {
		wg.Go(func() {
			for p := range next {
				for i := len(items) * p / parts; i < len(items)*(p+1)/parts; i++ {
					results[i] = skewed(items[i])
				}
			}
		})
	}
	wg.Wait()
	return results
}

// Light items are of about 95 ns; ten thousand are 10 ms, of which the heavy ones
// are a multiple of all others together.
func skewLoads() []load { return []load{{"/work=95", 10_000, works[1]}} }

func BenchmarkSkew(b *testing.B) { bench(b, skewLoads(), skewVariants) }
func TestSkew(t *testing.T)      { same(t, skewLoads(), skewVariants) }
