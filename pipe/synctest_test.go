package pipe_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gopayoff/payoff/pipe"
)

// A batch closes when its first item has waited long enough, though no other comes.
func TestBatchWithin(t *testing.T) {
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
		for b, err := range pipe.BatchWithin(pipe.Chan(c), 3, 1500*time.Millisecond).All(bg) {
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
				if err := p().Drain(ctx); err != context.DeadlineExceeded && name != "retry" || err == nil || time.Since(start) != time.Minute {
					t.Errorf("%v after %v", err, time.Since(start))
				}
			})
		})
	}
}
