package shim

import (
	"context"
	"sync"
	"time"

	"github.com/gopayoff/payoff/internal/world"
)

// Timer is [time.Timer].
type Timer struct {
	C    <-chan time.Time
	real *time.Timer
	f    func()
	on   *bool // of the goroutine that is to call f; nil: there is none
}

// AfterFunc is [time.AfterFunc].
func AfterFunc(d time.Duration, f func()) *Timer {
	if !world.On() {
		return &Timer{real: time.AfterFunc(d, f)}
	}
	t := &Timer{f: f}
	t.start(d)
	return t
}

// NewTimer is [time.NewTimer].
func NewTimer(d time.Duration) *Timer {
	if !world.On() {
		t := time.NewTimer(d)
		return &Timer{C: t.C, real: t}
	}
	c := make(chan time.Time, 1)
	t := &Timer{C: c, f: func() { Sending(c) <- Now() }}
	t.start(d)
	return t
}

//go:norace
func (t *Timer) start(d time.Duration) {
	on := true
	t.on = &on
	world.Go(func() {
		world.Later(d, func() bool { return !isOn(&on) })
		setOff(&on)
		t.f()
	})
}

//go:norace
func (t *Timer) Stop() bool {
	if t.real != nil {
		return t.real.Stop()
	}
	was := *t.on
	*t.on = false
	return was
}

func (t *Timer) Reset(d time.Duration) bool {
	if t.real != nil {
		return t.real.Reset(d)
	}
	was := t.Stop()
	t.start(d)
	return was
}

//go:norace
func isOn(on *bool) bool { return *on }

//go:norace
func setOff(on *bool) { *on = false }

// ContextAfterFunc is [context.AfterFunc].
func ContextAfterFunc(ctx context.Context, f func()) (stop func() bool) {
	if !world.On() {
		return context.AfterFunc(ctx, f)
	}
	on := true
	done := CanRecv(ctx.Done()) // what Err reads has no edge to the explorer
	world.Go(func() {
		world.Wait(func() bool { return done.now() || !isOn(&on) })
		if isOn(&on) {
			setOff(&on)
			f()
		}
	})
	return func() bool {
		was := isOn(&on)
		setOff(&on)
		return was
	}
}

// Cond is [sync.Cond].
type Cond struct {
	L       sync.Locker
	real    sync.Cond
	waiters []*bool // set by the wake-up
}

//go:norace
func (c *Cond) Wait() {
	if !world.On() {
		c.real.L = c.L
		c.real.Wait()
		return
	}
	woken := false
	c.waiters = append(c.waiters, &woken)
	c.L.Unlock()
	if !woken {
		world.Wait(func() bool { return isOn(&woken) })
	}
	c.L.Lock()
}

//go:norace
func (c *Cond) Broadcast() {
	if !world.On() {
		c.real.Broadcast()
		return
	}
	for _, w := range c.waiters {
		*w = true
	}
	c.waiters = nil
}
