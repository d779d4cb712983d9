package par

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/stress"
)

// Where the context is done before, nothing is called and the cause is
// returned, also where there is nothing to do.
func TestContextDoneBefore(t *testing.T) {
	cause := errors.New("cause")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(cause)
	for _, l := range loopings {
		if !l.fails && l.name != "ScanContext" {
			continue
		}
		for _, n := range []int{0, 1, 10, 100_000} {
			err := l.call(ctx, n, func(i int) error {
				t.Errorf("%s: element %d is visited", l.name, i)
				return nil
			})
			if err != cause {
				t.Errorf("%s, n = %d: %v, want %v", l.name, n, err, cause)
			}
		}
	}
}

// The error is that of the lowest index, of the parts that ran: here all fail,
// and element 0 is in the first of the plain loop.
func TestFirstError(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		for _, l := range loopings {
			if !l.fails || l.name == "DoContext" {
				continue
			}
			for _, n := range []int{1, 2, 100, 200, 300, 500, 1000, 2000, 20_000} {
				var lowest atomic.Int64
				lowest.Store(int64(n))
				errs := MapN(n, func(i int) error { return fmt.Errorf("error %d", i) })
				err := l.call(context.Background(), n, func(i int) error {
					for {
						low := lowest.Load()
						if int64(i) >= low || lowest.CompareAndSwap(low, int64(i)) {
							return errs[i]
						}
					}
				})
				if want := errs[lowest.Load()]; err != want {
					t.Errorf("%s, n = %d: %v, want %v", l.name, n, err, want)
				}
			}
		}
	})
}

// FindContext returns what a plain loop returns, also amid errors.
func TestFindContextIsTheLoop(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stress.Procs(t, func(t *testing.T) {
		for range rounds(100) {
			n := 1 + rnd.IntN(100_000)
			first := rnd.IntN(n)
			failed := errors.New("failed")
			got, err := FindContext(context.Background(), upTo(n), func(_ context.Context, i int) (bool, error) {
				switch {
				case i < first:
					return false, nil
				case i == first || i%2 == 0:
					return true, failed // the error counts
				}
				return true, nil
			})
			if got != -1 || err != failed {
				t.Fatalf("n = %d, the first fails at %d: %d, %v", n, first, got, err)
			}
		}
	})
}

// When a body has failed, others do not begin. Those that do before this is
// known take their time, so that they cannot be all.
func TestStops(t *testing.T) {
	const n = 1 << 20
	failed := errors.New("failed")
	stress.Procs(t, func(t *testing.T) {
		for _, cancelled := range []bool{false, true} {
			ctx, cancel := context.WithCancelCause(context.Background())
			var elements, slow atomic.Int64
			var stop atomic.Bool
			err := ForContext(ctx, n, func(_ context.Context, lo, hi int) error {
				elements.Add(int64(hi - lo))
				if stop.Load() {
					if slow.Add(1) < 500 {
						time.Sleep(time.Millisecond)
					}
					return nil
				}
				spin(hi - lo)
				if hi < n/8 {
					return nil
				}
				stop.Store(true)
				if cancelled {
					cancel(failed)
					return nil
				}
				return failed
			})
			if err != failed || elements.Load() == n {
				t.Errorf("cancelled %t: %v after %d elements, want %v before %d", cancelled, err, elements.Load(), failed, n)
			}
			cancel(nil)
		}
	})
}

var sink atomic.Uint64

// spin does some 100 ns of work n times.
func spin(n int) {
	x := uint64(n) | 1
	for range 30 * n {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
	}
	sink.Store(x)
}

// The first error is returned, cancels what the others got, and is its cause.
func TestDoContext(t *testing.T) {
	failed := errors.New("failed")
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		for range rounds(100) {
			var inner context.Context
			var begun atomic.Bool
			err := DoContext(context.Background(), func(ctx context.Context) error {
				inner = ctx
				begun.Store(true)
				return failed
			}, func(ctx context.Context) error {
				for range 1000 {
					if begun.Load() {
						<-ctx.Done()
						return ctx.Err()
					}
					runtime.Gosched()
				}
				return nil // it may be that the other begins when this has ended
			})
			if err != failed {
				t.Errorf("%v, want %v", err, failed)
			}
			if got := context.Cause(inner); got != failed {
				t.Errorf("the cause is %v, want %v", got, failed)
			}
		}

		// All are called and succeed, though the context ends meanwhile.
		ctx, cancel := context.WithCancelCause(context.Background())
		if err := DoContext(ctx, func(context.Context) error { cancel(failed); return nil }); err != nil {
			t.Errorf("all have succeeded: %v", err)
		}
		if err := DoContext(context.Background()); err != nil {
			t.Errorf("of no functions: %v", err)
		}
		var alive context.Context
		if err := DoContext(context.Background(), func(ctx context.Context) error { alive = ctx; return nil }); err != nil {
			t.Error(err)
		}
		if alive.Err() == nil {
			t.Error("the context of the functions outlives them")
		}
	})
}

// One that does not return lets the others end.
func TestDoContextEnds(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		wants := []any{"value", nil}
		for i, end := range []func(){func() { panic("value") }, runtime.Goexit} {
			var recovered any
			var inner []context.Context
			done := make(chan bool)
			go func() {
				defer close(done)
				defer func() { recovered = raw(recover()) }()
				one := make(chan context.Context, 2)
				defer func() {
					close(one)
					for ctx := range one {
						inner = append(inner, ctx)
					}
				}()
				var begun atomic.Bool
				DoContext(context.Background(), func(ctx context.Context) error {
					one <- ctx
					begun.Store(true)
					end()
					return nil
				}, func(ctx context.Context) error {
					one <- ctx
					if begun.Load() {
						<-ctx.Done()
					}
					return nil
				})
				t.Error("DoContext has returned")
			}()
			stress.Within(t, time.Minute, "DoContext", func() { <-done })
			if want := wants[i]; recovered != want {
				t.Errorf("recovered %v, want %v", recovered, want)
			}
			for _, ctx := range inner {
				if got := context.Cause(ctx); got != errEnded {
					t.Errorf("the cause is %v, want %v", got, errEnded)
				}
			}
		}
	})
}

// TestConsequences: a body that ends since another failed is not the failure, even
// where its index is lower; and one that ends since the caller's context is done
// does not hide the cause.
func TestConsequences(t *testing.T) {
	failed, cause := errors.New("failed"), errors.New("cause")
	defer force.Set(force.Set(force.Spread)) // all run at the same time
	stress.Procs(t, func(t *testing.T) {
		for name, call := range map[string]func(ctx context.Context, body func(ctx context.Context, i int) error) error{
			"ForEachContext": func(ctx context.Context, body func(ctx context.Context, i int) error) error {
				return ForEachContext(ctx, upTo(4), func(ctx context.Context, i int, _ *int) error { return body(ctx, i) })
			},
			"MapNContext": func(ctx context.Context, body func(ctx context.Context, i int) error) error {
				_, err := MapNContext(ctx, 4, func(ctx context.Context, i int) (int, error) { return 0, body(ctx, i) })
				return err
			},
			"ReduceNContext": func(ctx context.Context, body func(ctx context.Context, i int) error) error {
				_, err := ReduceNContext(ctx, 4, func(ctx context.Context, lo, hi int) (int, error) { return 0, body(ctx, lo) }, glueInt)
				return err
			},
			"AnyContext": func(ctx context.Context, body func(ctx context.Context, i int) error) error {
				_, err := AnyContext(ctx, upTo(4), func(ctx context.Context, i int) (bool, error) { return false, body(ctx, i) })
				return err
			},
			"DoContext": func(ctx context.Context, body func(ctx context.Context, i int) error) error {
				fs := make([]func(context.Context) error, 4)
				for i := range fs {
					fs[i] = func(ctx context.Context) error { return body(ctx, i) }
				}
				return DoContext(ctx, fs...)
			},
		} {
			if err := call(context.Background(), func(ctx context.Context, i int) error {
				if i == 3 {
					return failed
				}
				<-ctx.Done()
				return fmt.Errorf("part %d: %w", i, ctx.Err())
			}); err != failed {
				t.Errorf("%s: %v, want %v", name, err, failed)
			}
			ctx, cancel := context.WithCancelCause(context.Background())
			if err := call(ctx, func(ctx context.Context, i int) error {
				if i == 3 {
					cancel(cause)
				}
				<-ctx.Done()
				return ctx.Err()
			}); err != cause {
				t.Errorf("%s, cancelled: %v, want %v", name, err, cause)
			}
		}
	})
}

// TestAnyContextHit: a hit ends the others, and counts more than their errors.
func TestAnyContextHit(t *testing.T) {
	defer force.Set(force.Set(force.Spread))
	for range rounds(100) {
		found, err := AnyContext(context.Background(), upTo(8), func(ctx context.Context, i int) (bool, error) {
			if i == 5 {
				return true, nil
			}
			<-ctx.Done()
			return false, fmt.Errorf("part %d: %w", i, ctx.Err())
		})
		if !found || err != nil {
			t.Fatalf("%t, %v, want a hit", found, err)
		}
	}
}
