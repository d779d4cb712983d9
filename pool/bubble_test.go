package pool_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/pool"
)

// nap is a task that waits. It makes no channel timer that has already expired: in a
// bubble these run where they are read, and with -race, several at once corrupt what
// the race detector keeps for the bubble's timers (Go 1.26).
func nap(ctx context.Context, d time.Duration) (time.Time, error) {
	if d <= 0 {
		return time.Now(), nil
	}
	select {
	case <-time.After(d):
		return time.Now(), nil
	case <-ctx.Done():
		return time.Now(), context.Cause(ctx)
	}
}

// TestDeadlines: a timeout counts from when the task begins, a context's deadline from
// the start, and a task that is late does not begin.
func TestDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap, pool.Options{Min: 1, Max: 1})
		from := time.Now()
		b := p.Batch(ctx, pool.TaskOptions{Timeout: time.Second})
		for range 3 {
			b.Submit(time.Minute)
		}
		outs, err := b.Wait()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Wait() = %v", err)
		}
		for i, at := range outs {
			if got, want := at.Sub(from), time.Duration(i+1)*time.Second; got != want {
				t.Errorf("task %d ended after %v, want %v", i, got, want)
			}
		}

		from = time.Now()
		late, cancel := context.WithTimeout(ctx, 1500*time.Millisecond)
		defer cancel()
		b = p.Batch(late)
		b.Submit(time.Second)
		b.Submit(time.Second)
		b.Submit(time.Second)
		outs, _ = b.Wait()
		if got := time.Since(from); got != 1500*time.Millisecond {
			t.Errorf("Wait took %v, want that of the deadline", got)
		}
		if !outs[2].IsZero() || outs[1].IsZero() || outs[0].Sub(from) != time.Second {
			t.Errorf("tasks ended at %v: the first is to end, the second be cut off, the third not begin", outs)
		}
		p.Close()
	})
}

// TestIdle: workers that nobody needs leave, the ones first that parked first, and then
// nothing runs.
func TestIdle(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap, pool.Options{Min: 10, Max: 10})
		b := p.Batch(ctx)
		for range 10 {
			b.Submit(time.Second)
		}
		from := time.Now()
		b.Wait()
		if got := time.Since(from); got != time.Second {
			t.Errorf("10 tasks of a second take %v with 10 workers", got)
		}
		parked := func(want int) {
			t.Helper()
			synctest.Wait()
			if s := p.Stats(); s.Workers != 0 || s.Parked != want {
				t.Errorf("after %v: %v, want %d parked and none active", time.Since(from), s, want)
			}
		}
		parked(10)
		for range 30 { // one worker is needed, ten times a second
			time.Sleep(100 * time.Millisecond)
			p.Submit(ctx, 0)
		}
		parked(1)
		time.Sleep(3 * time.Second)
		parked(0)
		// Were there a timer, this would take as many turns as it has periods.
		time.Sleep(1000 * time.Hour)
		if s := p.Stats(); s.Items != 40 {
			t.Errorf("%v, want 40 tasks", s)
		}
		p.Submit(ctx, time.Second) // and again from nothing
		p.Close()
	})
}

// TestStuck: tasks that were short and then wait do not hold up those behind them for
// longer than a few looks of the watch.
func TestStuck(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap, pool.Options{Min: 100, Max: 100, Queue: 200})
		for range 1000 {
			p.Submit(ctx, 0)
		}
		time.Sleep(time.Second)
		from := time.Now()
		b := p.Batch(ctx)
		for range 100 {
			b.Submit(time.Second)
		}
		b.Wait()
		if got := time.Since(from); got > 1100*time.Millisecond {
			t.Errorf("100 tasks of a second take %v with 100 workers", got)
		}
		p.Close()
	})
}

// TestResize: a pool has as many workers as it is told.
func TestResize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap, pool.Options{Min: 1, Max: 1})
		b := p.Batch(ctx)
		for range 1000 {
			b.Submit(time.Second)
		}
		for _, n := range []int{1, 10, 3, 100} {
			p.Resize(n, n)
			time.Sleep(10 * time.Second)
			synctest.Wait()
			before := p.Stats().Items
			time.Sleep(5 * time.Second)
			synctest.Wait()
			s := p.Stats()
			if s.Waiting > 0 && (s.Workers != n || s.Items-before != uint64(5*n)) {
				t.Errorf("after Resize(%d): %v, %d tasks in 5 s", n, s, s.Items-before)
			}
		}
		b.Wait()
		p.Close()
	})
}

// TestResults: results come in the order in which tasks end, and as soon, also where
// tasks are submitted meanwhile.
func TestResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap, pool.Options{Min: 10, Max: 10})
		defer p.Close()
		b := p.Batch(ctx)
		from := time.Now()
		for i := range 5 {
			b.Submit(time.Duration(5-i) * time.Second)
		}
		want := 4
		for r := range b.Results() {
			took := time.Since(from)
			if r.Index != want || took != time.Duration(5-want)*time.Second && want < 5 {
				t.Errorf("after %v: task %d, want %d", took, r.Index, want)
			}
			if want == 2 { // it ends after all others
				b.Submit(time.Minute)
			}
			if want--; want < 0 {
				want = 5
			}
		}
		if got := time.Since(from); got != time.Minute+3*time.Second {
			t.Errorf("all results took %v", got)
		}
		for r := range b.Results() {
			t.Errorf("task %d comes again", r.Index)
		}
		if outs, err := b.Wait(); len(outs) != 6 || err != nil {
			t.Errorf("Wait() = %d results, %v", len(outs), err)
		}
	})
}

// TestTrySubmit: it takes as many tasks as may wait, and waits for nothing, nor runs a task
// itself.
func TestTrySubmit(t *testing.T) {
	cause := errors.New("cause")
	synctest.Test(t, func(t *testing.T) {
		var ran atomic.Int64
		var p *pool.Pool[time.Duration, int]
		p = pool.New(func(ctx context.Context, d time.Duration) (int, error) {
			first := ran.Add(1) == 1
			time.Sleep(d)
			if first { // the queue is full of others
				if err := p.TrySubmit(ctx, 0); err != pool.ErrFull {
					t.Errorf("TrySubmit in a task, with no room = %v, want ErrFull", err)
				}
			}
			return 0, nil
		}, pool.Options{Min: 1, Max: 1, Queue: 2})
		user, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		from := time.Now()
		for i, want := range []error{nil, nil, nil, pool.ErrFull, pool.ErrFull} {
			if got := p.TrySubmit([...]context.Context{ctx, user}[i%2], 2*time.Hour); got != want {
				t.Errorf("TrySubmit %d, with room for two = %v, want %v", i, got, want)
			}
			synctest.Wait() // the first is taken
		}
		if took := time.Since(from); took != 0 {
			t.Errorf("TrySubmit waits for %v", took)
		}
		if err := p.TrySubmit(ctx, 0, pool.TaskOptions{Priority: pool.High}); err != nil {
			t.Errorf("TrySubmit of another priority, whose queue is empty = %v", err)
		}
		cancel(cause)
		if err := p.TrySubmit(user, 0); err != cause {
			t.Errorf("TrySubmit under a context that is done = %v, want its cause", err)
		}
		if err := p.Submit(ctx, 0); err != nil { // the first has ended, and has found no room
			t.Errorf("Submit = %v", err)
		}
		if err := p.Close(); !errors.Is(err, cause) {
			t.Errorf("Close() = %v, want the cause of a task that did not begin", err)
		}
		if err := p.TrySubmit(ctx, 0); err != pool.ErrClosed {
			t.Errorf("TrySubmit after Close = %v, want ErrClosed", err)
		}
		if n := ran.Load(); n != 4 {
			t.Errorf("%d tasks ran, want 4", n)
		}
	})
}

// TestFull: a worker that finds no room for the rest of a slice goes on with it.
func TestFull(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap, pool.Options{Min: 1, Max: 1, Queue: 1})
		p.Submit(ctx, time.Minute)
		synctest.Wait()
		var done atomic.Int64
		go func() {
			outs, _ := p.SubmitAll(ctx, make([]time.Duration, 10))
			done.Add(int64(len(outs)))
		}()
		synctest.Wait() // it is in the queue
		for range 3 {
			go func() {
				p.Submit(ctx, time.Second)
				done.Add(1)
			}()
			synctest.Wait() // they wait for room
		}
		time.Sleep(time.Hour)
		if n := done.Load(); n != 13 {
			t.Errorf("%d of 13 are done", n)
		}
		p.Close()
	})
}
