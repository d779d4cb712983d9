package pool

import (
	"context"
	"fmt"
	"math"
	"runtime/pprof"
	"sync"
	"sync/atomic"
)

// A Group runs functions and waits for them. It does what Group of package
// golang.org/x/sync/errgroup does, by the same methods, and may take its place. The first
// eight functions have a goroutine each. Of those that come later, short ones share
// goroutines. There are enough of these for no function to wait for another.
//
// A zero Group is valid, has no limit on how many functions may be active, and does not
// cancel on error. It must not be copied after the first use.
type Group struct {
	cancel context.CancelCauseFunc
	labels context.Context // has the profiler labels of the functions; nil: see WithContext
	limit  chan struct{}   // has a token for each active function; nil: no limit
	caught bool            // a panic of a function is its error

	once sync.Once
	err  error // the first; set in once

	// The first few functions have goroutines of their own, which early waits for: most
	// groups have no more, and to make a crew takes longer than to start these. begun
	// counts them. Those after them go to the crew, once and for all.
	begun atomic.Int32
	early sync.WaitGroup

	crew  atomic.Pointer[crew[groupTask]]
	start sync.Mutex // for crew to be set
}

// groupTask is a function, and where it leaves its token.
type groupTask struct {
	f     func() error
	limit chan struct{}
}

const (
	groupRoom = 64
	groupFew  = 8
)

// WithContext returns a new Group and a context derived from ctx. The context is canceled
// the first time that a function passed to Go returns an error that is not nil, or Wait
// returns. In profiles the functions have the labels of ctx. Where it has none, and in a
// zero Group, they have those of a goroutine that has called Go. It may be another than
// the one that passed them.
func WithContext(ctx context.Context) (*Group, context.Context) {
	ctx, cancel := context.WithCancelCause(ctx)
	g := &Group{cancel: cancel}
	if labelled(ctx) {
		g.labels = ctx
	}
	return g, ctx
}

// SetLimit limits the number of active functions to n. A negative n is no limit; with 0
// none can be added. It panics where functions are active.
func (g *Group) SetLimit(n int) {
	if n < 0 {
		g.limit = nil
		return
	}
	if active := len(g.limit); active != 0 {
		panic(fmt.Errorf("pool: SetLimit while %d functions of the group are active", active))
	}
	g.limit = make(chan struct{}, n)
}

// CatchPanics has a panic of a function be its error: a [*par.Panic] with the value and the
// stack. Wait returns it if it is the first. It panics where Go was called before.
//
// Without it a panic ends the program at once, as with errgroup and a go statement. Wait
// could tell of it only when all other functions have returned. That may be never, as they
// may wait for the one that has panicked.
func (g *Group) CatchPanics() {
	if g.begun.Load() > 0 || g.crew.Load() != nil {
		panic("pool.Group.CatchPanics: called after Go")
	}
	g.caught = true
}

// Go has f called in a goroutine that is not the caller's, at the same time as all that
// are active. It waits until that is possible within the limit.
//
// The first error of a function is what Wait returns, and cancels the context of the
// group, where it has one. A panic of f ends the program, but see [Group.CatchPanics].
func (g *Group) Go(f func() error) {
	if g.limit != nil {
		g.limit <- struct{}{}
	}
	g.begin(f)
}

// TryGo is Go where that is possible within the limit, and reports whether it was.
func (g *Group) TryGo(f func() error) bool {
	if g.limit != nil {
		select {
		case g.limit <- struct{}{}:
		default:
			return false
		}
	}
	g.begin(f)
	return true
}

// Wait returns when all functions have returned that were passed to Go, with the first
// error, if there was one.
func (g *Group) Wait() error {
	// These may still pass functions to a crew; those of a crew pass none to these.
	g.early.Wait()
	c := g.crew.Load()
	if c == nil {
		g.begun.Store(0)
	} else {
		c.mu.Lock()
		c.ending = true
		c.dismiss()
		c.drain()
		c.mu.Lock()
		c.ending = false
		c.mu.Unlock()
	}
	if g.cancel != nil {
		g.cancel(g.err)
	}
	return g.err
}

func (g *Group) begin(f func() error) {
	c := g.crew.Load()
	if c == nil && g.begun.Add(1) <= groupFew {
		g.early.Go(func() {
			if g.labels != nil {
				pprof.SetGoroutineLabels(g.labels)
			}
			g.run(groupTask{f, g.limit})
		})
		return
	}
	if c == nil {
		c = g.init()
	}
	// It may wait for room, but not for ever: there may be any number of workers, so some
	// come for those that wait. A ring is closed by nobody here.
	c.put(background, Normal, groupTask{f, g.limit})
}

func (g *Group) init() *crew[groupTask] {
	g.start.Lock()
	defer g.start.Unlock()
	if c := g.crew.Load(); c != nil {
		return c
	}
	c := new(crew[groupTask])
	c.init(groupRoom, math.MaxInt, nil, g.run, nil)
	c.labels = g.labels
	g.crew.Store(c)
	return c
}

// catch calls f, and returns a panic as the error. Goexit passes.
func catch(f func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = asError(v)
		}
	}()
	return f()
}

func (g *Group) run(t groupTask) int {
	if t.limit != nil {
		defer func() { <-t.limit }()
	}
	f := t.f
	if g.caught {
		f = func() error { return catch(t.f) }
	}
	if err := f(); err != nil {
		g.once.Do(func() {
			g.err = err
			if g.cancel != nil {
				g.cancel(err)
			}
		})
	}
	return 1
}
