// Package b has loops that wait for their turn, or for a number.
package b

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

type lock struct{ held atomic.Bool }

func (l *lock) lock() {
	for !l.held.CompareAndSwap(false, true) { // want "the loop looks at held again and again" // refuse "signal: no statement can follow what changes here"
		runtime.Gosched()
	}
}

func (l *lock) unlock() { l.held.Store(false) }

// Looks before it writes.
func (l *lock) swapped() {
	for l.held.Load() || !l.held.CompareAndSwap(false, true) {
		time.Sleep(time.Microsecond)
	}
}

func counted(n int, f func()) (sum int) {
	var turn atomic.Int32
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for turn.Swap(1) != 0 {
				for i := 0; i < 100 && turn.Load() == 1; i++ { // want "looks at turn" // refuse "signal: the loop counts"
				}
			}
			f()
			sum++
			turn.Store(0)
		})
	}
	wg.Wait()
	return sum
}

// Not: it changes the word until that has worked.
func add(n *atomic.Int32) {
	for was := n.Load(); !n.CompareAndSwap(was, was+1); was = n.Load() {
	}
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
	for atomic.LoadUint32(&b.phase) == phase { // want "the loop looks at phase"
	}
}
