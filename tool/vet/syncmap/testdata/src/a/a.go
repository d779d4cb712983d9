// Package a has maps that many write.
package a

import (
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

// A map that is a set, of a type of its function.
type set struct{ m sync.Map }

func (s *set) add(keys []uint32) (n int) {
	for _, k := range keys {
		if _, again := s.m.LoadOrStore(k, struct{}{}); again { // want `s.m is a sync.Map`
			n++
		}
	}
	return n
}

func (s *set) swap(k uint32) {
	s.m.Swap(k, struct{}{})
	s.m.CompareAndDelete(k+1, struct{}{})
	if _, ok := s.m.LoadAndDelete(k); !ok {
		s.m.Clear()
	}
}

func types(key, value [][2]string) {
	type key2 [2]string
	var seen sync.Map
	go seen.Store(key2{}, len(value)) // want `seen is a sync.Map`
	for _, k := range key {
		seen.Store(key2(k), len(k))
	}
}

// Written while others may read: when a goroutine runs, and by what runs last.
func late(words []string) {
	var early sync.Map
	var wg sync.WaitGroup
	wg.Go(func() { early.Load("a") }) // want `early is a sync.Map`
	for i, w := range words {
		early.Store(w, i)
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

// Written before others have it: by init, by what makes the struct, and before a goroutine.
var codes sync.Map

func init() {
	codes.Store("se", 46) // want `codes is a sync.Map`
}

type shelf struct {
	books sync.Map
	loans sync.Map
}

func newShelf(titles []string) *shelf {
	s := &shelf{}
	for i, t := range titles {
		s.books.Store(t, i) // want `s.books is a sync.Map`
	}
	go func() { s.loans.Load("a") }() // want `s.loans is a sync.Map`
	s.loans.Store("a", 1)
	return s
}

func (s *shelf) find(title string) int {
	book, _ := s.books.Load(title)
	code, _ := codes.Load(title)
	return book.(int) + code.(int)
}

func ahead(words []string) int {
	var before sync.Map
	done := make(chan bool)
	for i, w := range words {
		before.Store(w, i) // want `before is a sync.Map`
	}
	for _, w := range words {
		go func() {
			_, ok := before.Load(w)
			done <- ok
		}()
	}
	n := 0
	var mine sync.Map
	for range words {
		mine.Store(n, <-done) // want `mine is a sync.Map`
		n++
	}
	mine.Range(func(_, ok any) bool { return ok.(bool) })
	return n
}
