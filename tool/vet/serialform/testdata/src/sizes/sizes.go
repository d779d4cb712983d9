package sizes

import "sync"

func sum(xs []int) (n int) {
	for _, x := range xs {
		n += x
	}
	return n
}

// sumOfTwo is sum by two goroutines.
func sumOfTwo(xs []int) int { // want "sumOfTwo starts"
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = sum(xs[:len(xs)/2]) })
	b := sum(xs[len(xs)/2:])
	wg.Wait()
	return a + b
}

func fill(n int, by func(i int)) {
	for i := range n {
		by(i)
	}
}

func fillAtOnce(n int, by func(i int)) { // want "fillAtOnce starts"
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { by(i) })
	}
	wg.Wait()
}

func filled(xs []int, n int) []int {
	out := make([]int, len(xs))
	fillAtOnce(len(xs), func(i int) { out[i] = xs[i] + n })
	return out
}

type state struct{ xs []float64 }

func (s *state) step() {
	for i := range s.xs {
		s.xs[i] /= 2
	}
}

func (s *state) stepAtOnce(workers int) { // want "stepAtOnce starts" // refuse "threshold: nothing that it takes" // refuse "parts: an iteration of state.step may use what another has in s"
	var wg sync.WaitGroup
	for w := range max(workers, 1) {
		wg.Go(func() {
			for i := w; i < len(s.xs); i += max(workers, 1) {
				s.xs[i] /= 2
			}
		})
	}
	wg.Wait()
}

func mix(seed int, xs []int) (n int) {
	for _, x := range xs {
		n += x ^ seed
	}
	return n
}

// A seed is no size.
func mixAtOnce(seed int, xs []int) int { // want "mixAtOnce starts"
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = mix(seed, xs[:len(xs)/2]) })
	b := mix(seed, xs[len(xs)/2:])
	wg.Wait()
	return a + b
}

// many is for a compiler.
//
//go:noinline
func many(xs []int) int { return len(xs) }

// manyOfTwo is for a compiler, too.
//
//go:noinline
func manyOfTwo(_ int, xs []int, _ int) int { // want "manyOfTwo starts" // refuse "parts: many has no loop that is a statement of its own"
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = len(xs) })
	wg.Wait()
	return a
}

func reset() {}

func resetAll(_ int) { // want "resetAll starts" // refuse "threshold: nothing that it takes" // refuse "parts: reset has no loop that is a statement of its own"
	var wg sync.WaitGroup
	wg.Go(reset)
	wg.Wait()
}

// Of two that are like it, it is the one with fewer words of its own.

func TallySquares(xs []int) (n int) {
	for _, x := range xs {
		n += x * x
	}
	return n
}

func Tally(xs []int) int { return sum(xs) }

func TallyOfTwo(xs []int) int { // want "and Tally is its serial form" // refuse "parts: Tally has no loop that is a statement of its own"
	return sumOfTwo(xs)
}

type shop struct{ rate int }

// plain adds up what is to pay.
func (s shop) plain(prices []int) (n int) {
	for _, p := range prices {
		n += p * s.rate
	}
	return n
}

// inOrder has other names for what it takes.
func (s shop) inOrder(xs []int) (n int) {
	for _, x := range xs {
		n += x
	}
	return n
}

// crew adds up what is to pay, at both desks.
func (s shop) crew(prices []int) int { // want "crew starts goroutines, and shop.plain is its serial form"
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = s.plain(prices[:len(prices)/2]) })
	b := s.plain(prices[len(prices)/2:])
	wg.Wait()
	return a + b
}

// desks has no serial form.
func (s shop) desks(xs []int, room int) (n int) {
	var a int
	var wg sync.WaitGroup
	wg.Go(func() { a = len(xs) + room })
	wg.Wait()
	return a
}
