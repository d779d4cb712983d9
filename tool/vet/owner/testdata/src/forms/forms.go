// Package forms has owners of each form.
package forms

import (
	"errors"
	"sync"
)

// A counter ends when its channel is closed.
type counter struct {
	// asks carries what is added.
	asks chan add
}

type add struct {
	key   string
	n     int
	total chan int
}

func newCounter() *counter {
	c := &counter{asks: make(chan add)}
	go c.run()
	return c
}

// run counts until asks is closed.
func (c *counter) run() {
	totals := map[string]int{}
	for a := range c.asks {
		totals[a.key] += a.n
		a.total <- totals[a.key] // of the key
	}
}

func (c *counter) add(key string, n int) int {
	total := make(chan int, 1)
	c.asks <- add{key, n, total} // want "a goroutine answers what comes through asks"
	return <-total
}

func (c *counter) close() { close(c.asks) }

// A Store is closed once, and waits for the goroutine.
type Store struct {
	requests chan *request
	once     sync.Once
	ended    sync.WaitGroup
	mu       int // not a lock
}

type op int

const (
	get op = iota
	put
	drop
)

type request struct {
	op    op
	key   int
	value string
	reply chan string
}

// NewStore makes a store.
func NewStore() *Store {
	s := &Store{requests: make(chan *request, 16), mu: 1}
	s.ended.Add(1)
	go func() {
		defer s.ended.Done()
		var (
			values = make(map[int]string)
		)
		var n int
		for r := range s.requests {
			n += s.mu
			switch r.op {
			case get:
				r.reply <- values[r.key]
			case put:
				old := values[r.key]
				values[r.key] = r.value
				r.reply <- old
			default:
				if _, ok := values[r.key]; !ok {
					r.reply <- ""
					continue
				}
				delete(values, r.key)
				r.reply <- "gone"
			}
		}
	}()
	return s
}

func (s *Store) ask(r *request) string {
	r.reply = make(chan string)
	s.requests <- r // want "a goroutine answers what comes through requests"
	return <-r.reply
}

// Get returns a value.
func (s *Store) Get(k int) string { return s.ask(&request{op: get, key: k}) }

// Put sets a value.
func (s *Store) Put(k int, v string) string {
	r := &request{op: put, key: k, value: v, reply: make(chan string)}
	s.requests <- r
	old := <-r.reply
	return "was " + old
}

// Close ends the store.
func (s *Store) Close() {
	s.once.Do(func() {
		close(s.requests)
		s.ended.Wait()
	})
}

var errStopped = errors.New("stopped")

// A gauge is told to stop by another channel, and may be asked after that.
type gauge struct {
	stop   chan struct{}
	levels chan level
	gone   chan bool
	last   int
}

type level struct {
	n    int
	then chan struct{}
}

func newGauge(first int) *gauge {
	g := &gauge{stop: make(chan struct{}), levels: make(chan level), gone: make(chan bool)}
	go g.watch(first, nil)
	return g
}

func (g *gauge) watch(most int, seen []int) {
	defer close(g.gone)
	for {
		select {
		case <-g.stop:
			return
		case l := <-g.levels:
			most = max(most, l.n)
			seen = append(seen, l.n)
			g.last = l.n
			if l.n < 0 {
				l.then <- struct{}{}
				continue
			}
			close(l.then)
		}
	}
}

func (g *gauge) set(n int) error {
	then := make(chan struct{})
	select {
	case g.levels <- level{n: n, then: then}: // want "a goroutine answers what comes through levels"
		<-then
	case <-g.stop:
		return errStopped
	}
	return nil
}

func (g *gauge) check(n int) bool {
	l := level{n: n, then: make(chan struct{})}
	select {
	case <-g.stop:
		return false
	case g.levels <- l:
	}
	<-l.then
	return true
}

func (g *gauge) close() {
	close(g.stop)
	<-g.gone
}

// A ring is never closed.
type ring struct {
	in chan slot
	n  int
}

type slot struct {
	i   int
	out chan<- bool
}

func (r *ring) odd(i int) bool { return i&1 == r.n }

func newRing() *ring {
	r := &ring{in: make(chan slot)}
	r.n = 1
	go r.serve()
	return r
}

func (r *ring) serve() {
	for {
		s := <-r.in
		if r.odd(s.i) {
			s.out <- true
		} else {
			s.out <- false
		}
	}
}

func (r *ring) all(n int) (odd int) {
	out := make(chan bool)
	for i := range n {
		r.in <- slot{i: i, out: out} // want "a goroutine answers what comes through in"
		is := truth(<-out)
		if is {
			odd++
		}
	}
	return odd
}

func (r *ring) one(i int) bool {
	out := make(chan bool)
	r.in <- slot{i: i, out: out}
	return truth(<-out)
}

func truth(b bool) bool { return b }

// A twice is closed by a function that may be called again.
type twice struct{ in chan item }

type item struct{ out chan int }

func newTwice() *twice {
	t := &twice{
		in: make(chan item), // without room
	}
	go t.serve()
	return t
}

func (t *twice) serve() {
	for i := range t.in {
		i.out <- 2
	}
}

func (t *twice) get() int {
	i := item{make(chan int)}
	t.in <- i // want "a goroutine answers what comes through in"
	if v := <-i.out; v > 0 {
		return v
	}
	return 0
}

func (t *twice) close(do func(func())) { do(func() { close(t.in) }) }

// A Sum may be copied by others, and is asked after it stops.
type Sum struct {
	adds chan term
	quit chan struct{}
}

type term struct {
	n   int
	sum chan int
}

// NewSum starts at 0.
func NewSum() *Sum {
	s := &Sum{adds: make(chan term), quit: make(chan struct{})}
	go s.serve()
	return s
}

func (s *Sum) serve() {
	sum := 0
	for {
		select {
		case t := <-s.adds:
			sum += t.n
			t.sum <- sum
		case <-s.quit:
			return
		}
	}
}

// Add adds n.
func (s *Sum) Add(n int) int {
	t := term{n, make(chan int)}
	s.adds <- t // want "a goroutine answers what comes through adds"
	return <-t.sum
}

// Div is the sum by n.
func (s *Sum) Div(n int) int {
	t := term{100 / n, make(chan int)}
	s.adds <- t
	return <-t.sum
}

// Close ends it.
func (s *Sum) Close() { close(s.quit) }

func counted(keys []string, ns []int) (totals []int) {
	c := newCounter()
	defer c.close()
	for i, k := range keys {
		if i < len(ns) {
			totals = append(totals, c.add(k, ns[i]))
		}
	}
	return totals
}

func stored(keys []int, values []string) (all []string) {
	s := NewStore()
	for i, k := range keys {
		if i < len(values) {
			all = append(all, s.Put(k, values[i]), s.ask(&request{op: drop, key: k + i}), s.Get(k))
		}
	}
	s.Close()
	s.Close()
	return all
}

func gauged(ns []int, till int) (seen []int, errs []error) {
	g := newGauge(till)
	for i, n := range ns {
		if i == till {
			g.close()
		}
		errs = append(errs, g.set(n))
		if i < till {
			seen = append(seen, g.last)
		}
	}
	return seen, errs
}

func rung(n uint8) (int, bool) {
	r := newRing()
	return r.all(int(n)), r.one(int(n))
}

// A list may be asked for what it does not have.
type list struct{ rows chan row }

type row struct {
	i     int
	reply chan int
}

func newList() *list {
	l := &list{rows: make(chan row)}
	go l.serve([]int{1, 2, 3})
	return l
}

func (l *list) serve(all []int) {
	for r := range l.rows {
		r.reply <- all[r.i]
	}
}

func (l *list) get(i int) int {
	r := row{i: i, reply: make(chan int)}
	l.rows <- r // want "one by one"
	return <-r.reply
}

// Calls are made one by one.
type calls struct{ all chan call }

type call struct {
	do   func(n int)
	done chan struct{}
}

func newCalls() *calls {
	c := &calls{all: make(chan call)}
	go c.serve()
	return c
}

func (c *calls) serve() {
	n := 0
	for r := range c.all {
		n++
		r.do(n)
		close(r.done)
	}
}

func (c *calls) run(do func(n int)) {
	r := call{do: do, done: make(chan struct{})}
	c.all <- r // want "one by one"
	<-r.done
}

// What a goroutine runs is no request.
func (c *calls) later(told chan<- int) {
	go func(n int) { told <- n }(1)
}

// The answer is what was there before.
type tickets struct {
	asks chan ticketsAsk
}

type ticketsAsk struct {
	n     int64
	reply chan int64
}

func newTickets(last int64) *tickets {
	t := &tickets{asks: make(chan ticketsAsk)}
	go t.loop(last)
	return t
}

func (t *tickets) loop(last int64) {
	times := 0
	for r := range t.asks {
		if r.n < 0 {
			r.reply <- int64(times)
			continue
		}
		r.reply <- last + 1
		last += r.n
		times++
	}
}

func (t *tickets) reserve(n int) int64 {
	r := ticketsAsk{int64(n), make(chan int64)}
	t.asks <- r // want "one by one"
	return <-r.reply
}
