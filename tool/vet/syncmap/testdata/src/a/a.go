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
var settings sync.Map

func set(key string, n int) {
	for i := range n {
		settings.Store(key, i) // want `settings is a sync.Map`
	}
	settings.Store(key, fmt.Sprint(n))
}

func setting(key string) any {
	v, _ := settings.Load(key)
	return v
}

func changed(key string, from, to any) bool { return settings.CompareAndSwap(key, from, to) }

func show() {
	settings.Range(func(k, v any) bool {
		fmt.Println(k, v)
		return true
	})
}

// Sums are asserted whether they are there or not.
var sums sync.Map

func sum(keys []int) (all int) {
	for _, k := range keys {
		v, _ := sums.Load(k) // want `sums is a sync.Map`
		n, ok := v.(int)
		if !ok {
			sums.Store(k, k*k)
		}
		all += n
	}
	w, found := sums.LoadAndDelete(all)
	if !found {
		return all
	}
	return all + w.(int)
}

func must(k int) int {
	v, _ := sums.Load(k)
	w, _ := sums.Swap(k, 7)
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
