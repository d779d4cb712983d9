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
			ownSum := sums[w]
			for _, x := range xs[w] {
				{
					sums := []int{x}
					sums[0]++
				}
				ownSum += x // want `sums\[w\] is updated`
			}
			sums[w] = ownSum
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
			sum := sums[w]
			for _, x := range xs {
				sum += x // want `sums\[w\] is updated`
			}
			sums[w] = sum
			ownSum := sums[w]
			for i := range 10 {
				ownSum -= i // want `sums\[w\] is updated`
			}
			sums[w] = ownSum
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
			var slot uint32
			for range xs {
				slot += ^uint32(0) // want `ns\[w\] is updated atomically`
			}
			tick.AddUint32(&ns[w], slot)
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
			sum := sums[w]
			for _, x := range xs /* given */ {
				// Only the small ones.
				if x < 10 {
					sum /* slot */ += x // want `sums\[w\] is updated`
				}
			}
			sums[w] = sum // done
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
			ownN := p.n
			for i := range 100 {
				ownN += i // want `p.n is updated`
				ownN++
				ownN--
			}
			p.n = ownN
		})
	}
	wg.Wait()
	return accs[0].n
}

type set[T comparable] struct{ n, dups int }

func (s *set[T]) add(xs []T, x T) {
	dups := s.dups
	for _, y := range xs {
		if x == y {
			dups++ // want `s.dups is updated` // refuse `pad: the slots are not made in the function`
		}
	}
	s.dups = dups
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
