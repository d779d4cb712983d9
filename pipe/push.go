package pipe

import "time"

// A pusher puts items into a segment, one after the other, on the caller's goroutine.
// It collects them until they are worth a batch.
type pusher[T any] struct {
	s  *segment
	in *vec[T]
}

// newPusher returns the one of s.
func newPusher[T any](s *segment) *pusher[T] {
	p := &pusher[T]{s: s, in: as[T](s.own.in)}
	s.own.in = p.in
	s.collecting = p
	s.pace.start(s)
	p.in.items = p.in.own[:0]
	return p
}

// push puts v into the segment. It reports whether the run goes on.
func (p *pusher[T]) push(v T) bool {
	p.in.items = append(p.in.items, v)
	if len(p.in.items) < p.s.pace.next {
		return p.s.wanted()
	}
	p.flush()
	return p.s.wanted()
}

// pushAll is push for each of vs.
func (p *pusher[T]) pushAll(vs []T) bool {
	for len(vs) > 0 && p.s.wanted() {
		n := min(len(vs), max(1, p.s.pace.next-len(p.in.items)))
		p.in.items = append(p.in.items, vs[:n]...)
		vs = vs[n:]
		if len(p.in.items) >= p.s.pace.next {
			p.flush()
		}
	}
	return p.s.wanted()
}

// flush hands on what was collected.
func (p *pusher[T]) flush() bool {
	n := len(p.in.items)
	if n == 0 {
		return false
	}
	p.in.own = p.in.items[:max(n, len(p.in.own))]
	s := p.s
	if s.alive() {
		s.hand(n)
	}
	// It may have been handed to others.
	p.in = as[T](s.own.in)
	s.own.in = p.in
	p.in.items = p.in.own[:0]
	return true
}

// fail ends the run with an error of the source, after what came before it.
func (p *pusher[T]) fail(err error) {
	p.flush()
	s := p.s
	if s.drain() && s.r.drain(s) {
		s.r.ended(&ending{err: &Error{s.title(), s.taken, nil, err}})
	}
}

// close ends the segment: there are no more items.
func (p *pusher[T]) close() {
	p.flush()
	p.s.drain()
	p.s.settle()
}

// hand works on what is in own, or hands it to others.
func (s *segment) hand(n int) {
	b := &s.own
	if s.shared != nil {
		s.post(n)
		return
	}
	if s.waiting() && s.share(true) {
		s.post(n)
		return
	}
	s.do(b, n)
	if !s.finish(b) {
		return
	}
	// A source that yields slowly is not to be held back by what it has yielded.
	if others := s.pace.others; others > 0 {
		s.pace.next = max(1, min(s.pace.next, int(int64(collectTime)*1000/others)))
	}
	s.shares()
}

// collectTime is how long a pusher may take to collect a batch.
const collectTime = 10 * time.Microsecond

// title is what the source is called.
func (d *desc) title() string { return titled(d.about(), d.from) }

func (s *segment) title() string { return titled(s.about, s.from) }

func titled(a *about, from source) string {
	if a != nil && a.name != "" {
		return a.name
	}
	return from.title()
}
