package pool

import (
	"sync"
	"sync/atomic"
	"testing"

	lo "github.com/samber/lo/parallel"
	"github.com/sourcegraph/conc/iter"

	"github.com/gopayoff/payoff/par"
)

// inputs are the numbers of the tasks, for what takes a slice.
var inputs = func() []int {
	in := make([]int, tasks)
	for i := range in {
		in[i] = i
	}
	return in
}()

// over makes a variant that has all tasks at once.
func over(name string, f func(in []int) []uint64) variant {
	return variant{name: name, run: func(out []uint64) []uint64 { return f(inputs[:len(out)]) }}
}

// Ways to do all tasks of a slice, each with a new slice of results.
var allRivals = []variant{
	over("serial", func(in []int) []uint64 {
		out := make([]uint64, len(in))
		for k, i := range in {
			out[k] = task(i)
		}
		return out
	}),
	over("chunked", func(in []int) []uint64 {
		out := make([]uint64, len(in))
		parts := procs()
		var wg sync.WaitGroup
		for p := range parts {
			lo, hi := len(in)*p/parts, len(in)*(p+1)/parts
			wg.Go(func() {
				for k := lo; k < hi; k++ {
					out[k] = task(in[k])
				}
			})
		}
		wg.Wait()
		return out
	}),
	over("atomic", func(in []int) []uint64 {
		out := make([]uint64, len(in))
		var next atomic.Int64
		var wg sync.WaitGroup
		for range procs() {
			wg.Go(func() {
				for {
					k := int(next.Add(1)) - 1
					if k >= len(in) {
						return
					}
					out[k] = task(in[k])
				}
			})
		}
		wg.Wait()
		return out
	}),
	over("conc-map", func(in []int) []uint64 { return iter.Map(in, func(i *int) uint64 { return task(*i) }) }),
	over("lo", func(in []int) []uint64 { return lo.Map(in, func(i, _ int) uint64 { return task(i) }) }),
	over("payoff-par", func(in []int) []uint64 { return par.Map(in, task) }),
}

func BenchmarkAll(b *testing.B) { bench(b, allVariants) }
func TestAll(t *testing.T)      { same(t, allVariants) }
