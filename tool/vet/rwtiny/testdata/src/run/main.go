// Command run reads and writes under locks from several goroutines, and prints
// what has to come out in any order.
package main

import (
	"fmt"
	"sync"
)

type counter struct {
	mu sync.RWMutex
	n  int
}

func (c *counter) get() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.n
}

func (c *counter) add(n int) {
	c.mu.Lock()
	c.n += n
	c.mu.Unlock()
}

type settings struct {
	mu sync.RWMutex
	m  map[int]int
}

func newSettings() *settings { return &settings{m: map[int]int{1: 1}} }

func (s *settings) get(k int) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.m[k]
}

func (s *settings) inc(k int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k]++
}

type table struct {
	mu sync.RWMutex
	xs []int
}

func (t *table) at(i int) int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.xs[i]
}

func main() {
	c := new(counter)
	c.add(7)
	s := newSettings()
	t := &table{xs: []int{1, 2, 3}}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 200 {
				if c.get() < 7 || t.at(i%3) != i%3+1 || s.get(i%5) < 0 {
					panic("a value that never was")
				}
				c.add(w)
				s.inc(i % 5)
			}
		})
	}
	wg.Wait()
	fmt.Println(c.get(), s.get(0), s.get(1), t.at(2))
}
