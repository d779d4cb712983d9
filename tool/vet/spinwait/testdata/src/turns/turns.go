// Package turns has goroutines that wait for their turn.
package turns

import (
	"runtime"
	"sync"
	"sync/atomic"
)

func part(i int) int { return i * i % 17 }

func hash(n int) int {
	const writers = 12
	var turn atomic.Int64
	sum := 0
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := w; i < n; i += writers {
				p := part(i)
				for turn.Load() != int64(i) { // want "the loop asks turn"
					runtime.Gosched()
				}
				sum = sum*31 + p
				turn.Add(1)
			}
		})
	}
	wg.Wait()
	return sum
}

func texts(words []string) (out []byte, longest int) {
	var found, turn atomic.Int64
	var wg sync.WaitGroup
	for i, word := range words {
		wg.Add(1)
		go func() {
			defer wg.Done()
			text := word + word
			found.Add(1)
			for int(turn.Load()) != i { // want "the loop asks turn"
				runtime.Gosched()
			}
			if len(text) > longest {
				longest = len(text)
			}
			out = append(append(out, text...), byte(i))
			turn.Store(int64(i + 1))
		}()
	}
	wg.Wait()
	return out, longest + int(found.Load())
}

// It looks at what is set in turns.
func looks(n int) int {
	var turn atomic.Int64
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := part(i)
			for turn.Load() != int64(i) { // want "the loop asks turn" // refuse "after: it cannot be seen that each turn ends by the next"
			}
			sum += p
			turn.Add(1)
			if i == 0 {
				sum++
			}
		})
	}
	wg.Wait()
	return sum
}

func meanwhile(n int) int {
	var turn atomic.Int64
	sum := 0
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := part(i) + sum
			for turn.Load() != int64(i) { // want "the loop asks turn" // refuse "after: sum is used elsewhere while the goroutines run"
			}
			sum += p
			turn.Add(1)
		})
	}
	wg.Wait()
	return sum
}

func calls(n int, f func(int)) {
	var turn atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := part(i)
			for turn.Load() != int64(i) { // want "the loop asks turn" // refuse "after: the turn calls f"
			}
			f(p)
			turn.Add(1)
		})
	}
	wg.Wait()
}

func leads(n int) (all [][]int) {
	var turn atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := make([]int, i)
			for turn.Load() != int64(i) { // want "the loop asks turn" // refuse "after: what p leads to may change"
			}
			all = append(all, p)
			turn.Add(1)
		})
	}
	wg.Wait()
	return all
}

func early(n int) (sum int) {
	var turn atomic.Int64
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			p := part(i)
			for turn.Load() != int64(i) { // want "the loop asks turn" // refuse "after: it cannot be seen that the function waits for all"
			}
			sum += p
			turn.Add(1)
		})
	}
	sum++
	wg.Wait()
	return sum
}

func gaps(n int) (sum int) {
	var turn atomic.Int64
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := w; i < n; i += 5 {
				p := part(i)
				for turn.Load() != int64(i) { // want "the loop asks turn" // refuse "after: it cannot be seen that there is a turn for each number"
				}
				sum += p
				turn.Add(1)
			}
		})
	}
	wg.Wait()
	return sum
}
