package queue_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/queue"
)

// TestMain holds all tests together to leaving no goroutine.
func TestMain(m *testing.M) {
	before := stress.Running()
	code := m.Run()
	if code == 0 {
		if left := before.Left(); left != "" {
			fmt.Printf("the tests leave goroutines:\n\n%s\n", left)
			code = 1
		}
	}
	os.Exit(code)
}

// capacities are the small ones, and those around powers of two.
var capacities = []int{1, 2, 3, 7, 8, 9, 64, 1000, 1024}

// slack returns how many values a queue of that Cap may hold.
func slack(capacity int) int {
	if capacity < 16 {
		return capacity
	}
	return capacity + min(capacity/8, 127)
}

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

// A wide value shows when a slot is read before it is whole.
type wide struct{ words [25]int64 }

func makeWide(i int) (w wide) {
	for j := range w.words {
		w.words[j] = int64(i)
	}
	return w
}

// sequences is runSequence for each type of element, by a name.
var sequences = []struct {
	name string
	run  func(kind, capacity int, ops []byte) error
}{
	{"struct{}", sequencesOf(func(int) struct{} { return struct{}{} })},
	{"int64", sequencesOf(func(i int) int64 { return int64(i) + 1 })},
	{"string", sequencesOf(func(i int) string { return fmt.Sprint(i) })},
	{"wide", sequencesOf(makeWide)},
	{"*int", sequencesOf(func(i int) *int { return &i })},
	{"any", sequencesOf(func(i int) any {
		switch i % 3 {
		case 0:
			return i
		case 1:
			return fmt.Sprint(i)
		}
		return nil
	})},
}

func sequencesOf[T comparable](value func(i int) T) func(int, int, []byte) error {
	ks := kinds[T]()
	return func(k, capacity int, ops []byte) error {
		q := ks[k].make(capacity)
		if q.Cap() < capacity {
			return fmt.Errorf("%s of %d: Cap() = %d", ks[k].name, capacity, q.Cap())
		}
		if err := runSequence(q, value, ops); err != nil {
			return fmt.Errorf("%s of %d: %w", ks[k].name, capacity, err)
		}
		return nil
	}
}

func TestSequence(t *testing.T) {
	seed := stress.Seed(t)
	rnd := rand.New(rand.NewPCG(seed, 0))
	rounds := 8
	if !stress.Long() {
		rounds = 1
	}
	for _, element := range sequences {
		t.Run(element.name, func(t *testing.T) {
			stress.Within(t, time.Minute, element.name, func() {
				for k := range kinds[int]() {
					for _, capacity := range capacities {
						for range rounds {
							ops := make([]byte, 250)
							for i := range ops {
								ops[i] = byte(rnd.Uint32())
							}
							if err := element.run(k, capacity, ops); err != nil {
								t.Fatal(err)
							}
						}
					}
				}
			})
		})
	}
}

// FuzzSequence takes the element type, the kind and the capacity from the
// first three bytes, and calls from the rest.
func FuzzSequence(f *testing.F) {
	f.Add([]byte{1, 1, 0, 0, 2})
	f.Add([]byte("\x02\x03\x01\x00\x00\x00\x00\x02\x02\x02"))
	f.Add([]byte{3, 1, 4, 9, 255, 13, 255, 0, 14, 255, 255, 13, 255, 128, 15, 0, 5, 5, 7})
	f.Add([]byte{4, 2, 8, 9, 200, 11, 100, 9, 255, 12, 90, 15, 1, 6, 4, 11, 255, 3})
	f.Add([]byte{0, 3, 7, 9, 255, 0, 0, 0, 0, 11, 255, 15, 100, 10, 255, 15, 0, 12, 255})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) < 3 || len(b) > 1000 {
			return
		}
		element := sequences[int(b[0])%len(sequences)]
		k := int(b[1]) % len(kinds[int]())
		capacity := capacities[int(b[2])%len(capacities)]
		if err := element.run(k, capacity, b[3:]); err != nil {
			t.Errorf("elements %s: %v", element.name, err)
		}
	})
}

// A queue that breaks a promise is caught.
func TestSequenceFails(t *testing.T) {
	for _, broken := range []struct {
		name string
		q    ring[int]
		ops  []byte
	}{
		{"swaps values", &swapping{ring: newOracle[int](8)}, []byte{0, 0, 0, 2, 2}},
		{"says ErrFull early", &early{newOracle[int](8)}, make([]byte, 9)},
		{"has too much room", &early{newOracle[int](11)}, make([]byte, 11)},
		{"takes values after Close", &open{newOracle[int](8)}, []byte{15, 0, 0}},
	} {
		if err := runSequence(broken.q, func(i int) int { return i }, broken.ops); err == nil {
			t.Errorf("a queue that %s passes", broken.name)
		}
	}
}

// swapping gives a value that came by TryRecv second after the next.
type swapping struct {
	ring[int]
	n int
}

func (s *swapping) TryRecv() (int, error) {
	v, err := s.ring.TryRecv()
	if s.n++; err == nil && s.n == 2 {
		if w, err := s.ring.TryRecv(); err == nil {
			return w, nil
		}
	}
	return v, err
}

// early says that it has room for 9.
type early struct{ *oracle[int] }

func (e *early) Cap() int { return 9 }

// open says that it takes values after Close.
type open struct{ *oracle[int] }

func (o *open) TrySend(v int) error {
	if err := o.oracle.TrySend(v); err != queue.ErrClosed {
		return err
	}
	return nil
}
