package a

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// feed sends a value after each of the pauses.
func feed(in chan<- int, pauses ...time.Duration) {
	for _, p := range pauses {
		time.Sleep(p)
		in <- 1
	}
}

func TestDrain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		in := make(chan int)
		go feed(in, 900*time.Millisecond, 900*time.Millisecond, 999*time.Millisecond)
		start := time.Now()
		sum, ok := drain(in, time.Second)
		if d := time.Since(start); sum != 3 || ok || d != 3799*time.Millisecond {
			t.Errorf("drain = %d, %t after %v, want 3, false after 3.799s", sum, ok, d)
		}
		closed := make(chan int)
		close(closed)
		if sum, ok := drain(closed, time.Second); sum != 0 || !ok {
			t.Errorf("drain = %d, %t, want 0, true", sum, ok)
		}
	})
}

func TestWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		silent := make(chan int)
		took := func(name string, want time.Duration, f func()) {
			start := time.Now()
			f()
			if d := time.Since(start); d != want {
				t.Errorf("%s took %v, want %v", name, d, want)
			}
		}
		took("backoff", 1023*time.Millisecond, func() { backoff(silent) })
		took("worker", time.Second, worker(silent, time.Second))
		took("generic", time.Second, func() { generic(silent) })
		took("twice", 6*time.Second, func() {
			// The shorter of the two is for n seconds.
			if late := twice(t.Context(), silent, 2); late.IsZero() {
				t.Error("twice saw no time")
			}
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			defer cancel()
			twice(ctx, silent, 100)
		})
		for name, f := range map[string]func(<-chan int, time.Duration){"stopped": stopped, "again": again} {
			in := make(chan int)
			go feed(in, 500*time.Millisecond, 999*time.Millisecond)
			took(name, 2499*time.Millisecond, func() { f(in, time.Second) })
		}
		in := make(chan int)
		go feed(in, 2500*time.Millisecond)
		took("tick", 2500*time.Millisecond, func() { tick(in) })
		from, to := make(chan int), make(chan int)
		go feed(from, 0, 0)
		took("labelled", time.Second, func() { labelled(from, to) })
		<-from
	})
}

type key struct{}

// A context tells the same at the same times, whether something waits for it or not.
func TestLimits(t *testing.T) {
	const s = time.Second
	visits := []func(ctx context.Context) (said []error){
		func(ctx context.Context) []error { return []error{ctx.Err()} },
		func(ctx context.Context) (said []error) {
			for range 4 {
				time.Sleep(s)
				said = append(said, ctx.Err())
			}
			<-ctx.Done()
			return append(said, ctx.Err(), context.Cause(ctx))
		},
		func(ctx context.Context) []error { <-ctx.Done(); return []error{ctx.Err()} },
		func(ctx context.Context) (said []error) { // others wait for its end
			inner, cancel := context.WithCancel(context.WithValue(ctx, key{}, 2))
			defer cancel()
			var wg sync.WaitGroup
			wg.Go(func() { <-inner.Done() })
			wg.Go(func() { <-ctx.Done() })
			wg.Wait()
			if inner.Value(key{}) != 2 || ctx.Value(key{}) != 1 {
				said = append(said, errors.New("another value"))
			}
			return append(said, ctx.Err(), inner.Err())
		},
		func(ctx context.Context) []error {
			stop := context.AfterFunc(ctx, func() { time.Sleep(s) })
			time.Sleep(5 * s)
			if stop() {
				return nil
			}
			return []error{ctx.Err()}
		},
	}
	late, gone := context.DeadlineExceeded, context.Canceled
	for name, tt := range map[string]struct {
		parent func(context.Context) (context.Context, context.CancelFunc)
		want   [][]error
		end    time.Duration
	}{
		"alone":     {context.WithCancel, [][]error{{nil}, {nil, nil, late, late, late, late}, {late}, {late, late}, {late}}, 2500 * time.Millisecond},
		"cancelled": {cancelled(1500 * time.Millisecond), [][]error{{nil}, {nil, gone, gone, gone, gone, gone}, {gone}, {gone, gone}, {gone}}, 2500 * time.Millisecond},
		"shorter":   {shorter(s / 2), [][]error{{nil}, {late, late, late, late, late, late}, {late}, {late, late}, {late}}, s / 2},
	} {
		for i, visit := range visits {
			for kind, f := range map[string]func(context.Context, time.Duration, func(context.Context)) context.Context{"limit": limit, "until": until} {
				synctest.Test(t, func(t *testing.T) {
					parent, cancel := tt.parent(context.WithValue(t.Context(), key{}, 1))
					defer cancel()
					var said []error
					start := time.Now()
					ctx := f(parent, 2500*time.Millisecond, func(ctx context.Context) {
						if end, ok := ctx.Deadline(); !ok || end.Sub(start) != tt.end {
							t.Errorf("%s, %s: it ends after %v, want %v", name, kind, end.Sub(start), tt.end)
						}
						said = visit(ctx)
					})
					if !slices.Equal(said, tt.want[i]) {
						t.Errorf("%s, %s, visit %d: %v, want %v", name, kind, i, said, tt.want[i])
					}
					after := gone
					if len(said) > 0 && said[len(said)-1] != nil {
						after = said[len(said)-1]
					}
					select {
					case <-ctx.Done():
					default:
						t.Errorf("%s, %s, visit %d: it is not done in the end", name, kind, i)
					}
					if err := ctx.Err(); err != after {
						t.Errorf("%s, %s, visit %d: %v after it, want %v", name, kind, i, err, after)
					}
				})
			}
		}
	}
}

func cancelled(after time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(after, cancel)
		return ctx, cancel
	}
}

func shorter(d time.Duration) func(context.Context) (context.Context, context.CancelFunc) {
	return func(ctx context.Context) (context.Context, context.CancelFunc) {
		return context.WithTimeout(ctx, d)
	}
}
