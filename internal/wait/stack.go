package wait

import "time"

// A Stack is the goroutines that are parked until there is work for them, the last
// to park on top. Who needs one takes the top: it parked last, so its stack and
// what it works on are likeliest in a cache, and those at the bottom, which nobody
// has needed for a while, can leave (see [Stack.Unused]). Its methods are called
// under a lock of the owner's. The zero Stack is empty.
type Stack struct {
	top, bottom *Sleeper
	n           int
	least       int // the least n since the last Unused: so many nobody has needed
}

// A Sleeper is a goroutine's place in a [Stack]. While it is in the stack, whoever
// has the stack's lock may write it; before and after, only its goroutine does.
type Sleeper struct {
	above, below *Sleeper

	// Leave is for who takes it out of the stack to set, before Wake: there is no work
	// for it, and it is to end.
	Leave bool

	c chan struct{}
}

// NewSleeper returns a Sleeper that is in no stack. In a bubble of testing/synctest it
// is of use in that bubble only.
func NewSleeper() Sleeper { return Sleeper{c: make(chan struct{}, 1)} }

// Sleep returns after Wake.
func (w *Sleeper) Sleep() { <-w.c }

// Wake lets w's goroutine run. It is called once for each time that w was taken out
// of the stack, after the lock is released.
func (w *Sleeper) Wake() { w.c <- struct{}{} }

// Len is how many are in the stack.
func (s *Stack) Len() int { return s.n }

// Push adds w on top.
func (s *Stack) Push(w *Sleeper) {
	w.Leave = false
	w.below = s.top
	if s.top != nil {
		s.top.above = w
	} else {
		s.bottom = w
	}
	s.top = w
	s.n++
}

// Pop takes the top out, or returns nil where the stack is empty.
func (s *Stack) Pop() *Sleeper {
	w := s.top
	if w == nil {
		return nil
	}
	s.top = w.below
	if s.top != nil {
		s.top.above = nil
	} else {
		s.bottom = nil
	}
	w.below = nil
	s.n--
	s.least = min(s.least, s.n)
	return w
}

// Unused takes out those that nobody has needed since the last call: as many as were
// in the stack all the time. They are the ones at the bottom.
func (s *Stack) Unused() (out []*Sleeper) {
	for range s.least {
		w := s.bottom
		s.bottom = w.above
		if s.bottom != nil {
			s.bottom.below = nil
		} else {
			s.top = nil
		}
		w.above = nil
		out = append(out, w)
	}
	s.n -= len(out)
	s.least = s.n
	return out
}

// A Timer calls a function after a while, on a goroutine of its own, once for each
// time that it is set. Setting it costs nothing while it is set. Its methods are
// called under a lock of the owner's; the zero Timer is not set.
type Timer struct {
	t    *time.Timer
	set  bool
	late int // calls of the function that Stop came too late for, and that have not called Fired
}

// Set has f called after d, unless the timer is set. f is the same in all calls, and
// calls [Timer.Fired] under the lock.
func (t *Timer) Set(d time.Duration, f func()) {
	if t.set {
		return
	}
	t.set = true
	if t.t == nil {
		t.t = time.AfterFunc(d, f)
	} else {
		t.t.Reset(d)
	}
}

// IsSet reports whether the function is still to be called.
func (t *Timer) IsSet() bool { return t.set }

// Fired is called first thing by the function. It reports whether the function is to
// do something: not where the timer was stopped just as it fired.
func (t *Timer) Fired() bool {
	if t.late > 0 { // or else a call from before Stop would be taken for one that Set has made since
		t.late--
		return false
	}
	was := t.set
	t.set = false
	return was
}

// Stop has the function not be called, or do nothing.
func (t *Timer) Stop() {
	if t.set && !t.t.Stop() {
		t.late++
	}
	t.set = false
}
