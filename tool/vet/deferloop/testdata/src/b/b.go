// Package b defers in ways that stay.
package b

import (
	"os"
	"sync"
)

type shard struct {
	mu sync.Mutex
	n  int
	m  map[string]int
}

// Others come in between.
func between(shards []shard) (n int) {
	for i := range shards {
		s := &shards[i]
		s.mu.Lock()
		defer s.mu.Unlock()         // want "s.mu.Unlock is deferred in each iteration" // refuse "once: another call is deferred in between"
		defer func() { n += s.n }() // want "is deferred in each iteration" // refuse "once"
	}
	return n
}

type own struct {
	sync.Mutex
	n int
}

func embedded(all []*own) {
	for _, o := range all {
		o.Lock()
		defer o.Unlock() // want "o.Unlock is deferred" // refuse "once: the lock has no name of its own"
		o.n++
	}
}

func files(names []string) (err error) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close() // want "f.Close is deferred" // refuse "once: what is deferred is no method of a lock"
	}
	return nil
}

// A plain defer costs nothing.
func (s *shard) get(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.m[key]
}

// It runs once: the loop is left.
func find(names []string) *os.File {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			continue
		}
		defer f.Close()
		return f
	}
	return nil
}

// In a goroutine of its own.
func goroutines(xs []int, wg *sync.WaitGroup) {
	for range xs {
		go func() {
			defer wg.Done()
		}()
	}
}

func once(mu *sync.Mutex) {
	func() {
		mu.Lock()
		defer mu.Unlock()
	}()
}
