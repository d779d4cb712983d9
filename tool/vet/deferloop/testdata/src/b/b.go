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
		defer s.mu.Unlock()         // want "s.mu.Unlock is deferred in each iteration" // refuse "inline: the calls come at the end" // refuse "once: another call is deferred in between"
		defer func() { n += s.n }() // want "is deferred in each iteration" // refuse "inline" // refuse "once"
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
		defer o.Unlock() // want "o.Unlock is deferred" // refuse "inline" // refuse "once: the lock has no name of its own"
		o.n++
	}
}

func files(names []string) (err error) {
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			return err
		}
		defer f.Close() // want "f.Close is deferred" // refuse "inline" // refuse "once: what is deferred is no method of a lock"
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

// What lies between might panic, and somebody above recover.
func panics(xs []int, s *shard, p *int, f func(), v any, t *shard) {
	for i := range xs {
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: an index may panic"
			xs[i]++
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: a division may panic"
			s.n /= i
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: a call may panic"
			f()
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: a map may be nil"
			s.m["x"]++
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: a pointer may be nil"
			*p = 1
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: a pointer may be nil"
			t.n++
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: a comparison may panic"
			if v == any(1) {
				s.n++
			}
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: the function has a return"
			if s.n > 0 {
				return
			}
			s.n++
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: what holds the lock changes"
			s = nil
		}()
		func() {
			defer func() { recover() }() // want "a function is called" // refuse "inline: what is deferred is no method of a lock"
			s.n++
		}()
		n := func() int {
			s.mu.Lock()
			defer s.mu.Unlock()
			return s.n
		}()
		s.n = n
		func(d int) {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: the function has parameters or results"
			s.n += d
		}(1)
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: the function has a defer"
			defer f()           // want "defer f" // refuse "inline: what is deferred is no method"
		}()
	}
}

// At the end the name is another's.
func shadows(xs []int, s *shard) (n int) {
	var mu sync.Mutex
	for _, x := range xs {
		func() {
			mu.Lock()
			defer mu.Unlock() // want "mu.Unlock" // refuse "inline: its mu is not the one that is deferred"
			n += x
			mu := 3
			_ = mu
		}()
		func() {
			s.mu.Lock()
			defer s.mu.Unlock() // want "s.mu.Unlock" // refuse "inline: its s is not the one that is deferred"
			var s shard
			s.n++
		}()
	}
	return n
}
