package queue_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/gopayoff/payoff/queue"
)

// A doneLate is a context that is done, but has not told anyone yet who waits for
// Done: then a Close wakes them first.
type doneLate struct {
	context.Context
	err atomic.Pointer[error]
}

func (c *doneLate) Err() error {
	if err := c.err.Load(); err != nil {
		return *err
	}
	return nil
}

// A queue that is closed because ctx is done, as by [context.AfterFunc], says so
// with the cause of ctx, and hands out what is in it.
func TestCloseByContext(t *testing.T) {
	why := errors.New("enough")
	for _, k := range kinds[int]()[2:] {
		for name, f := range map[string]func(ctx context.Context, q ring[int]) (int, error){
			"SendContext": func(ctx context.Context, q ring[int]) (int, error) { return 0, q.SendContext(ctx, 2) },
			"SendAllContext": func(ctx context.Context, q ring[int]) (int, error) {
				return q.SendAllContext(ctx, []int{2})
			},
			"RecvContext":     func(ctx context.Context, q ring[int]) (int, error) { return q.RecvContext(ctx) },
			"RecvIntoContext": func(ctx context.Context, q ring[int]) (int, error) { return q.RecvIntoContext(ctx, make([]int, 1)) },
		} {
			synctest.Test(t, func(t *testing.T) {
				parent, cancel := context.WithCancel(t.Context()) // Done is not nil
				defer cancel()
				q := k.make(1)
				sends := name[0] == 'S'
				if sends {
					q.Send(1)
				}
				ctx := &doneLate{Context: parent}
				c := start(k.name+"."+name, func() (int, error) { return f(ctx, q) })
				c.wantWaiting(t)
				ctx.err.Store(&why)
				q.Close()
				c.want(t, 0, ctx.cause())
				if v, ok := q.Recv(); sends && (v != 1 || !ok) {
					t.Errorf("%s: Recv after Close = %d, %t, want 1, true", c.name, v, ok)
				}
				if _, err := f(context.Background(), q); err != queue.ErrClosed {
					t.Errorf("%s on a closed queue: %v, want %v", c.name, err, queue.ErrClosed)
				}
			})
		}
	}
}

// cause is what the queue returns for c, which is no context of package context.
func (c *doneLate) cause() error { return *c.err.Load() }

// Value hides the parent, of which [context.Cause] would ask.
func (c *doneLate) Value(any) any { return nil }
