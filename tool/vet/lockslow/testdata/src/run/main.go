// Command run encodes under locks from several goroutines, and prints what has
// to come out in any order.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync"
)

type record struct{ ID, Size int }

type store struct {
	mu     sync.Mutex
	values map[int][]byte
	bytes  int
	closed bool
}

var errClosed = errors.New("closed")

func (s *store) put(r record) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	b, err := json.Marshal(r)
	if err != nil {
		return err
	}
	s.values[r.ID] = b
	s.bytes += len(b)
	return nil
}

func (s *store) size() (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	b, err := json.Marshal(s.bytes)
	return string(b), err
}

func weigh(x int) int {
	for range 100 {
		x = x*31 + 7
	}
	return x & 0xff
}

func main() {
	s := &store{values: map[int][]byte{}}
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for w := range 4 {
		wg.Go(func() {
			for i := range 100 {
				if err := s.put(record{100*w + i, i}); err != nil {
					panic(err)
				}
				mu.Lock()
				total += weigh(i)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	size, err := s.size()
	fmt.Println(size, err, len(s.values), string(s.values[205]), total, s.put(record{}))
}
