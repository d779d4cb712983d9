// Package plain has maps that only one goroutine writes.
package plain

import "sync"

func open(logins []int) (n int) {
	var open sync.Map
	for i, l := range logins {
		open.Store(l, i) // want `open is a sync.Map`
		if i >= 2 {
			if _, ok := open.LoadAndDelete(logins[i-2]); ok {
				n++
			}
		}
	}
	return n
}

// Built, and then read.
var routes, twice = func() (*sync.Map, *sync.Map) {
	m, s := new(sync.Map), &sync.Map{}
	for k := range 2048 {
		m.Store(k, k*3)        // want `m is a sync.Map`
		s.Store(k, int64(k)*2) // want `s is a sync.Map`
	}
	return m, s
}()

func routed(keys [][]int) int {
	sums := make([]int, len(keys))
	var wg sync.WaitGroup
	for w := range keys {
		wg.Go(func() {
			for _, k := range keys[w] {
				v, _ := routes.Load(k)
				sums[w] += v.(int)
				if v, ok := twice.Load(k); ok && v.(int64) > 3 {
					sums[w]++
				}
			}
		})
	}
	wg.Wait()
	sum := 0
	for _, s := range sums {
		sum += s
	}
	return sum
}

// Captured after it was written, in each round.
func rounds(names []string) (n int64) {
	for range 3 {
		var seen sync.Map
		for i, name := range names {
			if _, again := seen.LoadOrStore(name, int64(i)); again { // want `seen is a sync.Map`
				seen.Delete(name)
			}
		}
		seen.Range(func(k, v any) bool {
			if k.(string) == "" {
				seen.Store("none", v.(int64))
			}
			return true
		})
		got := make(chan int64)
		go func() {
			v, ok := seen.Load("a")
			if !ok {
				v, _ = seen.Load("b")
			}
			if v != nil {
				got <- v.(int64)
			}
			close(got)
		}()
		n += <-got
	}
	return n
}

// What is deferred runs last.
func deferred(words []string) (n int) {
	var seen sync.Map
	defer func() { seen.Range(func(k, v any) bool { n += v.(int); return true }) }() // want `seen is a sync.Map`
	for i, w := range words {
		seen.Store(w, i)
	}
	return n
}
