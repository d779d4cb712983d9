// Package recovers stops panics, which end the program where a goroutine has them.
package recovers

import "errors"

type table struct{ rows chan row }

type row struct {
	i     int
	reply chan int
}

func newTable() *table {
	t := &table{rows: make(chan row)}
	go t.serve([]int{1, 2, 3})
	return t
}

func (t *table) serve(all []int) {
	for r := range t.rows {
		r.reply <- all[r.i]
	}
}

func (t *table) get(i int) (v int, err error) {
	defer func() {
		if recover() != nil {
			err = errors.New("none")
		}
	}()
	r := row{i: i, reply: make(chan int)}
	t.rows <- r // want "one by one" // refuse "mutex: a panic of the goroutine, or of what asks, is recovered"
	return <-r.reply, nil
}

type calls struct{ all chan call }

type call struct {
	do   func()
	done chan struct{}
}

func newCalls() *calls {
	c := &calls{all: make(chan call)}
	go c.serve()
	return c
}

func (c *calls) serve() {
	for r := range c.all {
		r.do()
		close(r.done)
	}
}

func (c *calls) run(do func()) {
	r := call{do: do, done: make(chan struct{})}
	c.all <- r // want "one by one" // refuse "mutex: a panic of the goroutine, or of what asks, is recovered"
	<-r.done
}

type sum struct{ terms chan term }

type term struct {
	n   int
	sum chan int
}

func newSum() *sum {
	s := &sum{terms: make(chan term)}
	go s.serve()
	return s
}

func (s *sum) serve() {
	n := 0
	for t := range s.terms {
		n += t.n
		t.sum <- n
	}
}

func (s *sum) add(n int) int {
	t := term{n, make(chan int)}
	s.terms <- t // want "one by one" // refuse "mutex: a panic of the goroutine, or of what asks, is recovered"
	return <-t.sum
}

func (s *sum) close() { close(s.terms) }
