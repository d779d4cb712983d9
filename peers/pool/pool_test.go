package pool

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/peers/internal/burn"
)

func TestMain(m *testing.M) {
	if isServer() {
		serve()
		return
	}
	m.Run()
}

// rounds is how much work a task is. It is no argument, so that a task takes its
// input and nothing else.
var rounds int

// task is what all pools are given, as a function of the task's number.
//
//go:noinline
func task(i int) uint64 {
	if rounds == 0 {
		return uint64(i)*5 + 1
	}
	return burn.Rounds(uint64(i), rounds)
}

// A work is what a task does.
type work struct{ ns, rounds int }

var works = []work{{0, 0}, {100, 95}, {1000, 940}, {10_000, 9400}}

// tasks is how many of them an op submits.
const tasks = 10_000

// A variant lets a pool do tasks. The first of a list is the base.
type variant struct {
	name string
	// run does task(i) for each index of out and puts the result there, or into a
	// slice of its own.
	run func(out []uint64) []uint64
	// open, where not nil, makes run, for a pool that outlives an op.
	open func() (run func(out []uint64) []uint64, close func())
}

func (v variant) ready() (run func(out []uint64) []uint64, close func()) {
	if v.open != nil {
		return v.open()
	}
	return v.run, func() {}
}

// each makes a variant that submits tasks one by one; all puts them.
func each(name string, f func(n int, do func(i int))) variant {
	return variant{name: name, run: func(out []uint64) []uint64 {
		f(len(out), func(i int) { out[i] = task(i) })
		return out
	}}
}

// bench measures the variants with each work. One op is a run of all tasks.
func bench(b *testing.B, variants []variant) {
	for _, w := range works {
		for _, v := range variants {
			b.Run(fmt.Sprintf("variant=%s/work=%d", v.name, w.ns), func(b *testing.B) {
				rounds = w.rounds
				out := make([]uint64, tasks)
				run, close := v.ready()
				runtime.GC()
				for b.Loop() {
					run(out)
				}
				close()
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/tasks, "ns/task")
			})
		}
	}
}

// same tests that every variant does each task, and does it once: what it leaves
// of the one before would be seen.
func same(t *testing.T, variants []variant) {
	t.Helper()
	sizes := []int{0, 1, 2, 1001}
	if stress.Long() {
		sizes = append(sizes, tasks)
	}
	for _, w := range works[:3] {
		rounds = w.rounds
		for _, n := range sizes {
			want := slices.Clone(variants[0].run(make([]uint64, n)))
			for _, v := range variants[1:] {
				run, close := v.ready()
				for range 3 {
					if got := run(make([]uint64, n)); len(got)+len(want) > 0 && !reflect.DeepEqual(got, want) {
						t.Errorf("variant=%s/work=%d, %d tasks: results differ from those of the loop", v.name, w.ns, n)
					}
				}
				close()
			}
		}
	}
}

func procs() int { return runtime.GOMAXPROCS(0) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}
