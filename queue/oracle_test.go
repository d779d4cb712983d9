package queue_test

import (
	"context"
	"iter"
	"sync"

	"github.com/gopayoff/payoff/queue"
)

// A ring is what every queue of the package has.
type ring[T any] interface {
	Send(T) error
	Recv() (T, bool)
	TrySend(T) error
	TryRecv() (T, error)
	SendContext(context.Context, T) error
	RecvContext(context.Context) (T, error)
	SendAll([]T) (int, error)
	SendAllContext(context.Context, []T) (int, error)
	RecvInto([]T) int
	TryRecvInto([]T) (int, error)
	RecvIntoContext(context.Context, []T) (int, error)
	Close()
	All() iter.Seq[T]
	Len() int
	Cap() int
	Readable() <-chan struct{}
	Writable() <-chan struct{}
}

// A viewer lends its values to its one consumer.
type viewer[T any] interface {
	View(n int) []T
	Release(n int)
}

// A reserver lends its slots to its one producer.
type reserver[T any] interface {
	Reserve(n int) []T
	Publish(n int) error
}

// A kind is one implementation. Each test runs for all that allow as many
// producers and consumers as it has.
type kind[T any] struct {
	name                 string
	manySends, manyRecvs bool
	make                 func(capacity int) ring[T]
}

// allows reports whether so many producers and consumers may share a queue.
func (k kind[T]) allows(producers, consumers int) bool {
	return (producers == 1 || k.manySends) && (consumers == 1 || k.manyRecvs)
}

// many returns n, or 1 where the role of n goroutines is for one alone.
func many(allowed bool, n int) int {
	if allowed {
		return n
	}
	return 1
}

func kinds[T any]() []kind[T] {
	return []kind[T]{
		{"oracle", true, true, func(n int) ring[T] { return newOracle[T](n) }},
		{"lender", false, false, func(n int) ring[T] { return &lender[T]{oracle: newOracle[T](n)} }},
		{"SPSC", false, false, func(n int) ring[T] { return queue.NewSPSC[T](n) }},
		{"MPSC", true, false, func(n int) ring[T] { return queue.NewMPSC[T](n) }},
		{"MPMC", true, true, func(n int) ring[T] { return queue.NewMPMC[T](n) }},
	}
}

// An oracle is the queue that is slow and plain: a slice under a mutex. All
// who wait wait for any change. Each test also runs on it, and so proves that
// it asks for nothing impossible.
type oracle[T any] struct {
	mu      sync.Mutex
	buf     []T
	cap     int
	closed  bool
	changed chan struct{} // closed and replaced at every change
}

func newOracle[T any](capacity int) *oracle[T] {
	return &oracle[T]{cap: capacity, changed: make(chan struct{})}
}

// change wakes all who wait. o.mu is held.
func (o *oracle[T]) change() {
	close(o.changed)
	o.changed = make(chan struct{})
}

// when calls f, under the mutex, as soon as ready says true, or the queue is
// closed. It gives up with the cause of ctx.
func (o *oracle[T]) when(ctx context.Context, ready func() bool, f func()) error {
	for {
		o.mu.Lock()
		if ready() || o.closed {
			f()
			o.mu.Unlock()
			return nil
		}
		changed := o.changed
		o.mu.Unlock()
		select {
		case <-changed:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (o *oracle[T]) room() bool   { return len(o.buf) < o.cap }
func (o *oracle[T]) filled() bool { return len(o.buf) > 0 }

func (o *oracle[T]) take() (v T) {
	v, o.buf[0] = o.buf[0], v
	o.buf = o.buf[1:]
	o.change()
	return v
}

func (o *oracle[T]) SendContext(ctx context.Context, v T) error {
	result := queue.ErrClosed
	err := o.when(ctx, o.room, func() {
		if !o.closed {
			o.buf = append(o.buf, v)
			o.change()
			result = nil
		}
	})
	if err != nil {
		return err
	}
	return result
}

func (o *oracle[T]) RecvContext(ctx context.Context) (v T, err error) {
	result := queue.ErrClosed
	err = o.when(ctx, o.filled, func() {
		if o.filled() {
			v = o.take()
			result = nil
		}
	})
	if err != nil {
		return v, err
	}
	return v, result
}

func (o *oracle[T]) TrySend(v T) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return queue.ErrClosed
	}
	if !o.room() {
		return queue.ErrFull
	}
	o.buf = append(o.buf, v)
	o.change()
	return nil
}

func (o *oracle[T]) TryRecv() (v T, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.filled() {
		return o.take(), nil
	}
	if o.closed {
		return v, queue.ErrClosed
	}
	return v, queue.ErrEmpty
}

func (o *oracle[T]) Send(v T) error { return o.SendContext(context.Background(), v) }

func (o *oracle[T]) Recv() (v T, ok bool) {
	v, err := o.RecvContext(context.Background())
	return v, err == nil
}

func (o *oracle[T]) SendAll(vs []T) (n int, err error) {
	return o.SendAllContext(context.Background(), vs)
}

func (o *oracle[T]) SendAllContext(ctx context.Context, vs []T) (n int, err error) {
	for _, v := range vs {
		if err := o.SendContext(ctx, v); err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func (o *oracle[T]) TryRecvInto(buf []T) (n int, err error) {
	for n < len(buf) {
		v, err := o.TryRecv()
		if err != nil && n == 0 {
			return 0, err
		}
		if err != nil {
			break
		}
		buf[n] = v
		n++
	}
	return n, nil
}

func (o *oracle[T]) RecvIntoContext(ctx context.Context, buf []T) (n int, err error) {
	if ctx.Err() != nil {
		return 0, context.Cause(ctx)
	}
	if buf[0], err = o.RecvContext(ctx); err != nil {
		return 0, err
	}
	n, _ = o.TryRecvInto(buf[1:])
	return 1 + n, nil
}

func (o *oracle[T]) RecvInto(buf []T) (n int) {
	o.when(context.Background(), o.filled, func() {
		for n < len(buf) && o.filled() {
			buf[n] = o.take()
			n++
		}
	})
	return n
}

func (o *oracle[T]) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.change()
}

func (o *oracle[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) {
		for v, ok := o.Recv(); ok && yield(v); v, ok = o.Recv() {
		}
	}
}

func (o *oracle[T]) Len() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.buf)
}

func (o *oracle[T]) Cap() int { return o.cap }

func (o *oracle[T]) Readable() <-chan struct{} { return o.hint(o.filled) }
func (o *oracle[T]) Writable() <-chan struct{} { return o.hint(o.room) }

// hint returns a channel that is closed, now if ready, else at the next change.
func (o *oracle[T]) hint(ready func() bool) <-chan struct{} {
	o.mu.Lock()
	defer o.mu.Unlock()
	if ready() || o.closed {
		now := make(chan struct{})
		close(now)
		return now
	}
	return o.changed
}

// A lender is an oracle that lends slots and values, to one on each side.
type lender[T any] struct {
	*oracle[T]
	reserved []T
}

func (o *lender[T]) Reserve(n int) (slots []T) {
	o.when(context.Background(), o.room, func() {
		if !o.closed {
			slots = make([]T, min(n, o.cap-len(o.buf)))
		}
	})
	o.reserved = slots
	return slots
}

func (o *lender[T]) Publish(n int) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return queue.ErrClosed
	}
	o.buf = append(o.buf, o.reserved[:n]...)
	clear(o.reserved[:n])
	o.reserved = o.reserved[n:]
	o.change()
	return nil
}

func (o *lender[T]) View(n int) (lent []T) {
	o.when(context.Background(), o.filled, func() {
		if o.filled() {
			lent = append(lent, o.buf[:min(n, len(o.buf))]...)
		}
	})
	return lent
}

func (o *lender[T]) Release(n int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for range n {
		o.take()
	}
}
