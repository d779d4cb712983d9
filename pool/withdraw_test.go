package pool_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pool"
)

// sleepers is a pool whose tasks take as long as they say, whatever becomes of their
// context.
type sleepers = pool.Pool[time.Duration, time.Duration]

// TestWithdraw: a task that has not begun when its context is done is withdrawn then,
// however long those take that are before it; the workers pass over it.
func TestWithdraw(t *testing.T) {
	cause := errors.New("cause")
	for _, test := range []struct {
		name  string
		tasks uint64
		call  func(p *sleepers, ctx context.Context) error
	}{
		{"Do", 1, func(p *sleepers, ctx context.Context) error {
			_, err := p.Do(ctx, time.Second)
			return err
		}},
		{"Wait", 2, func(p *sleepers, ctx context.Context) error {
			b := p.Batch(ctx)
			b.Submit(time.Second)
			b.Submit(time.Second)
			outs, err := b.Wait()
			if len(outs) != 2 || len(err.(interface{ Unwrap() []error }).Unwrap()) != 2 {
				return errors.New("not two errors")
			}
			return err
		}},
		{"Results", 2, func(p *sleepers, ctx context.Context) (err error) {
			b := p.Batch(ctx)
			b.Submit(time.Second)
			b.Submit(time.Second)
			for r := range b.Results() {
				err = errors.Join(err, r.Err)
			}
			return err
		}},
		{"SubmitAll", 3, func(p *sleepers, ctx context.Context) error {
			_, err := p.SubmitAll(ctx, make([]time.Duration, 3))
			return err
		}},
	} {
		synctest.Test(t, func(t *testing.T) {
			var ran atomic.Int64
			p := pool.New(func(_ context.Context, d time.Duration) (time.Duration, error) {
				ran.Add(1)
				time.Sleep(d)
				return d, nil
			}, pool.Options{Max: 1})
			p.Submit(ctx, 3*time.Second)
			synctest.Wait()
			soon, cancel := context.WithTimeoutCause(ctx, 100*time.Millisecond, cause)
			defer cancel()
			from := time.Now()
			err := test.call(p, soon)
			if took := time.Since(from); took != 100*time.Millisecond || !errors.Is(err, cause) {
				t.Errorf("%s behind a task of 3 s returns %v after %v, want the cause after 100ms", test.name, err, took)
			}
			if v, err := p.Do(ctx, time.Second); v != time.Second || err != nil || time.Since(from) != 4*time.Second {
				t.Errorf("%s: the next Do returns %v, %v after %v, want 1s, nil after 4s", test.name, v, err, time.Since(from))
			}
			if err := p.Close(); err != nil {
				t.Errorf("%s: Close() = %v", test.name, err)
			}
			if n, items := ran.Load(), p.Stats().Items; n != 2 || items != 2+test.tasks {
				t.Errorf("%s: %d tasks ran, %d items, want 2 and %d", test.name, n, items, 2+test.tasks)
			}
		})
	}
}

// TestWithdrawRest: a task that has begun is waited for, as it may write what the caller
// reads; those behind it are withdrawn.
func TestWithdrawRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(func(_ context.Context, d time.Duration) (time.Duration, error) {
			time.Sleep(d)
			return d, nil
		}, pool.Options{Max: 1})
		defer p.Close()
		soon, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		from := time.Now()
		if v, err := p.Do(soon, 3*time.Second); v != 3*time.Second || err != nil || time.Since(from) != v {
			t.Errorf("Do of a task that has begun = %v, %v after %v, want 3s, nil after 3s", v, err, time.Since(from))
		}

		soon, cancel = context.WithTimeout(ctx, time.Second)
		defer cancel()
		from = time.Now()
		b := p.Batch(soon)
		b.Submit(3 * time.Second)
		b.Submit(3 * time.Second)
		want := 1
		for r := range b.Results() {
			at := [...]time.Duration{3 * time.Second, time.Second}[want]
			if r.Index != want || time.Since(from) != at || errors.Is(r.Err, context.DeadlineExceeded) != (want == 1) {
				t.Errorf("task %d ends after %v with %v, want task %d after %v", r.Index, time.Since(from), r.Err, want, at)
			}
			want--
		}
		if want != -1 {
			t.Errorf("results end before that of task %d", want)
		}
		if err := b.Submit(0); err != context.DeadlineExceeded {
			t.Errorf("Submit under a context that is done = %v", err)
		}
		if outs, err := b.Wait(); len(outs) != 3 || len(err.(interface{ Unwrap() []error }).Unwrap()) != 2 {
			t.Errorf("Wait() = %v, %v, want three results and two errors", outs, err)
		}

		soon, cancel = context.WithTimeout(ctx, time.Second)
		defer cancel()
		from = time.Now()
		outs, err := p.SubmitAll(soon, []time.Duration{3 * time.Second, 1, 1})
		if time.Since(from) != 3*time.Second || outs[0] != 3*time.Second || outs[1]+outs[2] != 0 || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("SubmitAll = %v, %v after %v, want the first alone after 3s", outs, err, time.Since(from))
		}
	})
}

// TestWithdrawOnce: whenever their context is done, each task runs or is withdrawn, and
// never both; the caller is told which.
func TestWithdrawOnce(t *testing.T) {
	seed := stress.Seed(t)
	rounds := 100
	if stress.Long() {
		rounds = 3000
	}
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		r := rand.New(rand.NewPCG(seed, 0))
		for range rounds {
			stress.Within(t, time10, "tasks whose context ends", func() { withdrawOnce(t, r) })
		}
	})
}

func withdrawOnce(t *testing.T, r *rand.Rand) {
	const each = 100
	ways := []string{"Do", "Wait", "Results", "SubmitAll"}
	n := each * len(ways)
	cause := errors.New("cause")
	user, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ran := make([]atomic.Int32, n)
	last := r.IntN(n) // the task that ends the context
	p := pool.New(func(_ context.Context, v int) (int, error) {
		ran[v].Add(1)
		switch {
		case v == last:
			cancel(cause)
		case v%7 == 0:
			runtime.Gosched()
		}
		return v + 1, nil
	}, pool.Options{Max: 1 + r.IntN(3), Queue: 1 + r.IntN(2*each)})
	var refused atomic.Int64 // tasks that were not queued
	told := func(way string, v, out int, err error) {
		n := ran[v].Load()
		if n == 1 && (err != nil || out != v+1) || n == 0 && (err != cause || out != 0) || n > 1 {
			t.Errorf("%s: task %d ran %d times and ended with %d, %v", way, v, n, out, err)
		}
	}
	var wg sync.WaitGroup
	for i, way := range ways {
		from := i * each
		wg.Go(func() {
			switch way {
			case "Do":
				var callers sync.WaitGroup
				for k := range 4 {
					callers.Go(func() {
						for v := from + k; v < from+each; v += 4 {
							out, err := p.Do(user, v)
							told(way, v, out, err)
						}
					})
				}
				callers.Wait()
			case "Wait", "Results":
				b := p.Batch(user)
				got, all := make([]pool.Result[int], 0, each), make(chan bool)
				collect := func() {
					for r := range b.Results() {
						got = append(got, r)
					}
				}
				if way == "Results" { // while tasks are submitted
					go func() {
						collect()
						close(all)
					}()
				}
				for v := range each {
					if b.Submit(from+v) != nil {
						refused.Add(1)
					}
				}
				if way == "Results" {
					<-all
				} else if _, err := b.Wait(); err != nil && !errors.Is(err, cause) {
					t.Errorf("Wait() = %v", err)
				}
				collect()
				seen := make([]bool, each)
				for _, r := range got {
					if seen[r.Index] {
						t.Errorf("%s: task %d ends twice", way, from+r.Index)
					}
					seen[r.Index] = true
					told(way, from+r.Index, r.Value, r.Err)
				}
				if len(got) != each {
					t.Errorf("%s: %d results, want %d", way, len(got), each)
				}
			case "SubmitAll":
				ins := numbers(n)[from : from+each]
				outs, err := p.SubmitAll(user, ins)
				if outs == nil { // it was not queued
					refused.Add(each)
					outs = make([]int, each)
				}
				began := 0
				for i, v := range ins {
					began += int(ran[v].Load())
					if out := outs[i]; int(ran[v].Load())*(v+1) != out {
						t.Errorf("SubmitAll: task %d ran %d times and returned %d", v, ran[v].Load(), out)
					}
				}
				if (began == each) != (err == nil) || err != nil && !errors.Is(err, cause) {
					t.Errorf("SubmitAll: %d of %d tasks ran, and its error is %v", began, each, err)
				}
			}
		})
	}
	wg.Wait()
	sum := 0
	for v := range ran {
		sum += int(ran[v].Load())
	}
	p.Close()
	for v := range ran {
		sum -= int(ran[v].Load())
	}
	if sum != 0 {
		t.Errorf("%d tasks ran after their callers were told", -sum)
	}
	// Of Do it is not known which were queued.
	s := p.Stats()
	if most := uint64(int64(n) - refused.Load()); s.Items > most || s.Items < most-each || s.Waiting != 0 {
		t.Errorf("after Close: %v, want %d items, or up to %d less", s, most, each)
	}
}
