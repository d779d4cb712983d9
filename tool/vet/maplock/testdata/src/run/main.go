// Command run counts in maps under locks from several goroutines, and prints
// what has to come out in any order.
package main

import (
	"fmt"
	"strconv"
	"sync"
)

type words struct {
	mu sync.Mutex
	m  map[string]int
}

func (w *words) inc(s string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.m[s]++
	return w.m[s]
}

func (w *words) drop(s string) bool {
	w.mu.Lock()
	if _, ok := w.m[s]; !ok {
		w.mu.Unlock()
		return false
	}
	delete(w.m, s)
	w.mu.Unlock()
	return true
}

type ids struct {
	mu sync.RWMutex
	m  map[int16]string
}

func (x *ids) get(i int16) (string, bool) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	s, ok := x.m[i]
	return s, ok
}

func (x *ids) set(i int16, s string) {
	x.mu.Lock()
	x.m[i] = s
	x.mu.Unlock()
}

func main() {
	w := &words{m: map[string]int{}}
	x := &ids{m: make(map[int16]string)}
	var wg sync.WaitGroup
	for g := range 4 {
		wg.Go(func() {
			for i := range 500 {
				w.inc(strconv.Itoa(i % 100))
				x.set(int16(-i), strconv.Itoa(g-g))
			}
		})
	}
	wg.Wait()
	s, ok := x.get(-499)
	_, none := x.get(1)
	fmt.Println(w.inc("7"), w.drop("7"), w.drop("7"), w.inc("7"), w.inc("99"), s, ok, none)
}
