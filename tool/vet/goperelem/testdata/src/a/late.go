package a

import "sync"

// What is ranged over is another after the join, in the next round.
func levels(xs, ys []int, n int) {
	for range n {
		var wg sync.WaitGroup
		for i, x := range xs {
			wg.Go(func() { ys[i] = 2 * x }) // want "a goroutine starts"
		}
		wg.Wait()
		xs, ys = ys, xs
	}
}

type box struct{ xs, ys []int }

func fields(b *box) {
	var wg sync.WaitGroup
	for i, x := range b.xs {
		wg.Go(func() { b.ys[i] = 2 * x }) // want "a goroutine starts"
	}
	wg.Wait()
}

// The loop does nothing where n is negative.
func negative(n int, out []int) {
	var wg sync.WaitGroup
	for i := 0; i < n; i++ {
		wg.Go(func() { out[i] = i }) // want "a goroutine starts"
	}
	wg.Wait()
}
