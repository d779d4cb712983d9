package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/gopayoff/payoff/internal/world/shim"
	"github.com/gopayoff/payoff/queue"
)

// scenes are queues with senders and receivers, in ways of their own. Each returns
// what is wrong.
var scenes = map[string]func() string{
	"spsc":        func() string { return flow(spsc(1), 1, 1, scene{}) },
	"spscBatch":   func() string { return flow(spsc(2), 1, 1, scene{send: sendAll, recv: recvInto}) },
	"spscInPlace": func() string { return flow(spsc(2), 1, 1, scene{send: reserve, recv: view}) },
	"spscSelect":  func() string { return flow(spsc(1), 1, 1, scene{send: trySend, recv: tryRecv}) },
	"spscGiveUp":  func() string { return flow(spsc(1), 1, 1, scene{cancels: true}) },
	"spscGaveUp":  func() string { return flow(spsc(1), 1, 1, scene{cancels: true, send: sendAll, recv: recvInto}) },
	"spscClose":   func() string { return flow(spsc(1), 1, 1, scene{closes: true}) },

	"mpsc":       func() string { return flow(mpsc(1), 2, 1, scene{}) },
	"mpscBatch":  func() string { return flow(mpsc(2), 2, 1, scene{send: sendAll, recv: recvInto}) },
	"mpscView":   func() string { return flow(mpsc(2), 2, 1, scene{recv: view}) },
	"mpscSelect": func() string { return flow(mpsc(1), 2, 1, scene{send: trySend, recv: tryRecv}) },
	"mpscGiveUp": func() string { return flow(mpsc(1), 2, 1, scene{cancels: true}) },
	"mpscClose":  func() string { return flow(mpsc(1), 2, 1, scene{closes: true}) },

	"mpmc":       func() string { return flow(mpmc(1), 2, 2, scene{}) },
	"mpmcThree":  func() string { return flow(mpmc(1), 1, 3, scene{}) },
	"mpmcOne":    func() string { return flow(mpmc(1), 3, 1, scene{}) },
	"mpmcBatch":  func() string { return flow(mpmc(2), 2, 2, scene{send: sendAll, recv: recvInto}) },
	"mpmcSelect": func() string { return flow(mpmc(1), 2, 2, scene{send: trySend, recv: tryRecv}) },
	"mpmcGiveUp": func() string { return flow(mpmc(1), 2, 2, scene{cancels: true}) },
	"mpmcGaveUp": func() string { return flow(mpmc(1), 2, 2, scene{cancels: true, send: sendAll, recv: recvInto}) },
	"mpmcClose":  func() string { return flow(mpmc(1), 2, 2, scene{closes: true}) },
}

// A value is by whom it was made, and which of its maker's. It is no atomic: a race
// between sender and receiver shows.
type value struct{ from, n int }

// A pipe is what all queues have.
type pipe interface {
	Send(*value) error
	SendContext(context.Context, *value) error
	SendAll([]*value) (int, error)
	SendAllContext(context.Context, []*value) (int, error)
	TrySend(*value) error
	Writable() <-chan struct{}
	Recv() (*value, bool)
	RecvContext(context.Context) (*value, error)
	RecvInto([]*value) int
	RecvIntoContext(context.Context, []*value) (int, error)
	TryRecv() (*value, error)
	Readable() <-chan struct{}
	Len() int
	Close()
}

func spsc(capacity int) pipe { return queue.NewSPSC[*value](capacity) }
func mpsc(capacity int) pipe { return queue.NewMPSC[*value](capacity) }
func mpmc(capacity int) pipe { return queue.NewMPMC[*value](capacity) }

// A scene is how values go through a queue.
type scene struct {
	send    func(ctx context.Context, q pipe, vs []*value) (sent int, err error)
	recv    func(ctx context.Context, q pipe, take func(*value)) error // until there is an error
	cancels bool                                                       // the context ends meanwhile
	closes  bool                                                       // the queue is closed meanwhile
}

// each is how many values each sender has.
const each = 2

var errGaveUp = errors.New("gave up")

// flow sends values, and looks whether each that was sent arrives once, in the order of
// its sender's, and no other.
func flow(q pipe, senders, receivers int, s scene) string {
	if s.send == nil {
		s.send = send
	}
	if s.recv == nil {
		s.recv = recv
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if !s.cancels {
		ctx = context.Background()
	}
	made := make([][]*value, senders)
	sent, got := make([]int, senders), make([][]*value, receivers)
	wrong := ""
	ended := func(err error) {
		switch {
		case s.cancels && errors.Is(err, errGaveUp), errors.Is(err, queue.ErrClosed):
		default:
			wrong = fmt.Sprintf("it ended with %v", err)
		}
	}
	var sending, receiving shim.WaitGroup
	for i := range senders {
		for n := range each {
			made[i] = append(made[i], &value{i, n})
		}
		sending.Go(func() {
			var err error
			if sent[i], err = s.send(ctx, q, made[i]); err != nil {
				ended(err)
			} else if sent[i] != each {
				wrong = fmt.Sprintf("%d values were sent of %d, without an error", sent[i], each)
			}
			if errors.Is(err, queue.ErrClosed) && !s.closes {
				wrong = "the queue was closed too early"
			}
		})
	}
	for i := range receivers {
		receiving.Go(func() {
			ended(s.recv(ctx, q, func(v *value) { got[i] = append(got[i], v) }))
		})
	}
	if s.cancels {
		shim.Gosched()
		cancel(errGaveUp)
	}
	if s.closes {
		shim.Gosched()
		q.Close()
	}
	sending.Wait()
	q.Close()
	receiving.Wait()
	var rest []*value
	for v, ok := q.Recv(); ok; v, ok = q.Recv() {
		rest = append(rest, v)
	}
	if wrong != "" {
		return wrong
	}
	if n := q.Len(); n != 0 {
		return fmt.Sprintf("an empty queue has %d values", n)
	}
	seen := make(map[value]bool)
	for _, vs := range append(got, rest) {
		last := make(map[int]int)
		for _, v := range vs {
			if v == nil || v.n >= sent[v.from] {
				return fmt.Sprintf("%v was received, and not sent", v)
			}
			if seen[*v] {
				return fmt.Sprintf("%v was received twice", *v)
			}
			seen[*v] = true
			if v.n < last[v.from] {
				return fmt.Sprintf("%v was received after another of its sender's", *v)
			}
			last[v.from] = v.n
		}
	}
	for i, n := range sent {
		for k := range n {
			if !seen[value{i, k}] {
				return fmt.Sprintf("value %d of sender %d is lost", k, i)
			}
		}
	}
	return ""
}

func send(ctx context.Context, q pipe, vs []*value) (int, error) {
	for i, v := range vs {
		var err error
		if ctx == context.Background() {
			err = q.Send(v)
		} else {
			err = q.SendContext(ctx, v)
		}
		if err != nil {
			return i, err
		}
	}
	return len(vs), nil
}

func sendAll(ctx context.Context, q pipe, vs []*value) (int, error) {
	if ctx == context.Background() {
		return q.SendAll(vs)
	}
	return q.SendAllContext(ctx, vs)
}

// trySend waits for room by a channel.
func trySend(_ context.Context, q pipe, vs []*value) (int, error) {
	for i, v := range vs {
		err := q.TrySend(v)
		for err == queue.ErrFull {
			<-shim.Receiving(q.Writable())
			err = q.TrySend(v)
		}
		if err != nil {
			return i, err
		}
	}
	return len(vs), nil
}

func recv(ctx context.Context, q pipe, take func(*value)) error {
	for {
		if ctx == context.Background() {
			v, ok := q.Recv()
			if !ok {
				return queue.ErrClosed
			}
			take(v)
			continue
		}
		v, err := q.RecvContext(ctx)
		if err != nil {
			return err
		}
		take(v)
	}
}

func recvInto(ctx context.Context, q pipe, take func(*value)) error {
	buf := make([]*value, 2)
	for {
		n, err := 0, error(nil)
		if ctx == context.Background() {
			if n = q.RecvInto(buf); n == 0 {
				err = queue.ErrClosed
			}
		} else {
			n, err = q.RecvIntoContext(ctx, buf)
		}
		for _, v := range buf[:n] {
			take(v)
		}
		if err != nil {
			return err
		}
	}
}

// tryRecv waits for values by a channel.
func tryRecv(_ context.Context, q pipe, take func(*value)) error {
	for {
		<-shim.Receiving(q.Readable())
		v, err := q.TryRecv()
		for ; err == nil; v, err = q.TryRecv() {
			take(v)
		}
		if err != queue.ErrEmpty {
			return err
		}
	}
}

// reserve writes values where they lie in the ring.
func reserve(_ context.Context, q pipe, vs []*value) (sent int, err error) {
	r := q.(*queue.SPSC[*value])
	for sent < len(vs) {
		slots := r.Reserve(len(vs) - sent)
		if slots == nil {
			return sent, queue.ErrClosed
		}
		n := copy(slots, vs[sent:])
		if err := r.Publish(n); err != nil {
			return sent, err
		}
		sent += n
	}
	return sent, nil
}

// view reads them there.
func view(_ context.Context, q pipe, take func(*value)) error {
	r := q.(interface {
		View(n int) []*value
		Release(n int)
	})
	for {
		vs := r.View(2)
		if len(vs) == 0 {
			return queue.ErrClosed
		}
		for _, v := range vs {
			take(v)
		}
		r.Release(len(vs))
	}
}
