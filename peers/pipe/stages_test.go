package pipe

import (
	"sync"

	"github.com/alitto/pond/v2"
	"github.com/destel/rill"
	"github.com/reugn/go-streams/extension"
	"github.com/reugn/go-streams/flow"
	lo "github.com/samber/lo/parallel"
	"github.com/sourcegraph/conc/iter"
	"github.com/sourcegraph/conc/stream"
	"golang.org/x/sync/errgroup"
)

// The rivals over a slice, the base first.
var stagesRivals = []variant{
	{name: "serial", run: serial},
	{name: "chunked", run: chunked},
	{name: "chan-unbuffered", run: func(items []uint64) tally { return chanStages(items, 0) }},
	{name: "chan-1000", run: func(items []uint64) tally { return chanStages(items, 1000) }},
	{name: "chan-fan", unordered: true, run: chanFan},
	{name: "chan-slices", run: chanSlices},
	{name: "rill", unordered: true, run: rillMap},
	{name: "rill-ordered", run: rillOrdered},
	{name: "rill-fused", run: rillFused},
	{name: "rill-batch", run: rillBatch},
	{name: "conc-stream", run: concStream},
	{name: "conc-map", run: concMap},
	{name: "pond", run: pondGroup},
	{name: "errgroup", run: errgroupLimit},
	{name: "lo", run: loMap},
	{name: "go-streams", run: goStreams},
}

func serial(items []uint64) (t tally) {
	for _, x := range items {
		t.add(third(second(first(x))))
	}
	return t
}

// all adds up results that lie in order.
func all(results []uint64) (t tally) {
	for _, v := range results {
		t.add(v)
	}
	return t
}

func chunked(items []uint64) tally {
	results := make([]uint64, len(items))
	parts := procs()
	var wg sync.WaitGroup
	for p := range parts {
		lo, hi := len(items)*p/parts, len(items)*(p+1)/parts
		wg.Go(func() {
			for i, x := range items[lo:hi] {
				results[lo+i] = third(second(first(x)))
			}
		})
	}
	wg.Wait()
	return all(results)
}

// source sends items through a channel with so much room.
func source(items []uint64, buffer int) <-chan uint64 {
	out := make(chan uint64, buffer)
	go func() {
		defer close(out)
		for _, x := range items {
			out <- x
		}
	}()
	return out
}

// chanStage is a stage as one writes it by hand.
func chanStage(in <-chan uint64, buffer int, f func(uint64) uint64) <-chan uint64 {
	out := make(chan uint64, buffer)
	go func() {
		defer close(out)
		for x := range in {
			out <- f(x)
		}
	}()
	return out
}

func chanStages(items []uint64, buffer int) (t tally) {
	return chanSink(chanPipeline(source(items, buffer), buffer))
}

func chanPipeline(in <-chan uint64, buffer int) <-chan uint64 {
	return chanStage(chanStage(chanStage(in, buffer, first), buffer, second), buffer, third)
}

func chanSink(in <-chan uint64) (t tally) {
	for v := range in {
		t.add(v)
	}
	return t
}

// fanStage is chanStage with several workers.
func fanStage(in <-chan uint64, f func(uint64) uint64) <-chan uint64 {
	out := make(chan uint64, 1000)
	var wg sync.WaitGroup
	for range procs() {
		wg.Go(func() {
			for x := range in {
				out <- f(x)
			}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

func chanFan(items []uint64) tally {
	return chanSink(fanPipeline(source(items, 1000)))
}

func fanPipeline(in <-chan uint64) <-chan uint64 {
	return fanStage(fanStage(fanStage(in, first), second), third)
}

// A slicesFlow is a channel of slices and one through which they come back. Four may
// be under way.
type slicesFlow struct{ full, free chan []uint64 }

const batch = 256

func newSlices() slicesFlow {
	s := slicesFlow{make(chan []uint64, 2), make(chan []uint64, 4)}
	for range 4 {
		s.free <- make([]uint64, batch)
	}
	return s
}

func slicesStage(in slicesFlow, f func(uint64) uint64) slicesFlow {
	out := newSlices()
	go func() {
		defer close(out.full)
		for s := range in.full {
			r := (<-out.free)[:len(s)]
			for i, x := range s {
				r[i] = f(x)
			}
			in.free <- s[:batch]
			out.full <- r
		}
	}()
	return out
}

func slicesSink(in slicesFlow) (t tally) {
	for s := range in.full {
		for _, v := range s {
			t.add(v)
		}
		in.free <- s[:batch]
	}
	return t
}

func slicesPipeline(in slicesFlow) slicesFlow {
	return slicesStage(slicesStage(slicesStage(in, first), second), third)
}

func chanSlices(items []uint64) tally {
	in := newSlices()
	go func() {
		defer close(in.full)
		for len(items) > 0 {
			s := <-in.free
			n := copy(s, items)
			in.full <- s[:n]
			items = items[n:]
		}
	}()
	return slicesSink(slicesPipeline(in))
}

// withError makes a stage one that returns an error, as rill wants them.
func withError(f func(uint64) uint64) func(uint64) (uint64, error) {
	return func(x uint64) (uint64, error) { return f(x), nil }
}

var (
	firstErr  = withError(first)
	secondErr = withError(second)
	thirdErr  = withError(third)
)

func rillSink(in <-chan rill.Try[uint64]) (t tally) {
	// https://pkg.go.dev/github.com/destel/rill#example-ForEach-Ordered
	must(rill.ForEach(in, 1, func(v uint64) error {
		t.add(v)
		return nil
	}))
	return t
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func rillMap(items []uint64) tally {
	return rillSink(rillMaps(rill.FromSlice(items, nil)))
}

func rillMaps(in <-chan rill.Try[uint64]) <-chan rill.Try[uint64] {
	n := procs()
	return rill.Map(rill.Map(rill.Map(in, n, firstErr), n, secondErr), n, thirdErr)
}

func rillOrdered(items []uint64) tally {
	return rillSink(rillOrderedMaps(rill.FromSlice(items, nil)))
}

func rillOrderedMaps(in <-chan rill.Try[uint64]) <-chan rill.Try[uint64] {
	n := procs()
	return rill.OrderedMap(rill.OrderedMap(rill.OrderedMap(in, n, firstErr), n, secondErr), n, thirdErr)
}

func rillFused(items []uint64) tally {
	return rillSink(rillOrderedFused(rill.FromSlice(items, nil)))
}

func rillOrderedFused(in <-chan rill.Try[uint64]) <-chan rill.Try[uint64] {
	return rill.OrderedMap(in, procs(), func(x uint64) (uint64, error) { return third(second(first(x))), nil })
}

// eachOf makes a stage one for batches, in place.
func eachOf(f func(uint64) uint64) func([]uint64) ([]uint64, error) {
	return func(s []uint64) ([]uint64, error) {
		for i, x := range s {
			s[i] = f(x)
		}
		return s, nil
	}
}

func rillBatch(items []uint64) tally {
	return rillBatchSink(rillBatches(rill.Batch(rill.FromSlice(items, nil), batch, -1)))
}

func rillBatches(in <-chan rill.Try[[]uint64]) <-chan rill.Try[[]uint64] {
	n := procs()
	return rill.OrderedMap(rill.OrderedMap(rill.OrderedMap(in, n, eachOf(first)), n, eachOf(second)), n, eachOf(third))
}

func rillBatchSink(in <-chan rill.Try[[]uint64]) (t tally) {
	must(rill.ForEach(in, 1, func(s []uint64) error {
		for _, v := range s {
			t.add(v)
		}
		return nil
	}))
	return t
}

// concStream: a task is all stages of an item, its callback the sink; see
// https://pkg.go.dev/github.com/sourcegraph/conc/stream.
func concStream(items []uint64) (t tally) {
	s := stream.New().WithMaxGoroutines(procs())
	for _, x := range items {
		s.Go(func() stream.Callback {
			v := third(second(first(x)))
			return func() { t.add(v) }
		})
	}
	s.Wait()
	return t
}

func concMap(items []uint64) tally {
	return all(iter.Map(items, func(x *uint64) uint64 { return third(second(first(*x))) }))
}

func pondGroup(items []uint64) tally {
	pool := pond.NewResultPool[uint64](procs())
	group := pool.NewGroup()
	for _, x := range items {
		group.Submit(func() uint64 { return third(second(first(x))) })
	}
	results, err := group.Wait()
	must(err)
	pool.StopAndWait()
	return all(results)
}

func errgroupLimit(items []uint64) tally {
	results := make([]uint64, len(items))
	var g errgroup.Group
	g.SetLimit(procs())
	for i, x := range items {
		g.Go(func() error {
			results[i] = third(second(first(x)))
			return nil
		})
	}
	must(g.Wait())
	return all(results)
}

func loMap(items []uint64) tally {
	return all(lo.Map(items, func(x uint64, _ int) uint64 { return third(second(first(x))) }))
}

func goStreams(items []uint64) tally {
	in := make(chan any)
	go func() {
		defer close(in)
		for _, x := range items {
			in <- x
		}
	}()
	return goStreamsSink(goStreamsPipeline(in))
}

// goStreamsPipeline is as the example in the documentation of go-streams: a
// channel in, a channel out.
func goStreamsPipeline(in chan any) chan any {
	out := make(chan any)
	go extension.NewChanSource(in).
		Via(flow.NewMap(first, 1)).
		Via(flow.NewMap(second, 1)).
		Via(flow.NewMap(third, 1)).
		To(extension.NewChanSink(out))
	return out
}

func goStreamsSink(in chan any) (t tally) {
	for v := range in {
		t.add(v.(uint64))
	}
	return t
}
