package pipe

import (
	"context"
	"iter"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/queue"
)

// gathering is the part of a taker that keeps errors for the end.
type gathering struct{}

func (gathering) gather(s *segment, errs []error) bool {
	s.r.gather(errs)
	return true
}

// All runs the pipe for a loop: each item comes with a nil error, in order. Where the
// run fails, a zero T and the error come last. Under [Gather] errors come when their
// turn does, after the items of their batch, and the loop goes on.
//
// A loop that ends early ends the run: All returns when nothing of it runs any more.
// The loop's body runs on the caller's goroutine, while others may work on the items
// that come next. It is a loop again each time that it is ranged over.
func (p Pipe[T]) All(ctx context.Context) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		t := &ranging[T]{yield: yield}
		if err := flow(ctx, &p.d, t); err != nil && !t.stopped {
			var zero T
			yield(zero, err)
		}
	}
}

type ranging[T any] struct {
	yield   func(T, error) bool
	stopped bool
}

func (t *ranging[T]) take(s *segment, v vector) bool {
	for _, x := range v.(*vec[T]).items {
		if !t.yield(x, nil) {
			t.stopped = true
			return false
		}
	}
	return true
}

func (t *ranging[T]) gather(s *segment, errs []error) bool {
	var zero T
	for _, err := range errs {
		if !t.yield(zero, err) {
			t.stopped = true
			return false
		}
	}
	return true
}

// Collect runs the pipe and returns the items in order: where there is an error, those
// before it.
func (p Pipe[T]) Collect(ctx context.Context) ([]T, error) {
	t := new(collecting[T])
	err := flow(ctx, &p.d, t)
	return t.items, err
}

const collectBytes = 1 << 20

type collecting[T any] struct {
	gathering
	items []T
}

func (t *collecting[T]) take(s *segment, v vector) bool {
	items := v.(*vec[T]).items
	if t.items == nil && s.feed != nil {
		if s.feed.whole() {
			// Stages keep their number or make it less, perhaps by far: only so much is
			// made before it is known.
			t.items = make([]T, 0, max(len(items), min(s.total(), collectBytes/max(1, int(sizeOf[T]())))))
		}
	}
	t.items = append(t.items, items...)
	return true
}

// total is how many items come from a feed that tells. It is asked for the first batch
// that is delivered, when others may have taken some since.
func (s *segment) total() int {
	if s.shared != nil {
		s.shared.feeding.Lock()
		defer s.shared.feeding.Unlock()
	}
	return s.taken + s.feed.left(s)
}

// ForEach runs the pipe and calls f for each item, one after the other, in order, on
// the caller's goroutine. An error of f ends the run and is returned as it is, but
// joined with those that [Gather] has kept. For what several goroutines are to do, use [Map] or [MapContext] and [Pipe.Drain].
func (p Pipe[T]) ForEach(ctx context.Context, f func(v T) error) error {
	if f == nil {
		panic("pipe.ForEach: f is nil")
	}
	return flow(ctx, &p.d, each1[T](f))
}

type each1[T any] func(v T) error

func (f each1[T]) take(s *segment, v vector) bool {
	for _, x := range v.(*vec[T]).items {
		if err := f(x); err != nil {
			s.r.fail(err)
			return false
		}
	}
	return true
}

func (f each1[T]) gather(s *segment, errs []error) bool { return gathering{}.gather(s, errs) }

// Drain runs the pipe for what its functions do, and forgets the items.
func (p Pipe[T]) Drain(ctx context.Context) error { return flow(ctx, &p.d, draining{}) }

type draining struct{ gathering }

func (draining) take(*segment, vector) bool { return true }

// Reduce runs the pipe and returns what f has made of the items: f(…f(f(acc, first),
// second)…, last). f is called as that of [Pipe.ForEach] is. Where there is an error,
// the items before it were reduced.
func Reduce[T, A any](ctx context.Context, p Pipe[T], acc A, f func(acc A, v T) A) (A, error) {
	if f == nil {
		panic("pipe.Reduce: f is nil")
	}
	t := &reducing[T, A]{acc: acc, f: f}
	err := flow(ctx, &p.d, t)
	return t.acc, err
}

type reducing[T, A any] struct {
	gathering
	acc A
	f   func(A, T) A
}

func (t *reducing[T, A]) take(s *segment, v vector) bool {
	acc, f := t.acc, t.f
	for _, x := range v.(*vec[T]).items {
		acc = f(acc, x)
	}
	t.acc = acc
	return true
}

// ToChan runs the pipe and sends the items to c, which it does not close. While it
// waits for a receiver, others work on the items that come next, as far as there is
// room for them.
func (p Pipe[T]) ToChan(ctx context.Context, c chan<- T) error {
	if c == nil {
		panic("pipe.ToChan: c is nil")
	}
	return flow(ctx, &p.d, sending[T](c))
}

type sending[T any] chan<- T

func (c sending[T]) take(s *segment, v vector) bool {
	for _, x := range v.(*vec[T]).items {
		if s.r.done == nil {
			c <- x
			continue
		}
		select {
		case c <- x:
			continue
		default:
		}
		select {
		case c <- x:
		case <-s.r.done:
			s.r.fail(context.Cause(s.r.ctx))
			return false
		}
	}
	return true
}

func (c sending[T]) gather(s *segment, errs []error) bool { return gathering{}.gather(s, errs) }

// ToQueue runs the pipe and sends the items to q, which it does not close, as
// [Pipe.ToChan] does. Where q is closed before the end, ToQueue returns
// [queue.ErrClosed].
func (p Pipe[T]) ToQueue(ctx context.Context, q queue.Sender[T]) error {
	if q == nil {
		panic("pipe.ToQueue: q is nil")
	}
	return flow(ctx, &p.d, &queueing[T]{q: q})
}

type queueing[T any] struct {
	gathering
	q queue.Sender[T]
}

func (t *queueing[T]) take(s *segment, v vector) bool {
	if _, err := t.q.SendAllContext(s.r.ctx, v.(*vec[T]).items); err != nil {
		s.r.fail(err)
		return false
	}
	return true
}

func isSpread() bool { return force.Current() == force.Spread }
