package a

import (
	"fmt"
	"os"
	"sync"
)

// Two values that belong together.

type span struct {
	mu     sync.Mutex
	lo, hi int
}

func (s *span) get() (int, int) {
	s.mu.Lock() // want `s.mu is locked`
	defer s.mu.Unlock()
	return s.lo, s.hi
}

func (s *span) set(lo, hi int) {
	s.mu.Lock()
	s.lo, s.hi = lo, hi
	s.mu.Unlock()
}

// One of them is read alone.

type queue struct {
	mu    sync.Mutex
	items []int
	n     int
}

func (q *queue) len() int {
	q.mu.Lock() // want `q.mu is locked`
	defer q.mu.Unlock()
	return q.n
}

func (q *queue) put(x int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, x)
	q.n++
}

// The largest so far: a read and a write that belong together.

type peak struct {
	mu  sync.Mutex
	max int
}

func (p *peak) get() int {
	p.mu.Lock() // want `p.mu is locked`
	defer p.mu.Unlock()
	return p.max
}

func (p *peak) see(n int) {
	p.mu.Lock()
	if n > p.max {
		p.max = n
	}
	p.mu.Unlock()
}

// The lock goes elsewhere.

type waiter struct {
	mu   sync.RWMutex
	cond *sync.Cond
	n    int
}

func (w *waiter) init() { w.cond = sync.NewCond(&w.mu) }

func (w *waiter) get() int {
	w.mu.RLock() // want `w.mu is read-locked` // refuse "cow: the lock is used in another way"
	defer w.mu.RUnlock()
	return w.n
}

func (w *waiter) set(n int) {
	w.mu.Lock()
	w.n = n
	w.mu.Unlock()
}

type tried struct {
	mu sync.RWMutex
	n  int
}

func (t *tried) get() int {
	t.mu.RLock() // want `t.mu is read-locked` // refuse "cow: the lock is used in another way"
	defer t.mu.RUnlock()
	return t.n
}

func (t *tried) try() int {
	if t.mu.TryRLock() {
		defer t.mu.RUnlock()
		return t.n
	}
	return 0
}

func (t *tried) set(n int) {
	t.mu.Lock()
	t.n = n
	t.mu.Unlock()
}

// A reader reads again, calls who knows what, or waits.

type nested struct {
	mu   sync.RWMutex
	n    int
	each func(int)
	done chan int
}

func (n *nested) get() int {
	n.mu.RLock() // want `n.mu is read-locked`
	defer n.mu.RUnlock()
	return n.n
}

func (n *nested) twice() int {
	n.mu.RLock()
	defer n.mu.RUnlock()
	return 2 * n.get()
}

func (n *nested) set(x int) {
	n.mu.Lock()
	n.n = x
	n.mu.Unlock()
}

type called struct {
	mu   sync.RWMutex
	n    int
	each func(int)
}

func (c *called) get() int {
	c.mu.RLock() // want `c.mu is read-locked`
	defer c.mu.RUnlock()
	return c.n
}

func (c *called) tell() {
	c.mu.RLock()
	c.each(c.n)
	c.mu.RUnlock()
}

func (c *called) set(n int) {
	c.mu.Lock()
	c.n = n
	c.mu.Unlock()
}

type waits struct {
	mu sync.RWMutex
	n  int
	c  chan int
}

func (w *waits) get() int {
	w.mu.RLock() // want `w.mu is read-locked`
	defer w.mu.RUnlock()
	return w.n
}

func (w *waits) send() {
	w.mu.RLock()
	w.c <- w.n
	w.mu.RUnlock()
}

func (w *waits) set(n int) {
	w.mu.Lock()
	w.n = n
	w.mu.Unlock()
}

// An element is read with its parts.

type entry struct{ hits int }

type entries struct {
	mu sync.Mutex
	m  map[string]*entry
}

func (e *entries) get(k string) int {
	e.mu.Lock() // want `e.mu is locked` // refuse "cow: memory is read through a pointer"
	defer e.mu.Unlock()
	return e.m[k].hits
}

func (e *entries) hit(k string) {
	e.mu.Lock()
	if x := e.m[k]; x != nil {
		x.hits++
	} else {
		e.m[k] = &entry{}
	}
	e.mu.Unlock()
}

// A literal sets it.

type made struct {
	mu sync.Mutex
	n  int
}

var all = []*made{{n: 1}}

func (m *made) get() int {
	m.mu.Lock() // want `m.mu is locked`
	defer m.mu.Unlock()
	return m.n
}

func (m *made) set(n int) {
	m.mu.Lock()
	m.n = n
	m.mu.Unlock()
}

// Its address is taken, and its section does more.

type taken struct {
	mu sync.Mutex
	n  int
}

func (t *taken) get() int {
	t.mu.Lock() // want `t.mu is locked`
	defer t.mu.Unlock()
	return t.n
}

func (t *taken) set(n int) {
	t.mu.Lock()
	t.n = n
	t.mu.Unlock()
}

func (t *taken) where() *int { return &t.n }

type logged struct {
	mu sync.Mutex
	n  int
}

func (l *logged) get() int {
	l.mu.Lock() // want `l.mu is locked`
	defer l.mu.Unlock()
	return l.n
}

func (l *logged) set(n int) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n = n
	return os.Remove("n")
}

// Others may use it.

type Public struct {
	Mu sync.RWMutex
	N  int
}

func (p *Public) Get() int {
	p.Mu.RLock() // want `p.Mu is read-locked` // refuse "cow: other packages may use Mu"
	defer p.Mu.RUnlock()
	return p.N
}

func (p *Public) Set(n int) {
	p.Mu.Lock()
	p.N = n
	p.Mu.Unlock()
}

type halfPublic struct {
	mu sync.Mutex
	N  int
}

func (p *halfPublic) get() int {
	p.mu.Lock() // want `p.mu is locked`
	defer p.mu.Unlock()
	return p.N
}

func (p *halfPublic) set(n int) {
	p.mu.Lock()
	p.N = n
	p.mu.Unlock()
}

// Nothing is written under it, but somebody waits for others, or calls.

type barrier struct {
	mu sync.Mutex
	n  int
}

func (b *barrier) get() int {
	b.mu.Lock() // want `b.mu is locked` // refuse "drop: what is done under the lock may need it, or others may wait for that"
	defer b.mu.Unlock()
	return b.n
}

func (b *barrier) wait() {
	b.mu.Lock()
	b.mu.Unlock()
}

type turns struct {
	mu sync.Mutex
	n  int
}

func (t *turns) get() int {
	t.mu.Lock() // want `t.mu is locked` // refuse "drop: what is done under the lock may need it, or others may wait for that"
	defer t.mu.Unlock()
	return t.n
}

func (t *turns) print() {
	t.mu.Lock()
	defer t.mu.Unlock()
	os.Remove("turn")
}

// It is shown.

type shown struct {
	mu sync.Mutex
	n  int
}

func (s *shown) get() int {
	s.mu.Lock() // want `s.mu is locked`
	defer s.mu.Unlock()
	return s.n
}

func (s *shown) set(n int) {
	s.mu.Lock()
	s.n = n
	s.mu.Unlock()
}

func (s *shown) String() string { return fmt.Sprintf("%v", *(&s)) }
