// Package a has goroutines that could be calls.
package a

import (
	"sync"

	"golang.org/x/sync/errgroup"
)

// A bus hands events to its handlers, each in a goroutine.
type bus struct {
	mu       sync.Mutex
	handlers []func(string)
	seen     int
}

func (b *bus) publish(event string) {
	b.mu.Lock()
	all := b.handlers
	b.mu.Unlock()
	var wg sync.WaitGroup
	if len(all) > 0 {
		first := all[0]
		wg.Add(1)
		go func() { // want "a goroutine is started here"
			defer wg.Done()
			b.mu.Lock()
			b.seen++
			b.mu.Unlock()
			first(event)
		}()
	}
	wg.Wait()
}

// A crew does tasks, some at a time.
type crew struct{ sem chan struct{} }

func (c *crew) do(f, g func()) {
	var wg sync.WaitGroup
	c.sem <- struct{}{}
	wg.Add(1)
	go func() { // want "a goroutine is started here"
		defer wg.Done()
		f()
		<-c.sem
	}()
	wg.Wait()
	c.sem <- struct{}{}
	wg.Add(1)
	go func() { // want "a goroutine is started here"
		defer func() {
			<-c.sem
			wg.Done()
		}()
		g()
	}()
	wg.Wait()
}

// A store is looked through by workers that take turns.
type store struct {
	mu    sync.Mutex
	words []string
	next  int
	found []string
}

func (s *store) take() (string, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.next == len(s.words) {
		return "", false
	}
	s.next++
	return s.words[s.next-1], true
}

func (s *store) search(ok func(string) bool) []string {
	var wg sync.WaitGroup
	for range 4 {
		wg.Add(1)
		go func() { // want "a goroutine is started here"
			defer wg.Done()
			for {
				w, more := s.take()
				if !more {
					return
				}
				if ok(w) {
					s.mu.Lock()
					s.found = append(s.found, w)
					s.mu.Unlock()
				}
			}
		}()
	}
	wg.Wait()
	return s.found
}

// check keeps the first error.
func check(b *bus, names []string) error {
	var g errgroup.Group
	half := len(names) / 2
	g.Go(func() error { return b.check(names[:half]) }) // want "a goroutine is started here"
	g.Go(func() error { return b.check(names[half:]) })
	return g.Wait()
}

func (b *bus) check(names []string) error {
	for _, n := range names {
		b.mu.Lock()
		b.seen += len(n)
		b.mu.Unlock()
	}
	return nil
}

// halves shares nothing.
func halves(xs []int) int {
	var a int
	var wg sync.WaitGroup
	wg.Add(1)
	go func() { // want "a goroutine is started here"
		defer wg.Done()
		for _, x := range xs[:len(xs)/2] {
			a += x
		}
	}()
	b := 0
	for _, x := range xs[len(xs)/2:] {
		b += x
	}
	wg.Wait()
	return a + b
}
