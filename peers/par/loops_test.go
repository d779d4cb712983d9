package par

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/exascience/pargo/parallel"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/peers/internal/burn"
	lo "github.com/samber/lo/parallel"
	"github.com/sourcegraph/conc/iter"
	"golang.org/x/sync/errgroup"
)

// An item is an element that knows how much work it is.
type item struct{ x, rounds uint32 }

// do is inlined into every loop and body; an element without rounds is a nanosecond
// of work.
func (v *item) do() {
	if v.rounds == 0 {
		v.x = v.x*1664525 + 1013904223
	} else {
		v.burn()
	}
}

//go:noinline
func (v *item) burn() { v.x = uint32(burn.Rounds(uint64(v.x), int(v.rounds))) }

// newItems returns n items of so many rounds each.
func newItems(n, rounds int) []item {
	s := make([]item, n)
	for i := range s {
		s[i] = item{uint32(i), uint32(rounds)}
	}
	return s
}

// eachPart calls body for parts of [0, n) in goroutines of their own and waits.
func eachPart(n, parts int, body func(lo, hi int)) {
	var wg sync.WaitGroup
	for p := range parts {
		lo, hi := n*p/parts, n*(p+1)/parts
		if lo < hi {
			wg.Go(func() { body(lo, hi) })
		}
	}
	wg.Wait()
}

// eachPartErr is eachPart with an errgroup.
func eachPartErr(n, parts int, body func(lo, hi int)) {
	var g errgroup.Group
	for p := range parts {
		lo, hi := n*p/parts, n*(p+1)/parts
		if lo < hi {
			g.Go(func() error {
				body(lo, hi)
				return nil
			})
		}
	}
	if err := g.Wait(); err != nil {
		panic(err)
	}
}

func procs() int { return runtime.GOMAXPROCS(0) }

// doing returns a variant that does f to items, which it changes.
func doing(name string, f func(s []item)) variant[[]item, []item] {
	return variant[[]item, []item]{name: name, run: func(s []item) []item {
		f(s)
		return s
	}}
}

func doItems(s []item) {
	for i := range s {
		s[i].do()
	}
}

var forVariants = []variant[[]item, []item]{
	doing("serial", doItems),
	doing("payoff", func(s []item) { par.For(len(s), func(lo, hi int) { doItems(s[lo:hi]) }) }),
	doing("payoff-foreach", func(s []item) { par.ForEach(s, func(_ int, v *item) { v.do() }) }),
	doing("waitgroup", func(s []item) { eachPart(len(s), procs(), func(lo, hi int) { doItems(s[lo:hi]) }) }),
	doing("waitgroup-4", func(s []item) { eachPart(len(s), 4*procs(), func(lo, hi int) { doItems(s[lo:hi]) }) }),
	doing("errgroup", func(s []item) { eachPartErr(len(s), procs(), func(lo, hi int) { doItems(s[lo:hi]) }) }),
	doing("pargo", func(s []item) { parallel.Range(0, len(s), 0, func(lo, hi int) { doItems(s[lo:hi]) }) }),
	doing("conc", func(s []item) { iter.ForEachIdx(s, func(_ int, v *item) { v.do() }) }),
	{name: "lo", most: 100_000, run: func(s []item) []item {
		lo.ForEach(s, func(_ item, i int) { s[i].do() })
		return s
	}},
}

// elements are how much work an element may be, in nanoseconds.
var elements = []struct{ ns, rounds, most int }{
	{1, 0, 10_000_000},
	{10, 4, 1_000_000},
	{100, 45, 100_000},
	{1000, 455, 10_000},
	{1_000_000, 455_000, 10},
}

func items() (loads []load[[]item]) {
	for _, e := range elements {
		for n := 1; n <= e.most; n *= 10 {
			loads = append(loads, load[[]item]{
				key: fmt.Sprintf("/work=%d/n=%d", e.ns, n),
				n:   n, make: func() []item { return newItems(n, e.rounds) },
			})
		}
	}
	return loads
}

// skewed items are as the others, but one of them, a third of the way in, is a
// thousand times the work.
func skewed() (loads []load[[]item]) {
	for _, e := range elements[1:4] {
		for _, n := range []int{e.most / 10, e.most} {
			loads = append(loads, load[[]item]{
				key: fmt.Sprintf("/work=%d/n=%d", e.ns, n),
				n:   n, make: func() []item {
					s := newItems(n, e.rounds)
					s[n/3].rounds *= 1000
					return s
				},
			})
		}
	}
	return loads
}

func BenchmarkFor(b *testing.B)     { bench(b, items(), forVariants) }
func TestFor(t *testing.T)          { same(t, 10_000, 100, items(), forVariants) }
func BenchmarkForSkew(b *testing.B) { bench(b, skewed(), forVariants) }
func TestForSkew(t *testing.T)      { same(t, 10_000, 1000, skewed(), forVariants) }

func sumInts(s []int) (sum int) {
	for _, v := range s {
		sum += v
	}
	return sum
}

func add(a, b int) int { return a + b }

// sumParts adds up parts with each, one of the functions above.
func sumParts(s []int, each func(n, parts int, body func(lo, hi int))) int {
	var mu sync.Mutex
	sum := 0
	each(len(s), procs(), func(lo, hi int) {
		part := sumInts(s[lo:hi])
		mu.Lock()
		sum += part
		mu.Unlock()
	})
	return sum
}

// A sum of ints is the least there is to do, about a quarter of a nanosecond each.
var reduceVariants = []variant[[]int, int]{
	{name: "serial", run: sumInts},
	{name: "payoff", run: func(s []int) int { return par.Reduce(s, sumInts, add) }},
	{name: "waitgroup", run: func(s []int) int { return sumParts(s, eachPart) }},
	{name: "errgroup", run: func(s []int) int { return sumParts(s, eachPartErr) }},
	{name: "pargo", run: func(s []int) int {
		return parallel.RangeReduceIntSum(0, len(s), 0, func(lo, hi int) int { return sumInts(s[lo:hi]) })
	}},
}

var summands = sizes(func(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}, 1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000)

func BenchmarkReduce(b *testing.B) { bench(b, summands, reduceVariants) }
func TestReduce(t *testing.T)      { same(t, 100_000, 10_000, summands, reduceVariants) }

// work100 stands for a function of about 100 ns.
func work100(x uint32) uint64 { return burn.Rounds(uint64(x), 45) }

// Every variant allocates its result.
var mapVariants = []variant[[]uint32, []uint64]{
	{name: "serial", run: func(s []uint32) []uint64 {
		r := make([]uint64, len(s))
		for i, x := range s {
			r[i] = work100(x)
		}
		return r
	}},
	{name: "payoff", run: func(s []uint32) []uint64 { return par.Map(s, work100) }},
	{name: "waitgroup", run: func(s []uint32) []uint64 {
		r := make([]uint64, len(s))
		eachPart(len(s), procs(), func(lo, hi int) {
			for i := lo; i < hi; i++ {
				r[i] = work100(s[i])
			}
		})
		return r
	}},
	{name: "conc", run: func(s []uint32) []uint64 { return iter.Map(s, func(x *uint32) uint64 { return work100(*x) }) }},
	{name: "lo", run: func(s []uint32) []uint64 { return lo.Map(s, func(x uint32, _ int) uint64 { return work100(x) }) }},
}

var mapped = sizes(func(n int) []uint32 {
	s := make([]uint32, n)
	for i := range s {
		s[i] = uint32(i)
	}
	return s
}, 1, 10, 100, 1000, 10_000, 100_000)

func BenchmarkMap(b *testing.B) { bench(b, mapped, mapVariants) }
func TestMap(t *testing.T)      { same(t, 10_000, 1000, mapped, mapVariants) }
