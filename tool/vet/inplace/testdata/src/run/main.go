// The program starts goroutines that could be calls.
package main

import (
	"errors"
	"fmt"
	"sync"
)

type bus struct {
	mu       sync.Mutex
	handlers []func(string)
	seen     int
}

func (b *bus) publish(event string) {
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		b.mu.Lock()
		b.seen++
		b.mu.Unlock()
	}()
	go b.handle(event, &wg)
	wg.Wait()
}

func (b *bus) handle(event string, wg *sync.WaitGroup) {
	defer wg.Done()
	for _, h := range b.handlers {
		h(event)
	}
}

type crew struct {
	wg    sync.WaitGroup
	mu    sync.Mutex
	first error
}

func (c *crew) do(f func() error) {
	c.wg.Go(func() {
		if err := f(); err != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.first == nil {
				c.first = err
			}
		}
	})
}

func (c *crew) wait() error {
	c.wg.Wait()
	return c.first
}

func claim(xs []int) (sum int) {
	var mu sync.Mutex
	var wg sync.WaitGroup
	next := 0
	for range 3 {
		wg.Go(func() {
			for {
				mu.Lock()
				i := next
				next++
				mu.Unlock()
				if i >= len(xs) {
					return
				}
				mu.Lock()
				sum += xs[i]
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return sum
}

func main() {
	said := ""
	b := &bus{handlers: []func(string){func(e string) { said += e }, func(e string) { said += e + "!" }}}
	b.publish("a")
	b.publish("b")
	fmt.Println(said, b.seen)

	var c crew
	for i := range 5 {
		c.do(func() error {
			if i == 3 {
				return errors.New("three")
			}
			return nil
		})
	}
	fmt.Println(c.wait())
	fmt.Println(claim([]int{1, 2, 3, 4}))
}
