package par

import (
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/exascience/pargo/parallel"
	"github.com/gopayoff/payoff/par"
	"golang.org/x/sync/errgroup"
)

// An input is what is sorted, again and again. Small ones are many, taken in
// turn: a processor learns the branches of a single one by heart.
type input[T any] struct {
	from [][]T
	next int
	x    []T
}

func newInput[T any](n int, fill func(r *rand.Rand, x []T)) *input[T] {
	r := newRand()
	in := &input[T]{x: make([]T, n)}
	for range max(1, 1<<14/n) {
		x := make([]T, n)
		fill(r, x)
		in.from = append(in.from, x)
	}
	return in
}

// unsorted returns a copy of the next input, valid until the next call.
func (in *input[T]) unsorted() []T {
	if in.next++; in.next >= len(in.from) {
		in.next = 0
	}
	copy(in.x, in.from[in.next])
	return in.x
}

// sorting returns a variant that sorts by f. The copy is in every variant's time.
func sorting[T any](name string, f func(x []T)) variant[*input[T], []T] {
	return variant[*input[T], []T]{name: name, run: func(in *input[T]) []T {
		x := in.unsorted()
		f(x)
		return x
	}}
}

// partition divides x, which has more than small elements, into x[:p] and x[p:],
// neither empty, such that nothing in the first is greater than anything in the
// second: Hoare's, about the median of first, middle and last.
func partition(x []int) (p int) {
	a, b, c := x[0], x[len(x)/2], x[len(x)-1]
	pivot := max(min(a, b), min(max(a, b), c))
	i, j := -1, len(x)
	for {
		for i++; x[i] < pivot; i++ {
		}
		for j--; x[j] > pivot; j-- {
		}
		if i >= j {
			return j + 1
		}
		x[i], x[j] = x[j], x[i]
	}
}

const small = 12

func insertion(x []int) {
	for i := 1; i < len(x); i++ {
		v, j := x[i], i
		for ; j > 0 && v < x[j-1]; j-- {
			x[j] = x[j-1]
		}
		x[j] = v
	}
}

func quicksortSerial(x []int) {
	if len(x) <= small {
		insertion(x)
		return
	}
	p := partition(x)
	quicksortSerial(x[:p])
	quicksortSerial(x[p:])
}

var (
	quicksort     = par.New(quicksortTask)
	quicksortJoin = par.New(quicksortTaskJoin)
)

func quicksortTask(t *par.Task[[]int, struct{}], x []int) (none struct{}) {
	if len(x) <= small {
		insertion(x)
		return
	}
	p := partition(x)
	if t.Serial() {
		quicksortTask(t, x[:p])
		quicksortTask(t, x[p:])
		return
	}
	t.Fork(x[:p], x[p:])
	return
}

func quicksortTaskJoin(t *par.Task[[]int, struct{}], x []int) (none struct{}) {
	if len(x) <= small {
		insertion(x)
		return
	}
	p := partition(x)
	t.Join(x[:p], x[p:])
	return
}

func quicksortRoot(x []int) {
	if len(x) <= small {
		insertion(x)
		return
	}
	p := partition(x)
	var wg sync.WaitGroup
	wg.Go(func() { quicksortSerial(x[:p]) })
	quicksortSerial(x[p:])
	wg.Wait()
}

func quicksortCut(x []int, cut int) {
	if len(x) <= max(small, cut) {
		quicksortSerial(x)
		return
	}
	p := partition(x)
	var wg sync.WaitGroup
	wg.Go(func() { quicksortCut(x[:p], cut) })
	quicksortCut(x[p:], cut)
	wg.Wait()
}

func quicksortErrgroup(x []int, cut int) {
	if len(x) <= cut {
		quicksortSerial(x)
		return
	}
	p := partition(x)
	var g errgroup.Group
	g.Go(func() error {
		quicksortErrgroup(x[:p], cut)
		return nil
	})
	quicksortErrgroup(x[p:], cut)
	if err := g.Wait(); err != nil {
		panic(err)
	}
}

func quicksortPargo(x []int, cut int) {
	if len(x) <= cut {
		quicksortSerial(x)
		return
	}
	p := partition(x)
	parallel.Do(
		func() { quicksortPargo(x[:p], cut) },
		func() { quicksortPargo(x[p:], cut) },
	)
}

func quicksortVariants() []variant[*input[int], []int] {
	all := sorting("goroutines-all", func(x []int) { quicksortCut(x, 0) })
	all.most = 10000
	return []variant[*input[int], []int]{
		sorting("serial", quicksortSerial),
		sorting("payoff", func(x []int) { quicksort.Call(x) }),
		sorting("payoff-join", func(x []int) { quicksortJoin.Call(x) }),
		sorting("goroutines-root", quicksortRoot),
		sorting("goroutines-cut512", func(x []int) { quicksortCut(x, 512) }),
		sorting("goroutines-cut2048", func(x []int) { quicksortCut(x, 2048) }),
		sorting("goroutines-cut8192", func(x []int) { quicksortCut(x, 8192) }),
		all,
		sorting("errgroup-cut2048", func(x []int) { quicksortErrgroup(x, 2048) }),
		sorting("pargo-cut2048", func(x []int) { quicksortPargo(x, 2048) }),
	}
}

var ints = sizes(func(n int) *input[int] {
	return newInput(n, func(r *rand.Rand, x []int) {
		for i := range x {
			x[i] = int(r.Int32())
		}
	})
}, 10, 100, 1000, 10_000, 100_000, 1_000_000)

func BenchmarkQuicksort(b *testing.B) { bench(b, ints, quicksortVariants()) }
func TestQuicksort(t *testing.T)      { same(t, 100_000, 1000, ints, quicksortVariants()) }
