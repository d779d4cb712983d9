package pipe_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/pipe"
)

// A batch closes when its first item has waited long enough, though no other comes.
func TestChunkWithin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := make(chan int)
		go func() {
			for i := range 5 {
				c <- i
				time.Sleep(time.Second)
			}
			time.Sleep(time.Minute)
			close(c)
		}()
		start := time.Now()
		type batch struct {
			items []int
			at    time.Duration
		}
		var got []batch
		for b, err := range pipe.ChunkWithin(pipe.Chan(c), 3, 1500*time.Millisecond).All(bg) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, batch{b, time.Since(start)})
		}
		want := []batch{{[]int{0, 1}, 1500 * time.Millisecond}, {[]int{2, 3}, 3500 * time.Millisecond}, {[]int{4}, 5500 * time.Millisecond}}
		if !slices.EqualFunc(got, want, func(a, b batch) bool { return slices.Equal(a.items, b.items) && a.at == b.at }) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		var mu sync.Mutex
		var at []time.Duration
		p := pipe.Map(pipe.Slice(numbers(5)), func(v int) int {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(start))
			return v
		}).Rate(2, time.Second)
		got, err := p.Collect(bg)
		if err != nil || !slices.Equal(got, numbers(5)) {
			t.Errorf("%v, %v", got, err)
		}
		for i, d := range at {
			if want := time.Duration(i) * time.Second / 2; d != want {
				t.Errorf("call %d began after %v, want %v", i, d, want)
			}
		}
	})
}

// A rate with a burst keeps what was not used of it, for so many calls.
func TestBurst(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := make(chan int)
		go func() {
			defer close(c)
			for i := range 9 {
				if i == 6 {
					time.Sleep(time.Hour)
				}
				c <- i
			}
		}()
		start := time.Now()
		var mu sync.Mutex
		var at []time.Duration
		p := pipe.MapContext(pipe.Chan(c), func(_ context.Context, v int) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			at = append(at, time.Since(start).Round(time.Millisecond))
			return v, nil
		}).Rate(1, time.Second).Burst(3)
		if err := p.Drain(bg); err != nil {
			t.Fatal(err)
		}
		const s = time.Second
		later := at[6]
		if want := []time.Duration{0, 0, 0, s, 2 * s, 3 * s, later, later, later}; !slices.Equal(at, want) || later < time.Hour {
			t.Errorf("calls began after %v, want %v", at, want)
		}
	})
}

// Pauses double up to the longest, and errors that are not worth it get no other call.
func TestRetryBy(t *testing.T) {
	bubble(t, func(t *testing.T) {
		worth := errors.New("worth another call")
		var at []time.Time
		r := pipe.Retries{Times: 6, Pause: time.Second, Longest: 3 * time.Second, If: func(err error) bool { return err == worth }}
		err := pipe.MapContext(pipe.Range(1), func(context.Context, int) (int, error) {
			at = append(at, time.Now())
			return 0, worth
		}).RetryBy(r).Drain(bg)
		if !errors.Is(err, worth) || len(at) != 7 {
			t.Fatalf("%d calls, %v, want 7 and an error", len(at), err)
		}
		for i, most := range []time.Duration{1, 2, 3, 3, 3, 3} {
			if d := at[i+1].Sub(at[i]); d > most*time.Second || d < most*time.Second/2 {
				t.Errorf("pause %d is %v, want %v or down to half of that", i, d, most*time.Second)
			}
		}
		calls := 0
		keep := pipe.FilterContext(pipe.Range(1), func(context.Context, int) (bool, error) { calls++; return false, errOdd })
		if err := keep.RetryBy(r).Drain(bg); !errors.Is(err, errOdd) || calls != 1 {
			t.Errorf("%d calls, %v, want one: the error is not worth another", calls, err)
		}
	})
}

// A deadline ends a run that waits for its rate, for another try, for its source.
func TestDeadline(t *testing.T) {
	for name, p := range map[string]func() pipe.Pipe[int]{
		"rate": func() pipe.Pipe[int] {
			return pipe.Map(pipe.Slice(numbers(10)), func(v int) int { return v }).Rate(1, time.Hour)
		},
		"retry": func() pipe.Pipe[int] {
			return pipe.MapContext(pipe.Slice(numbers(10)), func(context.Context, int) (int, error) { return 0, errOdd }).Retry(10, time.Hour)
		},
		"source": func() pipe.Pipe[int] { return pipe.Chan(make(chan int)) },
		"function": func() pipe.Pipe[int] {
			return pipe.MapContext(pipe.Slice(numbers(10)), func(ctx context.Context, v int) (int, error) {
				<-ctx.Done()
				return 0, ctx.Err()
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(bg, time.Minute)
				defer cancel()
				start := time.Now()
				if err := p().Drain(ctx); err != context.DeadlineExceeded || time.Since(start) != time.Minute {
					t.Errorf("%v after %v", err, time.Since(start))
				}
			})
		})
	}
}

// A call that is made again is a call as well.
func TestRateOfRetry(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for _, pause := range []time.Duration{0, time.Millisecond} {
			start := time.Now()
			calls := 0
			err := pipe.MapContext(pipe.Slice(numbers(1)), func(context.Context, int) (int, error) {
				calls++
				return 0, errOdd
			}).Rate(1, time.Second).Retry(10, pause).Drain(bg)
			if took := time.Since(start); err == nil || calls != 11 || took < 10*time.Second || took > 12*time.Second {
				t.Errorf("%v: %d calls in %v", err, calls, took)
			}
			keep := pipe.FilterContext(pipe.Slice(numbers(1)), func(context.Context, int) (bool, error) { return false, errOdd })
			start = time.Now()
			if err := keep.Rate(1, time.Second).Retry(10, pause).Drain(bg); err == nil || time.Since(start) < 10*time.Second {
				t.Errorf("%v: after %v", err, time.Since(start))
			}
		}
	})
}

// A call that was given up while it waited for its turn leaves that to the next one.
func TestRateOfCalls(t *testing.T) {
	bubble(t, func(t *testing.T) {
		p := pipe.Map(pipe.Slice(numbers(5)), func(v int) int { return v }).Rate(1, time.Second)
		start := time.Now()
		for range 20 {
			ctx, cancel := context.WithTimeout(bg, time.Millisecond)
			p.Drain(ctx)
			cancel()
		}
		for range p.All(bg) {
			break
		}
		if took := time.Since(start); took > 2*time.Second {
			t.Errorf("the next call is after %v", took)
		}
	})
}

// Times of a Meter add up: of functions, of the wait for the source, and of the sink.
func TestMeterTimes(t *testing.T) {
	for name, from := range map[string]func() pipe.Pipe[int]{
		"chan": func() pipe.Pipe[int] {
			c := make(chan int)
			go func() {
				defer close(c)
				for i := range 4 {
					time.Sleep(10 * time.Second)
					c <- i
				}
			}()
			return pipe.Chan(c)
		},
		"slice": func() pipe.Pipe[int] { return pipe.Slice(numbers(4)) },
	} {
		bubble(t, func(t *testing.T) {
			var m pipe.Meter
			sleep := func(d time.Duration) func(int) int {
				return func(v int) int { time.Sleep(d); return v }
			}
			p := pipe.Map(from(), sleep(time.Second)).Named("first").AtMost(1)
			p = pipe.Map(p, sleep(2*time.Second)).Named("second").AtMost(1).Meter(&m)
			if err := p.ForEach(bg, func(int) error { time.Sleep(3 * time.Second); return nil }); err != nil {
				t.Fatal(err)
			}
			wait := time.Duration(0)
			if name == "chan" {
				wait = 10*time.Second + 3*(10-1-2-3)*time.Second
			}
			stats := m.Stats().Stages
			for i, want := range []pipe.StageStats{
				{Name: stats[0].Name, InputWait: wait, OutputWait: 20 * time.Second},
				{Name: "first", Busy: 4 * time.Second, InputWait: wait, OutputWait: 20 * time.Second},
				{Name: "second", Busy: 8 * time.Second, OutputWait: 12 * time.Second},
			} {
				if want.Items, want.Batch, want.Most = 4, 1, 1; stats[i] != want {
					t.Errorf("%s: %+v, want %+v", name, stats[i], want)
				}
			}
			// One item comes through stages that are fused.
			var fused pipe.Meter
			one := pipe.Map(pipe.Map(pipe.Range(1), sleep(time.Second)).Named("first"), sleep(2*time.Second)).Named("second")
			if err := one.Meter(&fused).Drain(bg); err != nil {
				t.Fatal(err)
			}
			if st := fused.Stats().Stages; st[1].Busy != time.Second || st[2].Busy != 2*time.Second {
				t.Errorf("%+v, want 1s and 2s busy", st[1:])
			}
		})
	}
}
