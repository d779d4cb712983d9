package pipe

import (
	"slices"
	"sync/atomic"
	"time"
)

// Chunk is a pipe of slices of n items each, in order; the last one may have fewer. The
// slices are the receiver's. Chunk panics if n < 1.
//
// It is for functions that want many items at once. To have a pipe faster it is not
// needed: items go in batches anyway.
func Chunk[T any](p Pipe[T], n int) Pipe[[]T] {
	if n < 1 {
		panic("pipe.Chunk: n < 1")
	}
	return behind[[]T](&p.d, &chunking[T]{up: p.d, n: n})
}

// ChunkWithin is [Chunk], but a slice has fewer items where the first of them has waited
// for d. Where something else keeps the goroutine of the caller, that shows when it is
// back. Such is a source that waits, as [Seq] and [Lines] may, or a function that lasts.
func ChunkWithin[T any](p Pipe[T], n int, d time.Duration) Pipe[[]T] {
	if n < 1 {
		panic("pipe.ChunkWithin: n < 1")
	}
	if d <= 0 {
		panic("pipe.ChunkWithin: d <= 0")
	}
	return behind[[]T](&p.d, &chunking[T]{p.d, n, d})
}

type chunking[T any] struct {
	up desc
	n  int
	d  time.Duration // 0: for as long as it takes
}

func (f *chunking[T]) title() string { return "Chunk" }

func (f *chunking[T]) drive(s *segment) {
	p := newPusher[[]T](s)
	t := &chunker[T]{pushing: pushing[[]T]{p}, n: f.n, d: f.d}
	if t.d > 0 {
		s.r.open()
		s.r.timeouts = append(s.r.timeouts, t)
		t.timer = time.AfterFunc(time.Hour, func() { t.rang.Store(true); s.r.wake() })
		t.timer.Stop()
		defer t.timer.Stop()
	}
	drive(s, &f.up, t)
	t.ring()
	p.close()
}

// A chunker collects items.
type chunker[T any] struct {
	pushing[[]T]
	n     int
	items []T

	d     time.Duration
	first time.Time   // when the first of the items came, if d is not 0
	timer *time.Timer // runs while there are items; nil: d is 0
	// rang is stored by the timer, and taken back by the caller. One that is stopped may
	// still store it, when the next items are there: it says to look at the clock, no more.
	rang atomic.Bool
}

func (t *chunker[T]) take(s *segment, v vector) bool {
	items := v.(*vec[T]).items
	if t.due() {
		t.ring()
	}
	for len(items) > 0 && t.down.s.wanted() {
		if t.items == nil {
			t.items = make([]T, 0, min(t.n, 1024))
			if t.timer != nil {
				t.first = time.Now()
				t.timer.Reset(t.d)
			}
		}
		n := min(len(items), t.n-len(t.items))
		t.items = append(t.items, items[:n]...)
		items = items[n:]
		if len(t.items) == t.n {
			t.ring()
		}
	}
	return t.down.s.wanted()
}

func (t *chunker[T]) gather(s *segment, errs []error) bool { return t.pushing.gather(s, errs) }

// due reports whether the time of the items is over.
func (t *chunker[T]) due() bool {
	return t.rang.Load() && len(t.items) > 0 && time.Since(t.first) >= t.d
}

// ring hands on what there is.
func (t *chunker[T]) ring() {
	if t.timer != nil {
		t.timer.Stop()
		t.rang.Store(false)
	}
	if items := t.items; len(items) > 0 && t.down.s.wanted() {
		t.items = nil
		t.down.push(items)
	}
}

// A timeout is something that the caller is to do at a time, also while it waits.
type timeout interface {
	due() bool
	ring()
}

// Window is a pipe of slices of size items that follow each other, one for each step
// items. What remains in the end, and is no full window, is left out. But where there
// are fewer than size items in all, they are one window. The slices are the receiver's.
//
// Window panics if size or step is below 1.
func Window[T any](p Pipe[T], size, step int) Pipe[[]T] {
	if size < 1 || step < 1 {
		panic("pipe.Window: size or step < 1")
	}
	return behind[[]T](&p.d, &windowing[T]{p.d, size, step})
}

type windowing[T any] struct {
	up         desc
	size, step int
}

func (f *windowing[T]) title() string { return "Window" }

func (f *windowing[T]) drive(s *segment) {
	p := newPusher[[]T](s)
	t := &windower[T]{pushing: pushing[[]T]{p}, size: f.size, step: f.step}
	drive(s, &f.up, t)
	if !t.any && len(t.items) > 0 && s.wanted() {
		p.push(t.items)
	}
	p.close()
}

type windower[T any] struct {
	pushing[[]T]
	size, step int
	items      []T
	skip       int // items that are in no window
	any        bool
}

func (t *windower[T]) take(s *segment, v vector) bool {
	for _, x := range v.(*vec[T]).items {
		if t.skip > 0 {
			t.skip--
			continue
		}
		if t.items = append(t.items, x); len(t.items) < t.size {
			continue
		}
		t.any = true
		window := t.items
		if t.step < t.size {
			t.items = append(make([]T, 0, t.size), window[t.step:]...)
		} else {
			t.items, t.skip = nil, t.step-t.size
		}
		if !t.down.push(slices.Clip(window)) {
			return false
		}
	}
	return true
}
