package a

import (
	"encoding/json"
	"errors"
	"os"
	"sync"
)

type record struct {
	ID   int
	Tags []string
}

// Encoded under the lock, which is needed for the file alone.

type log struct {
	mu sync.Mutex
	f  *os.File
	n  int
}

func (l *log) add(r record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line, err := json.Marshal(r) // want `l.mu is held over json.Marshal: all that want the lock wait for it`
	if err != nil {
		return err
	}
	l.n++
	_, err = l.f.Write(append(line, '\n'))
	return err
}

// The same with unlocks in between, and something of the lock first.

var errClosed = errors.New("closed")

type store struct {
	mu     sync.Mutex
	closed bool
	values map[string][]byte
}

func (s *store) put(key string, r record) error {
	s.mu.Lock()
	b, err := json.Marshal(r) // want `s.mu is held over json.Marshal`
	if err != nil {
		s.mu.Unlock()
		return err
	}
	// The value is new.
	s.values[key] = b
	s.mu.Unlock()
	return nil
}

func (s *store) update(key string, r record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	b, err := json.Marshal(r) // want `s.mu is held over json.Marshal`
	if err != nil {
		return err
	}
	s.values[key] = b
	return nil
}

func (s *store) close() {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
}

// What is read last would no longer be what is kept.

type cache struct {
	mu    sync.Mutex
	files map[string][]byte
}

func (c *cache) load(name string) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, err := os.ReadFile(name) // want `c.mu is held over os.ReadFile` // refuse "shorter: others would see in another order that it asks the world"
	if err != nil {
		return nil, err
	}
	c.files[name] = b
	return b, nil
}

// Work of the package's own.

func weigh(x int) int {
	for range 1000 {
		x = x*1103515245 + 12345
	}
	return x
}

func total(xs []int, workers int) int {
	var mu sync.Mutex
	var wg sync.WaitGroup
	sum := 0
	for w := range workers {
		wg.Go(func() {
			for i := w; i < len(xs); i += workers {
				mu.Lock()
				sum += weigh(xs[i]) // want `mu is held over weigh`
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return sum
}
