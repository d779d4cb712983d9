package pipe_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pipe"
)

// Errors that one of the pipes gathers end neither that one nor the others.
func TestMergeGathers(t *testing.T) {
	stress.NoneLeft(t)
	fails := func(_ context.Context, v int) (int, error) {
		if v%10 == 3 {
			return 0, errOdd
		}
		return v, nil
	}
	failsToo := func(_ context.Context, v int) (int, error) {
		if v%10 == 7 {
			return 0, errOdd
		}
		return v, nil
	}
	modes(t, func(t *testing.T) {
		for _, n := range []int{4, 10, 3000} {
			p := func() pipe.Pipe[int] {
				return pipe.MapContext(pipe.Merge(
					pipe.MapContext(pipe.Slice(numbers(n)), fails).OnError(pipe.Gather),
					pipe.Map(pipe.Chan(channelOf(n)), func(v int) int { return -v })), failsToo).OnError(pipe.Gather)
			}
			failed := (n+6)/10 + (n+2)/10
			want := 2*n - failed
			got, err := p().Collect(bg)
			if errs := strings.Count(err.Error(), errOdd.Error()); len(got) != want || errs != failed || !errors.Is(err, errOdd) {
				t.Errorf("%d items and %d errors, want %d and %d", len(got), errs, want, failed)
			}
			items, errs := 0, 0
			for _, err := range p().All(bg) {
				if err == nil {
					items++
					continue
				}
				var e *pipe.Error
				if errs++; !errors.As(err, &e) || e.Item.(int)%10&3 != 3 {
					t.Errorf("%v", err)
				}
			}
			if items != want || errs != failed {
				t.Errorf("a loop has %d items and %d errors, want %d and %d", items, errs, want, failed)
			}
		}
		// All fail: there is no item that errors could go with.
		_, err := pipe.Merge(pipe.MapContext(pipe.Slice(numbers(5000)), func(context.Context, int) (int, error) { return 0, errOdd }).OnError(pipe.Gather)).Collect(bg)
		if err == nil || !strings.Contains(err.Error(), "4000 more errors") {
			t.Errorf("%v", err)
		}
		// One error, after which the loop is left.
		for _, err := range pipe.Merge(pipe.MapContext(pipe.Slice(numbers(50)), fails).OnError(pipe.Gather)).All(bg) {
			if err != nil {
				break
			}
		}
	})
}

func channelOf(n int) <-chan int {
	c := make(chan int, n)
	for _, v := range slices.Backward(numbers(n)) {
		c <- v
	}
	close(c)
	return c
}
