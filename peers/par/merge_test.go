package par

import (
	"sync"
	"testing"

	"github.com/exascience/pargo/parallel"
	"github.com/gopayoff/payoff/par"
	"golang.org/x/sync/errgroup"
)

// Merge sort is the example of "Thinking concurrency is always faster"
// (https://100go.co/56-concurrency-faster/), by which many learn that a goroutine
// for each half loses to the serial program, and that a threshold mends it. The
// algorithm is the article's; v1 and v2 are what it calls so.
func mergeSerial(x []int) {
	if len(x) <= 1 {
		return
	}
	mid := len(x) / 2
	mergeSerial(x[:mid])
	mergeSerial(x[mid:])
	merge(x, mid)
}

// merge merges x[:mid] and x[mid:]. It allocates each time, as the article does.
func merge(x []int, mid int) {
	from := make([]int, len(x))
	copy(from, x)
	a, b := from[:mid], from[mid:]
	for i := range x {
		if len(b) == 0 || len(a) > 0 && a[0] <= b[0] {
			x[i], a = a[0], a[1:]
		} else {
			x[i], b = b[0], b[1:]
		}
	}
}

var (
	mergeSort     = par.New(mergeTask)
	mergeSortJoin = par.New(mergeTaskJoin)
)

func mergeTask(t *par.Task[[]int, struct{}], x []int) (none struct{}) {
	if len(x) <= 1 {
		return
	}
	mid := len(x) / 2
	if t.Serial() {
		mergeTask(t, x[:mid])
		mergeTask(t, x[mid:])
	} else {
		t.Fork(x[:mid], x[mid:])
	}
	merge(x, mid)
	return
}

func mergeTaskJoin(t *par.Task[[]int, struct{}], x []int) (none struct{}) {
	if len(x) <= 1 {
		return
	}
	mid := len(x) / 2
	t.Join(x[:mid], x[mid:])
	merge(x, mid)
	return
}

// mergeV1 has a goroutine for each half of each half.
func mergeV1(x []int) {
	if len(x) <= 1 {
		return
	}
	mid := len(x) / 2
	var wg sync.WaitGroup
	wg.Go(func() { mergeV1(x[:mid]) })
	wg.Go(func() { mergeV1(x[mid:]) })
	wg.Wait()
	merge(x, mid)
}

// mergeV2 has them where there are more than cut elements.
func mergeV2(x []int, cut int) {
	if len(x) <= max(1, cut) {
		mergeSerial(x)
		return
	}
	mid := len(x) / 2
	var wg sync.WaitGroup
	wg.Go(func() { mergeV2(x[:mid], cut) })
	wg.Go(func() { mergeV2(x[mid:], cut) })
	wg.Wait()
	merge(x, mid)
}

func mergeErrgroup(x []int, cut int) {
	if len(x) <= cut {
		mergeSerial(x)
		return
	}
	mid := len(x) / 2
	var g errgroup.Group
	g.Go(func() error {
		mergeErrgroup(x[:mid], cut)
		return nil
	})
	g.Go(func() error {
		mergeErrgroup(x[mid:], cut)
		return nil
	})
	if err := g.Wait(); err != nil {
		panic(err)
	}
	merge(x, mid)
}

func mergePargo(x []int, cut int) {
	if len(x) <= cut {
		mergeSerial(x)
		return
	}
	mid := len(x) / 2
	parallel.Do(
		func() { mergePargo(x[:mid], cut) },
		func() { mergePargo(x[mid:], cut) },
	)
	merge(x, mid)
}

func mergeVariants() []variant[*input[int], []int] {
	v1 := sorting("v1", mergeV1)
	v1.most = 10000
	return []variant[*input[int], []int]{
		sorting("serial", mergeSerial),
		sorting("payoff", func(x []int) { mergeSort.Call(x) }),
		sorting("payoff-join", func(x []int) { mergeSortJoin.Call(x) }),
		v1,
		sorting("v2-cut512", func(x []int) { mergeV2(x, 512) }),
		sorting("v2-cut2048", func(x []int) { mergeV2(x, 2048) }),
		sorting("v2-cut8192", func(x []int) { mergeV2(x, 8192) }),
		sorting("v2-quarter", func(x []int) { mergeV2(x, len(x)/4) }),
		sorting("errgroup-cut2048", func(x []int) { mergeErrgroup(x, 2048) }),
		sorting("pargo-cut2048", func(x []int) { mergePargo(x, 2048) }),
	}
}

func BenchmarkMerge(b *testing.B) { bench(b, ints, mergeVariants()) }
func TestMerge(t *testing.T)      { same(t, 100_000, 1000, ints, mergeVariants()) }
