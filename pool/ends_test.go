package pool

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/goroutine"
	"github.com/gopayoff/payoff/internal/stress"
)

// TestContextLasts: the context of a task is that which it was submitted under, and not
// done when the task has ended, however that was: so what it returns may live on it.
// Nothing gathers meanwhile, and it is done when the other is, or the pool is stopped.
func TestContextLasts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		user, cancel := context.WithCancel(context.Background())
		kept := background
		p := New(func(ctx context.Context, v int) (int, error) {
			kept = ctx
			ctx.Done()
			if v == 7 {
				runtime.Goexit()
			}
			return 0, ctx.Err()
		}, Options{Min: 1, Max: 1})
		type key struct{}
		for i := range 10 {
			for name, submit := range map[string]func(ctx context.Context){
				"Do":        func(ctx context.Context) { p.Do(ctx, 1) },
				"SubmitAll": func(ctx context.Context) { p.SubmitAll(ctx, make([]int, 3)) },
				"Batch":     func(ctx context.Context) { b := p.Batch(ctx); b.Submit(1); b.Wait() },
				"Submit":    func(ctx context.Context) { p.Submit(ctx, 1) },
				"within":    func(ctx context.Context) { p.Do(kept, 1) },
				"Goexit of Do": func(ctx context.Context) {
					go p.Do(ctx, 7)
				},
				"Goexit of SubmitAll": func(ctx context.Context) {
					go p.SubmitAll(ctx, []int{0, 0, 7})
				},
			} {
				for _, ctx := range []context.Context{user, context.WithValue(user, key{}, i), context.WithValue(background, key{}, i), background} {
					submit(ctx)
					synctest.Wait()
					if kept.Err() != nil {
						t.Errorf("%s: the context is done after the task has ended: %v", name, kept.Err())
					}
				}
			}
		}
		if n := p.source.Kept(); n > 2 {
			t.Errorf("%d contexts are kept for tasks under two ends, want 2 at most", n)
		}
		p.Do(user, 1)
		mine := kept
		p.Do(background, 1)
		cancel()
		synctest.Wait()
		if mine.Err() != context.Canceled || kept.Err() != nil {
			t.Errorf("their own is done: the contexts of tasks have %v and %v, want %v and none", mine.Err(), kept.Err(), context.Canceled)
		}
		p.Stop()
		if kept.Err() == nil || context.Cause(kept) != ErrStopped {
			t.Errorf("after Stop the context has %v, %v, want %v", kept.Err(), context.Cause(kept), ErrStopped)
		}
		if n := p.source.Kept(); n != 0 {
			t.Errorf("%d contexts are kept after Stop", n)
		}
	})
}

// TestPartsEnd: tasks that follow short ones are taken in parts of many; where they turn
// out to wait, the part is ended: by the watch, so that others take the rest, and where the
// context is done or the pool is stopped.
func TestPartsEnd(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(p *Pool[int, int], cancel func())
		most time.Duration
		err  error
	}{
		{"to the end", nil, 200 * time.Millisecond, nil},
		{"canceled", func(_ *Pool[int, int], cancel func()) { cancel() }, 50 * time.Millisecond, context.Canceled},
		{"stopped", func(p *Pool[int, int], _ func()) { p.Stop() }, 50 * time.Millisecond, ErrStopped},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := New(func(_ context.Context, v int) (int, error) {
					if v > 0 {
						time.Sleep(10 * time.Millisecond)
					}
					return v, nil
				}, Options{Min: 8, Max: 8})
				p.SubmitAll(background, make([]int, 10_000))
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				if test.end != nil {
					go func() {
						time.Sleep(25 * time.Millisecond)
						test.end(p, cancel)
					}()
				}
				in := indexes(101)[1:]
				from := time.Now()
				out, err := p.SubmitAll(ctx, in)
				if took := time.Since(from); took > test.most || !errors.Is(err, test.err) {
					t.Errorf("100 tasks of 10 ms with 8 workers: %v after %v, want %v after %v at most", err, took, test.err, test.most)
				}
				if test.err == nil {
					for i, v := range out {
						if v != i+1 {
							t.Errorf("task %d gave %d", i, v)
						}
					}
				}
				p.Close()
			})
		})
	}
}

// TestPartStops: a part ends at the next task where the context is done or the pool is
// stopped, however short its tasks are.
func TestPartStops(t *testing.T) {
	for _, stop := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			begun := 0
			var p *Pool[int, int]
			p = New(func(_ context.Context, v int) (int, error) {
				begun++
				if begun == 10 {
					if stop {
						go p.Stop()
					} else {
						cancel()
					}
					synctest.Wait()
				}
				return v, nil
			}, Options{Min: 1, Max: 1})
			p.crew.mean.Store(1) // all are one part
			want := context.Canceled
			if stop {
				want = ErrStopped
			}
			if _, err := p.SubmitAll(ctx, indexes(1000)); begun != 10 || !errors.Is(err, want) {
				t.Errorf("ended by the tenth task: %v, %d tasks begin; want %v and 10", err, begun, want)
			}
			p.Close()
		})
	}
}

// TestTwoWait: a task waits for a batch that somebody else waits for already.
func TestTwoWait(t *testing.T) {
	if !goroutine.Known {
		t.Skip("a task is known by its context only")
	}
	stress.Within(t, 5*time.Second, "two that wait for a batch", func() {
		begun, proceed := make(chan bool), make(chan bool)
		var b *Batch[int, int]
		p := New(func(_ context.Context, v int) (int, error) {
			if v == 0 {
				close(begun)
				<-proceed
				b.Wait()
			}
			return v, nil
		}, Options{Min: 1, Max: 1})
		b = p.Batch(background)
		p.Submit(background, 0)
		<-begun
		b.Submit(1)
		go b.Wait()
		for b.mu.TryLock() { // until that one waits
			b.mu.Unlock()
			runtime.Gosched()
		}
		close(proceed)
		p.Close()
	})
}

// TestGoexitRest: where a task ends the goroutine of a part, those behind it are done by
// somebody who is counted, and each is counted once.
func TestGoexitRest(t *testing.T) {
	for _, within := range []bool{false, true} {
		const n = 1000
		var active, most, did atomic.Int64
		var p *Pool[int, int]
		p = New(func(ctx context.Context, v int) (int, error) {
			if v < 0 {
				p.SubmitAll(ctx, indexes(n))
			}
			if now := active.Add(1); now > most.Load() {
				most.Store(now)
			}
			defer active.Add(-1)
			did.Add(1)
			if v%100 == 7 {
				runtime.Goexit()
			}
			return v, nil
		}, Options{Min: 1, Max: 1})
		p.crew.mean.Store(1)
		var wg sync.WaitGroup
		wg.Go(func() {
			if within {
				p.Submit(background, -1)
			} else {
				p.SubmitAll(background, indexes(n))
			}
		})
		wg.Wait()
		for range 10 {
			p.Submit(background, 0)
		}
		p.Close()
		if did.Load() != n+10 || active.Load() != 0 || most.Load() != 1 {
			t.Errorf("within a task %v: %d tasks were done, %d run after Close, %d at once; want %d, 0, 1",
				within, did.Load(), active.Load(), most.Load(), n+10)
		}
		if items := p.Stats().Items; !within && items != n+10 {
			t.Errorf("Stats has %d tasks, want %d", items, n+10)
		}
	}
}

// TestChain: a task that submits the next one, while the queue is full, runs it itself, but
// not without end.
func TestChain(t *testing.T) {
	const n = 50_000
	var active, most atomic.Int64
	end := make(chan bool)
	var p *Pool[int, int]
	p = New(func(ctx context.Context, v int) (int, error) {
		if now := active.Add(1); now > most.Load() {
			most.Store(now)
		}
		defer active.Add(-1)
		if v == 1 {
			close(end)
		} else if v > 1 {
			p.Submit(ctx, v-1)
		}
		return v, nil
	}, Options{Min: 1, Max: 1, Queue: 1})
	p.Submit(background, n)
	for range 10 { // the queue is full while the first runs, or it has ended
		p.Submit(background, 0)
	}
	<-end
	p.Close()
	if most.Load() > n/10 {
		t.Errorf("%d tasks of a chain are on stacks at once", most.Load())
	}
}
