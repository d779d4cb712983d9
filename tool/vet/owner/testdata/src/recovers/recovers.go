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
	t.rows <- r // want "one by one" // refuse "mutex: what ends the program in the goroutine may be recovered where it is asked"
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
	c.all <- r // want "one by one" // refuse "mutex: what ends the program in the goroutine may be recovered where it is asked"
	<-r.done
}
