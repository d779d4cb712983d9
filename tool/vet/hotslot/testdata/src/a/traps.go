package a

import (
	"sync"
	tick "sync/atomic"
)

// shadows has another sums in the loop, and a sum around it.
func shadows(xs [][]int, n int) int {
	sums := make([]int, n)
	sum := 0
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs[w] {
				{
					sums := []int{x}
					sums[0]++
				}
				sums[w] += x // want `sums\[w\] is updated`
			}
		})
	}
	wg.Wait()
	return sum + sums[0]
}

// twice has two loops in one block, each with a variable.
func twice(xs []int, n int) int {
	sums := make([]int, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			for _, x := range xs {
				sums[w] += x // want `sums\[w\] is updated`
			}
			for i := range 10 {
				sums[w] -= i // want `sums\[w\] is updated`
			}
		})
	}
	wg.Wait()
	return sums[0]
}

// renamed knows package atomic by another name.
func renamed(xs []int) (total uint32) {
	var ns [2]uint32
	var wg sync.WaitGroup
	for w := range ns {
		wg.Go(func() {
			for range xs {
				tick.AddUint32(&ns[w], ^uint32(0)) // want `ns\[w\] is updated atomically`
			}
		})
	}
	wg.Wait()
	return ns[0] + ns[1]
}

// comments stay where they are.
func comments(xs []int, n int) int {
	sums := make([]int, n) // one for each
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			// All of them.
			for _, x := range xs /* given */ {
				// Only the small ones.
				if x < 10 {
					sums[w] /* slot */ += x // want `sums\[w\] is updated`
				}
			} // done
		})
	}
	wg.Wait()
	return sums[0]
}

// parens and pointers name one place in two ways.
func parens(n int) int {
	type acc struct{ n int }
	accs := make([]acc, n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() {
			p := &accs[w]
			for i := range 100 {
				p.n += i // want `p.n is updated`
				(p).n++
				(*p).n--
			}
		})
	}
	wg.Wait()
	return accs[0].n
}

type set[T comparable] struct{ n, dups int }

func (s *set[T]) add(xs []T, x T) {
	for _, y := range xs {
		if x == y {
			s.dups++ // want `s.dups is updated`
		}
	}
}

func generic(xs []string, n int) int {
	sets := make([]set[string], n)
	var wg sync.WaitGroup
	for w := range n {
		wg.Go(func() { sets[w].add(xs, "x") })
	}
	wg.Wait()
	return sets[0].dups
}

type cell struct{ n float64 }

func newCell(n int) *cell {
	c := &cell{n: float64(n)}
	return c
}

func aCell(ok bool) *cell {
	if !ok {
		return nil
	}
	return &cell{}
}

// There may be no cell where the loop does not run.
func cells(xs []float64) {
	var wg sync.WaitGroup
	for w := range 2 {
		wg.Go(func() {
			c, d := newCell(w), aCell(w == 0)
			for _, x := range xs[w:] {
				c.n += x // want `c.n is updated`
			}
			for _, x := range xs[w:] {
				d.n += x // want `d.n is updated` // refuse `local: d.n may not be there where the loop does not run`
			}
		})
	}
	wg.Wait()
}
