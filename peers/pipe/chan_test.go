package pipe

import (
	"testing"

	"github.com/alitto/pond/v2"
	"github.com/destel/rill"
	"github.com/sourcegraph/conc/stream"
)

// room is that of the channel which is the source, as in the article that the
// gallery's pipelines are from; sourceRoom is that of the load.
const room = 1000

var sourceRoom = room

// The rivals over a channel that somebody else fills. The base is the loop over
// the channel.
var chanRivals = []variant{
	{name: "serial", run: func(items []uint64) (t tally) {
		for x := range source(items, sourceRoom) {
			t.add(third(second(first(x))))
		}
		return t
	}},
	{name: "chan-unbuffered", run: func(items []uint64) tally { return chanSink(chanPipeline(source(items, sourceRoom), 0)) }},
	{name: "chan-1000", run: func(items []uint64) tally { return chanSink(chanPipeline(source(items, sourceRoom), 1000)) }},
	{name: "chan-fan", unordered: true, run: func(items []uint64) tally { return chanSink(fanPipeline(source(items, sourceRoom))) }},
	{name: "chan-slices", run: func(items []uint64) tally { return slicesSink(slicesPipeline(gather(source(items, sourceRoom)))) }},
	{name: "rill", unordered: true, run: func(items []uint64) tally {
		return rillSink(rillMaps(rill.FromChan(source(items, sourceRoom), nil)))
	}},
	{name: "rill-ordered", run: func(items []uint64) tally {
		return rillSink(rillOrderedMaps(rill.FromChan(source(items, sourceRoom), nil)))
	}},
	{name: "rill-fused", run: func(items []uint64) tally {
		return rillSink(rillOrderedFused(rill.FromChan(source(items, sourceRoom), nil)))
	}},
	{name: "rill-batch", run: func(items []uint64) tally {
		return rillBatchSink(rillBatches(rill.Batch(rill.FromChan(source(items, sourceRoom), nil), batch, rillTimeout)))
	}},
	{name: "conc-stream", run: func(items []uint64) (t tally) {
		s := stream.New().WithMaxGoroutines(procs())
		for x := range source(items, sourceRoom) {
			s.Go(func() stream.Callback {
				v := third(second(first(x)))
				return func() { t.add(v) }
			})
		}
		s.Wait()
		return t
	}},
	{name: "pond", run: func(items []uint64) tally {
		pool := pond.NewResultPool[uint64](procs())
		group := pool.NewGroup()
		for x := range source(items, sourceRoom) {
			group.Submit(func() uint64 { return third(second(first(x))) })
		}
		results, err := group.Wait()
		must(err)
		pool.StopAndWait()
		return all(results)
	}},
	{name: "go-streams", run: func(items []uint64) tally {
		in := make(chan any, sourceRoom)
		go func() {
			defer close(in)
			for _, x := range items {
				in <- x
			}
		}()
		return goStreamsSink(goStreamsPipeline(in))
	}},
}

// gather makes slices of what a channel has: it waits for one item, and takes what
// else is there without waiting.
func gather(in <-chan uint64) slicesFlow {
	out := newSlices()
	go func() {
		defer close(out.full)
		for x := range in {
			s := append((<-out.free)[:0], x)
		more:
			for len(s) < batch {
				select {
				case y, ok := <-in:
					if !ok {
						break more
					}
					s = append(s, y)
				default:
					break more
				}
			}
			out.full <- s
		}
	}()
	return out
}

func chanLoads() []load {
	loads := stagesLoads()[:3]
	alone := loads[1]
	alone.key, alone.unbuffered = "/room=0"+alone.key, true
	return append(loads, alone)
}

func BenchmarkChan(b *testing.B) { bench(b, chanLoads(), chanVariants) }
func TestChan(t *testing.T)      { same(t, chanLoads(), chanVariants) }
