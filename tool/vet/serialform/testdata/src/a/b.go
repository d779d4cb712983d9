package a

import (
	"math"
	"math/bits"
	"sync"
)

// Squares returns the squares of numbers.
func Squares(xs []int) []int {
	out := make([]int, len(xs))
	for i, x := range xs {
		out[i] = square(x) + bits.Len(0)
	}
	return out
}

// state is that of a search, of a team of two.
type state struct {
	mu sync.Mutex
	n  int
}

// CountAll counts what holds, with the lock held.
func CountAll(xs []int, holds func(int) bool) int { // want "CountAll starts goroutines, and Count is its serial form"
	var s state
	var wg sync.WaitGroup
	wg.Go(func() { s.count(xs[:len(xs)/2], holds) })
	wg.Go(func() { s.count(xs[len(xs)/2:], holds) })
	wg.Wait()
	return s.n
}

// Count counts what holds.
func Count(xs []int, holds func(int) bool) (n int) {
	for _, x := range xs {
		if holds(x) {
			n++
		}
	}
	return n
}

func (s *state) count(xs []int, holds func(int) bool) {
	for _, x := range xs {
		if holds(x) {
			s.mu.Lock()
			s.n++
			s.mu.Unlock()
		}
	}
}

// Map returns f of each element.
func Map[T, U any](xs []T, f func(T) U) []U {
	out := make([]U, 0, min(len(xs), math.MaxInt8))
	for _, x := range xs {
		out = append(out, f(x))
	}
	return out
}

// A set has members of any type.
type set[T comparable] struct {
	members map[T]int
	most    int
}

// Sum adds what f has of each.
func (s *set[T]) Sum(all []T, f func(T) int) (n int) {
	for _, x := range all {
		n += f(x) * s.members[x]
	}
	return n
}

// SumWorkers is Sum by workers.
func (s *set[T]) SumWorkers(all []T, f func(T) int) int { // want "SumWorkers starts goroutines, and set.Sum is its serial form"
	var wg sync.WaitGroup
	sums := make([]int, max(1, min(s.most, 8)))
	for w := range sums {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := w; i < len(all); i += len(sums) {
				sums[w] += f(all[i]) * s.members[all[i]]
			}
		}()
	}
	wg.Wait()
	n := 0
	for _, x := range sums {
		n += x
	}
	return n
}

// A Mill adds up with a number of workers.
type Mill struct {
	Workers int
	Skip    int
}

// Sum adds up what is not skipped.
func (m *Mill) Sum(xs []int) int { // want "its serial form"
	sums := make([]int, max(1, min(m.Workers, 8)))
	var wg sync.WaitGroup
	for w := range sums {
		wg.Go(func() {
			for i := w; i < len(xs); i += len(sums) {
				if xs[i] != m.Skip {
					sums[w] += xs[i]
				}
			}
		})
	}
	wg.Wait()
	n := 0
	for _, sum := range sums {
		n += sum
	}
	return n
}

func (m *Mill) SumSerial(xs []int) (n int) {
	for _, x := range xs {
		if x != m.Skip {
			n += x
		}
	}
	return n
}
