package pipe_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pipe"
)

// naturals never end.
func naturals(yield func(int) bool) {
	for i := 0; yield(i); i++ {
	}
}

// TestTakeEnds: what stands before Take ends when there are n items, whatever it is, and
// what stands behind has all of them.
func TestTakeEnds(t *testing.T) {
	stress.NoneLeft(t)
	double := func(v int) int { return 2 * v }
	endless := func() pipe.Pipe[int] { return pipe.Seq(naturals) }
	for name, p := range map[string]func() pipe.Pipe[int]{
		"seq":        endless,
		"map":        func() pipe.Pipe[int] { return pipe.Map(endless(), double) },
		"apart":      func() pipe.Pipe[int] { return pipe.Map(pipe.Map(endless(), double), double).AtMost(2) },
		"behind two": func() pipe.Pipe[int] { return pipe.Map(pipe.Map(endless(), double).AtMost(2), double) },
		"filter":     func() pipe.Pipe[int] { return pipe.Filter(endless(), func(v int) bool { return v%3 == 1 }) },
		"flat":       func() pipe.Pipe[int] { return pipe.FlatMap(endless(), repeat) },
		"flat, endless": func() pipe.Pipe[int] {
			return pipe.FlatMap(pipe.Range(3), func(int) iter.Seq[int] { return naturals })
		},
		"flat, with a context": func() pipe.Pipe[int] {
			return pipe.FlatMapContext(endless(), func(_ context.Context, v int) iter.Seq2[int, error] {
				return func(yield func(int, error) bool) { _ = yield(v, nil) && yield(v+1, nil) }
			})
		},
		"batch":  func() pipe.Pipe[int] { return pipe.Map(pipe.Chunk(endless(), 3), sum) },
		"within": func() pipe.Pipe[int] { return pipe.Map(pipe.ChunkWithin(endless(), 3, time.Hour), sum) },
		"window": func() pipe.Pipe[int] { return pipe.Map(pipe.Window(endless(), 3, 1), sum) },
		"merge":  func() pipe.Pipe[int] { return pipe.Merge(endless(), pipe.Map(endless(), double)) },
		"split": func() pipe.Pipe[int] {
			return pipe.Split(endless(), func(v int) int { return v & 1 },
				func(p pipe.Pipe[int]) pipe.Pipe[int] { return p },
				func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Map(p, double) })
		},
		"branches that end": func() pipe.Pipe[int] {
			return pipe.Broadcast(endless(),
				func(p pipe.Pipe[int]) pipe.Pipe[int] { return p.Take(70) },
				func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Map(p, double).Take(40) })
		},
		"take": func() pipe.Pipe[int] { return endless().Take(1000) },
		"skip": func() pipe.Pipe[int] { return endless().Skip(1000) },
	} {
		t.Run(name, func(t *testing.T) {
			modes(t, func(t *testing.T) {
				for _, n := range []int{0, 1, 2, 100} {
					stress.Within(t, time.Minute, name, func() {
						got, err := pipe.Map(pipe.Chunk(p().Take(n), 7), func(b []int) int { return len(b) }).Collect(bg)
						sizes := 0
						for _, b := range got {
							sizes += b
						}
						if sizes != n || err != nil {
							t.Errorf("%d items in batches, %v; want %d", sizes, err, n)
						}
					})
				}
			})
		})
	}
}

// TestTakeNoMore: where a value gives one item, no value is taken that Take does not want,
// and no function is called for one.
func TestTakeNoMore(t *testing.T) {
	modes(t, func(t *testing.T) {
		c := make(chan int, 100)
		for i := range 100 {
			c <- i
		}
		close(c)
		var calls atomic.Int32
		p := pipe.MapContext(pipe.Chan(c), func(_ context.Context, v int) (int, error) {
			calls.Add(1)
			return v, nil
		}).Take(30)
		for run := range 3 {
			got, err := p.Collect(bg)
			if want := numbers(100)[30*run : 30*run+30]; !slices.Equal(got, want) || err != nil {
				t.Errorf("run %d: %v, %v, want %v", run, got, err, want)
			}
		}
		if got := calls.Load(); got != 90 || len(c) != 10 {
			t.Errorf("%d calls, and %d values left, want 90 and 10", got, len(c))
		}
		got, err := pipe.Map(pipe.Lines(strings.NewReader("a\nb\nc\n")), strings.ToUpper).Take(2).Collect(bg)
		if want := []string{"A", "B"}; !slices.Equal(got, want) || err != nil {
			t.Errorf("lines: %v, %v, want %v", got, err, want)
		}
	})
}

// TestTakeBranch: a branch that has all it wants ends neither the other one nor the run,
// also where it wants nothing.
func TestTakeBranch(t *testing.T) {
	modes(t, func(t *testing.T) {
		for _, few := range []int{0, 1, 10} {
			for _, first := range []bool{true, false} {
				ends := func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Map(p, work).Take(few) }
				all := func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Map(p, work) }
				branches := []func(pipe.Pipe[int]) pipe.Pipe[int]{ends, all}
				if !first {
					slices.Reverse(branches)
				}
				const n = 5000
				got, err := pipe.Broadcast(pipe.Seq(slices.Values(numbers(n))), branches...).Collect(bg)
				if len(got) != n+few || err != nil {
					t.Errorf("a branch of %d, and one of %d: %d items, %v", few, n, len(got), err)
				}
			}
		}
	})
}

// TestTakeErrors: errors of items that are wanted come out, others do not.
func TestTakeErrors(t *testing.T) {
	stress.NoneLeft(t)
	fails := func(at int) func(context.Context, int) (int, error) {
		return func(_ context.Context, v int) (int, error) {
			if v == at {
				return 0, errOdd
			}
			return v, nil
		}
	}
	modes(t, func(t *testing.T) {
		got, err := pipe.MapContext(pipe.Range(100), fails(3)).Take(3).Collect(bg)
		if !slices.Equal(got, []int{0, 1, 2}) || err != nil {
			t.Errorf("an error behind the last: %v, %v, want three and nil", got, err)
		}
		got, err = pipe.MapContext(pipe.Range(100), fails(2)).Take(3).Collect(bg)
		if !slices.Equal(got, []int{0, 1}) || !errors.Is(err, errOdd) {
			t.Errorf("an error before: %v, %v, want two and %v", got, err, errOdd)
		}
		got, err = pipe.MapContext(pipe.Range(100), fails(2)).OnError(pipe.Gather).Take(3).Collect(bg)
		if !slices.Equal(got, []int{0, 1, 3}) || !errors.Is(err, errOdd) {
			t.Errorf("an error that is gathered: %v, %v, want three and %v", got, err, errOdd)
		}
		// Behind Take the run goes on, and may fail.
		got, err = pipe.MapContext(pipe.Range(100).Take(5), fails(4)).Collect(bg)
		if !slices.Equal(got, []int{0, 1, 2, 3}) || !errors.Is(err, errOdd) {
			t.Errorf("an error after: %v, %v, want four and %v", got, err, errOdd)
		}
	})
}

// TestTakeWaits: Take does not wait for an item that it does not want, also where stages
// before it wait.
func TestTakeWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int)
		go func() {
			for i := range 3 {
				c <- i
			}
			// And no more for a day.
			time.Sleep(24 * time.Hour)
			close(c)
		}()
		from := time.Now()
		slow := func(_ context.Context, v int) (int, error) {
			time.Sleep(time.Second)
			return v, nil
		}
		p := pipe.Filter(pipe.MapContext(pipe.MapContext(pipe.Chan(c), slow).AtMost(8), slow), func(int) bool { return true })
		got, err := p.Take(3).Collect(bg)
		if took := time.Since(from); len(got) != 3 || err != nil || took > time.Minute {
			t.Errorf("%v, %v after %v, want three items within seconds", got, err, took)
		}
		time.Sleep(25 * time.Hour) // until the sender has ended
	})
}

func TestTakePanics(t *testing.T) {
	for name, f := range map[string]func(){
		"pipe.Take: n < 0": func() { pipe.Range(1).Take(-1) },
		"pipe.Skip: n < 0": func() { pipe.Range(1).Skip(-1) },
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); got != name {
					t.Errorf("panic %q, want %q", got, name)
				}
			}()
			f()
		}()
	}
}
