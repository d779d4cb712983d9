// Package derived has contexts that are derived from others only when it is asked whether
// they are done.
//
// Most functions that get a context never ask. So a Context here costs its memory and no
// more, where one of package context is entered with its parent, under a lock that all
// children of that parent share. Where it is certain that the function will ask, use
// [context.WithCancelCause].
package derived

import (
	"context"
	"sync"
	"sync/atomic"
	"time"
)

// A Source ends the contexts that are derived by it. The zero Source is ready for use; it
// must not be copied after that. All methods may be called at once.
type Source struct {
	over atomic.Bool // Stop was called; stored under mu, after cause

	mu    sync.Mutex
	cause error // of over
	// made has those that were asked for and that are not done, by the channel of
	// what they are derived from: what ends with one is one, however many parents have
	// it. No other context is asked for anything while mu is held.
	made map[<-chan struct{}]*made
}

// A made is what stands for Contexts from when they were first asked.
type made struct {
	context.Context
	cancel context.CancelCauseFunc
	kept   func() bool // forgets to remove it from the map when it is done
}

// Stop ends the contexts that are derived by s, now and later, with the cause. The first
// call counts.
func (s *Source) Stop(cause error) {
	s.mu.Lock()
	if s.over.Load() {
		s.mu.Unlock()
		return
	}
	s.cause = cause
	s.over.Store(true)
	all := s.made
	s.made = nil
	s.mu.Unlock()
	for _, m := range all {
		m.kept()
		m.cancel(cause)
	}
}

// Over reports whether Stop was called.
func (s *Source) Over() bool { return s.over.Load() }

// Cause returns what Stop was called with.
func (s *Source) Cause() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.cause
}

// Kept is how many contexts s keeps, for tests.
func (s *Source) Kept() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.made)
}

// derive returns a context that is done when parent is, or s is stopped. It has no other
// values than those it comes by.
func (s *Source) derive(parent context.Context) *made {
	done := parent.Done()
	s.mu.Lock()
	m := s.made[done]
	s.mu.Unlock()
	if m != nil {
		return m
	}
	// It lasts as long as what ends it. So it hangs on that, and not on the values of the
	// context that was asked first.
	if done == nil {
		parent = context.Background()
	} else if ends, ok := parent.Value(causeKey).(context.Context); ok && ends.Done() == done {
		parent = ends
	}
	m = new(made)
	m.Context, m.cancel = context.WithCancelCause(parent)

	s.mu.Lock()
	defer s.mu.Unlock()
	if other := s.made[done]; other != nil {
		m.cancel(nil)
		return other
	}
	switch {
	case s.over.Load(): // if both are, the parent may have been first
		m.cancel(s.cause)
	case m.Err() == nil:
		if s.made == nil {
			s.made = make(map[<-chan struct{}]*made)
		}
		s.made[done] = m
		m.kept = context.AfterFunc(m, func() { s.remove(done) })
	}
	return m
}

func (s *Source) remove(done <-chan struct{}) {
	s.mu.Lock()
	delete(s.made, done)
	s.mu.Unlock()
}

// A Context has the values and the deadline of its parent, and is done when that is, or
// when its source is stopped. It must not be copied after the first use.
type Context struct {
	parent context.Context
	source *Source
	made   atomic.Pointer[made] // stored once
}

// Derive makes c ready for use.
func (c *Context) Derive(parent context.Context, s *Source) { c.parent, c.source = parent, s }

// Parent returns what c is derived from.
func (c *Context) Parent() context.Context { return c.parent }

// make returns the context that stands for c from now on.
func (c *Context) make() *made {
	if m := c.made.Load(); m != nil {
		return m
	}
	c.made.CompareAndSwap(nil, c.source.derive(c.parent))
	return c.made.Load()
}

// Deadline is that of [context.Context], as the other methods are.
func (c *Context) Deadline() (time.Time, bool) { return c.parent.Deadline() }

func (c *Context) Done() <-chan struct{} { return c.make().Done() }

func (c *Context) Err() error {
	if m := c.made.Load(); m != nil {
		return m.Err()
	}
	if c.parent.Err() == nil && !c.source.over.Load() {
		return nil
	}
	// Once it was said why c is done, that stays.
	return c.make().Err()
}

func (c *Context) Value(key any) any {
	if key == causeKey {
		return c.make().Value(key)
	}
	return c.parent.Value(key)
}

// causeKey is what package context asks a context for, to find out which of its own it
// is: for the cause, and where another is derived from it.
var causeKey = func() any {
	var a asked
	context.Cause(&a)
	return a.key
}()

// An asked is a context that is done and remembers what it was asked for last.
type asked struct{ key any }

func (*asked) Deadline() (t time.Time, ok bool) { return t, false }
func (*asked) Done() <-chan struct{}            { return nil }
func (*asked) Err() error                       { return context.Canceled }

func (a *asked) Value(key any) any {
	a.key = key
	return nil
}
