package a

import (
	"errors"
	"strings"
	"sync"
)

// What is refused before the slow part is an error of the package, which never changes.

var errEmpty = errors.New("empty")

type shelf struct {
	mu    sync.Mutex
	words map[string]int
}

func (s *shelf) put(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text == "" {
		return errEmpty
	}
	n := length(text) // want `s.mu is held over length`
	s.words[text] = n
	return nil
}

func length(text string) (n int) {
	for _, w := range strings.Fields(text) {
		n += len(w)
	}
	return n
}

// That of this one is set elsewhere.

var errFull error

func (s *shelf) full(err error) { errFull = err }

func (s *shelf) add(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text == "" {
		return errFull
	}
	n := length(text) // want `s.mu is held over length` // refuse "shorter: its statement has to stay, or is among some that do"
	s.words[text] = n
	return nil
}
