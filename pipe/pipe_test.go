package pipe_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gopayoff/payoff/internal/help"
	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/par"
	"github.com/gopayoff/payoff/par/partest"
	"github.com/gopayoff/payoff/pipe"
	"github.com/gopayoff/payoff/queue"
)

var bg = context.Background()

func numbers(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// eager has helpers come to everything, so that short runs are shared as well.
func eager(t testing.TB) {
	partest.Auto(t)
	helpersGone(t)
	least := help.LeastCredit
	help.LeastCredit = help.Plenty
	help.Sched.Pretend(true)
	t.Cleanup(func() {
		help.Sched.Pretend(false)
		helpersGone(t)
		help.LeastCredit = least
	})
}

// helpersGone waits until no helper lives: they read what tests change.
func helpersGone(t testing.TB) {
	stress.Within(t, time.Minute, "helpers leave", func() {
		for help.Sched.Helpers() > 0 {
			time.Sleep(20 * time.Microsecond)
		}
	})
}

// modes runs f where the library decides, where all is shared, and where parts run
// apart or on the caller.
func modes(t *testing.T, f func(t *testing.T)) {
	t.Run("auto", func(t *testing.T) { partest.Auto(t); f(t) })
	t.Run("eager", func(t *testing.T) { eager(t); f(t) })
	t.Run("spread", func(t *testing.T) { partest.Spread(t); f(t) })
	t.Run("serial", func(t *testing.T) { partest.Serial(t); f(t) })
}

//go:noinline
func work(n int) int {
	x := uint64(n)
	for range 200 {
		x = x*2862933555777941757 + 3037000493
	}
	return int(x >> 40)
}

// sources make a pipe of the same numbers each time.
func sources(n int) map[string]func() pipe.Pipe[int] {
	return map[string]func() pipe.Pipe[int]{
		"slice": func() pipe.Pipe[int] { return pipe.Slice(numbers(n)) },
		"range": func() pipe.Pipe[int] { return pipe.Range(n) },
		"seq":   func() pipe.Pipe[int] { return pipe.Seq(slices.Values(numbers(n))) },
		"seq2": func() pipe.Pipe[int] {
			return pipe.Seq2(func(yield func(int, error) bool) {
				for _, v := range numbers(n) {
					if !yield(v, nil) {
						return
					}
				}
			})
		},
		"chan": func() pipe.Pipe[int] {
			c := make(chan int, n+1)
			for _, v := range numbers(n) {
				c <- v
			}
			close(c)
			return pipe.Chan(c)
		},
		"queue": func() pipe.Pipe[int] {
			q := queue.NewMPMC[int](n + 1)
			q.SendAll(numbers(n))
			q.Close()
			return pipe.Queue(q)
		},
		"lines": func() pipe.Pipe[int] {
			var b strings.Builder
			for i := range n {
				fmt.Fprintln(&b, i)
			}
			return pipe.Map(pipe.Lines(strings.NewReader(b.String())), func(s string) (n int) {
				fmt.Sscan(s, &n)
				return n
			})
		},
	}
}

// Each source, through stages of all kinds, against the loop.
func TestSources(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 100, 5000} {
			var want []int
			for i := range n {
				if v := work(i); v%3 != 0 {
					want = append(want, v/2)
				}
			}
			for name, from := range sources(n) {
				t.Run(fmt.Sprintf("%s/%d", name, n), func(t *testing.T) {
					p := pipe.Map(pipe.Filter(pipe.Map(from(), work), func(v int) bool { return v%3 != 0 }), func(v int) int { return v / 2 })
					got, err := p.Collect(bg)
					if err != nil || !slices.Equal(got, want) {
						t.Errorf("Collect = %d items, %v; want %d", len(got), err, len(want))
					}
				})
			}
		}
	})
}

// Types that change on the way, and more stages than a Pipe holds itself.
func TestManyStages(t *testing.T) {
	modes(t, func(t *testing.T) {
		p := pipe.Map(pipe.Slice(numbers(3000)), func(v int) string { return fmt.Sprint(v) })
		for range 5 {
			p = pipe.Map(p, func(s string) string { return s + "." })
		}
		q := pipe.Map(p, func(s string) int { return len(s) })
		sum, err := pipe.Reduce(bg, q, 0, func(a, v int) int { return a + v })
		if want := 10 + 180 + 2700 + 8000 + 5*3000; err != nil || sum != want {
			t.Errorf("Reduce = %d, %v, want %d", sum, err, want)
		}
	})
}

// A run on the way of which many share stages of the same code must not mix them up.
func TestPipesShareAPast(t *testing.T) {
	base := pipe.Map(pipe.Slice(numbers(10)), func(v int) int { return v + 1 })
	a := pipe.Map(base, func(v int) int { return -v })
	b := pipe.Map(base, func(v int) string { return fmt.Sprint(v) })
	for range 3 {
		ga, _ := a.Collect(bg)
		gb, _ := b.Collect(bg)
		if ga[9] != -10 || gb[9] != "10" {
			t.Fatalf("%v %v", ga, gb)
		}
	}
}

var errOdd = errors.New("odd")

// The first error by index comes out, after all items before it, with the stage.
func TestFirstError(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		for _, at := range []int{0, 1, 7, 999, 2999} {
			for name, from := range sources(3000) {
				p := pipe.MapContext(from(), func(ctx context.Context, v int) (int, error) {
					_ = work(v)
					if v >= at {
						return 0, fmt.Errorf("%d: %w", v, errOdd)
					}
					return v, nil
				}).Named("fail")
				q := pipe.Map(p, func(v int) int { return v })
				got, err := q.Collect(bg)
				var e *pipe.Error
				if !errors.As(err, &e) || !errors.Is(err, errOdd) || e.Stage != "fail" || e.Index != at || e.Item != at {
					t.Errorf("%s: at %d: err = %v", name, at, err)
				}
				if !slices.Equal(got, numbers(at)) {
					t.Errorf("%s: at %d: %d items before the error", name, at, len(got))
				}
			}
		}
	})
}

// An index behind a filter is that of the source's item.
func TestErrorBehindFilter(t *testing.T) {
	modes(t, func(t *testing.T) {
		p := pipe.Filter(pipe.Slice(numbers(1000)), func(v int) bool { return v%3 == 0 })
		p = pipe.MapContext(p, func(_ context.Context, v int) (int, error) {
			if v == 600 {
				return 0, errOdd
			}
			return v, nil
		})
		got, err := p.Collect(bg)
		var e *pipe.Error
		if !errors.As(err, &e) || e.Index != 600 || len(got) != 200 {
			t.Errorf("%d items, %v", len(got), err)
		}
	})
}

func TestSkipAndGather(t *testing.T) {
	modes(t, func(t *testing.T) {
		odd := func(_ context.Context, v int) (int, error) {
			if v%2 == 1 {
				return 0, errOdd
			}
			return v, nil
		}
		got, err := pipe.MapContext(pipe.Slice(numbers(1000)), odd).OnError(pipe.Skip).Collect(bg)
		if err != nil || len(got) != 500 {
			t.Errorf("Skip: %d items, %v", len(got), err)
		}
		p := pipe.MapContext(pipe.Filter(pipe.Slice(numbers(3000)), func(v int) bool { return v >= 100 }), odd).OnError(pipe.Gather)
		got, err = p.Collect(bg)
		joined, _ := err.(interface{ Unwrap() []error })
		if len(got) != 1450 || joined == nil || len(joined.Unwrap()) != 1001 {
			t.Fatalf("Gather: %d items, %v", len(got), err)
		}
		for i, e := range joined.Unwrap()[:1000] {
			if e := e.(*pipe.Error); e.Index != 101+2*i || e.Item != 101+2*i {
				t.Fatalf("Gather: error %d is %v", i, e)
			}
		}
		items, errs := 0, 0
		for _, err := range p.All(bg) {
			if err != nil {
				errs++
			} else {
				items++
			}
		}
		if items != 1450 || errs != 1450 {
			t.Errorf("All with Gather: %d items, %d errors", items, errs)
		}
	})
}

func TestRetry(t *testing.T) {
	modes(t, func(t *testing.T) {
		var mu sync.Mutex
		tries := make(map[int]int)
		p := pipe.MapContext(pipe.Slice(numbers(100)), func(_ context.Context, v int) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			if tries[v]++; tries[v] <= v%4 {
				return 0, errOdd
			}
			return v, nil
		}).Retry(2, 0).OnError(pipe.Skip)
		got, err := p.Collect(bg)
		if err != nil || len(got) != 75 {
			t.Errorf("%d items, %v", len(got), err)
		}
	})
}

// A loop may end at any item, and nothing is left behind.
func TestBreak(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		for name, from := range sources(200) {
			for stop := range 200 {
				n := 0
				for v, err := range pipe.Map(pipe.Map(from(), work), work).All(bg) {
					if err != nil || v != work(work(n)) {
						t.Fatalf("%s: item %d = %d, %v", name, n, v, err)
					}
					if n++; n > stop {
						break
					}
				}
				if n != min(stop+1, 200) {
					t.Fatalf("%s: %d items, want %d", name, n, stop+1)
				}
			}
		}
	})
}

func TestUnordered(t *testing.T) {
	modes(t, func(t *testing.T) {
		got, err := pipe.Map(pipe.Slice(numbers(20000)), func(v int) int { _ = work(v); return v }).Unordered().Collect(bg)
		slices.Sort(got)
		if err != nil || !slices.Equal(got, numbers(20000)) {
			t.Errorf("%d items, %v", len(got), err)
		}
	})
}

// Panics come out at the caller with the stage, and Goexit ends it; nothing is left.
func TestPanic(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		for name, from := range sources(2000) {
			for _, at := range []int{0, 1, 1500} {
				p := pipe.Map(from(), func(v int) int {
					if _ = work(v); v == at {
						panic(errOdd)
					}
					return v
				}).Named("bad")
				func() {
					defer func() {
						v := recover()
						pp, ok := v.(*pipe.Panic)
						if !ok || pp.Stage != "bad" || pp.Index != at || pp.Item != at || !errors.Is(pp, errOdd) {
							t.Errorf("%s: at %d: recovered %v", name, at, v)
							return
						}
						var q *par.Panic
						if !errors.As(pp, &q) || !strings.Contains(string(q.Stack), "TestPanic") {
							t.Errorf("no *par.Panic with the stack in %v", pp)
						}
					}()
					p.Drain(bg)
					t.Errorf("%s: at %d: no panic", name, at)
				}()
			}
		}
	})
}

func TestGoexit(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		for _, at := range []int{0, 1500} {
			done := make(chan string, 1)
			go func() {
				how := "ended"
				defer func() {
					if v := recover(); v != nil {
						how = fmt.Sprint(v)
					}
					done <- how
				}()
				pipe.Map(pipe.Slice(numbers(2000)), func(v int) int {
					if _ = work(v); v == at {
						exit()
					}
					return v
				}).Drain(bg)
				how = "returned"
			}()
			if how := <-done; how != "ended" {
				t.Errorf("at %d: %s", at, how)
			}
		}
	})
}

// A pipe may run pipes.
func TestRecursion(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		var sum func(n int) int
		sum = func(n int) int {
			if n < 2 {
				return work(n) & 1
			}
			s, err := pipe.Reduce(bg, pipe.Map(pipe.Slice(numbers(6)), func(i int) int { return sum(n-2) + i }), 0, func(a, v int) int { return a + v })
			if err != nil {
				t.Error(err)
			}
			return s
		}
		var plain func(n int) int
		plain = func(n int) (s int) {
			if n < 2 {
				return work(n) & 1
			}
			for i := range 6 {
				s += plain(n-2) + i
			}
			return s
		}
		if got, want := sum(6), plain(6); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	})
}

// A context that is done ends a run that waits for its source, or in a function.
func TestContext(t *testing.T) {
	stress.NoneLeft(t)
	cause := errors.New("enough")
	modes(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(bg)
		c := make(chan int)
		go func() {
			c <- 1
			c <- 2
			cancel(cause)
		}()
		if got, err := pipe.Map(pipe.Chan(c), work).Collect(ctx); err != cause || len(got) > 2 {
			t.Errorf("Chan: %d items, %v", len(got), err)
		}
		ctx, cancel = context.WithCancelCause(bg)
		p := pipe.MapContext(pipe.Slice(numbers(1000)), func(ctx context.Context, v int) (int, error) {
			if _ = work(v); v == 500 {
				cancel(cause)
				<-ctx.Done()
				return 0, ctx.Err()
			}
			return v, nil
		})
		if got, err := p.Collect(ctx); err != cause || len(got) > 500 {
			t.Errorf("MapContext: %d items, %v", len(got), err)
		}
		if err := p.Drain(ctx); err != cause {
			t.Errorf("done before: %v", err)
		}
	})
}

// A lone item goes through as soon as it is sent: nobody waits for a second one.
func TestLoneItem(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		stress.Within(t, 20*time.Second, "a lone item", func() {
			c, back := make(chan int), make(chan int)
			go func() {
				for i := range 300 {
					c <- i
					if got := <-back; got != i {
						t.Errorf("got %d, want %d", got, i)
					}
				}
				close(c)
			}()
			p := pipe.Map(pipe.Map(pipe.Map(pipe.Chan(c), func(v int) int { return v + 1 }), func(v int) int { return v - 2 }), func(v int) int { return v + 1 })
			if err := p.ToChan(bg, back); err != nil {
				t.Error(err)
			}
		})
	})
}

// What an item becomes goes on before the next one comes, also through stages that
// collect.
func TestCollectedGoesOn(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		stress.Within(t, 20*time.Second, "an item that becomes three", func() {
			c, back := make(chan int), make(chan int)
			go func() {
				defer close(c)
				for i := range 300 {
					c <- i
					for j := range 3 {
						if got := <-back; got != work(i+j) {
							t.Errorf("got %d, want %d", got, work(i+j))
						}
					}
				}
			}()
			three := func(v int) iter.Seq[int] { return slices.Values([]int{v, v + 1, v + 2}) }
			if err := pipe.Map(pipe.FlatMap(pipe.Map(pipe.Chan(c), func(v int) int { return v }), three), work).ToChan(bg, back); err != nil {
				t.Error(err)
			}
		})
	})
}

// When a loop has ended, no function runs.
func TestCloseWaits(t *testing.T) {
	stress.NoneLeft(t)
	// ends runs a pipe over and over, and ends it at another item each time.
	ends := func(t *testing.T, runs int, do func(int) int) {
		var running atomic.Int32
		items := numbers(3 * runs)
		for i := range runs {
			p := pipe.Map(pipe.Slice(items), func(v int) int {
				running.Add(1)
				defer running.Add(-1)
				return do(v)
			})
			n := 0
			for range p.All(bg) {
				if n++; n > i {
					break
				}
			}
			if k := running.Load(); k != 0 {
				t.Fatalf("%d functions run", k)
			}
		}
	}
	t.Run("helpers", func(t *testing.T) {
		eager(t)
		ends(t, 1000, func(v int) int { return work(work(v)) })
	})
	t.Run("workers", func(t *testing.T) {
		bubble(t, func(t *testing.T) {
			ends(t, 100, func(v int) int { time.Sleep(time.Millisecond); return v })
		})
	})
}

func TestSinks(t *testing.T) {
	modes(t, func(t *testing.T) {
		p := pipe.Map(pipe.Slice(numbers(100)), func(v int) int { return v * v })
		c := make(chan int, 100)
		if err := p.ToChan(bg, c); err != nil || len(c) != 100 {
			t.Errorf("ToChan: %d, %v", len(c), err)
		}
		q := queue.NewSPSC[int](100)
		if err := p.ToQueue(bg, q); err != nil || q.Len() != 100 {
			t.Errorf("ToQueue: %d, %v", q.Len(), err)
		}
		q.Close()
		if err := p.ToQueue(bg, q); err != queue.ErrClosed {
			t.Errorf("ToQueue to a closed queue: %v", err)
		}
		n := 0
		if err := p.ForEach(bg, func(v int) error {
			if n++; n == 50 {
				return errOdd
			}
			return nil
		}); err != errOdd || n != 50 {
			t.Errorf("ForEach: %d, %v", n, err)
		}
		ctx, cancel := context.WithCancel(bg)
		full := make(chan int, 3)
		go func() {
			for len(full) < 3 {
				time.Sleep(time.Millisecond)
			}
			cancel()
		}()
		if err := p.ToChan(ctx, full); err != context.Canceled {
			t.Errorf("ToChan to nobody: %v", err)
		}
	})
}

func TestSourceFails(t *testing.T) {
	modes(t, func(t *testing.T) {
		p := pipe.Seq2(func(yield func(int, error) bool) {
			for i := range 1000 {
				if !yield(i, nil) {
					return
				}
			}
			yield(0, errOdd)
		}).Named("numbers")
		got, err := pipe.Map(p, func(v int) int { _ = work(v); return v }).Collect(bg)
		var e *pipe.Error
		if !errors.As(err, &e) || e.Stage != "numbers" || e.Index != 1000 || !errors.Is(err, errOdd) || !slices.Equal(got, numbers(1000)) {
			t.Errorf("%d items, %v", len(got), err)
		}
	})
}

func TestMisuse(t *testing.T) {
	panics := func(name string, f func()) {
		t.Helper()
		defer func() {
			if v, _ := recover().(string); !strings.HasPrefix(v, "pipe") {
				t.Errorf("%s: recovered %q", name, v)
			}
		}()
		f()
	}
	var p pipe.Pipe[int]
	panics("zero", func() { p.Drain(bg) })
	panics("Chan", func() { pipe.Chan[int](nil) })
	panics("Seq", func() { pipe.Seq[int](nil) })
	panics("Seq2", func() { pipe.Seq2[int](nil) })
	panics("Queue", func() { pipe.Queue[int](nil) })
	panics("Lines", func() { pipe.Lines(nil) })
	panics("Map", func() { pipe.Map[int, int](p, nil) })
	panics("Filter", func() { pipe.Filter(p, nil) })
	panics("FlatMap", func() { pipe.FlatMap[int, int](p, nil) })
	panics("Chunk", func() { pipe.Chunk(p, 0) })
	panics("Window", func() { pipe.Window(p, 0, 1) })
	panics("AtMost", func() { p.AtMost(0) })
	panics("Rate", func() { p.Rate(0, time.Second) })
	panics("AtLeast", func() { pipe.Map(pipe.Range(1), work).AtLeast(0) })
	panics("AtLeast above AtMost", func() { pipe.Map(pipe.Range(1), work).AtMost(3).AtLeast(4) })
	panics("AtMost below AtLeast", func() { pipe.Map(pipe.Range(1), work).AtLeast(4).AtMost(3) })
	panics("Burst", func() { pipe.Map(pipe.Range(1), work).Rate(1, 1).Burst(0) })
	panics("Burst without Rate", func() { pipe.Map(pipe.Range(1), work).Burst(1) })
	panics("RetryBy", func() { pipe.Map(pipe.Range(1), work).RetryBy(pipe.Retries{Times: -1}) })
	panics("RetryBy", func() { pipe.Map(pipe.Range(1), work).RetryBy(pipe.Retries{Pause: -1}) })
	panics("RetryBy", func() { pipe.Map(pipe.Range(1), work).RetryBy(pipe.Retries{Longest: -1}) })
	panics("Retry", func() { pipe.Map(pipe.Range(1), work).Retry(-1, 0) })
	panics("Retry", func() { pipe.Map(pipe.Range(1), work).Retry(1, -1) })
	// What is said before there is a stage for it would be of no effect.
	for name, p := range map[string]pipe.Pipe[int]{
		"Range":   pipe.Range(3),
		"named":   pipe.Range(3).Named("numbers"),
		"FlatMap": pipe.FlatMap(pipe.Map(pipe.Range(3), work), func(int) iter.Seq[int] { return nil }),
		"Merge":   pipe.Merge(pipe.Map(pipe.Range(3), work), pipe.Range(3)),
	} {
		panics("AtMost of "+name, func() { p.AtMost(4) })
		panics("Rate of "+name, func() { p.Rate(4, time.Second) })
		panics("Retry of "+name, func() { p.Retry(4, time.Second) })
		panics("RetryBy of "+name, func() { p.RetryBy(pipe.Retries{Times: 4}) })
		panics("AtLeast of "+name, func() { p.AtLeast(4) })
	}
}

// The tests are of use only if helpers take part.
func TestHelpersCome(t *testing.T) {
	if runtime.GOMAXPROCS(0) == 1 {
		t.Skip("one processor")
	}
	eager(t)
	before := pipe.Shared.Load()
	for range 2000 {
		for name, from := range sources(2000) {
			if err := pipe.Map(from(), work).Drain(bg); err != nil {
				t.Fatal(name, err)
			}
		}
		if pipe.Shared.Load() > before+20 {
			return
		}
	}
	t.Error("no helper came")
}

func exit() { runtime.Goexit() }

// Two pipes that begin with the same stages do not change each other, nor does what is
// said of one.
func TestDescriptions(t *testing.T) {
	failing := func(_ context.Context, v int) (int, error) { return v, errOdd }
	stage := func(p pipe.Pipe[int]) string {
		var e *pipe.Error
		if _, err := p.Collect(bg); !errors.As(err, &e) {
			t.Fatalf("err = %v", err)
		}
		return e.Stage
	}
	for stages := range 7 {
		p := pipe.Slice(numbers(3))
		for range stages {
			p = pipe.Map(p, work)
		}
		p = pipe.MapContext(p, failing).Named("a")
		b, c := p.Named("b"), p.Named("c").AtMost(3)
		d, e := pipe.Map(b, work), pipe.Map(b, work).Named("z")
		for _, x := range []struct {
			p    pipe.Pipe[int]
			want string
		}{{p, "a"}, {b, "b"}, {c, "c"}, {d, "b"}, {e, "b"}} {
			if got := stage(x.p); got != x.want {
				t.Errorf("behind %d stages: the stage is named %s, want %s", stages, got, x.want)
			}
		}
	}
}

// wrapped is not inlined, so that all it returns has the same code.
//
//go:noinline
func wrapped(f func(int) int) func(int) int { return func(v int) int { return f(v) } }

// Functions of the same code, as closures of one literal are, may take other times: what
// is known of fast ones has no slow ones called before what came first is delivered.
func TestClosuresOfOneLiteral(t *testing.T) {
	partest.Auto(t)
	for range 5 {
		for range 10 {
			pipe.Map(pipe.Range(100000), wrapped(func(v int) int { return v })).Drain(bg)
		}
		for name, from := range sources(100) {
			var calls atomic.Int32
			p := pipe.Map(from(), wrapped(func(v int) int {
				calls.Add(1)
				time.Sleep(time.Millisecond) // longer than what it is taken for
				return v
			}))
			for range p.All(bg) {
				break
			}
			if n := calls.Load(); n > 8 && name != "lines" {
				t.Errorf("%s: %d calls before the first item was delivered", name, n)
			}
		}
	}
}

// An index does not come from the run before.
func TestIndexOfSmallRuns(t *testing.T) {
	partest.Auto(t)
	f := failAt(2, errOdd)
	others := make([]int, 5000)
	for range 50 {
		if _, err := pipe.MapContext(pipe.Slice(others), f).Collect(bg); err != nil {
			t.Fatal(err)
		}
		_, err := pipe.MapContext(pipe.Range(10), f).Collect(bg)
		var e *pipe.Error
		if !errors.As(err, &e) || e.Index != 2 {
			t.Fatalf("err = %#v, want one of item 2", err)
		}
	}
}
