package pipe

import (
	"context"
	"iter"
)

// FlatMap is a pipe of all that the sequences f(v) yield, one after the other, in the
// order of the items. A sequence may be long, or endless: it is not ahead of what comes
// behind by more than some batches.
//
// f, and the sequences, run on the goroutine that calls the sink. Where that is work
// of its own, let a Map do it, and return slices: FlatMap(Map(p, split),
// slices.Values[[]string]). FlatMap panics if f is nil.
func FlatMap[T, U any](p Pipe[T], f func(v T) iter.Seq[U]) Pipe[U] {
	if f == nil {
		panic("pipe.FlatMap: f is nil")
	}
	return behind[U](&p.d, &flattening[T, U]{p.d, f})
}

// behind returns a pipe with another source than d's.
func behind[U any](d *desc, from source) Pipe[U] { return Pipe[U]{d.behind(from)} }

type flattening[T, U any] struct {
	up desc
	f  func(v T) iter.Seq[U]
}

func (f *flattening[T, U]) title() string { return "FlatMap(" + nameOf(codeOf(f.f)) + ")" }

func (f *flattening[T, U]) drive(s *segment) {
	p := newPusher[U](s)
	t := &flattener[T, U]{pushing[U]{p}, f.f, p.push}
	drive(s, &f.up, t)
	p.close()
}

// drive runs up, with t for what comes out, to its end.
func drive(s *segment, up *desc, t taker) {
	seg := s.r.segment(up, t, s)
	up.from.drive(seg)
}

type flattener[T, U any] struct {
	pushing[U]
	f    func(v T) iter.Seq[U]
	push func(U) bool
}

func (t *flattener[T, U]) take(s *segment, v vector) bool {
	for _, x := range v.(*vec[T]).items {
		t.f(x)(t.push)
		if !t.down.s.wanted() {
			return false
		}
	}
	return true
}

// FlatMapContext is [FlatMap] for sequences that may fail, or wait: each error that they
// yield is one of the item, for [Pipe.OnError]. [Pipe.Retry] has no effect.
func FlatMapContext[T, U any](p Pipe[T], f func(ctx context.Context, v T) iter.Seq2[U, error]) Pipe[U] {
	if f == nil {
		panic("pipe.FlatMapContext: f is nil")
	}
	return behind[U](&p.d, &flatteningContext[T, U]{p.d, f})
}

type flatteningContext[T, U any] struct {
	up desc
	f  func(ctx context.Context, v T) iter.Seq2[U, error]
}

func (f *flatteningContext[T, U]) title() string {
	return "FlatMapContext(" + nameOf(codeOf(f.f)) + ")"
}

func (f *flatteningContext[T, U]) drive(s *segment) {
	p := newPusher[U](s)
	drive(s, &f.up, &flattenerContext[T, U]{pushing[U]{p}, f.f, s.about, 0})
	p.close()
}

type flattenerContext[T, U any] struct {
	pushing[U]
	f     func(ctx context.Context, v T) iter.Seq2[U, error]
	about *about
	index int
}

func (t *flattenerContext[T, U]) take(s *segment, v vector) bool {
	for _, x := range v.(*vec[T]).items {
		t.f(s.r.context(), x)(func(u U, err error) bool {
			if err == nil {
				return t.down.push(u)
			}
			return t.failed(s, &Error{t.down.s.title(), t.index, x, err})
		})
		if !t.down.s.wanted() {
			return false
		}
		t.index++
	}
	return true
}

// failed reports whether the run goes on after an error.
func (t *flattenerContext[T, U]) failed(s *segment, err *Error) bool {
	rule := stopRule
	if t.about != nil && s.r.ctx.Err() == nil {
		rule = t.about.rule
	}
	switch rule {
	case Skip:
		return true
	case Gather:
		return t.gather(s, []error{err})
	}
	if s.r.drain(s) {
		s.r.ended(&ending{err: err})
	}
	return false
}
