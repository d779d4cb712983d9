package pool_test

import (
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/pool"
)

// TestSize: in a bubble, where nothing computes, a pool of tasks that wait grows to as
// many as there are, and one whose server slows down where it has too much to do does
// not flood it. How the size is found is for internal/size to test.
func TestSize(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap)
		defer p.Close()
		ins := make([]time.Duration, 1000)
		for i := range ins {
			ins[i] = 100 * time.Millisecond
		}
		from := time.Now()
		if _, err := p.SubmitAll(ctx, ins); err != nil {
			t.Error(err)
		}
		t.Logf("1000 tasks of 100 ms take %v, %v", time.Since(from), p.Stats())
		if got := time.Since(from); got > 2*time.Second {
			t.Errorf("1000 tasks of 100 ms take %v", got)
		}
		from = time.Now()
		b := p.Batch(ctx)
		for _, d := range ins {
			b.Submit(d)
		}
		b.Wait()
		t.Logf("1000 more take %v, %v", time.Since(from), p.Stats())
		if got := time.Since(from); got > time.Second {
			t.Errorf("1000 more take %v", got)
		}
	})
}

// TestBursts: calls that come again and again, each of as many tasks, come to have a worker
// for each task, however they are submitted and however long nothing comes in between.
func TestBursts(t *testing.T) {
	const wait = time.Millisecond
	for name, call := range map[string]func(p *pool.Pool[time.Duration, time.Time], n int){
		"SubmitAll": func(p *pool.Pool[time.Duration, time.Time], n int) {
			ins := make([]time.Duration, n)
			for i := range ins {
				ins[i] = wait
			}
			p.SubmitAll(ctx, ins)
		},
		"Batch": func(p *pool.Pool[time.Duration, time.Time], n int) {
			b := p.Batch(ctx)
			for range n {
				b.Submit(wait)
			}
			b.Wait()
		},
		"Do": func(p *pool.Pool[time.Duration, time.Time], n int) {
			var wg sync.WaitGroup
			for range n {
				wg.Go(func() { p.Do(ctx, wait) })
			}
			wg.Wait()
		},
	} {
		for _, n := range []int{5, 20, 100} {
			for _, gap := range []time.Duration{0, time.Second} {
				synctest.Test(t, func(t *testing.T) {
					p := pool.New(nap)
					defer p.Close()
					var took []time.Duration
					for range 40 {
						from := time.Now()
						call(p, n)
						took = append(took, time.Since(from))
						time.Sleep(gap)
					}
					later := slices.Sorted(slices.Values(took[20:])) // in some it tries half as many
					if got := later[len(later)/2]; got > wait*115/100 {
						t.Errorf("%s of %d tasks of %v, each %v: the later half takes %v in the median, %v; %v", name, n, wait, gap, got, p.Stats(), took)
					}
				})
			}
		}
	}
}

// TestSoon: where tasks wait, and none has ended, the rule is asked as they begin to wait,
// and not when the watch looks, after a ms: so eight workers are there before that.
func TestSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(nap, pool.Options{Max: 8})
		defer p.Close()
		b := p.Batch(ctx)
		for range 16 {
			b.Submit(time.Second)
		}
		time.Sleep(900 * time.Microsecond)
		if s := p.Stats(); s.Workers != 8 {
			t.Errorf("after 900 µs: %v; want 8 workers", s)
		}
		b.Wait()
	})
}

// TestBurstServer: where a server slows down by the square past 24 tasks, bursts of 100
// come to take about what they do with 24 workers, and not the 87 ms of 100.
func TestBurstServer(t *testing.T) {
	for _, gap := range []time.Duration{0, 100 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			var inside atomic.Int64
			p := pool.New(func(_ context.Context, d time.Duration) (int, error) {
				n := time.Duration(max(24, inside.Add(1)))
				time.Sleep(d * n * n / (24 * 24))
				inside.Add(-1)
				return 0, nil
			})
			defer p.Close()
			ins := make([]time.Duration, 100)
			for i := range ins {
				ins[i] = 5 * time.Millisecond
			}
			var last time.Duration
			for i := range 80 {
				from := time.Now()
				p.SubmitAll(ctx, ins)
				if i >= 70 {
					last += time.Since(from)
				}
				time.Sleep(gap)
			}
			if mean := last / 10; mean > 40*time.Millisecond {
				t.Errorf("bursts of 100, each %v: the last ten take %v on average, want 25 ms and 40 at most; %v", gap, mean, p.Stats())
			}
		})
	}
}

// A server serves few at once.
type server chan bool

func (s server) serve(ctx context.Context, d time.Duration) (int, error) {
	s <- true
	time.Sleep(d)
	<-s
	return 0, nil
}

// TestServer: a pool in front of a server that serves 32 at once does not have many more
// workers than that.
func TestServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := pool.New(make(server, 32).serve)
		ins := make([]time.Duration, 20_000)
		for i := range ins {
			ins[i] = 5 * time.Millisecond
		}
		from := time.Now()
		p.SubmitAll(ctx, ins)
		took := time.Since(from)
		t.Logf("%v, %v", took, p.Stats())
		if best := time.Duration(len(ins)) * 5 * time.Millisecond / 32; took > best*5/4 {
			t.Errorf("20,000 tasks take %v, want about %v", took, best)
		}
		p.Close()
	})
}
