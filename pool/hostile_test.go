package pool_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pool"
)

const time10 = 10 * time.Second

// A node is a task that makes others.
type node struct{ depth, way int }

// TestWithin: tasks submit tasks and wait for them, in each way there is, in pools of
// few workers and short queues.
func TestWithin(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		for _, o := range []pool.Options{{Min: 1, Max: 1, Queue: 1}, {Min: 2, Max: 2, Queue: 2}, {}} {
			for way := range 4 {
				var p *pool.Pool[node, int]
				var leaves atomic.Int64
				p = pool.New(func(ctx context.Context, n node) (int, error) {
					if n.depth == 0 {
						leaves.Add(1)
						return 1, nil
					}
					child := node{n.depth - 1, n.way}
					sum := 0
					switch n.way {
					case 0:
						for range 3 {
							v, err := p.Do(ctx, child)
							if err != nil {
								return 0, err
							}
							sum += v
						}
					case 1:
						vs, err := p.SubmitAll(ctx, []node{child, child, child})
						if err != nil {
							return 0, err
						}
						for _, v := range vs {
							sum += v
						}
					case 2:
						b := p.Batch(ctx)
						for range 3 {
							if err := b.Submit(child); err != nil {
								return 0, err
							}
						}
						for r := range b.Results() {
							if r.Err != nil {
								return 0, r.Err
							}
							sum += r.Value
						}
					case 3:
						for range 3 {
							if err := p.Submit(ctx, child); err != nil {
								return 0, err
							}
						}
						sum = 3
					}
					return sum, nil
				}, o)
				what := fmt.Sprintf("way %d with %+v", way, o)
				stress.Within(t, time10, what, func() {
					got, err := p.Do(ctx, node{3, way})
					if err != nil || way < 3 && got != 27 {
						t.Errorf("%s: Do = %d, %v, want 27", what, got, err)
					}
					if _, err := p.SubmitAll(ctx, []node{{2, way}, {2, way}}); err != nil {
						t.Errorf("%s: SubmitAll: %v", what, err)
					}
					for p.Stats().Waiting > 0 { // tasks of a pool that closes must not submit
						time.Sleep(time.Millisecond)
					}
					if way < 3 {
						if err := p.Close(); err != nil {
							t.Errorf("%s: Close() = %v", what, err)
						}
						if n := leaves.Load(); n != 45 {
							t.Errorf("%s: %d leaves, want 45", what, n)
						}
					} else {
						p.Stop()
					}
				})
			}
		}
	})
}

// TestForeign: tasks that submit to their own pool under a context that is not theirs, and
// wait for what they have submitted, hold up no others.
func TestForeign(t *testing.T) {
	if !goroutine.Known {
		t.Skip("a task is known by its context only")
	}
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		var p *pool.Pool[int, int]
		p = pool.New(func(_ context.Context, n int) (int, error) {
			switch {
			case n < 0:
				b := p.Batch(ctx)
				for range -n {
					b.Submit(0)
				}
				_, err := b.Wait()
				return 0, err
			case n > 0:
				for i := range n {
					if err := p.Submit(ctx, i/4); err != nil {
						return 0, err
					}
				}
			}
			return 0, nil
		}, pool.Options{Max: 2, Queue: 4})
		stress.Within(t, time10, "tasks that submit under another context", func() {
			if _, err := p.SubmitAll(ctx, []int{10, -10, 10, -10}); err != nil {
				t.Error(err)
			}
			for p.Stats().Waiting > 0 || p.Stats().Workers > 0 {
				time.Sleep(time.Millisecond)
			}
			p.Close()
		})
	})
}

// TestCloseWithin: a task that closes its pool panics, and nobody waits for ever.
func TestCloseWithin(t *testing.T) {
	if !goroutine.Known {
		t.Skip("goroutines are not known")
	}
	var p *pool.Pool[int, int]
	p = pool.New(func(_ context.Context, v int) (int, error) {
		if v == 0 {
			return 0, p.Close()
		}
		return 0, p.Stop()
	})
	stress.Within(t, time10, "Close in a task", func() {
		b := p.Batch(ctx)
		b.Submit(0)
		b.Submit(1)
		_, err := b.Wait()
		if s := fmt.Sprint(err); !strings.Contains(s, "Close called by a task") || !strings.Contains(s, "Stop called by a task") {
			t.Errorf("Wait() = %v, want both panics", err)
		}
		for v := range 2 { // on this goroutine
			if _, err := p.Do(ctx, v); !strings.Contains(fmt.Sprint(err), "called by a task") {
				t.Errorf("Do() = %v, want the panic", err)
			}
		}
		if err := p.Close(); err != nil {
			t.Errorf("Close() = %v", err)
		}
	})
}

// TestBlocked: tasks that wait until they are told hold up nobody: not those of other
// priorities in a pool with another worker, and not Stop.
func TestBlocked(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		p := pool.New(func(ctx context.Context, v int) (int, error) {
			if v < 0 {
				<-ctx.Done()
				return 0, context.Cause(ctx)
			}
			return v, nil
		}, pool.Options{Min: 4, Max: 4, Queue: 2})
		stress.Within(t, time10, "tasks beside tasks that block", func() {
			for i := range 1000 { // so that tasks are known to be short
				p.Submit(ctx, i)
			}
			blocked := p.Batch(ctx)
			for range 3 {
				blocked.Submit(-1)
			}
			if _, err := p.SubmitAll(ctx, numbers(1000)); err != nil {
				t.Error(err)
			}
			for i := range 1000 {
				p.Submit(ctx, i)
			}
			if v, err := p.Do(ctx, 3); v != 3 || err != nil {
				t.Errorf("Do = %d, %v", v, err)
			}
			blocked.Submit(-1)
			first, cancel := context.WithTimeout(ctx, 5*time.Millisecond)
			defer cancel()
			for range 10 { // there is no worker left
				if err := p.Submit(first, -1); err != nil && err != context.DeadlineExceeded {
					t.Errorf("Submit = %v", err)
				}
			}
			p.Stop()
			_, err := blocked.Wait()
			if n := len(err.(interface{ Unwrap() []error }).Unwrap()); n != 4 {
				t.Errorf("%d errors, want 4: %v", n, err)
			}
		})
	})
}

// TestGoexitAll: a pool survives tasks that all end their goroutines.
func TestGoexitAll(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		p := pool.New(exits, pool.Options{Queue: 4})
		stress.Within(t, time10, "Goexit", func() {
			b := p.Batch(ctx)
			for range 500 {
				b.Submit(11)
			}
			if _, err := b.Wait(); len(err.(interface{ Unwrap() []error }).Unwrap()) != 500 {
				t.Error("not all tasks failed")
			}
			if got := p.Stats().Workers; got > 64 {
				t.Errorf("%d workers are active", got)
			}
			p.Close()
		})
	})
}
