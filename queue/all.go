package queue

import (
	"context"
	"iter"
)

// All returns the values as they come, until the queue is closed and empty. A
// loop that ends early leaves the queue as it is: if nobody goes on receiving,
// call Close, so that no sender waits forever.
func (q *single[T]) All() iter.Seq[T] { return all(q.Recv) }

// AllContext is All that ends when ctx is done, as RecvContext does: each value
// comes with a nil error, and where ctx is done, a zero T with [context.Cause] of
// ctx comes last. Where the queue is closed and empty the loop ends without an
// error.
func (q *single[T]) AllContext(ctx context.Context) iter.Seq2[T, error] {
	return allContext(ctx, q.RecvContext)
}

// All returns the values as they come, until the queue is closed and empty.
// Several goroutines may range at once: each value goes to one. A loop that
// ends early leaves the queue as it is.
func (q *MPMC[T]) All() iter.Seq[T] { return all(q.Recv) }

// AllContext is [MPMC.All] that ends when ctx is done, as [MPMC.RecvContext] does. Each
// value comes with a nil error. Where ctx is done, a zero T with [context.Cause] of ctx
// comes last. Where the queue is closed and empty the loop ends without an error.
func (q *MPMC[T]) AllContext(ctx context.Context) iter.Seq2[T, error] {
	return allContext(ctx, q.RecvContext)
}

func all[T any](recv func() (T, bool)) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v, ok := recv(); ok && yield(v); v, ok = recv() {
		}
	}
}

func allContext[T any](ctx context.Context, recv func(context.Context) (T, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for {
			v, err := recv(ctx)
			if err == nil {
				if !yield(v, nil) {
					return
				}
				continue
			}
			// Not by err, which may be a cause that is ErrClosed.
			if ctx.Err() != nil {
				yield(v, context.Cause(ctx))
			}
			return
		}
	}
}
