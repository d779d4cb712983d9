package a

import (
	"fmt"
	"sync"
)

var _ = fmt.Sprint

// A map that is mostly read.

type settings struct {
	mu sync.RWMutex
	m  map[string]string
}

func newSettings() *settings {
	s := &settings{m: make(map[string]string)}
	s.m["a"] = "b"
	return s
}

func (s *settings) get(key string) string {
	s.mu.RLock() // want `s.mu is read-locked for a word or two` // dearer "cow: set, forget, swap are slower: each call copies all of m" "^mutex: $"
	defer s.mu.RUnlock()
	return s.m[key]
}

func (s *settings) lookup(key string) (string, int) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.m[key]
	if !ok {
		return "", 0
	}
	return v, len(s.m)
}

func (s *settings) keys() (all []string) {
	s.mu.RLock()
	for k := range s.m {
		all = append(all, k)
	}
	s.mu.RUnlock()
	return all
}

func (s *settings) set(key, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = make(map[string]string)
	}
	s.m[key] = value
}

func (s *settings) forget(key string) bool {
	s.mu.Lock()
	if _, ok := s.m[key]; !ok {
		s.mu.Unlock()
		return false
	}
	delete(s.m, key)
	s.mu.Unlock()
	return true
}

func (s *settings) swap(a, b string) {
	s.mu.Lock()
	s.m[a] = ""
	s.mu.Unlock()
	s.mu.Lock()
	s.m[b] = ""
	s.mu.Unlock()
}

func (s *settings) clear() {
	s.mu.Lock()
	s.m = nil
	s.mu.Unlock()
}

// A slice, and a string of the package.

type list struct {
	sync.RWMutex
	items []int
}

func (l *list) at(i int) int {
	l.RLock() // want `l is read-locked for a word or two`
	defer l.RUnlock()
	return l.items[i]
}

func (l *list) add(n int) {
	l.Lock()
	l.items = append(l.items, n)
	l.Unlock()
}

var (
	titleMu sync.RWMutex
	title   string
)

func getTitle() string {
	titleMu.RLock() // want `titleMu is read-locked for a word or two`
	defer titleMu.RUnlock()
	return title
}

func setTitle(s string) {
	titleMu.Lock()
	title = s
	titleMu.Unlock()
}
