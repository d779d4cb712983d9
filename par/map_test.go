package par

import (
	"context"
	"errors"
	"testing"
)

// Map and Scan return slices that marshal as lists, be they empty; Filter, what
// append returns.
func TestEmpty(t *testing.T) {
	ctx := context.Background()
	if got := Map([]int(nil), func(int) int { return 1 }); got == nil || len(got) != 0 {
		t.Errorf("Map(nil) = %#v, want an empty slice", got)
	}
	if got, err := MapContext(ctx, []int(nil), func(context.Context, int) (int, error) { return 1, nil }); got == nil || len(got) != 0 || err != nil {
		t.Errorf("MapContext(nil) = %#v, %v, want an empty slice", got, err)
	}
	if got := MapN(0, func(int) int { return 1 }); got == nil || len(got) != 0 {
		t.Errorf("MapN(0) = %#v, want an empty slice", got)
	}
	if got := Scan([]int(nil), func(a, b int) int { return a }); got == nil || len(got) != 0 {
		t.Errorf("Scan(nil) = %#v, want an empty slice", got)
	}
	if got := Filter([]int{1, 2}, func(int) bool { return false }); got == nil || len(got) != 0 {
		t.Errorf("Filter that keeps nothing = %#v, want an empty slice", got)
	}
	if got := Filter(upTo(100_000), func(int) bool { return false }); got == nil || len(got) != 0 {
		t.Errorf("Filter of many that keeps nothing = %#v, want an empty slice", got)
	}
	if got := Find([]int(nil), func(int) bool { return true }); got != -1 {
		t.Errorf("Find(nil) = %d, want -1", got)
	}
	if got := Any([]int(nil), func(int) bool { return true }); got {
		t.Errorf("Any(nil) = %t, want false", got)
	}
	never := func(part []int) int { t.Error("part called without elements"); return 1 }
	if got := Reduce([]int(nil), never, func(a, b int) int { return 2 }); got != 0 {
		t.Errorf("Reduce(nil) = %d, want 0", got)
	}
	if got := ReduceN(0, func(lo, hi int) int { return never(nil) }, func(a, b int) int { return 2 }); got != 0 {
		t.Errorf("ReduceN(0) = %d, want 0", got)
	}
	seven := func() int { return 7 }
	if got := Fold([]int{}, seven, func(r, v int) int { return 0 }, never2(t)); got != 7 {
		t.Errorf("Fold of nothing = %d, want what it begins with, 7", got)
	}
	if got, err := FoldContext(ctx, []int{}, seven, glueIntContext, never2(t)); got != 7 || err != nil {
		t.Errorf("FoldContext of nothing = %d, %v, want 7", got, err)
	}
	Tiles(0, 5, func(_, _, _, _ int) { t.Error("a tile of 0 x 5 cells") })
	Tiles(5, 0, func(_, _, _, _ int) { t.Error("a tile of 5 x 0 cells") })
	ForEach([]int{}, func(int, *int) { t.Error("an element of none") })
}

func never2(t *testing.T) func(a, b int) int {
	return func(a, b int) int { t.Error("join called without elements"); return 0 }
}

// Where there is an error, there is no slice and no value to be used by mistake.
func TestNoResultWithError(t *testing.T) {
	ctx, failed := context.Background(), errors.New("failed")
	for _, n := range []int{1, 100_000} {
		s := upTo(n)
		last := func(i int) error {
			if i == n-1 {
				return failed
			}
			return nil
		}
		if got, err := MapContext(ctx, s, func(_ context.Context, i int) (int, error) { return i, last(i) }); got != nil || err != failed {
			t.Errorf("n = %d: MapContext = %d elements, %v, want nil, %v", n, len(got), err, failed)
		}
		if got, err := FilterContext(ctx, s, func(_ context.Context, i int) (bool, error) { return true, last(i) }); got != nil || err != failed {
			t.Errorf("n = %d: FilterContext = %d elements, %v, want nil, %v", n, len(got), err, failed)
		}
		part := func(_ context.Context, part []int) (int, error) { return 7, last(part[len(part)-1]) }
		if got, err := ReduceContext(ctx, s, part, func(a, b int) int { return a }); got != 0 || err != failed {
			t.Errorf("n = %d: ReduceContext = %d, %v, want 0, %v", n, got, err, failed)
		}
		if got, err := FindContext(ctx, s, func(_ context.Context, i int) (bool, error) { return i == n-1, last(i) }); got != -1 || err != failed {
			t.Errorf("n = %d: FindContext = %d, %v, want -1, %v", n, got, err, failed)
		}
	}
}
