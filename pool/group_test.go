package pool_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/pool"
)

// A group is what errgroup and Group both are.
type group interface {
	Go(func() error)
	TryGo(func() error) bool
	SetLimit(int)
	Wait() error
}

// plain is what errgroup says that it does, in the fewest words.
type plain struct {
	cancel context.CancelCauseFunc
	mu     sync.Mutex
	wake   *sync.Cond
	limit  int // -1: none
	active int
	err    error
}

func newPlain(cancel context.CancelCauseFunc) *plain {
	g := &plain{cancel: cancel, limit: -1}
	g.wake = sync.NewCond(&g.mu)
	return g
}

func (g *plain) SetLimit(n int) {
	if g.active > 0 {
		panic(fmt.Errorf("%d active", g.active))
	}
	g.limit = max(n, -1)
}

func (g *plain) Go(f func() error) {
	g.mu.Lock()
	for g.limit >= 0 && g.active >= g.limit {
		g.wake.Wait()
	}
	g.begin(f)
}

func (g *plain) TryGo(f func() error) bool {
	g.mu.Lock()
	if g.limit >= 0 && g.active >= g.limit {
		g.mu.Unlock()
		return false
	}
	g.begin(f)
	return true
}

func (g *plain) begin(f func() error) {
	g.active++
	g.mu.Unlock()
	go func() {
		defer func() {
			g.mu.Lock()
			g.active--
			g.wake.Broadcast()
			g.mu.Unlock()
		}()
		if err := f(); err != nil {
			g.mu.Lock()
			if g.err == nil {
				g.err = err
				if g.cancel != nil {
					g.cancel(err)
				}
			}
			g.mu.Unlock()
		}
	}()
}

func (g *plain) Wait() error {
	g.mu.Lock()
	for g.active > 0 {
		g.wake.Wait()
	}
	err := g.err
	g.mu.Unlock()
	if g.cancel != nil {
		g.cancel(err)
	}
	return err
}

// scripts use a group, in a bubble, and return what they saw.
var scripts = map[string]func(g group, ctx context.Context) string{
	"nothing": func(g group, ctx context.Context) string {
		return fmt.Sprint(g.Wait(), ctx.Err())
	},
	"first error": func(g group, ctx context.Context) string {
		for i := range 5 {
			g.Go(func() error {
				time.Sleep(time.Duration(5-i) * time.Second)
				return fmt.Errorf("error %d", i)
			})
		}
		<-ctx.Done()
		from := time.Now()
		return fmt.Sprint(context.Cause(ctx), g.Wait(), time.Since(from))
	},
	"no limit": func(g group, ctx context.Context) string {
		// Each waits for the one that comes after it.
		last := make(chan bool)
		at := last
		for range 300 {
			before, after := make(chan bool), at
			g.Go(func() error { <-before; close(after); return nil })
			at = before
		}
		close(at)
		<-last
		return fmt.Sprint(g.Wait(), context.Cause(ctx))
	},
	"no limit, after short ones": func(g group, ctx context.Context) string {
		for range 2000 {
			g.Go(func() error { return nil })
		}
		var here sync.WaitGroup
		here.Add(200)
		for range 200 {
			g.Go(func() error { here.Done(); here.Wait(); return nil })
		}
		return fmt.Sprint(g.Wait())
	},
	"limit": func(g group, ctx context.Context) string {
		g.SetLimit(3)
		from := time.Now()
		var active, most atomic.Int64
		var said []string
		for i := range 10 {
			g.Go(func() error {
				n := active.Add(1)
				for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
				}
				time.Sleep(time.Second)
				active.Add(-1)
				return nil
			})
			said = append(said, fmt.Sprint(i, time.Since(from)))
		}
		return fmt.Sprint(said, g.Wait(), most.Load(), time.Since(from))
	},
	"try": func(g group, ctx context.Context) string {
		g.SetLimit(2)
		release := make(chan bool)
		var said []bool
		for range 4 {
			said = append(said, g.TryGo(func() error { <-release; return nil }))
		}
		close(release)
		err := g.Wait()
		for range 2 {
			said = append(said, g.TryGo(func() error { return nil }))
			g.Wait()
		}
		g.SetLimit(0)
		said = append(said, g.TryGo(func() error { return nil }))
		g.SetLimit(-1)
		said = append(said, g.TryGo(func() error { return errors.New("late") }))
		return fmt.Sprint(said, err, g.Wait(), context.Cause(ctx))
	},
	"limit while active": func(g group, ctx context.Context) (said string) {
		g.SetLimit(2)
		release := make(chan bool)
		g.Go(func() error { <-release; return nil })
		func() {
			defer func() { _, isErr := recover().(error); said = fmt.Sprint("panics: ", isErr) }()
			g.SetLimit(3)
		}()
		close(release)
		return said + fmt.Sprint(g.Wait())
	},
	"Goexit": func(g group, ctx context.Context) string {
		g.SetLimit(1)
		for range 5 {
			g.Go(func() error { runtime.Goexit(); return nil })
		}
		g.Go(func() error { return errors.New("after") })
		return fmt.Sprint(g.Wait())
	},
	"Go within": func(g group, ctx context.Context) string {
		var n atomic.Int64
		var f func(d int) func() error
		f = func(d int) func() error {
			return func() error {
				n.Add(1)
				if d > 0 {
					g.Go(f(d - 1))
					g.Go(f(d - 1))
				}
				return nil
			}
		}
		g.Go(f(8))
		return fmt.Sprint(g.Wait(), n.Load())
	},
	"again": func(g group, ctx context.Context) string {
		var said []any
		for i := range 3 {
			g.Go(func() error { time.Sleep(time.Second); return nil })
			said = append(said, i, g.Wait(), context.Cause(ctx))
		}
		return fmt.Sprint(said...)
	},
}

// TestGroup: a Group does what errgroup does.
func TestGroup(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		for name, script := range scripts {
			for _, with := range []bool{false, true} {
				if !with && strings.HasPrefix(name, "first") {
					continue // it waits for the context
				}
				var got, want string
				synctest.Test(t, func(t *testing.T) {
					g, ctx := newPlain(nil), context.Background()
					if with {
						ctx, g.cancel = context.WithCancelCause(ctx)
					}
					want = script(g, ctx)
				})
				synctest.Test(t, func(t *testing.T) {
					g, ctx := new(pool.Group), context.Background()
					if with {
						g, ctx = pool.WithContext(ctx)
					}
					got = script(g, ctx)
					synctest.Wait()
				})
				if got != want {
					t.Errorf("%s (with context: %t):\n\t%s, want\n\t%s", name, with, got, want)
				}
			}
		}
	})
}

// TestCatchPanics: a panic is the error of its function, cancels the context, and leaves its
// place to others.
func TestCatchPanics(t *testing.T) {
	boom := errors.New("boom")
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		for _, value := range []any{boom, "boom"} {
			g, ctx := pool.WithContext(context.Background())
			g.CatchPanics()
			g.SetLimit(1)
			var after atomic.Int64
			g.Go(func() error { panicWith(value); return nil })
			for range 10 {
				g.Go(func() error { <-ctx.Done(); after.Add(1); return errors.New("after") })
			}
			err := g.Wait()
			var p *par.Panic
			if !errors.As(err, &p) || p.Value != value || !strings.Contains(string(p.Stack), "panicWith") {
				t.Errorf("Wait() = %v, want the panic %v and its stack", err, value)
			}
			if _, isErr := value.(error); errors.Is(err, boom) != isErr || context.Cause(ctx) != err {
				t.Errorf("the cause of the context is %v, want the error %v", context.Cause(ctx), err)
			}
			if n := after.Load(); n != 10 {
				t.Errorf("%d functions ran after the panic, want 10", n)
			}
			func() {
				defer func() {
					if v := fmt.Sprint(recover()); !strings.Contains(v, "pool.Group.CatchPanics: called after Go") {
						t.Errorf("CatchPanics after Go panics with %v", v)
					}
				}()
				g.CatchPanics()
			}()
		}
	})
}

//go:noinline
func panicWith(v any) { panic(v) }

// TestGroupLeft: after Wait all have returned, and no goroutine is left.
func TestGroupLeft(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		for range 100 {
			var g pool.Group
			var n atomic.Int64
			for range 40 {
				g.Go(func() error { n.Add(1); return nil })
			}
			if err := g.Wait(); err != nil || n.Load() != 40 {
				t.Fatalf("Wait() = %v after %d functions, want nil after 40", err, n.Load())
			}
		}
	})
}

// TestGroupChain: Wait waits for functions that functions pass, one after the other, while
// it waits: the first have goroutines of their own, and later ones a crew. A Group may be
// used again after that.
func TestGroupChain(t *testing.T) {
	stress.NoneLeft(t)
	stress.Procs(t, func(t *testing.T) {
		for _, n := range []int{1, 7, 8, 9, 10, 40} {
			var g pool.Group
			var done atomic.Int32
			last := errors.New("the last")
			var link func(left int) func() error
			link = func(left int) func() error {
				return func() error {
					if done.Add(1); left == 0 {
						return last
					}
					g.Go(link(left - 1))
					return nil
				}
			}
			for round := range 3 {
				done.Store(0)
				g.Go(link(n - 1))
				if err := g.Wait(); err != last || int(done.Load()) != n {
					t.Fatalf("round %d of a chain of %d: Wait = %v after %d functions", round, n, err, done.Load())
				}
			}
		}
	})
}

// TestGroupApart: functions that wait for each other all run, whether they are few or many.
func TestGroupApart(t *testing.T) {
	stress.NoneLeft(t)
	stress.Procs(t, func(t *testing.T) {
		for _, n := range []int{2, 8, 9, 30} {
			var g pool.Group
			var here atomic.Int32
			all := make(chan bool)
			for range n {
				g.Go(func() error {
					if int(here.Add(1)) == n {
						close(all)
					}
					<-all
					return nil
				})
			}
			if err := g.Wait(); err != nil {
				t.Errorf("%d functions: Wait = %v", n, err)
			}
		}
	})
}
