// Package main has maps behind locks, with keys and uses of all sorts.
package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
)

type table[K comparable, V any] struct {
	mu sync.Mutex
	m  map[K]V
}

type floats struct {
	mu sync.Mutex
	m  map[float64]int
}

func (f *floats) inc(k float64) {
	f.mu.Lock()
	f.m[k]++
	f.mu.Unlock()
}

func (f *floats) get(k float64) (int, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, ok := f.m[k]
	return n, ok
}

type anys struct {
	mu sync.RWMutex
	m  map[any]string
}

func (a *anys) set(k any, s string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.m[k] = s
}

func (a *anys) get(k any) string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.m[k]
}

// unmade is never made, but is read. That writes panic then, and do not with the
// edit, is what shardpad says.
type unmade struct {
	mu sync.Mutex
	m  map[string]int
}

func (u *unmade) get(k string) int {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.m[k]
}

func (u *unmade) drop(k string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	delete(u.m, k)
}

// counted has a sum beside the map.
type counted struct {
	mu    sync.Mutex
	m     map[string]int
	total int
}

func (c *counted) add(k string, n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.m[k] += n
	c.total += n
	return c.total
}

func (c *counted) len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.m)
}

// nested reads one key while it writes another.
type nested struct {
	mu sync.Mutex
	m  map[int]int
}

func (n *nested) fib(k int) int {
	n.mu.Lock()
	v, ok := n.m[k]
	n.mu.Unlock()
	if ok || k < 2 {
		return v + k*b2i(!ok)
	}
	v = n.fib(k-1) + n.fib(k-2)
	n.mu.Lock()
	n.m[k] = v
	n.mu.Unlock()
	return v
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (n *nested) swap(a, b int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.m[a], n.m[b] = n.m[b], n.m[a]
}

// slicesOf appends to what the map holds, and hands it out.
type slicesOf struct {
	mu sync.RWMutex
	m  map[string][]int
}

func (s *slicesOf) add(k string, v int) []int {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.m[k] = append(s.m[k], v)
	return s.m[k]
}

func (s *slicesOf) keys() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.Sorted(maps.Keys(s.m))
}

func (s *slicesOf) each(f func(string, []int) bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for k, v := range s.m {
		if !f(k, v) {
			return
		}
	}
}

// loaded makes what is missing, once.
type loaded struct {
	mu    sync.Mutex
	m     map[string]*int
	makes int
}

func (l *loaded) get(k string) *int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if p, ok := l.m[k]; ok {
		return p
	}
	l.makes++
	p := new(int)
	*p = l.makes
	l.m[k] = p
	return p
}

// cache is made at the top, and forgotten at times.
var (
	mu    sync.RWMutex
	cache = map[[2]string]int{{"a", "b"}: 1}
)

func lookup(a, b string) (n int) {
	mu.RLock()
	n, ok := cache[[2]string{a, b}]
	mu.RUnlock()
	if ok {
		return n
	}
	mu.Lock()
	defer mu.Unlock()
	cache[[2]string{a, b}] = len(a) + len(b)
	return cache[[2]string{a, b}]
}

func forget() {
	mu.Lock()
	clear(cache)
	mu.Unlock()
}

func drop(a, b string) int {
	mu.Lock()
	defer mu.Unlock()
	delete(cache, [2]string{a, b})
	return len(cache)
}

func try(f func()) (err any) {
	defer func() { err = recover() }()
	f()
	return nil
}

func main() {
	f := floats{m: map[float64]int{}}
	zero, nan := 0.0, math.NaN()
	for range 3 {
		f.inc(zero)
		f.inc(math.Copysign(0, -1))
		f.inc(nan)
	}
	fmt.Println(f.get(zero))
	fmt.Println(f.get(nan))
	fmt.Println(len(f.m))
	a := anys{m: map[any]string{}}
	a.set(1, "int")
	a.set(int8(1), "int8")
	a.set("1", "string")
	a.set([1]any{1}, "array")
	fmt.Println(a.get(1), a.get(int8(1)), a.get([1]any{1}), a.get(nil), try(func() { a.set([]int{}, "") }), try(func() { a.get(func() {}) }))
	var u unmade
	u.drop("x")
	fmt.Println(u.get("x"))
	c := counted{m: make(map[string]int)}
	var wg sync.WaitGroup
	for w := range 4 {
		wg.Go(func() {
			for i := range 100 {
				c.add(fmt.Sprint("k", (i+w)%7), w)
			}
		})
	}
	wg.Wait()
	fmt.Println(c.add("k", 1), c.len())
	n := nested{m: map[int]int{}}
	fmt.Println(n.fib(30))
	n.swap(10, 20)
	n.swap(10, 100)
	fmt.Println(n.m[10], n.m[20], n.m[100], len(n.m))
	s := slicesOf{m: map[string][]int{}}
	for i := range 20 {
		s.add(fmt.Sprint(i%3), i)
	}
	first := s.add("0", 1)
	first[0] = 99
	sum := 0
	s.each(func(k string, v []int) bool { sum += len(v); return k != "" })
	fmt.Println(s.keys(), s.m["0"], sum)
	l := loaded{m: map[string]*int{}}
	*l.get("a") += 10
	fmt.Println(*l.get("a"), *l.get("b"), l.makes, l.get("a") == l.get("a"))
	fmt.Println(lookup("a", "b"), lookup("x", "yz"), drop("a", "b"), lookup("a", "b"))
	forget()
	fmt.Println(lookup("a", "b"), drop("a", "b"))
	t := table[string, int]{m: map[string]int{}}
	t.mu.Lock()
	t.m["x"]++
	t.mu.Unlock()
	fmt.Println(t.m)
}
