package pipe

import (
	"context"
	"errors"
	"iter"
	"unsafe"

	"github.com/gopayoff/payoff/queue"
)

// Slice is a pipe of the elements of items, which must not change while it runs.
func Slice[T any](items []T) Pipe[T] {
	return Pipe[T]{desc{from: slice[T]{}, data: unsafe.Pointer(unsafe.SliceData(items)), len: len(items)}}
}

// A slice has its elements in the desc, and the segment.
type slice[T any] struct{}

func (f slice[T]) title() string       { return "Slice" }
func (f slice[T]) drive(s *segment)    { s.pull(f) }
func (f slice[T]) left(s *segment) int { return s.len - s.taken }
func (f slice[T]) whole() bool         { return true }
func (f slice[T]) full() bool          { return false }
func (f slice[T]) waits(*segment) bool { return false }

func (f slice[T]) take(s *segment, b *batch, n int, _ *waiting) (int, bool) {
	in := as[T](b.in)
	b.in = in
	n = min(n, s.len-s.taken)
	in.items = unsafe.Slice((*T)(s.data), s.len)[s.taken : s.taken+n : s.taken+n]
	return n, n == 0
}

// Range is a pipe of the numbers 0 to n-1. It panics if n is negative.
func Range(n int) Pipe[int] {
	if n < 0 {
		panic("pipe.Range: n < 0")
	}
	return Pipe[int]{desc{from: numbers(n)}}
}

type numbers int

func (n numbers) title() string       { return "Range" }
func (n numbers) drive(s *segment)    { s.pull(n) }
func (n numbers) left(s *segment) int { return int(n) - s.taken }
func (n numbers) full() bool          { return false }
func (n numbers) waits(*segment) bool { return false }
func (n numbers) whole() bool         { return true }

func (n numbers) take(s *segment, b *batch, k int, _ *waiting) (int, bool) {
	in := as[int](b.in)
	b.in = in
	items := in.grown(min(k, n.left(s)))
	for i := range items {
		items[i] = s.taken + i
	}
	in.items, in.at = items, nil
	return len(items), len(items) == 0
}

// Chan is a pipe of the values of c, until c closes. Where items come slowly each is on
// its way at once, also while others are in work. A run that ends early loses the items
// that it has received.
//
// A run that ends early, by an error or a break, receives nothing more, and what sends
// to c then waits for ever. So a sender should mind a context that ends with the run:
//
//	ctx, stop := context.WithCancel(ctx)
//	defer stop()
//	c := make(chan Item)
//	go func() {
//		defer close(c)
//		for {
//			select {
//			case c <- next():
//			case <-ctx.Done():
//				return
//			}
//		}
//	}()
//	return pipe.Map(pipe.Chan(c), f).Drain(ctx)
//
// Where it cannot, receive what is left when the run has ended: for range c {}.
//
// Chan panics if c is nil.
func Chan[T any](c <-chan T) Pipe[T] {
	if c == nil {
		panic("pipe.Chan: c is nil")
	}
	return Pipe[T]{desc{from: channel[T](c)}}
}

type channel[T any] <-chan T

func (c channel[T]) title() string       { return "Chan" }
func (c channel[T]) drive(s *segment)    { s.pull(c) }
func (c channel[T]) left(*segment) int   { return len(c) }
func (c channel[T]) whole() bool         { return false }
func (c channel[T]) full() bool          { return len(c) == cap(c) }
func (c channel[T]) waits(*segment) bool { return true }

func (c channel[T]) take(s *segment, b *batch, n int, w *waiting) (int, bool) {
	in := as[T](b.in)
	b.in = in
	items := in.grown(n)
	k, ended := 0, false
	for k < n {
		select {
		case v, ok := <-c:
			if !ok {
				ended = true
				break
			}
			items[k] = v
			k++
			continue
		default:
		}
		if k == 0 && w != nil && !ended {
			v, ok, woken := c.wait(w)
			if woken {
				break
			}
			if ok {
				items[0] = v
				k = 1
				continue
			}
			ended = true
		}
		break
	}
	in.items, in.at = items[:k], nil
	return k, ended && k == 0
}

// wait waits for an item, unless something else ends that: then woken is true.
func (c channel[T]) wait(w *waiting) (v T, ok, woken bool) {
	if w.done == nil && w.bell == nil {
		v, ok = <-c
		return v, ok, false
	}
	select {
	case v, ok = <-c:
		return v, ok, false
	case <-w.done:
	case <-w.bell:
		w.rang = true
	}
	return v, false, true
}

// Queue is a pipe of what is received from q, as [Chan] is for a channel. Where q may
// be received from by one goroutine only, a run is that one. After a run that has ended
// early, close q: then senders get [queue.ErrClosed] and do not wait.
//
// Queue panics if q is nil.
func Queue[T any](q queue.Receiver[T]) Pipe[T] {
	if q == nil {
		panic("pipe.Queue: q is nil")
	}
	return Pipe[T]{desc{from: &queued[T]{q}}}
}

type queued[T any] struct{ q queue.Receiver[T] }

func (f *queued[T]) title() string     { return "Queue" }
func (f *queued[T]) drive(s *segment)  { s.pull(f) }
func (f *queued[T]) left(*segment) int { return f.q.Len() }

func (f *queued[T]) whole() bool { return false }

// waits: a queue from which a goroutine has received beside a select costs more from
// then on. So this is for items that take long.
func (f *queued[T]) full() bool            { return f.q.Len() >= f.q.Cap() }
func (f *queued[T]) waits(s *segment) bool { return s.pace.perItem > longItem || s.r.timeouts != nil }

func (f *queued[T]) take(s *segment, b *batch, n int, w *waiting) (int, bool) {
	in := as[T](b.in)
	b.in = in
	items := in.grown(n)
	k, err := f.q.TryRecvInto(items)
	if k == 0 && err == queue.ErrEmpty && w != nil {
		if w.bell == nil {
			ctx := s.r.ctx
			if w.done == nil {
				ctx = context.Background()
			}
			if k, err = f.q.RecvIntoContext(ctx, items); err != nil && !errors.Is(err, queue.ErrClosed) {
				err = nil
			}
		} else {
			select {
			case <-f.q.Readable():
				k, err = f.q.TryRecvInto(items)
			case <-w.done:
			case <-w.bell:
				w.rang = true
			}
		}
	}
	in.items, in.at = items[:k], nil
	return k, k == 0 && err == queue.ErrClosed
}

// Seq is a pipe of what seq yields. It runs seq on the goroutine that calls the sink,
// and is some batches ahead of that at most.
//
// Seq may hold items until seq yields again, up to what that yields in about 10 µs. For
// a sequence that waits for what comes from outside, a channel is better. The sequence
// must not reuse what it has yielded. Seq panics if seq is nil.
func Seq[T any](seq iter.Seq[T]) Pipe[T] {
	if seq == nil {
		panic("pipe.Seq: seq is nil")
	}
	return Pipe[T]{desc{from: sequence[T](seq)}}
}

type sequence[T any] iter.Seq[T]

func (seq sequence[T]) title() string { return "Seq" }

func (seq sequence[T]) drive(s *segment) {
	p := newPusher[T](s)
	seq(p.push)
	p.close()
}

// Seq2 is [Seq] for a sequence that may fail. An error ends the run, after the items
// before it, with an [*Error]. Where the context of the run is done, it ends with its
// cause.
func Seq2[T any](seq iter.Seq2[T, error]) Pipe[T] {
	if seq == nil {
		panic("pipe.Seq2: seq is nil")
	}
	return Pipe[T]{desc{from: sequence2[T](seq)}}
}

type sequence2[T any] iter.Seq2[T, error]

func (seq sequence2[T]) title() string { return "Seq2" }

func (seq sequence2[T]) drive(s *segment) {
	p := newPusher[T](s)
	seq(func(v T, err error) bool {
		if err != nil {
			p.fail(err)
			return false
		}
		return p.push(v)
	})
	p.close()
}
