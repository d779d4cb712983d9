package pipe

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/alitto/pond/v2"
	"github.com/destel/rill"
	"github.com/sourcegraph/conc/iter"
	"github.com/sourcegraph/conc/stream"
	"golang.org/x/sync/errgroup"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/peers/internal/burn"
)

// A wait is a second stage that waits, for some items or for all.
type wait struct {
	name  string
	stage func(x uint64) uint64
}

// pause sleeps for 1 to 10 ms, of which the item decides.
func pause(x uint64) uint64 {
	time.Sleep(time.Millisecond + time.Duration(x%9000)*time.Microsecond)
	return second(x)
}

var waits = []wait{
	{"io1-10ms", pause},
	{"half-cpu500us-half-io1-10ms", func(x uint64) uint64 {
		const roundsIn500us = 475_000
		if x>>32%2 == 0 {
			return burn.Rounds(x, roundsIn500us)
		}
		return pause(x)
	}},
}

// A waiter is a pipeline whose second stage waits.
type waiter struct {
	name      string
	unordered bool
	// learns: how many wait at once is its own affair, and a later run knows more.
	learns bool
	run    func(items []uint64, stage func(uint64) uint64) tally
}

// waitRivals are the rivals, each with sizes that one could have picked; the base
// first.
func waitRivals() []waiter {
	all := []waiter{{name: "serial", run: func(items []uint64, stage func(uint64) uint64) (t tally) {
		for _, x := range items {
			t.add(third(stage(first(x))))
		}
		return t
	}}}
	for _, size := range []int{16, 64, 512} {
		all = slices.Concat(all, waitersOf(size))
	}
	return all
}

func waitersOf(size int) []waiter {
	named := func(name string, run func(items []uint64, stage func(uint64) uint64) tally) waiter {
		return waiter{name: fmt.Sprintf("%s-%d", name, size), run: run}
	}
	fan := named("rill", func(items []uint64, stage func(uint64) uint64) tally {
		in := rill.Map(rill.FromSlice(items, nil), 1, firstErr)
		return rillSink(rill.Map(rill.Map(in, size, withError(stage)), 1, thirdErr))
	})
	fan.unordered = true
	return []waiter{
		fan,
		named("rill-ordered", func(items []uint64, stage func(uint64) uint64) tally {
			in := rill.OrderedMap(rill.FromSlice(items, nil), 1, firstErr)
			return rillSink(rill.OrderedMap(rill.OrderedMap(in, size, withError(stage)), 1, thirdErr))
		}),
		named("conc-stream", func(items []uint64, stage func(uint64) uint64) (t tally) {
			s := stream.New().WithMaxGoroutines(size)
			for _, x := range items {
				s.Go(func() stream.Callback {
					v := third(stage(first(x)))
					return func() { t.add(v) }
				})
			}
			s.Wait()
			return t
		}),
		named("conc-map", func(items []uint64, stage func(uint64) uint64) tally {
			m := iter.Mapper[uint64, uint64]{MaxGoroutines: size}
			return all(m.Map(items, func(x *uint64) uint64 { return third(stage(first(*x))) }))
		}),
		named("pond", func(items []uint64, stage func(uint64) uint64) tally {
			pool := pond.NewResultPool[uint64](size)
			group := pool.NewGroup()
			for _, x := range items {
				group.Submit(func() uint64 { return third(stage(first(x))) })
			}
			results, err := group.Wait()
			must(err)
			pool.StopAndWait()
			return all(results)
		}),
		named("errgroup", func(items []uint64, stage func(uint64) uint64) tally {
			results := make([]uint64, len(items))
			var g errgroup.Group
			g.SetLimit(size)
			for i, x := range items {
				g.Go(func() error {
					results[i] = third(stage(first(x)))
					return nil
				})
			}
			must(g.Wait())
			return all(results)
		}),
	}
}

// One op is a run over 2,000 items. Of those that learn, first-ns is the first run, and
// ns/op is of what comes two runs later.
func BenchmarkWaits(b *testing.B) {
	items := newItems(2000)
	for _, w := range waits {
		for _, v := range waiters {
			b.Run("variant="+v.name+"/load="+w.name, func(b *testing.B) {
				rounds, heavy = 0, 0
				var first time.Duration
				if v.learns {
					start := time.Now()
					v.run(items, w.stage)
					first = time.Since(start)
					v.run(items, w.stage)
				}
				for b.Loop() {
					v.run(items, w.stage)
				}
				if v.learns {
					b.ReportMetric(float64(first), "first-ns")
				}
			})
		}
	}
}

func TestWaits(t *testing.T) {
	n := 10
	if stress.Long() {
		n = 300
	}
	rounds, heavy = 0, 0
	items := newItems(n)
	for _, w := range waits {
		want := waiters[0].run(items, w.stage)
		for _, v := range waiters[1:] {
			got := v.run(items, w.stage)
			if v.unordered {
				got.order = want.order
			}
			if got != want {
				t.Errorf("variant=%s/load=%s = %+v, want %+v", v.name, w.name, got, want)
			}
		}
	}
}
