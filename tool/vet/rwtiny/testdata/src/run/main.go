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

type item struct {
	n    int
	tags []string
}

type store struct {
	mu    sync.RWMutex
	items map[string]*item
	sum   int
}

type source interface{ all() (map[string]item, int) }

func (s *store) all() (map[string]item, int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := map[string]item{}
	for k, it := range s.items {
		c := *it
		c.tags = append([]string(nil), it.tags...)
		out[k] = c
	}
	return out, s.sum
}

func (s *store) add(k, tag string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	it := s.items[k]
	if it == nil {
		it = &item{}
		s.items[k] = it
	}
	it.n++
	it.tags = append(it.tags, tag)
	s.sum++
}

func (s *store) one(k string) (int, int) {
	all, _ := s.all()
	return all[k].n, len(all[k].tags)
}

// total is of the items, and what it should be.
func total(of source) (n, want int) {
	all, want := of.all()
	for _, it := range all {
		n += len(it.tags)
	}
	return n, want
}

func main() {
	c := new(counter)
	c.add(7)
	s := newSettings()
	t := &table{xs: []int{1, 2, 3}}
	st := &store{items: map[string]*item{}}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 200 {
				if c.get() < 7 || t.at(i%3) != i%3+1 || s.get(i%5) < 0 {
					panic("a value that never was")
				}
				key := fmt.Sprint(w)
				st.add(key, "x")
				if n, tags := st.one(key); n != i+1 || tags != n {
					panic("it does not see what it did")
				}
				if n, want := total(st); n != want {
					panic("a state that never was")
				}
				c.add(w)
				s.inc(i % 5)
			}
		})
	}
	wg.Wait()
	all, sum := st.all()
	fmt.Println(len(all), sum, c.get(), s.get(0), s.get(1), t.at(2))
}
