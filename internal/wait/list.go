package wait

import (
	"sync"
	"sync/atomic"
	"time"
)

// A List is the goroutines that wait for one thing, first come first served.
// Its methods are called under a lock of the owner's, the same for all, but for
// [List.Get] and [List.Put].
type List[T any] struct {
	front, back *Waiter[T]
	// coming counts those that were woken, have the duty to see to the others,
	// and have not called Done yet.
	coming int
	spare  atomic.Pointer[Waiter[T]] // for the next that waits
	free   sync.Pool                 // of *Waiter[T]
}

// A Waiter is a goroutine's place in a [List]. While it is in the list, whoever
// has the list's lock may write it; before and after, only its goroutine does.
type Waiter[T any] struct {
	next, prev *Waiter[T]
	queued     bool

	// Value is what is handed over, if Full: to a receiver when it is woken, by a
	// sender when it parks. That of a sender is sent if Full is false when it is
	// woken.
	Value [1]T
	Full  bool
	// Duty: the woken one sees to the others before it returns.
	Duty bool

	// C gets one token from Wake.
	C chan struct{}
	// bubbled: C was made in a bubble of testing/synctest, and is of no use elsewhere.
	bubbled bool
}

// Get returns a Waiter that is in no list.
func (l *List[T]) Get() *Waiter[T] {
	if w := l.spare.Swap(nil); w != nil {
		return w
	}
	if w, _ := l.free.Get().(*Waiter[T]); w != nil {
		return w
	}
	now := time.Now() // which in a bubble is not monotonic
	return &Waiter[T]{C: make(chan struct{}, 1), bubbled: now == now.Round(0)}
}

// Put takes a Waiter back whose token was received, or that was removed.
func (l *List[T]) Put(w *Waiter[T]) {
	clear(w.Value[:])
	w.Full, w.Duty = false, false
	if w.bubbled {
		return
	}
	if w = l.spare.Swap(w); w != nil {
		l.free.Put(w)
	}
}

// Push adds w at the back, or, if first, at the front.
func (l *List[T]) Push(w *Waiter[T], first bool) {
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
// remain, the woken one has the duty to see to them, and to call [List.Done].
// The list must not be empty.
func (l *List[T]) Pop() *Waiter[T] {
	w := l.front
	l.Remove(w)
	if w.Duty = l.front != nil; w.Duty {
		l.coming++
	}
	return w
}

// Done ends a duty.
func (l *List[T]) Done() { l.coming-- }

// Ready reports whether the next event is to wake somebody: one waits, and
// fewer than most that were woken are still to see to the others.
func (l *List[T]) Ready(most int) bool { return l.front != nil && l.coming < most }

// Empty reports whether nobody waits.
func (l *List[T]) Empty() bool { return l.front == nil }

// Wake lets w's goroutine run.
func (w *Waiter[T]) Wake() { w.C <- struct{}{} }

// A Woken is waiters that were popped under a lock and are to be woken once it is
// released. The zero Woken is empty.
type Woken[T any] struct{ first, last *Waiter[T] }

// Add adds w at the back.
func (l *Woken[T]) Add(w *Waiter[T]) {
	if l.first == nil {
		l.first = w
	} else {
		l.last.next = w
	}
	l.last = w
}

// Wake wakes them all.
func (l *Woken[T]) Wake() {
	for w := l.first; w != nil; {
		next := w.next
		w.next = nil // w is its goroutine's from here on
		w.Wake()
		w = next
	}
}
