// Command run prints what loops of goroutines compute.
package main

import (
	"fmt"
	"sync"
)

func main() {
	for _, n := range []int{0, 1, 2, 3, 7, 100} {
		xs := make([]int, n)
		for i := range xs {
			xs[i] = i*i%17 - 4
		}
		fmt.Println(squares(xs), early(xs), cells(n/10+1), counted(n), limited(xs), futures(xs))
		fmt.Println(grouped(xs))
	}
}

func squares(xs []int) []int {
	out := make([]int, len(xs))
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { out[i] = x * x })
	}
	wg.Wait()
	return out
}

func early(xs []int) map[int]int {
	m := map[int]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for _, x := range xs {
		x := x + 1
		wg.Add(1)
		go func() {
			defer wg.Done()
			if x < 0 {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			m[x]++
		}()
	}
	wg.Wait()
	return m
}

func cells(n int) [][]int {
	c := make([][]int, n)
	for i := range c {
		c[i] = make([]int, n)
	}
	var wg sync.WaitGroup
	for i := range c {
		for j := range c[i] {
			wg.Add(1)
			go func(i, j int) {
				defer wg.Done()
				j++
				c[i][j-1] = i * j
			}(i, j)
		}
	}
	wg.Wait()
	return c
}

func counted(n int) (sum int) {
	out := make([]int, n)
	var wg sync.WaitGroup
	wg.Add(n)
	for i := 0; i < n; i++ {
		go func(k int) {
			out[k] = 3*k + 1
			wg.Done()
		}(i)
	}
	wg.Wait()
	for i, v := range out {
		sum += i * v
	}
	return sum
}

func limited(xs []int) []int {
	out := make([]int, len(xs))
	slots := make(chan struct{}, 3)
	var wg sync.WaitGroup
	for i := range xs {
		slots <- struct{}{}
		wg.Add(1)
		go func() {
			defer func() { <-slots; wg.Done() }()
			out[i] = xs[i] - i
		}()
	}
	wg.Wait()
	return out
}

func futures(xs []int) (sum int) {
	c := make(chan int)
	for _, x := range xs {
		go func() { c <- x * 3 }()
	}
	for range xs {
		sum += <-c
	}
	return sum
}

type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) run(f func() error) {
	g.wg.Go(func() {
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	})
}

func grouped(xs []int) ([]int, error) {
	out := make([]int, len(xs))
	var g group
	for i, x := range xs {
		g.run(func() error {
			if x == 5 {
				return fmt.Errorf("five")
			}
			out[i] = -x
			return nil
		})
	}
	g.wg.Wait()
	return out, g.err
}
