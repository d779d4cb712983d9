package pipe

// A relay is a pipe as the source of another, whose stages are not fused with its own.
type relay[T any] struct{ up desc }

func (f *relay[T]) relays()       {} // it is no stage of its own
func (f *relay[T]) title() string { return f.up.name() }

func (f *relay[T]) drive(s *segment) {
	p := newPusher[T](s)
	drive(s, &f.up, &relaying[T]{pushing[T]{p}})
	p.close()
}

// pushing is the part of a taker that stands before another segment.
type pushing[T any] struct{ down *pusher[T] }

// gather has what came before the errors delivered before them.
func (t pushing[T]) gather(s *segment, errs []error) bool {
	t.down.flush()
	d := t.down.s
	if d.drain() && !d.taker.gather(d, errs) {
		d.stop()
	}
	return d.wanted()
}

type relaying[T any] struct{ pushing[T] }

func (t *relaying[T]) take(s *segment, v vector) bool {
	return t.down.pushAll(v.(*vec[T]).items)
}

// name is that of the last stage, or of the source where there is none.
func (d *desc) name() string {
	if d.n > 0 {
		last := d.last()
		return last.name()
	}
	return d.title()
}
