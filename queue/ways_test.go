package queue_test

import (
	"context"

	"github.com/gopayoff/payoff/queue"
)

// A sendWay sends one value and waits for room. It returns what Send would.
type sendWay[T any] struct {
	name string
	send func(q ring[T], v T) error
}

// sendWays returns all ways that q has.
func sendWays[T any](q ring[T]) []sendWay[T] {
	ways := []sendWay[T]{
		{"Send", ring[T].Send},
		{"SendContext", func(q ring[T], v T) error { return q.SendContext(context.Background(), v) }},
		{"SendContext+cancel", func(q ring[T], v T) error {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			return q.SendContext(ctx, v)
		}},
		{"SendAllContext", func(q ring[T], v T) error {
			_, err := q.SendAllContext(context.Background(), []T{v})
			return err
		}},
		{"SendAll", func(q ring[T], v T) error {
			n, err := q.SendAll([]T{v})
			if (n == 1) != (err == nil) {
				panic("SendAll of one value: n == 1 and err == nil do not agree")
			}
			return err
		}},
		{"Writable", func(q ring[T], v T) error {
			for {
				<-q.Writable()
				if err := q.TrySend(v); err != queue.ErrFull {
					return err
				}
			}
		}},
		{"TrySend+Writable", func(q ring[T], v T) error {
			for {
				if err := q.TrySend(v); err != queue.ErrFull {
					return err
				}
				<-q.Writable()
			}
		}},
	}
	if _, ok := q.(reserver[T]); ok {
		ways = append(ways, sendWay[T]{"Reserve", func(q ring[T], v T) error {
			r := q.(reserver[T])
			slots := r.Reserve(1)
			if slots == nil {
				return queue.ErrClosed
			}
			slots[0] = v
			return r.Publish(1)
		}})
	}
	return ways
}

// A recvWay receives one value and waits for it. Its error is nil or ErrClosed.
type recvWay[T any] struct {
	name string
	recv func(q ring[T]) (T, error)
}

// closedUnless returns the error that says ok.
func closedUnless(ok bool) error {
	if ok {
		return nil
	}
	return queue.ErrClosed
}

// recvWays returns all ways that q has.
func recvWays[T any](q ring[T]) []recvWay[T] {
	ways := []recvWay[T]{
		{"Recv", func(q ring[T]) (T, error) {
			v, ok := q.Recv()
			return v, closedUnless(ok)
		}},
		{"RecvContext", func(q ring[T]) (T, error) { return q.RecvContext(context.Background()) }},
		{"RecvContext+cancel", func(q ring[T]) (T, error) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			return q.RecvContext(ctx)
		}},
		{"RecvInto", func(q ring[T]) (T, error) {
			var buf [1]T
			n := q.RecvInto(buf[:])
			return buf[0], closedUnless(n == 1)
		}},
		{"RecvIntoContext", func(q ring[T]) (T, error) {
			var buf [1]T
			_, err := q.RecvIntoContext(context.Background(), buf[:])
			return buf[0], err
		}},
		{"TryRecvInto+Readable", func(q ring[T]) (T, error) {
			var buf [1]T
			for {
				if _, err := q.TryRecvInto(buf[:]); err != queue.ErrEmpty {
					return buf[0], err
				}
				<-q.Readable()
			}
		}},
		{"All", func(q ring[T]) (v T, err error) {
			for v := range q.All() {
				return v, nil
			}
			return v, queue.ErrClosed
		}},
		{"Readable", func(q ring[T]) (T, error) {
			for {
				<-q.Readable()
				if v, err := q.TryRecv(); err != queue.ErrEmpty {
					return v, err
				}
			}
		}},
		{"TryRecv+Readable", func(q ring[T]) (T, error) {
			for {
				if v, err := q.TryRecv(); err != queue.ErrEmpty {
					return v, err
				}
				<-q.Readable()
			}
		}},
	}
	if _, ok := q.(viewer[T]); ok {
		ways = append(ways, recvWay[T]{"View", func(q ring[T]) (v T, err error) {
			l := q.(viewer[T])
			lent := l.View(1)
			if lent == nil {
				return v, queue.ErrClosed
			}
			v = lent[0]
			l.Release(1)
			return v, nil
		}})
	}
	return ways
}
