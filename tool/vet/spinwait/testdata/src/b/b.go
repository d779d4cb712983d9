// Package b has loops that wait for their turn.
package b

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type lock struct{ held atomic.Bool }

func (l *lock) lock() {
	for !l.held.CompareAndSwap(false, true) { // want "the loop asks held again and again" // refuse "signal: the loop takes the word as a lock"
		runtime.Gosched()
	}
}

func (l *lock) unlock() { l.held.Store(false) }

func (l *lock) do(f func()) {
	l.lock()
	defer l.unlock()
	f()
}

func either(l *lock, fs []func() bool) {
	for _, f := range fs {
		l.lock()
		if f() {
			l.unlock()
			continue
		}
		switch {
		case f():
			l.unlock()
			return
		}
		l.unlock()
	}
}

// A word of the older form, taken in place.
type table struct {
	n    int
	busy uint32 // 1 while somebody writes
}

func (t *table) add(n int) {
	for i := 0; ; i++ { // want "the loop asks busy" // refuse "signal: the loop takes the word as a lock"
		if atomic.CompareAndSwapUint32(&t.busy, 0, 1) {
			break
		}
		// Let others work.
		for range i {
			runtime.Gosched()
		}
	}
	t.n += n
	atomic.StoreUint32(&t.busy, 0)
}

// Looks before it writes.
type looks struct{ word atomic.Int32 }

func (l *looks) Lock() {
	for { // want "the loop asks word" // refuse "signal: the loop takes the word as a lock"
		if l.word.CompareAndSwap(0, 1) {
			return
		}
		for l.word.Load() == 1 {
			runtime.Gosched()
		}
	}
}

func (l *looks) Unlock() { l.word.Store(0) }

type swapped struct{ held atomic.Bool }

func (l *swapped) lock() {
	for l.held.Load() || !l.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
		time.Sleep(time.Microsecond)
	}
}

func (l *swapped) unlock() { l.held.Store(false) }

func (l *swapped) twice(f func()) {
	for range 2 {
		l.lock()
		f()
		l.unlock()
	}
}

func counted(n int, f func()) (sum int) {
	var turn atomic.Int32
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for turn.Swap(1) != 0 { // want "the loop asks turn" // refuse "signal: the loop takes the word as a lock"
			}
			f()
			sum++
			turn.Store(0)
		})
	}
	wg.Wait()
	return sum
}

// Given back by one who may not have it.
type loose struct{ held atomic.Bool }

func (l *loose) lock() {
	for !l.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
		runtime.Gosched()
	}
}

func (l *loose) unlock() { l.held.Store(false) }

func reset(l *loose, f func()) {
	l.unlock()
	l.lock()
	f()
	l.unlock()
}

// Kept in one way.
type kept struct{ held atomic.Bool }

func (k *kept) begin(f func() bool) bool {
	for !k.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
		runtime.Gosched()
	}
	if f() {
		return true
	}
	k.held.Store(false)
	return false
}

// Held or not.
type maybe struct{ held atomic.Bool }

func (m *maybe) run(yes bool, f func()) {
	if yes {
		for !m.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
		}
	}
	f()
	if yes {
		m.held.Store(false)
	}
}

// Goes on in the loop with it.
type goes struct{ held atomic.Bool }

func (g *goes) run(f func() bool) {
	for f() {
		for !g.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
		}
		switch {
		case f():
			continue
		}
		g.held.Store(false)
	}
}

type try struct{ held atomic.Bool }

func (t *try) lock() {
	for !t.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
	}
}

func (t *try) tryLock() bool { return t.held.CompareAndSwap(false, true) }

func (t *try) unlock() { t.held.Store(false) }

// A Spin is for other packages.
type Spin struct{ held atomic.Bool }

func (s *Spin) Lock() {
	for !s.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
	}
}

func (s *Spin) Unlock() { s.held.Store(false) }

// Two of them.
type pair struct{ held atomic.Bool }

func (p *pair) lock() {
	for !p.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
	}
}

func (p *pair) unlock() { p.held.Store(false) }

func both(p, q *pair) {
	p.lock()
	q.lock()
	q.unlock()
	p.unlock()
}

// Another by the same name.
type list struct {
	held atomic.Bool
	next *list
}

func (l *list) walk() {
	for l != nil {
		for !l.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
		}
		was := l
		l = l.next
		was = l
		_ = was
		l.held.Store(false)
	}
}

// Kept as a function.
type value struct{ held atomic.Bool }

func (v *value) lock() {
	for !v.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
	}
}

func (v *value) unlock() { v.held.Store(false) }

func locked(v *value) func() {
	v.lock()
	return v.unlock
}

// In the head of an if.
type head struct{ held atomic.Bool }

func (h *head) lock() {
	for !h.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
	}
}

func (h *head) unlock() { h.held.Store(false) }

func (h *head) run(f func() bool) {
	if h.lock(); f() {
		f()
	}
	if h.unlock(); f() {
		f()
	}
}

// Two names that look the same.
type shade struct{ held atomic.Bool }

func (s *shade) lock() {
	for !s.held.CompareAndSwap(false, true) { // want "the loop asks held" // refuse "signal: the loop takes the word as a lock"
	}
}

func (s *shade) unlock() { s.held.Store(false) }

func (s *shade) run(next *shade, f func()) {
	s.lock()
	f()
	{
		s := next
		s.unlock()
	}
}

// Of three states.
type states struct{ word atomic.Int32 }

func (s *states) run(f func()) {
	for !s.word.CompareAndSwap(0, 1) { // want "the loop asks word" // refuse "signal: the loop takes the word as a lock"
	}
	f()
	s.word.Store(2)
}

// barrier lets go of its parties when all have come.
type barrier struct {
	parties int32
	arrived int32
	phase   uint32
}

func (b *barrier) wait(action func()) {
	phase := atomic.LoadUint32(&b.phase)
	if atomic.AddInt32(&b.arrived, 1) == b.parties {
		action()
		atomic.StoreInt32(&b.arrived, 0)
		atomic.AddUint32(&b.phase, 1)
		return
	}
	for atomic.LoadUint32(&b.phase) == phase { // want "the loop asks phase" // refuse "group|signal: "
	}
}

// Two loops ask the word, and one of them in its body.
func (b *barrier) next(then func()) {
	was := atomic.LoadInt32(&b.arrived)
	for atomic.LoadInt32(&b.arrived) == was { // want "the loop asks arrived" // refuse "group|signal: "
		// nothing to do
	}
	then()
	for {
		if atomic.LoadInt32(&b.arrived) == 0 {
			return
		}
		for range 100 {
		}
	}
}
