// Package methods hands methods on under a lock.
package methods

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"sync"
)

// A method that is handed on does its work where it is called, not where it is
// named.

type store struct {
	mu   sync.Mutex
	n    int
	seen map[string]int
}

func (s *store) each(yield func(int) bool) {
	for range 100 {
		s.n++
		if !yield(s.n) {
			return
		}
	}
}

func (s *store) visit(path string, d fs.DirEntry, err error) error {
	s.n++
	return err
}

func (s *store) bump() {
	s.mu.Lock()
	s.n++
	s.mu.Unlock()
}

// What is encoded comes from under the lock.
func (s *store) snapshot(key string) []byte {
	s.mu.Lock()
	s.seen[key]++
	all := slices.Collect(s.each)
	b, _ := json.Marshal(all) // want `s.mu is held over json.Marshal` // refuse "shorter: its statement has to stay"
	s.mu.Unlock()
	return b
}

func (s *store) inOne(key string) []byte {
	s.mu.Lock()
	s.seen[key]++
	b, _ := json.Marshal(slices.Collect(s.each)) // want `s.mu is held over json.Marshal` // refuse "shorter: it uses n, which is written under the lock|shorter: n is written"
	s.mu.Unlock()
	return b
}

func (s *store) walk(key string) []byte {
	s.mu.Lock()
	s.seen[key]++
	b, _ := json.Marshal(key) // want `s.mu is held over json.Marshal`
	filepath.WalkDir(key, s.visit)
	s.mu.Unlock()
	return b
}

// An iterator reads the map when it is asked, not when it is made.
func (s *store) lazy(key string) []byte {
	s.mu.Lock()
	s.seen[key]++
	keys := maps.Keys(s.seen)
	b, _ := json.Marshal(slices.Collect(keys)) // want `s.mu is held over json.Marshal` // refuse "shorter: through keys it may reach what is written under the lock"
	s.mu.Unlock()
	return b
}

func (s *store) String() string {
	s.n++
	return "store"
}

func (s *store) stringer(key string, x fmt.Stringer) []byte {
	s.mu.Lock()
	s.seen[key]++
	b, _ := json.Marshal(fmt.Sprint(x)) // want `s.mu is held over json.Marshal` // refuse "shorter: what fmt.Sprint"
	s.mu.Unlock()
	return b
}

func (s *store) itself(key string) []byte {
	s.mu.Lock()
	s.seen[key]++
	b, _ := json.Marshal(fmt.Sprint(s)) // want `s.mu is held over json.Marshal` // refuse "shorter: n is written"
	s.mu.Unlock()
	return b
}
