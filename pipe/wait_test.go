package pipe_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/par/partest"
	"github.com/gopayoff/payoff/pipe"
)

// A sleeper is a function that waits for a time that depends on the item, and counts
// its calls.
type sleeper struct{ now, most, calls atomic.Int64 }

func (s *sleeper) sleep(v int) int {
	n := s.now.Add(1)
	defer s.now.Add(-1)
	for {
		m := s.most.Load()
		if n <= m || s.most.CompareAndSwap(m, n) {
			break
		}
	}
	s.calls.Add(1)
	time.Sleep(naps(v))
	return v + 1
}

// naps is 1 to 10 ms, by chance but the same each time.
func naps(v int) time.Duration {
	return time.Millisecond + time.Duration(uint32(v)*2654435761>>8%9000)*time.Microsecond
}

// bubble runs f with a clock of its own, where the library decides.
func bubble(t *testing.T, f func(t *testing.T)) {
	partest.Auto(t)
	synctest.Test(t, f)
}

// Stages that wait get many workers, from each source, and their results come in order.
func TestWaits(t *testing.T) {
	stress.NoneLeft(t)
	const n = 1000
	for name := range sources(0) {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				var s sleeper
				start := time.Now()
				p := pipe.Map(pipe.Map(pipe.Map(sources(n)[name](), plus), s.sleep), plus)
				got, err := p.Collect(bg)
				if err != nil || len(got) != n {
					t.Fatalf("%d items, %v", len(got), err)
				}
				for i, v := range got {
					if v != i+3 {
						t.Fatalf("item %d = %d, want %d", i, v, i+3)
					}
				}
				if s.now.Load() != 0 || s.calls.Load() != n {
					t.Errorf("%d calls, %d of them not over", s.calls.Load(), s.now.Load())
				}
				// One after the other they take 5.5 s.
				if took := time.Since(start); took > time.Second || s.most.Load() < 64 {
					t.Errorf("it took %v, with %d at a time", took, s.most.Load())
				}
			})
		})
	}
}

// None waits behind another in one batch, also after many that hardly did.
func TestWaitsMixed(t *testing.T) {
	stress.NoneLeft(t)
	bubble(t, func(t *testing.T) {
		const n, quick = 200, 100 // the first of these waits, too
		nap := func(v int) int {
			d := time.Millisecond
			if 0 < v && v < quick {
				d = 50 * time.Nanosecond
			}
			time.Sleep(d)
			return v
		}
		for run := range 4 {
			start := time.Now()
			got, err := pipe.Map(pipe.Range(n), nap).Collect(bg)
			if err != nil || len(got) != n {
				t.Fatalf("%d items, %v", len(got), err)
			}
			// Eight at a time are done in 14 ms.
			if took := time.Since(start); took > 20*time.Millisecond {
				t.Errorf("run %d: %d waits of 1 ms took %v", run, 1+n-quick, took)
			}
		}
	})
}

// A run of functions that have waited begins with workers: the caller tries no item alone.
func TestWaitsKnown(t *testing.T) {
	stress.NoneLeft(t)
	bubble(t, func(t *testing.T) {
		const n = 8
		nap := func(v int) int {
			time.Sleep(time.Millisecond)
			return v
		}
		var took time.Duration
		for range 4 {
			start := time.Now()
			if err := pipe.Map(pipe.Range(n), nap).Drain(bg); err != nil {
				t.Fatal(err)
			}
			took = time.Since(start)
		}
		if took >= 2*time.Millisecond {
			t.Errorf("the last of some runs of %d waits of 1 ms took %v, want 1 ms", n, took)
		}
	})
}

// AtMost holds for workers.
func TestWaitsAtMost(t *testing.T) {
	stress.NoneLeft(t)
	for _, most := range []int{1, 2, 7, 100} {
		for _, source := range []string{"slice", "seq", "chan"} {
			bubble(t, func(t *testing.T) {
				for range 2 { // the second knows how many there were
					var s sleeper
					got, err := pipe.Map(pipe.Map(sources(500)[source](), s.sleep).AtMost(most), plus).Collect(bg)
					if err != nil || len(got) != 500 {
						t.Fatalf("%d items, %v", len(got), err)
					}
					if m := int(s.most.Load()); m > most || m < most/2 {
						t.Errorf("%s: AtMost(%d): %d at a time", source, most, m)
					}
				}
			})
		}
	}
}

// AtLeast holds as soon as it is known that a function waits.
func TestWaitsAtLeast(t *testing.T) {
	stress.NoneLeft(t)
	for _, least := range []int{1, 30, 200} {
		bubble(t, func(t *testing.T) {
			var second atomic.Int64 // calls that began when the first had ended
			start := time.Now()
			p := pipe.Map(pipe.Range(1+2*least), func(v int) int {
				if time.Since(start) == time.Second {
					second.Add(1)
				}
				time.Sleep(time.Second)
				return v
			}).AtLeast(least)
			if got, err := p.Collect(bg); err != nil || len(got) != 1+2*least {
				t.Fatalf("%d items, %v", len(got), err)
			}
			if n := int(second.Load()); n < least {
				t.Errorf("AtLeast(%d): %d calls at once after the first", least, n)
			}
		})
	}
}

// However many workers there are, they are not ahead of a slow sink by more than the ring.
func TestWaitsAreBounded(t *testing.T) {
	stress.NoneLeft(t)
	bubble(t, func(t *testing.T) {
		const bound = 4096 + 1024
		var s sleeper
		seen := 0
		err := pipe.Map(pipe.Seq(func(yield func(int) bool) {
			for i := 0; yield(i); i++ {
			}
		}), s.sleep).ForEach(bg, func(int) error {
			if seen++; seen%1000 == 0 {
				time.Sleep(time.Minute)
			}
			if ahead := int(s.calls.Load()) - seen; ahead > bound {
				return fmt.Errorf("%d items ahead", ahead)
			}
			if seen == 10000 {
				return errOdd
			}
			return nil
		})
		if err != errOdd {
			t.Error(err)
		}
	})
}

// A run ends in order at each point, whichever way, and nothing of it is left.
func TestWaitsEnd(t *testing.T) {
	stress.NoneLeft(t)
	const n = 120
	step := 7
	if stress.Long() {
		step = 1
	}
	for at := 0; at < n; at += step {
		for _, source := range []string{"slice", "seq", "chan"} {
			bubble(t, func(t *testing.T) {
				var s sleeper
				end := func(how string, got []int, err error) {
					t.Helper()
					if len(got) != at || at > 0 && got[at-1] != at {
						t.Errorf("%s at %d: %d items: %v", how, at, len(got), err)
					}
					if s.now.Load() != 0 {
						t.Errorf("%s at %d: %d calls are not over", how, at, s.now.Load())
					}
				}
				var got []int
				for v := range pipe.Map(sources(n)[source](), s.sleep).All(bg) {
					if len(got) == at {
						break
					}
					got = append(got, v)
				}
				end("break", got, nil)

				got, err := pipe.MapContext(sources(n)[source](), func(ctx context.Context, v int) (int, error) {
					if v >= at {
						return 0, errOdd
					}
					return s.sleep(v), nil
				}).Collect(bg)
				var e *pipe.Error
				if !errors.As(err, &e) || e.Index != at || e.Err != errOdd {
					t.Errorf("%v, want that of item %d", err, at)
				}
				end("error", got, err)

				got = nil
				func() {
					defer func() {
						p, _ := recover().(*pipe.Panic)
						var q *par.Panic
						if p == nil || p.Index != at || !errors.As(p, &q) || q.Value != "odd" {
							t.Errorf("%v, want the panic of item %d", p, at)
						}
					}()
					pipe.Map(sources(n)[source](), func(v int) int {
						if v == at {
							panic("odd")
						}
						return s.sleep(v)
					}).ForEach(bg, func(v int) error { got = append(got, v); return nil })
				}()
				if s.now.Load() != 0 || len(got) > at {
					t.Errorf("panic at %d: %d items, %d calls are not over", at, len(got), s.now.Load())
				}

				ended := make(chan bool)
				go func() {
					defer close(ended)
					pipe.Map(sources(n)[source](), func(v int) int {
						if v == at {
							runtime.Goexit()
						}
						return s.sleep(v)
					}).Drain(bg)
					t.Error("Goexit comes back")
				}()
				<-ended
				if s.now.Load() != 0 {
					t.Errorf("Goexit at %d: %d calls are not over", at, s.now.Load())
				}

				// The deadline comes within the run; functions mind their context.
				ctx, cancel := context.WithTimeout(bg, time.Duration(at)*time.Millisecond+1)
				defer cancel()
				start := time.Now()
				err = pipe.MapContext(sources(n)[source](), func(ctx context.Context, v int) (int, error) {
					s.now.Add(1)
					defer s.now.Add(-1)
					if v < 20 {
						time.Sleep(time.Millisecond)
						return v, nil
					}
					<-ctx.Done()
					return 0, ctx.Err()
				}).Drain(ctx)
				if err != context.DeadlineExceeded || time.Since(start) > 200*time.Millisecond || s.now.Load() != 0 {
					t.Errorf("%v after %v, %d calls are not over", err, time.Since(start), s.now.Load())
				}
			})
		}
	}
}

// A stage with a rate has as many workers as its calls take, and no more calls begin.
func TestWaitsAtARate(t *testing.T) {
	bubble(t, func(t *testing.T) {
		start := time.Now()
		got, err := pipe.Map(pipe.Slice(numbers(300)), func(v int) int {
			time.Sleep(500 * time.Millisecond)
			return v
		}).Rate(100, time.Second).Collect(bg)
		if err != nil || !slices.Equal(got, numbers(300)) {
			t.Errorf("%d items, %v", len(got), err)
		}
		// 3 s at that rate; the first calls are made one after the other.
		if took := time.Since(start); took < 2990*time.Millisecond || took > 10*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// Where one waits for the rate another one would wait behind it, and is not hired.
func TestWaitsForARateAlone(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var m pipe.Meter
		err := pipe.Map(pipe.Slice(numbers(200)), func(v int) int {
			time.Sleep(time.Millisecond)
			return v
		}).Rate(10, time.Second).Meter(&m).Drain(bg)
		if st := m.Stats().Stages[1]; err != nil || st.Most > 16 {
			t.Errorf("%d goroutines make one call of 1 ms each 100 ms, %v", st.Most, err)
		}
	})
}

// Runs share the rate of a pipe. Where one has the next call the other sleeps: in a bubble
// the clock would stand still if it did not.
func TestRateOfRuns(t *testing.T) {
	stress.NoneLeft(t)
	bubble(t, func(t *testing.T) {
		p := pipe.Map(pipe.Slice(numbers(20)), func(v int) int { time.Sleep(time.Millisecond); return v }).Rate(1, time.Second)
		start := time.Now()
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				if got, err := p.Collect(bg); err != nil || !slices.Equal(got, numbers(20)) {
					t.Errorf("%v, %v", got, err)
				}
			})
		}
		wg.Wait()
		if took := time.Since(start); took != 39*time.Second+time.Millisecond {
			t.Errorf("40 calls of 1 ms took %v, want 39.001s", took)
		}
	})
}

// A rate is not used up by a run that ends before its turn.
func TestRateOfEarlyEnd(t *testing.T) {
	bubble(t, func(t *testing.T) {
		var calls []time.Duration
		start := time.Now()
		p := pipe.Map(pipe.Slice(numbers(100)), func(v int) int { calls = append(calls, time.Since(start)); return v }).Rate(1, time.Second)
		for range 3 {
			for range p.All(bg) {
				break
			}
		}
		if took := time.Since(start); took > 20*time.Second {
			t.Errorf("three runs that end at their first item took %v, with %v calls", took, calls)
		}
	})
}

// Items come from a channel one by one: each is on its way when it comes, though others
// have not come back.
func TestWaitsOfALoneItem(t *testing.T) {
	stress.NoneLeft(t)
	bubble(t, func(t *testing.T) {
		c := make(chan int)
		go func() {
			defer close(c)
			for i := range 100 {
				c <- i
				time.Sleep(time.Millisecond)
			}
		}()
		start, i := time.Now(), 0
		for v, err := range pipe.Map(pipe.Chan(c), func(v int) int { time.Sleep(50 * time.Millisecond); return v }).All(bg) {
			if v != i || err != nil {
				t.Fatalf("%d, %v, want %d", v, err, i)
			}
			i++
		}
		if took := time.Since(start); i != 100 || took > time.Second {
			t.Errorf("%d items after %v", i, took)
		}
	})
}

// Workers come on the real clock as well, and where items take little again the caller
// and helpers do the rest.
func TestWaitsForAWhile(t *testing.T) {
	stress.NoneLeft(t)
	const n = 5000
	both := func(t *testing.T) {
		for name, from := range sources(n) {
			var calls atomic.Int64
			p := pipe.Map(from(), func(v int) int {
				calls.Add(1)
				if v < 40 || v > n-40 {
					time.Sleep(200 * time.Microsecond)
				}
				return v
			})
			got, err := p.Collect(bg)
			if err != nil || !slices.Equal(got, numbers(n)) || calls.Load() != int64(n) {
				t.Errorf("%s: %d items, %d calls, %v", name, len(got), calls.Load(), err)
			}
		}
	}
	t.Run("auto", func(t *testing.T) { partest.Auto(t); both(t) })
	t.Run("eager", func(t *testing.T) { eager(t); both(t) })
}

// Any graph with stages that wait does what the serial program does.
func TestWaitGraphs(t *testing.T) {
	stress.NoneLeft(t)
	graphs := 15
	if stress.Long() {
		graphs = 1000
	}
	r := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for range graphs {
		seed := r.Uint64()
		bubble(t, func(t *testing.T) {
			build := func() graph {
				r := rand.New(rand.NewPCG(seed, 1))
				n := r.IntN(400)
				names := []string{"slice", "seq", "seq2", "chan", "queue", "lines"}
				name := names[r.IntN(len(names))]
				g := graph{text: fmt.Sprintf("seed %d: %s(%d)", seed, name, n), p: sources(n)[name](), items: numbers(n)}
				for range 1 + r.IntN(4) {
					if r.IntN(2) == 0 {
						g.wait(r)
					} else if g.grow(r); len(g.items) > 5000 {
						break
					}
				}
				g.wait(r)
				return g
			}
			g := build()
			got, err := g.p.Collect(bg)
			if err != nil {
				t.Fatalf("%s: %v", g.text, err)
			}
			g.check(t, "Collect", got, true)

			g = build()
			stop := rand.New(rand.NewPCG(seed, 2)).IntN(len(g.items) + 1)
			got = nil
			for v, err := range g.p.All(bg) {
				if err != nil {
					t.Fatalf("%s: %v", g.text, err)
				}
				if got = append(got, v); len(got) > stop {
					break
				}
			}
			g.check(t, "break", got, len(got) <= stop)

			g = build()
			var calls atomic.Int64
			got, err = pipe.MapContext(g.p, func(ctx context.Context, v int) (int, error) {
				if calls.Add(1) > int64(stop) {
					return 0, errOdd
				}
				time.Sleep(time.Duration(v&7) * 100 * time.Microsecond)
				return v, nil
			}).Collect(bg)
			if (err != nil) != (stop < len(g.items)) {
				t.Fatalf("%s: fails at %d of %d: %v", g.text, stop, len(g.items), err)
			}
			g.check(t, "error", got, err == nil)
		})
	}
}

// wait adds a stage that waits.
func (g *graph) wait(r *rand.Rand) {
	mean := []int{10, 150, 1000, 20000}[r.IntN(4)] // µs
	g.text += fmt.Sprintf(" wait(%dµs)", mean)
	g.p = pipe.Map(g.p, func(v int) int {
		time.Sleep(time.Duration(uint32(v)*2654435761>>8%uint32(2*mean)) * time.Microsecond)
		return v ^ 5
	})
	switch r.IntN(4) {
	case 0:
		g.p = g.p.Unordered()
		g.mixed = true
		g.text += " unordered"
	case 1:
		g.p = g.p.AtMost(1 + r.IntN(20))
		g.text += " atmost"
	}
	g.items = each(g.items, func(v int) []int { return []int{v ^ 5} })
}

// A server that slows down past some calls in flight is not flooded: workers leave.
func TestWaitsLeave(t *testing.T) {
	stress.NoneLeft(t)
	bubble(t, func(t *testing.T) {
		const n, knee = 10000, 24
		var now, calls, late atomic.Int64
		start := time.Now()
		err := pipe.Map(pipe.Slice(numbers(n)), func(v int) int {
			busy := now.Add(1)
			defer now.Add(-1)
			if calls.Add(1) > n/2 {
				late.Store(max(late.Load(), busy))
			}
			d := 5 * time.Millisecond
			if busy > knee {
				d = d * time.Duration(busy*busy) / (knee * knee)
			}
			time.Sleep(d)
			return v
		}).Drain(bg)
		// With 24 it takes 2.08 s.
		if took := time.Since(start); err != nil || late.Load() > 2*knee+1 || took > 3*time.Second {
			t.Errorf("%v: it took %v, with %d at a time at last, for a server that slows past %d", err, took, late.Load(), knee)
		}
	})
}

// Where all workers wait for long, others come meanwhile.
func TestWaitsLong(t *testing.T) {
	stress.NoneLeft(t)
	bubble(t, func(t *testing.T) {
		start := time.Now()
		got, err := pipe.Map(pipe.Slice(numbers(300)), func(v int) int { time.Sleep(time.Second); return v }).Collect(bg)
		if took := time.Since(start); err != nil || !slices.Equal(got, numbers(300)) || took > 4*time.Second {
			t.Errorf("%d items after %v, %v", len(got), took, err)
		}
	})
}

// While the first item takes long, a worker that found no other leaves: the next one that
// comes is worked on at once all the same.
func TestWaitsWatch(t *testing.T) {
	stress.NoneLeft(t)
	bubble(t, func(t *testing.T) {
		c := make(chan int, 8)
		go func() {
			defer close(c)
			for i := range 8 {
				if i > 4 { // the others come at once
					time.Sleep(time.Second)
				}
				c <- i
			}
		}()
		start := time.Now()
		var at [8]atomic.Int64
		err := pipe.Map(pipe.Chan(c), func(v int) int {
			at[v].Store(int64(time.Since(start)))
			if v == 3 {
				time.Sleep(time.Minute)
			}
			time.Sleep(100 * time.Millisecond)
			return v
		}).AtMost(2).Drain(bg)
		if err != nil {
			t.Fatal(err)
		}
		for v := 5; v < 8; v++ {
			if d := time.Duration(at[v].Load()); d > 4*time.Second {
				t.Errorf("item %d, which came after %d s, is begun after %v", v, v-4, d)
			}
		}
	})
}
