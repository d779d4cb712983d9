package par

import (
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/peers/internal/burn"
)

// A request is what each of many goroutines calls for: a tree to sum or items to
// go through, which all share and none changes.
type request struct {
	tree  tree
	items []item
}

// sumItems burns for each item and adds up; the items stay as they are.
func sumItems(s []item) (sum uint64) {
	for i := range s {
		sum += burn.Rounds(uint64(s[i].x), int(s[i].rounds))
	}
	return sum
}

// serverVariants are, by kind of request, what one has who looks for speed in a
// single call. The thresholds are those that suit a lone caller: 2048 nodes as in
// the article that Merge is from, and 500 items of 100 ns.
var serverVariants = map[string][]variant[request, int]{
	"tree": {
		{name: "serial", run: func(r request) int { return sumSerial(r.tree.root) }},
		{name: "payoff", run: func(r request) int { return treeSum.Call(r.tree.root) }},
		{name: "goroutines-cut", run: func(r request) int { return sumCut(r.tree.root, r.tree.nodes, 2048) }},
	},
	"for": {
		{name: "serial", run: func(r request) int { return int(sumItems(r.items)) }},
		{name: "payoff", run: func(r request) int {
			var sum atomic.Uint64
			par.For(len(r.items), func(lo, hi int) { sum.Add(sumItems(r.items[lo:hi])) })
			return int(sum.Load())
		}},
		{name: "goroutines-cut", run: func(r request) int {
			if len(r.items) < 500 {
				return int(sumItems(r.items))
			}
			var sum atomic.Uint64
			eachPart(len(r.items), procs(), func(lo, hi int) { sum.Add(sumItems(r.items[lo:hi])) })
			return int(sum.Load())
		}},
	},
}

// requests take about work nanoseconds in a serial program.
var requests = []struct {
	kind string
	work int
	make func() request
}{
	{"tree", 1000, func() request { return request{tree: tree{newTree(511), 511}} }},
	{"tree", 10_000, func() request { return request{tree: tree{newTree(4095), 4095}} }},
	{"tree", 100_000, func() request { return request{tree: tree{newTree(32767), 32767}} }},
	{"tree", 1_000_000, func() request { return request{tree: tree{newTree(262143), 262143}} }},
	{"for", 1000, func() request { return request{items: newItems(10, 45)} }},
	{"for", 10_000, func() request { return request{items: newItems(100, 45)} }},
	{"for", 100_000, func() request { return request{items: newItems(1000, 45)} }},
	{"for", 1_000_000, func() request { return request{items: newItems(10_000, 45)} }},
}

// serve lets goroutines make calls calls, all at once, and returns how long each
// took, and an error if one returned anything but want. Each goroutine makes its
// share; begin is called right before they start.
func serve(goroutines, calls int, begin func(), call func() int, want int) ([]time.Duration, error) {
	latencies := make([]time.Duration, calls)
	wrong := make(chan int, goroutines) // the first of each goroutine, which then ends
	start := make(chan bool)
	var ready, done sync.WaitGroup
	for g := range goroutines {
		mine := latencies[calls*g/goroutines : calls*(g+1)/goroutines]
		ready.Add(1)
		done.Go(func() {
			ready.Done()
			<-start
			for i := range mine {
				from := time.Now()
				got := call()
				mine[i] = time.Since(from)
				if got != want {
					wrong <- got
					return
				}
			}
		})
	}
	ready.Wait()
	begin()
	close(start)
	done.Wait()
	if len(wrong) > 0 {
		return nil, fmt.Errorf("a call returned %d, want %d", <-wrong, want)
	}
	return latencies, nil
}

// One op is one call, so that ns/op is the inverse of the throughput; p50-ns and
// p99-ns are of the time from a caller's view. Each goroutine makes two calls at
// least, however few are asked for. The clock takes less than 0.1 µs of each.
func BenchmarkServer(b *testing.B) {
	for _, q := range requests {
		for _, goroutines := range []int{1, 2, 10, 1000} {
			var r request
			for _, v := range serverVariants[q.kind] {
				b.Run(fmt.Sprintf("variant=%s/kind=%s/work=%d/goroutines=%d", v.name, q.kind, q.work, goroutines), func(b *testing.B) {
					if r.tree.root == nil && r.items == nil {
						r = q.make()
					}
					want := v.run(r)
					runtime.GC()
					calls := max(b.N, 2*goroutines)
					latencies, err := serve(goroutines, calls, b.ResetTimer, func() int { return v.run(r) }, want)
					b.StopTimer()
					if err != nil {
						b.Fatal(err)
					}
					slices.Sort(latencies)
					if calls > b.N {
						b.ReportMetric(float64(b.Elapsed())/float64(calls), "ns/op")
					}
					b.ReportMetric(float64(latencies[calls/2]), "p50-ns")
					b.ReportMetric(float64(latencies[calls*99/100]), "p99-ns")
				})
			}
		}
	}
}

func TestServer(t *testing.T) {
	for _, q := range requests {
		if q.work > 100_000 || !stress.Long() && q.work > 10_000 {
			continue
		}
		r := q.make()
		vs := serverVariants[q.kind]
		want := vs[0].run(r)
		for _, v := range vs {
			for _, goroutines := range []int{1, 2, 100} {
				calls := 2*goroutines + 1
				var made atomic.Int64
				latencies, err := serve(goroutines, calls, func() {}, func() int {
					made.Add(1)
					return v.run(r)
				}, want)
				name := fmt.Sprintf("variant=%s/kind=%s/work=%d/goroutines=%d", v.name, q.kind, q.work, goroutines)
				if err != nil {
					t.Errorf("%s: %v", name, err)
					continue
				}
				if got := int(made.Load()); got != calls {
					t.Errorf("%s: %d calls, want %d", name, got, calls)
				}
				if len(latencies) != calls {
					t.Errorf("%s: %d latencies, want %d", name, len(latencies), calls)
				}
			}
		}
	}
}
