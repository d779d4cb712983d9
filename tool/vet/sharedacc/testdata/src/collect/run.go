// Program run collects results in ways that can be had for less.
package main

import (
	"strconv"
	"sync"
)

func part(xs []int, w, n int) []int { return xs[len(xs)*w/n : len(xs)*(w+1)/n] }

func churn(x int) int {
	for range 20 {
		x = x*1103515245 + 12345
	}
	return x
}

func items(xs []int, workers int) (out []int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for _, x := range part(xs, w, workers) {
				if x > 0 {
					mu.Lock() // want `mu is locked in each iteration by goroutines that share it` // dearer "local: each goroutine takes more memory: a slice of what it appends to out"
					out = append(out, churn(x), x)
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	return out
}

func each(xs []int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	var out []int
	for _, x := range xs {
		wg.Go(func() {
			y := churn(x)
			mu.Lock()
			out = append(out, y)
			mu.Unlock()
		})
	}
	wg.Wait()
	return out
}

func made(n int) []int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	out := make([]int, 0, n)
	for range n {
		wg.Add(1)
		go func() {
			defer wg.Done()
			// One for each.
			mu.Lock()
			defer mu.Unlock()
			out = append(out, 1)
		}()
	}
	wg.Wait()
	return out
}

type point struct{ x, y int }

func weigh(p point) int { return churn(p.x) ^ p.y }

func received(xs []int, workers int) (total int) {
	var wg sync.WaitGroup
	ch := make(chan int, 4)
	for w := range workers {
		wg.Go(func() {
			for _, x := range part(xs, w, workers) {
				ch <- x + 1
			}
		})
	}
	go func() { wg.Wait(); close(ch) }()
	for x := range ch {
		total += churn(x)
	}
	return total
}

func points(xs []int, workers int) (total int) {
	var wg sync.WaitGroup
	ch := make(chan point)
	for w := range workers {
		wg.Go(func() {
			for i, x := range part(xs, w, workers) {
				ch <- point{i, x}
			}
		})
	}
	go func() { wg.Wait(); close(ch) }()
	for p := range ch {
		total += weigh(p)
	}
	return total
}

// texts writes what the workers made.
func texts(xs []int, workers int) string {
	made := make([]int, len(xs))
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(xs); i += workers {
				made[i] = churn(xs[i])
			}
		})
	}
	wg.Wait()
	var text []byte
	for _, x := range made {
		if x%3 != 0 {
			text = written(text, x)
		}
	}
	return string(text)
}

func written(to []byte, x int) []byte {
	to = strconv.AppendInt(to, int64(x), 10)
	return append(to, ' ')
}
