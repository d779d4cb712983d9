package dagrun

import (
	"sync"
	"time"
)

// box passes values from the goroutines that put to those that take.
type box[T any] struct {
	mu     sync.Mutex
	items  []T
	closed bool
	idle   pauser
}

// pauser decides how long to wait before looking again.
type pauser interface {
	pause(try int)
}

// stepped waits longer the more often nothing was found.
type stepped struct {
	first, most time.Duration
}

func (s stepped) pause(try int) {
	d := s.first << min(try, 10)
	time.Sleep(min(d, s.most))
}

func newBox[T any]() *box[T] {
	return &box[T]{idle: stepped{first: 20 * time.Microsecond, most: time.Millisecond}}
}

func (b *box[T]) put(v T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.items = append(b.items, v)
}

func (b *box[T]) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
}

type state int

const (
	empty state = iota
	full
	shut
)

// poll takes a value if there is one.
func (b *box[T]) poll() (v T, st state) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return v, shut
	case len(b.items) == 0:
		return v, empty
	}
	v = b.items[0]
	b.items = b.items[1:]
	return v, full
}

// take returns the next value; ok is false once the box is closed.
func (b *box[T]) take() (v T, ok bool) {
	for try := 0; ; try++ {
		v, st := b.poll()
		if st != empty {
			return v, st == full
		}
		b.idle.pause(try)
	}
}
