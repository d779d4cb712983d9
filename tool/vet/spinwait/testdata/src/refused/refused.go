// Package refused has loops that wait for what no signal tells of.
package refused

import (
	"context"
	"net/url"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type box struct {
	mu    sync.Mutex
	items []int
	limit time.Time
	wake  chan struct{}
	looks int
	addr  url.URL
}

func (b *box) put(x int) {
	b.mu.Lock()
	b.items = append(b.items, x)
	b.mu.Unlock()
}

func (b *box) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.items)
}

func (b *box) within(d time.Duration) bool {
	end := time.Now().Add(d)
	for b.len() == 0 { // want "looks at items" // refuse "signal: the loop also depends on the world"
		if time.Now().After(end) {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

func (b *box) under(ctx context.Context) error {
	for b.len() == 0 { // want "looks at items" // refuse "signal: the loop also waits for what a call returns of which nothing is known"
		if err := ctx.Err(); err != nil {
			return err
		}
		time.Sleep(time.Millisecond)
	}
	return nil
}

func (b *box) tries() bool {
	for i := 0; i < 10; i++ { // want "looks at items" // refuse "signal: the loop counts"
		if b.len() > 0 {
			return true
		}
		time.Sleep(time.Millisecond)
	}
	return false
}

func (b *box) triesBelow() bool {
	n := 10
	for b.len() == 0 { // want "looks at items" // refuse "signal: the loop counts n"
		if n--; n == 0 {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

func (b *box) triesDown(n int) bool {
	for b.len() == 0 { // want "looks at items" // refuse "signal: the loop counts n"
		if n = n - 1; n == 0 {
			return false
		}
		time.Sleep(time.Millisecond)
	}
	return true
}

func (b *box) known() {
	for b.len() == 0 && b.addr.Path == "" { // want "looks at items" // refuse "signal: the loop looks at Path of another package"
		time.Sleep(time.Millisecond)
	}
}

func (b *box) rested() {
	for { // want "looks at items" // refuse "signal: the loop also looks after it has waited"
		if n := b.len(); n > 5 {
			return
		} else if n > 3 {
			time.Sleep(time.Millisecond)
			break
		}
		time.Sleep(time.Millisecond)
	}
}

func (b *box) goesOn() {
again:
	for range 3 {
		for b.len() == 0 { // want "looks at items" // refuse "signal: the loop also looks after it has waited"
			time.Sleep(time.Millisecond)
			continue again
		}
	}
}

func (b *box) stopped(stop chan struct{}) {
	for b.len() == 0 { // want "looks at items" // refuse "signal: the loop also uses channels"
		select {
		case <-stop:
			return
		default:
		}
		time.Sleep(time.Millisecond)
	}
}

func (b *box) queued() {
	for b.len() == 0 && len(b.wake) == 0 { // want "looks at items" // refuse "signal: the loop also looks at the channel wake"
		time.Sleep(time.Millisecond)
	}
}

func (b *box) told(done *atomic.Bool) {
	for b.len() == 0 && !done.Load() { // want "looks at items" // refuse "signal: what done leads to may have other names"
		time.Sleep(time.Millisecond)
	}
}

func (b *box) late() int {
	for { // want "looks at items" // refuse "signal: the loop also looks after it has waited"
		if n := b.len(); n > 5 {
			return n
		}
		time.Sleep(time.Millisecond)
		if n := b.len(); n > 3 {
			return n
		}
	}
}

func both(x, y *box) {
	for x.len() == 0 && y.len() == 0 { // want "looks at items" // refuse "signal: the loop looks at several values of box"
		time.Sleep(time.Millisecond)
	}
}

// What each look changes would wake the others each time.
type counted struct {
	mu    sync.Mutex
	looks int
	open  bool
}

func (c *counted) wait() {
	for { // want "looks at looks and open" // refuse "signal: each look may change looks"
		c.mu.Lock()
		c.looks++
		ok := c.open || c.looks > 1000
		c.mu.Unlock()
		if ok {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (c *counted) set() {
	c.mu.Lock()
	c.open = true
	c.mu.Unlock()
}

// A method takes something away, and may say that it has nothing.
type heap struct {
	mu sync.Mutex
	xs ints
}

type ints []int

func (l *ints) pop() (x int, ok bool) {
	x, *l = (*l)[0], (*l)[1:]
	return x, x > 0
}

func (h *heap) add(x int) {
	h.mu.Lock()
	h.xs = append(h.xs, x)
	h.mu.Unlock()
}

func (h *heap) take() int {
	for { // want "looks at xs" // refuse "signal: xs may change where its address goes"
		h.mu.Lock()
		x, ok := h.xs.pop()
		h.mu.Unlock()
		if ok {
			return x
		}
		time.Sleep(time.Millisecond)
	}
}

// An inner struct changes where nothing says whose it is.
type outer struct {
	mu sync.Mutex
	in *inner
}

type inner struct{ done bool }

func (i *inner) finish() { i.done = true }

func (o *outer) wait() {
	for !o.ready() { // want "looks at done" // refuse "signal: done changes here, where nothing says of which outer"
		time.Sleep(time.Millisecond)
	}
}

func (o *outer) ready() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.in.done
}

func run(o *outer) { go o.in.finish() }

// Exported is open to other packages.
type Exported struct {
	mu   sync.Mutex
	Done bool
}

func (e *Exported) Wait() {
	for { // want "looks at Done" // refuse "signal: other packages may use Done"
		e.mu.Lock()
		done := e.Done
		e.mu.Unlock()
		if done {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func (e *Exported) set() {
	e.mu.Lock()
	e.Done = true
	e.mu.Unlock()
}

// point is made without keys.
type point struct{ x atomic.Int32 }

var origin = point{atomic.Int32{}}

func (p *point) wait() {
	for p.x.Load() == 0 { // want "looks at x" // refuse "signal: a literal of point has no keys"
		runtime.Gosched()
	}
}

func (p *point) set() { p.x.Store(1) }

// A call says of which value it is, and may do more.
type spot struct{ free atomic.Bool }

func spotOf(i int) *spot { return &spot{} }

func leaveSpot(i int) { spotOf(i).free.Store(true) }

func (s *spot) park() {
	for !s.free.Load() { // want "looks at free" // refuse "signal: free changes here, where nothing says of which spot"
		runtime.Gosched()
	}
}

// Two locks.
type pair struct {
	a, b sync.Mutex
	x, y int
}

func (p *pair) set() {
	p.a.Lock()
	p.x++
	p.a.Unlock()
	p.b.Lock()
	p.y++
	p.b.Unlock()
}

func (p *pair) wait() {
	for { // want "looks at x and y" // refuse "signal: the loop takes several locks"
		p.a.Lock()
		p.b.Lock()
		ok := p.x > 0 && p.y > 0
		p.b.Unlock()
		p.a.Unlock()
		if ok {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// A word that is taken in the head of a statement.
func last(n int, f func()) {
	var left atomic.Int32
	left.Store(int32(n))
	for range n {
		go func() {
			if left.Add(-1) == 0 {
				f()
			}
		}()
	}
	for left.Load() > 0 { // want "looks at left" // refuse "signal: no statement can follow what changes here"
		runtime.Gosched()
	}
}

// What has another name may change by that.
func lent(f func()) {
	var done atomic.Bool
	start(&done, f)
	go func() { done.Store(true) }()
	for !done.Load() { // want "looks at done" // refuse "signal: done may change where its address goes"
		runtime.Gosched()
	}
}

func start(done *atomic.Bool, f func()) {
	go func() {
		f()
		done.Store(true)
	}()
}

func named(f func()) {
	var n int32
	p := &n
	go func() {
		f()
		*p = 1
	}()
	go func() { atomic.StoreInt32(&n, 2) }()
	for atomic.LoadInt32(&n) == 0 { // want "looks at n" // refuse "signal: n may change where its address goes"
		runtime.Gosched()
	}
}

func given(f func(*int32)) {
	var n int32
	f(&n)
	go func() { atomic.StoreInt32(&n, 2) }()
	for atomic.LoadInt32(&n) == 0 { // want "looks at n" // refuse "signal: n may change where its address goes"
		runtime.Gosched()
	}
}

var shown *atomic.Bool

type wall struct{}

func (wall) show(b *atomic.Bool) { shown = b }

func stored(f func()) {
	var done atomic.Bool
	wall{}.show(&done)
	go func() {
		f()
		done.Store(true)
	}()
	for !done.Load() { // want "looks at done" // refuse "signal: done may change where its address goes"
		runtime.Gosched()
	}
}

// A type of a function has no place for methods.
func inFunction(f func()) {
	type box struct {
		mu   sync.Mutex
		done bool
	}
	var b box
	go func() {
		f()
		b.mu.Lock()
		b.done = true
		b.mu.Unlock()
	}()
	for { // want "looks at b and done" // refuse "signal: the struct of mu has no name in the package"
		b.mu.Lock()
		done := b.done
		b.mu.Unlock()
		if done {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// The loop chooses what it looks at.
func (b *box) turns(all []*box) {
	for { // want "looks at items" // refuse "signal: the loop does not name the box that it looks at"
		for _, x := range all {
			if x.len() > 0 {
				return
			}
		}
		time.Sleep(time.Millisecond)
	}
}

func same(b *atomic.Bool) *atomic.Bool { return b }

func returned(f func()) {
	var done atomic.Bool
	other := same(&done)
	go func() {
		f()
		other.Store(true)
	}()
	go func() { done.Store(true) }()
	for !done.Load() { // want "looks at done" // refuse "signal: done may change where its address goes"
		runtime.Gosched()
	}
}

// What changes as a whole would lose its signal.
type once struct {
	mu   sync.Mutex
	done bool
}

func (o *once) set() {
	o.mu.Lock()
	o.done = true
	o.mu.Unlock()
}

func (o *once) reset() { *o = once{} }

func (o *once) wait() {
	for { // want "looks at done" // refuse "signal: once changes as a whole here"
		o.mu.Lock()
		done := o.done
		o.mu.Unlock()
		if done {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// Not: nothing that it looks at changes, or the world is asked.
func (b *box) until(end time.Time, ask func() bool) {
	for time.Now().Before(end) {
		time.Sleep(time.Millisecond)
	}
	for !ask() {
		time.Sleep(time.Millisecond)
	}
	for b.limit.IsZero() {
		time.Sleep(time.Millisecond)
	}
	for b.len() == 0 {
		if b.looks > 3 { // which changes
			time.Sleep(time.Millisecond)
		}
	}
}

func (b *box) look() { b.looks++ }
