package queue_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/gopayoff/payoff/queue"
)

func TestCancelReleases(t *testing.T) {
	cause := errors.New("cause")
	// Ways for a context to end, each with the error that says so.
	ends := []struct {
		name string
		want error
		make func() (ctx context.Context, end func())
	}{
		{"cancel with cause", cause, func() (context.Context, func()) {
			ctx, cancel := context.WithCancelCause(context.Background())
			return ctx, func() { cancel(cause) }
		}},
		{"cancel", context.Canceled, func() (context.Context, func()) {
			return context.WithCancel(context.Background())
		}},
		{"deadline", context.DeadlineExceeded, func() (context.Context, func()) {
			ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
			return ctx, func() { time.Sleep(time.Hour); settle(); cancel() }
		}},
		{"deadline with cause", cause, func() (context.Context, func()) {
			ctx, cancel := context.WithTimeoutCause(context.Background(), time.Hour, cause)
			return ctx, func() { time.Sleep(time.Hour); settle(); cancel() }
		}},
	}
	bubbles(t, []int{1, 2, 8, 64}, func(t *testing.T, k kind[int], capacity int) {
		for _, end := range ends {
			q := k.make(capacity)
			ctx, stop := end.make()
			recv := start("RecvContext and "+end.name, func() (int, error) { return q.RecvContext(ctx) })
			recv.wantWaiting(t)
			stop()
			recv.want(t, 0, end.want)

			n := fill(t, q) // none goes to the one that gave up
			ctx, stop = end.make()
			send := start("SendContext and "+end.name, func() (int, error) { return 0, q.SendContext(ctx, -1) })
			send.wantWaiting(t)
			stop()
			send.want(t, 0, end.want)
			drain(t, q, upTo(n))
		}
	})
}

// One that gives up, or leaves its select for something else, takes no wake-up
// with it that another needed.
func TestGivingUpPassesOn(t *testing.T) {
	bubbles(t, []int{1, 8}, func(t *testing.T, k kind[int], capacity int) {
		if k.manyRecvs {
			for _, r := range recvWays(k.make(1)) {
				q := k.make(capacity)
				for range 20 {
					ctx, cancel := context.WithCancel(context.Background())
					first := start("RecvContext", func() (int, error) { return q.RecvContext(ctx) })
					watcher := start("watcher", func() (int, error) {
						select {
						case <-q.Readable():
						case <-ctx.Done():
						}
						return 0, nil
					})
					settle()
					second := start(r.name, func() (int, error) { return r.recv(q) })
					second.wantWaiting(t)
					go cancel()
					go q.Send(7)
					watcher.want(t, 0, nil)
					if !first.returned() || first.err == nil {
						first.want(t, 7, nil)
						second.wantWaiting(t)
						q.Send(7)
					}
					second.want(t, 7, nil)
				}
			}
		}
		if k.manySends {
			for _, s := range sendWays(k.make(1)) {
				q := k.make(capacity)
				for range 20 {
					empty(q)
					n := fill(t, q)
					ctx, cancel := context.WithCancel(context.Background())
					first := start("SendContext", func() (int, error) { return 0, q.SendContext(ctx, 7) })
					watcher := start("watcher", func() (int, error) {
						select {
						case <-q.Writable():
						case <-ctx.Done():
						}
						return 0, nil
					})
					settle()
					second := start(s.name, func() (int, error) { return 0, s.send(q, 7) })
					second.wantWaiting(t)
					go cancel()
					start("makeRoom", func() (int, error) { return makeRoom(q, recvWays(q)[0], n), nil })
					watcher.want(t, 0, nil)
					if !first.returned() || first.err == nil {
						first.want(t, 0, nil)
						makeRoom(q, recvWays(q)[0], n)
					}
					second.want(t, 0, nil)
				}
			}
		}
	})
}

// One that gives up just when it is handed a value, or its value is taken, loses
// nothing and sends nothing twice.
func TestGivingUpLosesNothing(t *testing.T) {
	bubbles(t, []int{1, 8}, func(t *testing.T, k kind[int], capacity int) {
		for i := range 50 {
			q := k.make(capacity)
			ctx, cancel := context.WithCancel(context.Background())
			recv := start("RecvContext", func() (int, error) { return q.RecvContext(ctx) })
			settle()
			if i%2 == 0 {
				cancel()
				q.Send(7)
			} else {
				q.Send(7)
				cancel()
			}
			settle()
			if recv.err == nil {
				recv.want(t, 7, nil)
				drain(t, q, nil)
			} else {
				recv.want(t, 0, context.Canceled)
				drain(t, q, []int{7})
			}

			q = k.make(capacity)
			n := fill(t, q)
			ctx, cancel = context.WithCancel(context.Background())
			send := start("SendContext", func() (int, error) { return 0, q.SendContext(ctx, n) })
			settle()
			want := upTo(n + 1)
			if i%2 == 0 {
				cancel()
			}
			want = want[makeRoom(q, recvWays(q)[0], n):]
			cancel()
			settle()
			if send.err == nil {
				send.want(t, 0, nil)
			} else {
				send.want(t, 0, context.Canceled)
				want = want[:len(want)-1]
			}
			drain(t, q, want)
		}
	})
}

// Who leaves closes; the other side then does not wait for him.
func TestEitherSideLeaves(t *testing.T) {
	bubbles(t, []int{1, 2, 8, 64}, func(t *testing.T, k kind[int], capacity int) {
		for _, s := range sendWays(k.make(1)) {
			q := k.make(capacity)
			var producers []*call
			for range many(k.manySends, 5) {
				producers = append(producers, start(s.name, func() (n int, err error) {
					for ; err == nil; n++ {
						err = s.send(q, n)
					}
					return 0, err
				}))
			}
			func() { // the consumer
				defer q.Close()
				for range q.All() {
					return
				}
			}()
			for _, p := range producers {
				p.want(t, 0, queue.ErrClosed)
			}
		}
		for _, r := range recvWays(k.make(1)) {
			q := k.make(capacity)
			start("a producer that panics", func() (int, error) {
				defer func() { recover() }()
				defer q.Close()
				q.Send(1)
				panic("of the producer")
			})
			consumer := start(r.name, func() (n int, err error) {
				for err == nil {
					if _, err = r.recv(q); err == nil {
						n++
					}
				}
				return n, err
			})
			consumer.want(t, 1, queue.ErrClosed)
		}
	})
}
