package par

import (
	"sync"
	"testing"

	"github.com/exascience/pargo/parallel"
	"github.com/gopayoff/payoff/par"
	"golang.org/x/sync/errgroup"
)

// Fibonacci numbers the slow way are the benchmark of Cilk (Frigo, Leiserson and
// Randall, PLDI 1998) and of nearly every library for fork and join since.
func fibSerial(n int) int {
	if n < 2 {
		return n
	}
	return fibSerial(n-1) + fibSerial(n-2)
}

var (
	fib     = par.New(fibTask)
	fibJoin = par.New(fibTaskJoin)
)

func fibTask(t *par.Task[int, int], n int) int {
	if n < 2 {
		return n
	}
	if t.Serial() {
		return fibTask(t, n-1) + fibTask(t, n-2)
	}
	a, b := t.Fork(n-1, n-2)
	return a + b
}

func fibTaskJoin(t *par.Task[int, int], n int) int {
	if n < 2 {
		return n
	}
	a, b := t.Join(n-1, n-2)
	return a + b
}

func fibRoot(n int) int {
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = fibSerial(n - 1) })
	b := fibSerial(n - 2)
	wg.Wait()
	return a + b
}

func fibCut(n, cut int) int {
	if n < cut {
		return fibSerial(n)
	}
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = fibCut(n-1, cut) })
	b := fibCut(n-2, cut)
	wg.Wait()
	return a + b
}

func fibErrgroup(n, cut int) int {
	if n < cut {
		return fibSerial(n)
	}
	var a int
	var g errgroup.Group
	g.Go(func() error {
		a = fibErrgroup(n-1, cut)
		return nil
	})
	b := fibErrgroup(n-2, cut)
	if err := g.Wait(); err != nil {
		panic(err)
	}
	return a + b
}

func fibPargo(n, cut int) int {
	if n < cut {
		return fibSerial(n)
	}
	var a, b int
	parallel.Do(
		func() { a = fibPargo(n-1, cut) },
		func() { b = fibPargo(n-2, cut) },
	)
	return a + b
}

var fibVariants = []variant[int, int]{
	{name: "serial", run: fibSerial},
	{name: "payoff", run: fib.Call},
	{name: "payoff-join", run: fibJoin.Call},
	{name: "goroutines-root", run: fibRoot},
	{name: "goroutines-cut15", run: func(n int) int { return fibCut(n, 15) }},
	{name: "goroutines-cut20", run: func(n int) int { return fibCut(n, 20) }},
	{name: "goroutines-cut25", run: func(n int) int { return fibCut(n, 25) }},
	{name: "goroutines-all", run: func(n int) int { return fibCut(n, 2) }, most: 20},
	{name: "errgroup-cut20", run: func(n int) int { return fibErrgroup(n, 20) }},
	{name: "pargo-cut20", run: func(n int) int { return fibPargo(n, 20) }},
}

var fibs = sizes(func(n int) int { return n }, 5, 10, 20, 25, 30, 35)

func BenchmarkFib(b *testing.B) { bench(b, fibs, fibVariants) }
func TestFib(t *testing.T)      { same(t, 30, 20, fibs, fibVariants) }
