// Package fields has loops that sleep until fields of a struct have changed.
package fields

import (
	"sync"
	"sync/atomic"
	"time"
)

// A mailbox is polled by a method that takes.
type mailbox[T any] struct {
	mu     sync.Mutex
	items  []T
	closed bool
	pace   pacer
}

// pacer says how long to wait before looking again.
type pacer interface{ pause(try int) }

type steps struct{ first, most time.Duration }

func (s steps) pause(try int) { time.Sleep(min(s.first<<min(try, 8), s.most)) }

func newMailbox[T any]() *mailbox[T] {
	return &mailbox[T]{pace: steps{time.Microsecond, time.Millisecond}}
}

func (m *mailbox[T]) put(v T) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.items = append(m.items, v)
}

func (m *mailbox[T]) close() {
	m.mu.Lock()
	m.closed = true
	m.mu.Unlock()
}

func (m *mailbox[T]) poll() (v T, ok, end bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.items) == 0 {
		return v, false, m.closed
	}
	v = m.items[0]
	m.items = m.items[1:]
	return v, true, false
}

func (m *mailbox[T]) take() (v T, ok bool) {
	for try := 0; ; try++ { // want "the loop looks at closed and items again and again"
		v, ok, end := m.poll()
		if ok || end {
			return v, ok
		}
		m.pace.pause(try)
	}
}

// tryTake looks once, and tells what waits, too.
func (m *mailbox[T]) tryTake() (v T, ok bool) {
	v, ok, _ = m.poll()
	return v, ok
}

// Two loops of a desk wait for one signal.
type desk struct {
	mu      sync.Mutex
	waiting []int
	busy    int
	shut    bool
}

func (d *desk) submit(n int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.shut {
		return false
	}
	d.waiting = append(d.waiting, n)
	return true
}

func (d *desk) flush() {
	wait := time.Microsecond
	for !d.idle() { // want "the loop looks at busy, shut and waiting again and again"
		time.Sleep(wait)
		if wait < time.Millisecond {
			wait *= 2
		}
	}
}

func (d *desk) idle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.busy == 0 && len(d.waiting) == 0
}

func (d *desk) stopped() {
	for !d.closed() {
		time.Sleep(time.Millisecond)
	}
}

func (d *desk) closed() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.shut
}

func (d *desk) stop() {
	d.mu.Lock()
	d.busy--
	d.shut = true
	d.mu.Unlock()
}

// tickets looks with the lock in the loop, at a map of what is done.
type tickets struct {
	sync.RWMutex
	states map[int]*state
}

type state struct {
	done   bool
	answer string
}

func (t *tickets) wait(id int) string {
	for { // want "the loop looks at answer, done and states again and again"
		t.RLock()
		s := t.states[id]
		if s != nil && s.done {
			defer t.RUnlock()
			return s.answer
		}
		t.RUnlock()
		nap()
	}
}

func nap() { time.Sleep(time.Millisecond) }

func (t *tickets) start(id int) {
	t.Lock()
	defer t.Unlock()
	t.states[id] = new(state)
}

func (t *tickets) finish(id int, answer string) bool {
	t.Lock()
	s := t.states[id]
	if s == nil {
		t.Unlock()
		return false
	}
	s.answer, s.done = answer, true
	if answer == "" {
		t.Unlock()
		return true
	}
	t.Unlock()
	return true
}

// gate gives the lock back while it sleeps.
type gate struct {
	mu   sync.Mutex
	open bool
	in   int
}

func (g *gate) pass() {
	g.mu.Lock()
	g.in++
	for !g.open || g.in > 3 { // want "the loop looks at in and open again and again"
		g.mu.Unlock()
		time.Sleep(time.Millisecond)
		g.mu.Lock()
	}
	g.in--
	g.mu.Unlock()
}

func (g *gate) set(open bool) {
	g.mu.Lock()
	g.open = open
	g.mu.Unlock()
}

// count sleeps before it looks, until an atomic field is zero.
type count struct {
	running atomic.Int32
	failed  int32
}

func (c *count) wait() bool {
	for { // want "the loop looks at failed and running again and again"
		time.Sleep(time.Millisecond)
		if c.running.Load() == 0 {
			return atomic.LoadInt32(&c.failed) == 0
		}
	}
}

func (c *count) start(f func() error) {
	c.running.Add(1)
	go func() {
		defer c.running.Add(-1)
		if f() != nil {
			atomic.AddInt32(&c.failed, 1)
		}
	}()
}

// take is called with the lock.
type pile struct {
	mu sync.Mutex
	xs []*int
	n  int
}

func (p *pile) take() (*int, bool) {
	if len(p.xs) == 0 {
		return nil, false
	}
	x := p.xs[len(p.xs)-1]
	p.xs, p.n = p.xs[:len(p.xs)-1], p.n+1
	*x++
	return x, true
}

func (p *pile) get() *int {
	for { // want "the loop looks at n and xs again and again"
		p.mu.Lock()
		x, ok := p.take()
		p.mu.Unlock()
		if ok {
			return x
		}
		time.Sleep(time.Millisecond)
	}
}

func (p *pile) put(x *int) {
	p.mu.Lock()
	p.xs = append(p.xs, x)
	p.mu.Unlock()
}

// Variables of the package.
var (
	running sync.Mutex
	jobs    int
)

func started(f func()) {
	running.Lock()
	jobs++
	running.Unlock()
	go func() {
		f()
		running.Lock()
		defer running.Unlock()
		jobs--
	}()
}

func quiet() {
	for { // want "the loop looks at jobs again and again"
		running.Lock()
		n := jobs
		running.Unlock()
		if n == 0 {
			break
		}
		time.Sleep(time.Millisecond)
	}
}

// A local variable under a local lock, with a back-off.
func local(fs []func()) {
	var mu sync.Mutex
	left := len(fs)
	for _, f := range fs {
		go func() {
			f()
			mu.Lock()
			defer mu.Unlock()
			left--
		}()
	}
	most := time.Second
	pause := first()
	for { // want "the loop looks at left again and again"
		mu.Lock()
		if left == 0 {
			mu.Unlock()
			println(most)
			return
		}
		mu.Unlock()
		time.Sleep(pause)
		if pause < most {
			pause *= 2
		}
	}
}

func first() time.Duration {
	println("first")
	return time.Millisecond
}

// A loop with an end beside one without.
func (p *pile) within(d time.Duration) (x *int, ok bool) {
	for end := time.Now().Add(d); time.Now().Before(end); { // want "the loop looks at n and xs" // refuse "signal: the loop also depends on the world"
		p.mu.Lock()
		x, ok = p.take()
		p.mu.Unlock()
		if ok {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return x, ok
}

// It looks at one after the other.
func (p *pile) all(piles []*pile) {
	for i := 0; i < len(piles); i++ {
		q := piles[i]
		for {
			if q.empty() {
				break
			}
			time.Sleep(time.Millisecond)
		}
	}
}

func (p *pile) empty() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.xs) == 0
}

func (p *pile) late() {
	for { // want "the loop looks at xs" // refuse "signal: the loop also looks after it has waited"
		if !p.empty() {
			return
		}
		time.Sleep(time.Millisecond)
		if !p.empty() {
			return
		}
	}
}
