package queue_test

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gopayoff/payoff/queue"
)

// A sequence applies calls that bytes choose to a queue and to an oracle, in
// one goroutine, and compares what they say. It leaves out calls that would
// wait for ever.
type sequence[T comparable] struct {
	q     ring[T]
	o     *oracle[T] // as large as q may be with its slack
	value func(i int) T
	made  int
	ops   []byte
	log   []func() string
}

// runSequence returns how q differs from the oracle, or nil. Its values are
// value(0), value(1) and so on.
func runSequence[T comparable](q ring[T], value func(i int) T, ops []byte) error {
	s := &sequence[T]{q: q, o: newOracle[T](slack(q.Cap())), value: value, ops: ops}
	for len(s.ops) > 0 {
		if err := s.step(s.byte()); err != nil {
			return s.failed(err)
		}
	}
	q.Close()
	s.o.Close()
	s.called("Close and receive what is left")
	for {
		v, err := q.TryRecv()
		if err := s.recv(v, err); err != nil {
			return s.failed(err)
		}
		if err != nil {
			return nil
		}
	}
}

// failed says after which calls err was seen.
func (s *sequence[T]) failed(err error) error {
	var calls []string
	for _, call := range s.log[max(0, len(s.log)-20):] {
		calls = append(calls, call())
	}
	return fmt.Errorf("%s: %w", strings.Join(calls, "; "), err)
}

func (s *sequence[T]) byte() (b byte) {
	if len(s.ops) > 0 {
		b, s.ops = s.ops[0], s.ops[1:]
	}
	return b
}

// upTo returns a number from 0 to n.
func (s *sequence[T]) upTo(n int) int { return int(s.byte()) * n / 255 }

func (s *sequence[T]) next() T {
	s.made++
	return s.value(s.made - 1)
}

// called notes a call for the message of a failure.
func (s *sequence[T]) called(format string, args ...any) {
	s.log = append(s.log, func() string { return fmt.Sprintf(format, args...) })
}

// sent compares what a call that may not wait said of v.
func (s *sequence[T]) sent(err error, v T) error {
	switch {
	case err == queue.ErrFull && !s.o.closed:
		if n := s.o.Len(); n < s.q.Cap() {
			return fmt.Errorf("%v with %d of %d values", err, n, s.q.Cap())
		}
		return nil
	default:
		if want := s.o.TrySend(v); err != want {
			return fmt.Errorf("= %v, want %v with %d values", err, want, s.o.Len())
		}
		return nil
	}
}

// recv compares what a call that may not wait got.
func (s *sequence[T]) recv(v T, err error) error {
	want, wantErr := s.o.TryRecv()
	if v != want || err != wantErr {
		return fmt.Errorf("= %v, %v, want %v, %v", v, err, want, wantErr)
	}
	return nil
}

// all compares several values got at once, of which there may be up to n.
func (s *sequence[T]) all(vs []T, n int) error {
	if len(vs) > n || len(vs) == 0 && n > 0 && s.o.Len() > 0 {
		return fmt.Errorf("got %d values of %d, want 1 to %d", len(vs), s.o.Len(), n)
	}
	for i, v := range vs {
		if err := s.recv(v, nil); err != nil {
			return fmt.Errorf("value %d of %d %w", i, len(vs), err)
		}
	}
	return nil
}

// errStop is the cause of a context that a call may have to give up for.
var errStop = errors.New("stop")

func (s *sequence[T]) step(op byte) error {
	room := s.q.Cap() - s.o.Len()
	filled := s.o.Len()
	closed := s.o.closed
	stopped, cancel := context.WithCancelCause(context.Background())
	cancel(errStop)

	switch op % 16 {
	case 0, 1:
		v := s.next()
		s.called("TrySend")
		if err := s.sent(s.q.TrySend(v), v); err != nil {
			return err
		}
	case 2, 3:
		s.called("TryRecv()")
		if err := s.recv(s.q.TryRecv()); err != nil {
			return err
		}
	case 4:
		if room <= 0 && !closed {
			return nil
		}
		v := s.next()
		s.called("Send")
		if err := s.sent(s.q.Send(v), v); err != nil {
			return err
		}
	case 5:
		if filled == 0 && !closed {
			return nil
		}
		s.called("Recv()")
		v, ok := s.q.Recv()
		if err := s.recv(v, closedUnless(ok)); err != nil {
			return err
		}
	case 6: // A context that ended may stop a call that need not wait.
		v := s.next()
		s.called("SendContext(stopped)")
		if err := s.q.SendContext(stopped, v); err == errStop {
			break
		} else if err := s.sent(err, v); err != nil {
			return err
		}
	case 7:
		s.called("RecvContext(stopped)")
		if v, err := s.q.RecvContext(stopped); err == errStop {
			if v != *new(T) {
				return fmt.Errorf("= %v, %v, want the zero value", v, err)
			}
		} else if err := s.recv(v, err); err != nil {
			return err
		}
	case 8:
		if room > 0 || closed {
			v := s.next()
			s.called("SendContext")
			if err := s.sent(s.q.SendContext(context.Background(), v), v); err != nil {
				return err
			}
		}
		if s.o.Len() > 0 || closed {
			s.called("RecvContext()")
			if err := s.recv(s.q.RecvContext(context.Background())); err != nil {
				return err
			}
		}
	case 9, 10:
		k := s.upTo(max(room, 0))
		if closed {
			k = s.upTo(3) + 1 // of none, a closed queue may say what it likes
		}
		vs := make([]T, k)
		for i := range vs {
			vs[i] = s.next()
		}
		s.called("SendAll(%d values)", k)
		n, err := s.q.SendAll(vs)
		if closed {
			if n != 0 || err != queue.ErrClosed {
				return fmt.Errorf("= %d, %v, want 0, %v", n, err, queue.ErrClosed)
			}
			break
		}
		if n != len(vs) || err != nil {
			return fmt.Errorf("= %d, %v, want %d, nil", n, err, len(vs))
		}
		for _, v := range vs {
			if err := s.sent(nil, v); err != nil {
				return err
			}
		}
	case 11:
		k := 1 + s.upTo(s.q.Cap()+1)
		buf := make([]T, k)
		if filled == 0 {
			want := queue.ErrEmpty
			if closed {
				want = queue.ErrClosed
			}
			s.called("TryRecvInto(%d)", k)
			if n, err := s.q.TryRecvInto(buf); n != 0 || err != want {
				return fmt.Errorf("= %d, %v, want 0, %v", n, err, want)
			}
			if !closed {
				return nil
			}
		}
		s.called("RecvInto(%d)", k)
		n := s.q.RecvInto(buf)
		if n < 0 || n > k {
			return fmt.Errorf("= %d", n)
		}
		if err := s.all(buf[:n], k); err != nil {
			return err
		}
	case 12:
		k := s.upTo(filled)
		if k == 0 && !closed {
			return nil
		}
		s.called("All, %d of it", k)
		i := 0
		for v := range s.q.All() {
			if err := s.recv(v, nil); err != nil {
				return err
			}
			if i++; i == k {
				break
			}
		}
		if i < k {
			return fmt.Errorf("ended after %d", i)
		}
	case 13:
		l, ok := s.q.(viewer[T])
		if !ok || filled == 0 && !closed {
			return nil
		}
		k := s.upTo(s.q.Cap()) + 1
		s.called("View(%d)", k)
		lent := l.View(k)
		if filled == 0 {
			if lent != nil {
				return fmt.Errorf("= %v, want nil at the end", lent)
			}
			break
		}
		keep := s.upTo(len(lent))
		s.called("Release(%d)", len(lent)-keep)
		// What is seen but not released is compared when it is seen again.
		got := append([]T(nil), lent[:len(lent)-keep]...)
		if len(lent) == 0 {
			return fmt.Errorf("View(%d) is empty with %d values", k, filled)
		}
		l.Release(len(got))
		if err := s.all(got, k); len(got) > 0 && err != nil {
			return err
		}
	case 14:
		r, ok := s.q.(reserver[T])
		if !ok || room <= 0 && !closed {
			return nil
		}
		k := s.upTo(s.q.Cap()) + 1
		s.called("Reserve(%d)", k)
		slots := r.Reserve(k)
		if closed {
			if slots != nil {
				return fmt.Errorf("= %d slots, want nil after Close", len(slots))
			}
			break
		}
		if len(slots) == 0 || len(slots) > k {
			return fmt.Errorf("= %d slots, want 1 to %d", len(slots), k)
		}
		n := s.upTo(len(slots))
		for i := range n {
			slots[i] = s.next()
		}
		vs := append([]T(nil), slots[:n]...)
		s.called("Publish(%d)", n)
		if err := r.Publish(n); err != nil {
			return fmt.Errorf("= %v, want nil", err)
		}
		for _, v := range vs {
			if err := s.sent(nil, v); err != nil {
				return err
			}
		}
	case 15:
		if filled > 0 || closed {
			s.called("<-Readable()")
			<-s.q.Readable()
		}
		if room > 0 || closed {
			s.called("<-Writable()")
			<-s.q.Writable()
		}
		if s.byte() < 8 {
			s.called("Close()")
			s.q.Close()
			s.o.Close()
		}
	}
	// A receiver that is alone may be late to say what it received.
	late := 0
	if _, alone := s.q.(viewer[T]); alone && s.o.Len() > 0 {
		late = s.q.Cap() / 8
	}
	if got, want := s.q.Len(), s.o.Len(); got < want || got > want+late {
		return fmt.Errorf("then Len() = %d, want %d to %d", got, want, want+late)
	}
	return nil
}
