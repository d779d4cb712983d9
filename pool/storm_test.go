package pool_test

import (
	"context"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/force"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pool"
)

// TestStorm: goroutines submit in all ways, to pools of all sizes, that change, whose
// tasks compute, wait, panic, and submit; each task is done once, and its result is the
// right one.
func TestStorm(t *testing.T) {
	seed := stress.Seed(t)
	rounds := 4
	if stress.Long() {
		rounds = 200
	}
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		for round := range rounds {
			stress.Within(t, 20*time.Second, "a storm", func() { storm(t, seed+uint64(round)) })
		}
	})
}

func storm(t *testing.T, seed uint64) {
	r := rand.New(rand.NewPCG(seed, 1))
	const submitters, each = 4, 400
	done := make([]atomic.Int32, submitters*each)
	var p *pool.Pool[int, int]
	var within atomic.Int64
	work := func(ctx context.Context, v int) (int, error) {
		if v < 0 {
			within.Add(1)
			return v, nil
		}
		done[v].Add(1)
		switch v % 31 {
		case 0:
			time.Sleep(50 * time.Microsecond)
		case 1:
			runtime.Gosched()
		case 2:
			panic(v)
		case 3:
			if _, err := p.Do(ctx, -1); err != nil {
				return 0, err
			}
		case 4:
			if err := p.Submit(ctx, -1); err != nil {
				return 0, err
			}
		case 5:
			for range 2000 {
				runtime.KeepAlive(v)
			}
		}
		return v, nil
	}
	if r.IntN(3) == 0 {
		defer force.Set(force.Set(force.Spread))
	}
	var o pool.Options
	if r.IntN(2) == 0 {
		o.Min = 1 + r.IntN(4)
		o.Max = o.Min + r.IntN(2)
	}
	o.Queue = 1 + r.IntN(40)
	p = pool.New(work, o)
	wrong := func(v, out int, err error) bool {
		return v%31 != 2 && (err != nil || out != v) || v%31 == 2 && err == nil
	}
	var wg sync.WaitGroup
	for s := range submitters {
		r := rand.New(rand.NewPCG(seed, uint64(s)+2))
		wg.Go(func() {
			next, end := s*each, (s+1)*each
			for next < end {
				how := pool.TaskOptions{Priority: pool.Priority(r.IntN(3))}
				n := min(1+r.IntN(60), end-next)
				switch r.IntN(4) {
				case 0:
					for range n {
						p.Submit(ctx, next, how)
						next++
					}
				case 1:
					out, err := p.Do(ctx, next, how)
					if wrong(next, out, err) {
						t.Errorf("Do(%d) = %d, %v", next, out, err)
					}
					next++
				case 2:
					ins := make([]int, n)
					for i := range ins {
						ins[i] = next
						next++
					}
					outs, _ := p.SubmitAll(ctx, ins, how)
					for i, v := range ins {
						if v%31 != 2 && outs[i] != v {
							t.Errorf("SubmitAll(%d) has %d", v, outs[i])
						}
					}
				case 3:
					b := p.Batch(ctx, how)
					first := next
					for range n {
						b.Submit(next)
						next++
					}
					got := 0
					for r := range b.Results() {
						if wrong(first+r.Index, r.Value, r.Err) {
							t.Errorf("task %d of a batch: %d, %v", first+r.Index, r.Value, r.Err)
						}
						got++
					}
					if got != n {
						t.Errorf("%d results of %d tasks", got, n)
					}
				}
				if r.IntN(10) == 0 && o.Min > 0 {
					least := 1 + r.IntN(4)
					p.Resize(least, least+r.IntN(3))
				}
			}
		})
	}
	wg.Wait()
	p.Close()
	for v := range done {
		if n := done[v].Load(); n != 1 {
			t.Errorf("task %d was done %d times", v, n)
		}
	}
	if s := p.Stats(); s.Workers+s.Parked+s.Waiting != 0 {
		t.Errorf("after Close: %v", s)
	}
}

// TestStormGroup: a Group does each function once, whatever they do.
func TestStormGroup(t *testing.T) {
	seed := stress.Seed(t)
	stress.Procs(t, func(t *testing.T) {
		stress.NoneLeft(t)
		r := rand.New(rand.NewPCG(seed, 0))
		for range 30 {
			var g pool.Group
			if r.IntN(2) == 0 {
				g.SetLimit(1 + r.IntN(5))
			}
			n := 1 + r.IntN(500)
			done := make([]int, n)
			stress.Within(t, 10*time.Second, "a group", func() {
				for i := range n {
					way := r.IntN(40)
					g.Go(func() error {
						switch way {
						case 0:
							time.Sleep(20 * time.Microsecond)
						case 1:
							runtime.Gosched()
						case 2:
							done[i]++
							runtime.Goexit()
						}
						done[i]++
						return nil
					})
				}
				g.Wait()
			})
			for i, d := range done {
				if d != 1 {
					t.Errorf("function %d was called %d times", i, d)
				}
			}
		}
	})
}

// TestSeldom: tasks that come one at a time find a worker that has just parked, is about
// to, or has left.
func TestSeldom(t *testing.T) {
	seed := stress.Seed(t)
	stress.Procs(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(seed, 0))
		p := pool.New(double, pool.Options{Min: 2, Max: 2})
		defer p.Close()
		for range 2000 {
			stress.Within(t, time10, "a task", func() {
				b := p.Batch(ctx)
				b.Submit(1)
				b.Wait()
			})
			for end := time.Now().Add(time.Duration(r.IntN(20)) * time.Microsecond); time.Now().Before(end); {
			}
		}
	})
}
