package pipe

import (
	"context"
	"slices"
	"sync"
)

// Merge is a pipe of the items of all ps, as they come: those of one pipe in its order.
// Each runs on a goroutine of its own, with as much help as others. It is ahead of what
// comes behind by some batches at most. The first error that comes ends the run. A
// panic in a source of ps comes out as a [*Panic] of the stage Merge, without an item.
func Merge[T any](ps ...Pipe[T]) Pipe[T] {
	m := &merging[T]{ups: make([]desc, len(ps))}
	for i, p := range ps {
		m.ups[i] = p.d
	}
	return Pipe[T]{desc{from: m}}
}

type merging[T any] struct{ ups []desc }

func (f *merging[T]) title() string { return "Merge" }

func (f *merging[T]) drive(s *segment) {
	ctx, cancel := context.WithCancelCause(s.r.ctx)
	m := &merger[T]{merging: f, c: make(chan merged[T], len(f.ups))}
	var inputs sync.WaitGroup
	for i := range f.ups {
		up := f.ups[i]
		if up.meter() == nil && s.meter != nil {
			up.with(func(r *rest) { r.meter = s.meter })
		}
		inputs.Go(func() { m.input(ctx, &up) })
	}
	go func() {
		inputs.Wait()
		close(m.c)
	}()
	defer func() {
		cancel(errEnded)
		for range m.c { // until all have ended
		}
	}()
	s.pull(m)
	if !s.wanted() {
		return // others may still be in m.take
	}
	// They are not: who found the end was the last.
	if errs := m.gathered.take(); errs != nil && !s.taker.gather(s, errs) {
		s.stop()
	}
	if m.last != nil && s.wanted() {
		if s.r.drain(s) {
			s.r.ended(m.last)
		}
	}
}

// A merged is items of one pipe, errors that it has gathered, or how it ended.
type merged[T any] struct {
	items []T
	errs  []error
	end   *ending
}

// A merger is a merging that runs.
type merger[T any] struct {
	*merging[T]
	c    chan merged[T]
	rest []T     // received, and not taken
	last *ending // of the pipe that has failed first
	// gathered has the errors that have come: they go with the next items, or come last.
	gathered pending
}

// A pending is errors that wait for items to go with, as many as a run keeps.
type pending struct {
	errs    []error
	omitted int
}

func (p *pending) add(errs []error) {
	n := min(len(errs), mostGathered-len(p.errs))
	p.errs = append(p.errs, errs[:n]...)
	p.omitted += len(errs) - n
}

// take returns them, and none are left.
func (p *pending) take() []error {
	errs := p.errs
	if p.omitted > 0 {
		errs = append(errs, omitted(p.omitted))
	}
	*p = pending{}
	return errs
}

// input runs one pipe.
func (m *merger[T]) input(ctx context.Context, d *desc) {
	end := &ending{exited: true}
	defer func() {
		if v := recover(); v != nil {
			end = &ending{panicked: asPanic(v, nil, 0, nil), elsewhere: true}
		}
		if end.err != nil || end.panicked != nil || end.exited {
			select {
			case m.c <- merged[T]{end: end}:
			case <-ctx.Done():
			}
		}
	}()
	err := flow(ctx, d, &mergingInto[T]{m: m, ctx: ctx})
	end = &ending{err: err}
}

type mergingInto[T any] struct {
	m   *merger[T]
	ctx context.Context
}

func (t *mergingInto[T]) take(s *segment, v vector) bool {
	return t.send(s, merged[T]{items: slices.Clone(v.(*vec[T]).items)})
}

// gather sends errors as items are sent: they are no end of the pipe that had them.
func (t *mergingInto[T]) gather(s *segment, errs []error) bool {
	return t.send(s, merged[T]{errs: errs})
}

func (t *mergingInto[T]) send(s *segment, next merged[T]) bool {
	select {
	case t.m.c <- next:
		return true
	case <-t.ctx.Done():
		s.r.fail(context.Cause(t.ctx))
		return false
	}
}

func (m *merger[T]) drive(s *segment)    {}
func (m *merger[T]) left(*segment) int   { return len(m.rest) }
func (m *merger[T]) whole() bool         { return false }
func (m *merger[T]) full() bool          { return len(m.c) == cap(m.c) }
func (m *merger[T]) waits(*segment) bool { return true }

func (m *merger[T]) take(s *segment, b *batch, n int, w *waiting) (int, bool) {
	in := as[T](b.in)
	b.in = in
	in.items = nil
	if m.last != nil {
		return 0, true
	}
	for len(m.rest) == 0 {
		var next merged[T]
		ok := true
		select {
		case next, ok = <-m.c:
		default:
			if w == nil {
				return 0, false
			}
			select {
			case next, ok = <-m.c:
			case <-w.done:
				return 0, false
			case <-w.bell:
				w.rang = true
				return 0, false
			}
		}
		if !ok {
			return 0, true
		}
		if next.end != nil {
			m.last = next.end
			return 0, true
		}
		m.gathered.add(next.errs)
		m.rest = next.items
	}
	b.gathered = append(b.gathered, m.gathered.take()...)
	n = min(n, len(m.rest))
	in.items, m.rest = m.rest[:n:n], m.rest[n:]
	return n, false
}
