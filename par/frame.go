package par

import (
	"sync/atomic"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/outcome"
)

// A frame is a half that has not begun. Its Task's goroutine, the owner, runs the
// other half and then takes it back, unless somebody has taken it before: a thief,
// who runs it with a Task of its own. See protocol.md.
type frame[A, R any] struct {
	// state is gen<<stateBits | one of the states; gen is of the owner, so that
	// nobody takes a half of another call for one of this.
	//
	// The owner moves it to ready, from ready back to private, and from taken to
	// parked; a thief from ready to taken, and from taken or parked to done.
	state atomic.Uint64

	// The owner writes these while private; who has taken b reads them.
	b    A
	pace pace // of the owner

	// The thief writes these while taken; the owner reads them when done.
	r      R
	leaves int64            // there were in b
	gained time.Duration    // the thief worked so long, and has not booked it
	out    *outcome.Outcome // of b, if it did not return

	// thief is the Task that runs b, while it does, in its generation thiefGen. The
	// owner reads thiefGen after thief, and so never while it is written.
	thief    atomic.Pointer[Task[A, R]]
	thiefGen uint64

	// dropped is set by an owner that will not use r, and cleared by it.
	dropped atomic.Bool
}

// States of a frame.
const (
	private = iota // nobody else knows of it, if it is in use at all
	ready          // may be taken
	taken          // by a thief
	parked         // by a thief, and the owner sleeps until it is done
	done

	stateBits = 3
	stateMask = 1<<stateBits - 1
)

// fork registers b, runs a, and takes b back or waits for it.
func (t *Task[A, R]) fork(a, b A) (ra, rb R) {
	k := t.depth
	fr := &t.frames[k]
	fr.b, fr.pace = b, t.pace
	t.pushed()
	before, believed := t.done, t.believed
	taken, over := false, false
	defer func() {
		if !over {
			t.abandon(k, taken)
		}
	}()

	ra = t.f(t, a)

	t.popped(k)
	if t.fn.failed != nil && t.fn.failed(ra) {
		over = true
		t.abandon(k, false)
		return ra, rb
	}
	if t.published > k && !t.takeBack(k) {
		taken = true
		t.await(fr, true)
		over = true
		rb, out := fr.r, fr.out
		fr.clear()
		t.after(t.done - before + 1)
		if out != nil {
			t.carried = out
			out.RaiseValue()
		}
		return ra, rb
	}
	over = true
	b = fr.b
	fr.clear()
	t.between(max(t.done-before+1, believed))
	rb = t.f(t, b)
	t.popped(k)
	t.after(t.done - before + 1)
	return ra, rb
}

func (fr *frame[A, R]) clear() {
	var a A
	var r R
	fr.b, fr.r, fr.out = a, r, nil
}

// takeBack ends the offer of frame k, and reports whether nobody has taken it.
func (t *Task[A, R]) takeBack(k int) bool {
	t.published = k
	if k == 0 {
		help.Sched.Remove(&t.offer)
	}
	fr := &t.frames[k]
	return fr.state.CompareAndSwap(t.gen<<stateBits|ready, t.gen<<stateBits)
}

// abandon ends frame k, whose half is not wanted any more: after a failure, panic or
// Goexit in the first half, or after Goexit in what was taken while waiting for the
// second.
func (t *Task[A, R]) abandon(k int, taken bool) {
	t.popped(k)
	fr := &t.frames[k]
	if taken || t.published > k && !t.takeBack(k) {
		fr.dropped.Store(true)
		t.await(fr, false)
		fr.dropped.Store(false)
	}
	fr.clear()
}

// The rule: a goroutine that waits for a half does parts of that half, and nothing else.
//
// await returns when the frame is done, which a thief has taken. Until then it takes
// parts of that very work, if wanted: anything else might wait for a lock that this
// goroutine holds (leapfrogging: Wagner and Calder, PPoPP 1993).
func (t *Task[A, R]) await(fr *frame[A, R], wanted bool) {
	from := help.Clock()
	t.passed(from)
	w := help.NewWait(from)
	if wanted {
		w.PaidBy(t.account)
	}
	defer w.End()
	for {
		s := fr.state.Load()
		if s&stateMask == done {
			break
		}
		over := w.Over()
		if wanted && !over {
			w.Seek() // the thief is to offer more of it
			if thief := fr.thief.Load(); thief != nil && thief.steal(fr.thiefGen, &w.Helper) {
				w.Begin(help.Clock())
				continue
			}
		}
		if !w.Spin() {
			w.Settled() // who sleeps takes nothing
			t.relayed = w.Relay || over
			if fr.state.CompareAndSwap(s, t.gen<<stateBits|parked) {
				help.Sched.Counts.Parks.Add(1)
				if w.Relay {
					help.Sched.Relay(t.account)
				}
				help.Park(&t.gate)
			}
		}
	}
	fr.state.Store(t.gen << stateBits)
	t.last = help.Clock()
	t.waited += t.last - from
	t.gained += fr.gained
	t.done += fr.leaves
	t.seen, t.slow = t.done, 0
}

// An offered is a Task as helpers see it.
type offered[A, R any] Task[A, R]

// Publish offers the frames before n to helpers.
func (o *offered[A, R]) Publish(n int) {
	for ; o.published < n; o.published++ {
		o.frames[o.published].state.Store(o.gen<<stateBits | ready)
	}
}

// countTaken returns how many frames were taken, of which n are known: thieves take the
// oldest first.
func (o *offered[A, R]) countTaken(n int) int {
	for n < o.published && o.frames[n].state.Load()&stateMask != ready {
		n++
	}
	return n
}

// Ready and Help are called by helpers.
func (o *offered[A, R]) Ready() bool              { return (*Task[A, R])(o).ready() > 0 }
func (o *offered[A, R]) Help(h *help.Helper) bool { return (*Task[A, R])(o).steal(0, h) }

// steal takes a frame and runs it: the oldest, which is the largest. With gen
// other than 0 it takes none of another generation.
func (t *Task[A, R]) steal(gen uint64, h *help.Helper) bool {
	for k := range t.frames {
		fr := &t.frames[k]
		s := fr.state.Load()
		if s&stateMask == private {
			break // those behind are, too
		}
		if s&stateMask == ready && (gen == 0 || s>>stateBits == gen) &&
			fr.state.CompareAndSwap(s, s&^stateMask|taken) {
			h.Took(t.account)
			h.Steals++
			t.run(fr, h)
			return true
		}
	}
	return false
}

// ready returns how many frames may be taken.
func (t *Task[A, R]) ready() (n int) {
	for k := range t.frames {
		switch t.frames[k].state.Load() & stateMask {
		case private:
			return n
		case ready:
			n++
		}
	}
	return n
}

// run is what a thief does with the half that it has taken.
func (t *Task[A, R]) run(fr *frame[A, R], h *help.Helper) {
	own := t.fn.task()
	own.startStolen(fr.pace, &fr.dropped)
	own.f, own.ctx = t.f, t.ctx
	fr.thiefGen = own.gen
	fr.thief.Store(own)
	help.Sched.Bring(own.last, t.account, t.ready())
	returned := false
	defer func() {
		if !returned {
			fr.out = outcome.Of(recover(), own.carried)
		}
		fr.thief.Store(nil)
		fr.leaves, fr.gained = own.endStolen()
		if returned {
			own.f, own.ctx, own.carried = own.fn.f, nil, nil
			own.fn.put(own)
		}
		old := fr.state.Load()
		for !fr.state.CompareAndSwap(old, old&^stateMask|done) {
			old = fr.state.Load()
		}
		if old&stateMask == parked {
			h.Resume(&t.gate, t.relayed)
		}
	}()
	fr.r = t.f(own, fr.b)
	returned = true
}
