// Package helped hands tasks to groups.
package helped

import (
	"strconv"
	"sync"
)

// A group collects the first error of its goroutines.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) run(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) wait() error {
	g.wg.Wait()
	return g.err
}

func start(wg *sync.WaitGroup, f func()) { wg.Go(f) }

func parse(column []string) ([]int, error) {
	out := make([]int, len(column))
	var g group
	for i, s := range column {
		g.run(func() error { // want "a goroutine starts for each element"
			v, err := strconv.Atoi(s)
			out[i] = v
			return err
		})
	}
	return out, g.wait()
}

func check(xs, out []int) int {
	var g group
	for i, x := range xs {
		g.run(func() error { // want "a goroutine starts"
			out[i] = x * x
			return nil
		})
	}
	if g.wait() != nil {
		return -1
	}
	return out[0]
}

// Two tasks are no loop.
func both(a, b func() error) error {
	var g group
	g.run(func() error { return a() })
	g.run(func() error { return b() })
	return g.wait()
}

// They wait for each other.
func chain(xs []int) error {
	c := make(chan int, 1)
	var g group
	for _, x := range xs {
		g.run(func() error { // want "a goroutine starts" // refuse "chunk: the task waits for a channel"
			c <- <-c + x
			return nil
		})
	}
	return g.wait()
}
