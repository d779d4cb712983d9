// Package quiet has goroutines that look like owners and do more, or less.
package quiet

import "time"

type request struct {
	k     int
	reply chan int
}

type server struct {
	in, other chan request
	quit      chan struct{}
}

func (s *server) ask(k int) int {
	r := request{k: k, reply: make(chan int)}
	s.in <- r
	n := <-r.reply
	s.other <- r
	return n + <-r.reply
}

// It looks, and does not wait.
func (s *server) polls() {
	for {
		select {
		case r := <-s.in:
			r.reply <- r.k
		default:
		}
	}
}

// The clock counts as well.
func (s *server) ticks() {
	n := 0
	for t := time.NewTicker(time.Second); ; {
		select {
		case r := <-s.in:
			r.reply <- n
		case <-t.C:
			n++
		}
	}
}

func (s *server) ticking(t *time.Ticker) {
	n := 0
	for {
		select {
		case r := <-s.in:
			r.reply <- n
		case <-t.C:
			n++
		}
	}
}

func (s *server) timed(t *time.Ticker) {
	for {
		select {
		case r := <-s.in:
			r.reply <- r.k
		case <-t.C:
			return
		}
	}
}

func (s *server) three(t *time.Ticker) {
	n := 0
	for {
		select {
		case r := <-s.in:
			r.reply <- n
		case <-s.quit:
			return
		case <-t.C:
			n++
		}
	}
}

func (s *server) until(done chan bool) {
	for {
		select {
		case r := <-s.in:
			r.reply <- r.k
		case <-done:
			return
		}
	}
}

// To stop does more.
func (s *server) stops() int {
	for {
		select {
		case r := <-s.in:
			r.reply <- r.k
		case <-s.quit:
			return 1
		}
	}
}

// It is told to stop by what belongs to another.
func (s *server) obeys(t *server) {
	for {
		select {
		case <-t.quit:
			return
		case r := <-s.in:
			r.reply <- r.k
		}
	}
}

// It learns that the channel is closed.
func (s *server) learns() {
	for {
		r, ok := <-s.in
		if !ok {
			return
		}
		r.reply <- r.k
	}
}

// It keeps the request in a variable of its own.
func (s *server) keeps() {
	var r request
	for {
		r = <-s.in
		r.reply <- r.k
	}
}

// Nothing is answered.
func (s *server) sums() {
	n := 0
	for r := range s.in {
		n += r.k
	}
}

// The channel is a variable.
func (s *server) local(in chan request) {
	for r := range in {
		r.reply <- r.k
	}
}

func (s *server) each(in chan request) {
	for {
		r := <-in
		r.reply <- r.k
	}
}

// The struct is another's.
type outer struct{ s *server }

func (o *outer) serve() {
	for r := range o.s.in {
		r.reply <- r.k
	}
}

func start(t *server) {
	s := &server{in: make(chan request), quit: make(chan struct{})}
	go s.polls()
	go s.ticks()
	go s.ticking(nil)
	go s.timed(nil)
	go s.three(nil)
	go s.until(nil)
	go s.stops()
	go s.obeys(t)
	go s.learns()
	go s.keeps()
	go s.sums()
	go s.local(s.other)
	go s.each(s.other)
	go (&outer{s}).serve()
}

type generic[T any] struct{ in chan question[T] }

type question[T any] struct {
	v     T
	reply chan T
}

func newGeneric[T any]() *generic[T] {
	g := &generic[T]{in: make(chan question[T])}
	go g.serve()
	return g
}

func (g *generic[T]) serve() {
	for q := range g.in {
		q.reply <- q.v
	}
}

func (g *generic[T]) ask(v T) T {
	q := question[T]{v, make(chan T)}
	g.in <- q
	return <-q.reply
}
