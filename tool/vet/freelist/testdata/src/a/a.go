// Package a has lists that a pool cannot stand for, and what is none.
package a

import (
	"os"
	"sync"
)

type buffer struct{ b []byte }

// sized is asked how many are free.
type sized struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: something else looks at free`
	free []*buffer
}

func (s *sized) get() *buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		b := s.free[n-1]
		s.free = s.free[:n-1]
		return b
	}
	return new(buffer)
}

func (s *sized) put(b *buffer) {
	s.mu.Lock()
	s.free = append(s.free, b)
	s.mu.Unlock()
}

func (s *sized) len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.free)
}

type bounded struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: something else looks at free`
	free []*buffer
}

func (s *bounded) get() *buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.free) == 0 {
		return &buffer{b: make([]byte, 10)}
	}
	b := s.free[len(s.free)-1]
	s.free = s.free[:len(s.free)-1]
	return b
}

func (s *bounded) put(b *buffer) {
	s.mu.Lock()
	if len(s.free) < 10 {
		s.free = append(s.free, b)
	}
	s.mu.Unlock()
}

// jobs are lost to nobody.
type jobs struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: an empty list does not have an object made`
	todo []*buffer
}

func (s *jobs) next() *buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.todo) == 0 {
		return nil
	}
	b := s.todo[0]
	s.todo = s.todo[1:]
	return b
}

func (s *jobs) add(b *buffer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.todo = append(s.todo, b)
}

// counted knows how many there are.
type counted struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: free and made are used under the lock together`
	free []*buffer
	made int
}

func (s *counted) get() *buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		b := s.free[n-1]
		s.free = s.free[:n-1]
		return b
	}
	s.made++
	return &buffer{}
}

func (s *counted) put(b *buffer) {
	s.mu.Lock()
	s.free = append(s.free, b)
	s.mu.Unlock()
}

var made int

func newBuffer() *buffer {
	made++
	return &buffer{}
}

type numbered struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: an empty list does not have an object made`
	free []*buffer
}

func (s *numbered) get() *buffer {
	s.mu.Lock()
	if n := len(s.free); n > 0 {
		b := s.free[n-1]
		s.free = s.free[:n-1]
		s.mu.Unlock()
		return b
	}
	s.mu.Unlock()
	return newBuffer()
}

func (s *numbered) put(b *buffer) {
	s.mu.Lock()
	s.free = append(s.free, b)
	s.mu.Unlock()
}

type conn struct{ f *os.File }

type conns struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: a pool forgets objects, and these have a method Close`
	free []*conn
}

func (s *conns) get() *conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		b := s.free[n-1]
		s.free = s.free[:n-1]
		return b
	}
	return &conn{}
}

func (s *conns) put(b *conn) {
	s.mu.Lock()
	s.free = append(s.free, b)
	s.mu.Unlock()
}

type values struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: its elements are no pointers`
	free [][]byte
}

func (s *values) get() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		b := s.free[n-1]
		s.free = s.free[:n-1]
		return b
	}
	return make([]byte, 64)
}

func (s *values) put(b []byte) {
	s.mu.Lock()
	s.free = append(s.free, b)
	s.mu.Unlock()
}

// filled begins with objects.
type filled struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: something else looks at free`
	free []*buffer
}

func newFilled() *filled { return &filled{free: []*buffer{{}, {}}} }

func (s *filled) get() *buffer {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		b := s.free[n-1]
		s.free = s.free[:n-1]
		return b
	}
	return new(buffer)
}

func (s *filled) put(b *buffer) {
	s.mu.Lock()
	s.free = append(s.free, b)
	s.mu.Unlock()
}

// The number of free ones is told.
type telling struct {
	mu   sync.Mutex // want `mu is locked to take a free object` // refuse `pool: n is used for something else`
	free []*buffer
}

func (s *telling) get() (*buffer, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.free)
	if n > 0 {
		b := s.free[n-1]
		s.free = s.free[:n-1]
		return b, n
	}
	return new(buffer), 0
}

func (s *telling) put(b *buffer) {
	s.mu.Lock()
	s.free = append(s.free, b)
	s.mu.Unlock()
}

// A log is only appended to.
type log struct {
	mu    sync.Mutex
	lines []*buffer
}

func (l *log) add(b *buffer) {
	l.mu.Lock()
	l.lines = append(l.lines, b)
	l.mu.Unlock()
}

func (l *log) last() *buffer {
	l.mu.Lock()
	defer l.mu.Unlock()
	if n := len(l.lines); n > 0 {
		return l.lines[n-1]
	}
	return nil
}
