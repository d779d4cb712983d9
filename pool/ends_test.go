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

	"github.com/gopayoff/payoff/internal/stress"
)

// TestContextEnds: the context of a task, where it is its own, is done when the task has
// ended: so nothing is left of it with that which it is made from.
func TestContextEnds(t *testing.T) {
	user, cancel := context.WithCancel(context.Background())
	defer cancel()
	var kept context.Context
	p := New(func(ctx context.Context, _ int) (int, error) {
		kept = ctx
		ctx.Done()
		return 0, ctx.Err()
	}, Options{Min: 1, Max: 1})
	b := p.Batch(user)
	for _, test := range []struct {
		name   string
		submit func() error
	}{
		{"Do", func() error { _, err := p.Do(user, 1); return err }},
		{"SubmitAll", func() error { _, err := p.SubmitAll(user, make([]int, 3)); return err }},
		{"Batch", func() error { b.Submit(1); _, err := b.Wait(); return err }},
		{"Batch again", func() error { b.Submit(1); _, err := b.Wait(); return err }},
		{"Do within", func() error { _, err := p.Do(kept, 1); return err }},
		{"Submit", func() error { err := p.Submit(user, 1); return errors.Join(err, p.Close()) }},
	} {
		if test.name == "Do within" {
			// Under the context of a task that has ended the next one is not done.
			if j, ok := kept.(*joined); !ok || j.Context != user {
				t.Fatalf("the context of a task is a %T", kept)
			}
			continue
		}
		if err := test.submit(); err != nil {
			t.Errorf("%s: %v: the context was done before the task ended", test.name, err)
		}
		if r := kept.(*joined).real.Load(); r != nil && r.Err() == nil {
			t.Errorf("%s: the context is not done after the task has ended", test.name)
		}
	}
	if user.Err() != nil {
		t.Error("a task has canceled the context it was submitted under")
	}
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
