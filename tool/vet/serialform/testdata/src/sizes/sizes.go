package sizes

import "sync"

func start() {
	var wg sync.WaitGroup
	wg.Go(func() {})
	wg.Wait()
}

func sum(xs []int) int { return len(xs) }

// sumOfTwo is sum by two goroutines.
func sumOfTwo(xs []int) int { // want "sumOfTwo starts" // refuse "parts: sum has no loop that is a statement of its own"
	start()
	return sum(xs)
}

func fill(n int, by func(i int)) {
	for i := range n {
		by(i)
	}
}

func fillAtOnce(n int, by func(i int)) { // want "fillAtOnce starts"
	start()
	fill(n, by)
}

type state struct{ xs []float64 }

func (s *state) step() {
	for i := range s.xs {
		s.xs[i] /= 2
	}
}

func (s *state) stepAtOnce(workers int) { start(); s.step() } // want "stepAtOnce starts" // refuse "threshold: nothing that it takes" // refuse "parts: an iteration of state.step may use what another has in s"

func mix(seed int, xs []int) int { return seed * len(xs) }

// A seed is no size.
func mixAtOnce(seed int, xs []int) int { // want "mixAtOnce starts" // refuse "parts: mix has no loop"
	start()
	return mix(seed, xs)
}

func named(s string) int { return len(s) }

// The size may be that of a string.
func namedAtOnce(s string) int { // want "namedAtOnce starts" // refuse "parts: named has no loop"
	start()
	return named(s)
}

// A small number is no size.
func small(n int16) int16 { return n }

func smallAtOnce(n int16) int16 { start(); return small(n) } // want "smallAtOnce starts" // refuse "threshold: nothing that it takes" // refuse "parts: small has no loop"

// many is for a compiler.
//
//go:noinline
func many(xs []int) int { return len(xs) }

// manyOfTwo is for a compiler, too.
//
//go:noinline
func manyOfTwo(_ int, xs []int, _ int) int { // want "manyOfTwo starts" // refuse "parts: many has no loop that is a statement of its own"
	start()
	return len(xs)
}

func reset() {}

func resetAll(_ int) { start(); reset() } // want "resetAll starts" // refuse "threshold: nothing that it takes" // refuse "parts: reset has no loop that is a statement of its own"

// Of two that are like it, it is the one with fewer words of its own.

func TallySquares(xs []int) (n int) { return len(xs) * len(xs) }

func Tally(xs []int) int { return sum(xs) }

func TallyOfTwo(xs []int) int { start(); return sum(xs) } // want "and Tally is its serial form" // refuse "parts: Tally has no loop that is a statement of its own"

type shop struct{ rate int }

// plain adds up what is to pay.
func (s shop) plain(prices []int) int { return s.rate * len(prices) }

// inOrder has other names for what it takes.
func (s shop) inOrder(xs []int) int { return s.rate * len(xs) }

// crew adds up what is to pay, at both desks.
func (s shop) crew(prices []int) int { start(); return s.rate * len(prices) } // want "crew starts goroutines, and shop.plain is its serial form" // refuse "parts: shop.plain has no loop"

// desks has no serial form.
func (s shop) desks(xs []int, room int) int { start(); return room }
