// Package a has maps that many write.
package a

import (
	"fmt"
	"sync"
	"sync/atomic"
)

// Words are counted by comparing.
func words(parts [][]string) (sum int) {
	var counts sync.Map // of int
	var wg sync.WaitGroup
	for _, part := range parts {
		wg.Go(func() {
			for _, word := range part {
				for {
					old, loaded := counts.LoadOrStore(word, 1) // want `counts is a sync.Map`
					if !loaded || counts.CompareAndSwap(word, old, old.(int)+1) {
						break
					}
				}
			}
		})
	}
	wg.Wait()
	counts.Range(func(w, n any) bool {
		sum += n.(int) * len(w.(string))
		return true
	})
	return sum
}

// A tally has a counter for each key.
type tally struct {
	name string
	m    sync.Map
}

func (t *tally) add(key string) {
	n, ok := t.m.Load(key) // want `t.m is a sync.Map`
	if !ok {
		n, _ = t.m.LoadOrStore(key, new(atomic.Int64))
	}
	n.(*atomic.Int64).Add(1)
}

func (t *tally) get(key string) int64 {
	if n, ok := t.m.Load(key); ok {
		return n.(*atomic.Int64).Load()
	}
	return 0
}

func (t *tally) drop(few int64) {
	for k, n := range t.m.Range {
		if n.(*atomic.Int64).Load() < few {
			t.m.Delete(k)
		}
	}
}

// Values of several types, and one that may be nil, stay interface values.
type settings struct{ m sync.Map }

func (s *settings) set(key string, n int) {
	for i := range n {
		s.m.Store(key, i) // want `s.m is a sync.Map`
	}
	s.m.Store(key, fmt.Sprint(n))
}

func (s *settings) setting(key string) any {
	v, _ := s.m.Load(key)
	return v
}

func (s *settings) changed(key string, from, to any) bool { return s.m.CompareAndSwap(key, from, to) }

func (s *settings) show() {
	s.m.Range(func(k, v any) bool {
		fmt.Println(k, v)
		return true
	})
}

// Sums are asserted whether they are there or not.
type sums struct{ m sync.Map }

func (s *sums) sum(keys []int) (all int) {
	for _, k := range keys {
		v, _ := s.m.Load(k) // want `s.m is a sync.Map`
		n, ok := v.(int)
		if !ok {
			s.m.Store(k, k*k)
		}
		all += n
	}
	w, found := s.m.LoadAndDelete(all)
	if !found {
		return all
	}
	return all + w.(int)
}

func (s *sums) must(k int) int {
	v, _ := s.m.Load(k)
	w, _ := s.m.Swap(k, 7)
	return v.(int) + w.(int)
}

// A cache is passed on.
func newCache() *sync.Map { return new(sync.Map) }

func fill(cache *sync.Map, keys []uint32) {
	for _, k := range keys {
		cache.Store(k, [2]string{fmt.Sprint(k)}) // want `cache is a sync.Map`
	}
}

func cached(keys []uint32) (n int) {
	cache := newCache()
	go fill(cache, keys)
	fill(cache, keys)
	cache.Range(func(k, v any) bool {
		switch k := k.(type) {
		case uint32:
			n += int(k)
		case string:
			n--
		}
		if v == nil {
			n++
		}
		return n < 1000
	})
	cache.Clear()
	return n
}

// Words are counted in loops that do no more.
func (t *tally) all(lines [][]string) {
	for _, words := range lines {
		for _, w := range words {
			n, ok := t.m.Load(w)
			if !ok {
				n, _ = t.m.LoadOrStore(w, new(atomic.Int64))
			}
			n.(*atomic.Int64).Add(int64(len(w)))
		}
	}
}

// Who gets a word may look at the counts.
func (t *tally) told(words []string, seen chan<- string) {
	for _, w := range words {
		n, _ := t.m.LoadOrStore(w, &atomic.Int64{})
		n.(*atomic.Int64).Add(1)
		seen <- w
	}
}

// What a call may look at is not counted apart, nor in a loop that is left.
func (t *tally) some(words []string, stop string) (n int64) {
	for _, w := range words {
		c, _ := t.m.LoadOrStore(w, new(atomic.Int64))
		c.(*atomic.Int64).Add(1)
		n += t.get(w)
	}
	for _, w := range words {
		if w == stop {
			return n
		}
		c, _ := t.m.LoadOrStore(w, new(atomic.Int64))
		c.(*atomic.Int64).Add(1)
	}
	return n
}

// One type is written for two.
type pair struct{ hits, misses sync.Map }

func (p *pair) hit(page string) {
	p.hits.Store(page, len(page)) // want `p.hits is a sync.Map`
	p.misses.Delete(page)
}

// Written while others may read: when a goroutine runs, in another round of the
// loop, and by what runs last.
func late(words []string) {
	var early sync.Map
	var wg sync.WaitGroup
	wg.Go(func() { early.Load("a") }) // want `early is a sync.Map`
	for i, w := range words {
		early.Store(w, i)
	}
	wg.Wait()
}

func inRounds(words []string) {
	var seen sync.Map
	var wg sync.WaitGroup
	for i, w := range words {
		seen.Store(w, i) // want `seen is a sync.Map`
		wg.Go(func() { seen.Load(w) })
	}
	wg.Wait()
}

func atLast(word string, done chan<- bool) {
	var seen sync.Map
	defer seen.Store(word, 2) // want `seen is a sync.Map`
	go func() {
		_, ok := seen.Load(word)
		done <- ok || !ok
	}()
}
