package wait

import (
	"sync"
	"sync/atomic"
)

// A List is the goroutines that wait for one thing, first come first served.
// Its methods are called under a lock of the owner's, the same for all, but for
// [List.Get] and [List.Put].
//
// At most one of those woken is on its way at a time: see [List.Pop].
type List[T any] struct {
	front, back *Waiter[T]
	// busy: a woken waiter has the duty to see to the others.
	busy  bool
	spare atomic.Pointer[Waiter[T]] // for the next that waits
	free  sync.Pool                 // of *Waiter[T]
}

// A Waiter is a goroutine's place in a [List].
type Waiter[T any] struct {
	next, prev *Waiter[T]
	queued     bool

	// What the goroutine was woken with: a value if Full. Duty: it sees to the
	// others before it returns.
	Value T
	Full  bool
	Duty  bool

	// C gets one token from Wake.
	C chan struct{}
}

// Get returns a Waiter that is in no list.
func (l *List[T]) Get() *Waiter[T] {
	if w := l.spare.Swap(nil); w != nil {
		return w
	}
	if w, _ := l.free.Get().(*Waiter[T]); w != nil {
		return w
	}
	return &Waiter[T]{C: make(chan struct{}, 1)}
}

// Put takes a Waiter back whose token was received, or that was removed.
func (l *List[T]) Put(w *Waiter[T]) {
	var zero T
	w.Value, w.Full, w.Duty = zero, false, false
	if w = l.spare.Swap(w); w != nil {
		l.free.Put(w)
	}
}

// Push adds w at the back, or, if first, at the front, and reports whether the
// next event is to wake somebody: it is not while a woken one is on its way.
func (l *List[T]) Push(w *Waiter[T], first bool) (arm bool) {
	w.queued = true
	switch {
	case l.front == nil:
		l.front, l.back = w, w
	case first:
		w.next, l.front.prev = l.front, w
		l.front = w
	default:
		w.prev, l.back.next = l.back, w
		l.back = w
	}
	return !l.busy
}

// Remove takes w out and reports whether it was still there. If not, its token
// is on its way.
func (l *List[T]) Remove(w *Waiter[T]) bool {
	if !w.queued {
		return false
	}
	w.queued = false
	if w.prev != nil {
		w.prev.next = w.next
	} else {
		l.front = w.next
	}
	if w.next != nil {
		w.next.prev = w.prev
	} else {
		l.back = w.prev
	}
	w.next, w.prev = nil, nil
	return true
}

// Pop takes the first out, to be woken after the lock is released. If others
// remain, the woken one has the duty to see to them: until it calls
// [List.Done], events wake nobody.
func (l *List[T]) Pop() *Waiter[T] {
	w := l.front
	if w == nil {
		l.busy = false
		return nil
	}
	l.Remove(w)
	w.Duty = l.front != nil
	l.busy = w.Duty
	return w
}

// Done ends a duty.
func (l *List[T]) Done() { l.busy = false }

// Empty reports whether nobody waits.
func (l *List[T]) Empty() bool { return l.front == nil }

// Wake lets w's goroutine run.
func (w *Waiter[T]) Wake() { w.C <- struct{}{} }
