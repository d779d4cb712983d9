package pipe_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pipe"
)

// A fold whose join is not commutative keeps the order, and what zero returned is not
// shared, at all sizes around which batches end.
func TestFold(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		for _, n := range []int{0, 1, 2, 255, 1025, 20000} {
			got, err := pipe.Fold(bg, pipe.Map(pipe.Range(n), work),
				func() []int { return make([]int, 0, 8) },
				func(acc []int, v int) []int { return append(acc, v) },
				func(a, b []int) []int { return append(a, b...) })
			want := make([]int, n)
			for i := range want {
				want[i] = work(i)
			}
			if err != nil || !slices.Equal(got, want) || got == nil {
				t.Errorf("n=%d: Fold = %d items, %v", n, len(got), err)
			}
		}
	})
}

// The items before an error were folded, and no others.
func TestFoldError(t *testing.T) {
	stress.NoneLeft(t)
	odd := errors.New("odd")
	modes(t, func(t *testing.T) {
		for _, at := range []int{0, 1, 777, 4999} {
			p := pipe.MapContext(pipe.Range(5000), failAt(at, odd))
			got, err := pipe.Fold(bg, p, zero, plusInt, plusInt)
			if want := at * (at - 1) / 2; got != want || !errors.Is(err, odd) {
				t.Errorf("error at %d: Fold = %d, %v; want %d", at, got, err, want)
			}
		}
	})
}

func failAt(at int, err error) func(context.Context, int) (int, error) {
	return func(_ context.Context, v int) (int, error) {
		if v == at {
			return 0, err
		}
		return v, nil
	}
}

func zero() int            { return 0 }
func plusInt(a, b int) int { return a + b }

// A panic of the function for an item tells which.
func TestFoldPanic(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		defer func() {
			p, ok := recover().(*pipe.Panic)
			if !ok || p.Index != 3210 || p.Item != 3210 {
				t.Errorf("panicked with %v", p)
			}
		}()
		sum, err := pipe.Fold(bg, pipe.Range(5000), zero, func(acc, v int) int {
			if v == 3210 {
				panic(fmt.Sprint(v))
			}
			return acc + v
		}, plusInt)
		t.Errorf("Fold = %d, %v; want a panic", sum, err)
	})
}
