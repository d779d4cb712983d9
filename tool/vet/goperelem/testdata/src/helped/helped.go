// Package helped hands tasks to groups.
package helped

import (
	"context"
	"errors"
	"strconv"
	"sync"

	"golang.org/x/sync/errgroup"
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

// A team starts what it is handed as it is.
type team struct{ wg sync.WaitGroup }

func (t *team) run(f func()) { t.wg.Go(f) }

func lengths(column []string, out []int) {
	var t team
	for i, s := range column {
		t.run(func() { out[i] = len(s) }) // want "a goroutine starts"
	}
	t.wg.Wait()
}

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

// A list keeps the errors of all its goroutines.
type list struct {
	wg   sync.WaitGroup
	mu   sync.Mutex
	errs []error
}

func (l *list) run(f func() error) {
	l.wg.Add(1)
	go func() {
		defer l.wg.Done()
		if err := f(); err != nil {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.errs = append(l.errs, err)
		}
	}()
}

func listed(column []string) error {
	var l list
	for _, s := range column {
		l.run(func() error { // want "a goroutine starts" // refuse "chunk: the group keeps the errors of all tasks"
			_, err := strconv.Atoi(s)
			return err
		})
	}
	l.wg.Wait()
	return errors.Join(l.errs...)
}

// A calm group goes on after a panic.
type calm struct{ wg sync.WaitGroup }

func (c *calm) run(f func()) {
	c.wg.Go(func() {
		defer func() { recover() }()
		f()
	})
}

func divide(xs []int) {
	var c calm
	for i, x := range xs {
		c.run(func() { xs[i] = 10 / x }) // want "a goroutine starts" // refuse "chunk: the group goes on after the panic of a task"
	}
	c.wg.Wait()
}

// until ends the others with the first error.
func until(ctx context.Context, column []string) error {
	g, _ := errgroup.WithContext(ctx)
	for _, s := range column {
		g.Go(func() error { // want "a goroutine starts" // refuse "chunk: an error ends what others do"
			_, err := strconv.Atoi(s)
			return err
		})
	}
	return g.Wait()
}

// some leaves out what the group does not take.
func some(out []int) {
	var g errgroup.Group
	g.SetLimit(2)
	for i := range out {
		g.TryGo(func() error { // want "a goroutine starts" // refuse "chunk: the group may take no more"
			out[i]++
			return nil
		})
	}
	g.Wait()
}

// Tasks that end early go on with the next element.
func early(column []string, out []int) error {
	var g group
	for i, s := range column {
		g.run(func() error { // want "a goroutine starts"
			if s == "" {
				return nil // nothing to parse
			}
			v, err := strconv.Atoi(s)
			if err != nil {
				return err
			}
			switch {
			case v < 0:
				return errors.New("negative")
			}
			out[i] = v
			return checked(v)
		})
	}
	return g.wait()
}

func checked(n int) error { return nil }

func looped(columns [][]string, out []int) error {
	var g group
	for i, c := range columns {
		g.run(func() error { // want "a goroutine starts"
			for _, s := range c {
				v, err := strconv.Atoi(s)
				if err != nil {
					return err
				}
				out[i] += v
			}
			return nil
		})
	}
	return g.wait()
}

func deferring(column []string, out []int, done func()) error {
	var g group
	for i, s := range column {
		g.run(func() error { // want "a goroutine starts"
			defer done()
			out[i] = len(s)
			return nil
		})
	}
	return g.wait()
}

func hiding(column []string, out []int) error {
	var g group
	for i, s := range column {
		g.run(func() error { // want "a goroutine starts"
			s := s + "0"
			v, err := strconv.Atoi(s)
			out[i] = v
			return err
		})
	}
	return g.wait()
}

func naming(column []string, out []int) error {
	var g group
	for i, s := range column {
		g.run(func() (err error) { // want "a goroutine starts"
			out[i], err = strconv.Atoi(s)
			return err
		})
	}
	return g.wait()
}
