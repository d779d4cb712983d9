package par

import (
	"context"
	"math"
	"slices"
	"testing"
)

// Misuse panics and names the function.
func TestMisuse(t *testing.T) {
	ctx, s := context.Background(), []int{1, 2, 3}
	for _, test := range []struct {
		want string
		call func()
	}{
		{"par.ForEach: body is nil", func() { ForEach(s, nil) }},
		{"par.ForEach: body is nil", func() { ForEach[[]int](nil, nil) }},
		{"par.Map: f is nil", func() { Map[[]int, int, int](s, nil) }},
		{"par.MapN: f is nil", func() { MapN[int](3, nil) }},
		{"par.MapN: n < 0", func() { MapN(-1, func(i int) int { return i }) }},
		{"par.Reduce: part is nil", func() { Reduce(s, nil, func(a, b int) int { return a }) }},
		{"par.Reduce: join is nil", func() { Reduce(s, func([]int) int { return 0 }, nil) }},
		{"par.ReduceN: part is nil", func() { ReduceN(3, nil, func(a, b int) int { return a }) }},
		{"par.ReduceN: join is nil", func() { ReduceN(3, func(lo, hi int) int { return 0 }, nil) }},
		{"par.ReduceN: n < 0", func() {
			ReduceN(-1, func(lo, hi int) int { return 0 }, func(a, b int) int { return a })
		}},
		{"par.Filter: keep is nil", func() { Filter(s, nil) }},
		{"par.Scan: op is nil", func() { Scan(s, nil) }},
		{"par.Find: ok is nil", func() { Find(s, nil) }},
		{"par.FindN: ok is nil", func() { FindN(3, nil) }},
		{"par.FindN: n < 0", func() { FindN(-1, func(int) bool { return true }) }},
		{"par.Any: ok is nil", func() { Any(s, nil) }},
		{"par.Tiles: body is nil", func() { Tiles(1, 1, nil) }},
		{"par.Tiles: rows < 0", func() { Tiles(-1, 1, func(_, _, _, _ int) {}) }},
		{"par.Tiles: cols < 0", func() { Tiles(1, -1, func(_, _, _, _ int) {}) }},
		{"par.Tiles: rows*cols overflows", func() { Tiles(1<<(wordBits/2), 1<<(wordBits/2), func(_, _, _, _ int) {}) }},

		{"par.ForContext: body is nil", func() { ForContext(ctx, 3, nil) }},
		{"par.ForContext: n < 0", func() { ForContext(ctx, -1, func(_ context.Context, lo, hi int) error { return nil }) }},
		{"par.ForEachContext: body is nil", func() { ForEachContext(ctx, s, nil) }},
		{"par.MapContext: f is nil", func() { MapContext[[]int, int, int](ctx, s, nil) }},
		{"par.ReduceContext: part is nil", func() { ReduceContext(ctx, s, nil, func(a, b int) int { return a }) }},
		{"par.ReduceContext: join is nil", func() {
			ReduceContext(ctx, s, func(context.Context, []int) (int, error) { return 0, nil }, nil)
		}},
		{"par.FilterContext: keep is nil", func() { FilterContext(ctx, s, nil) }},
		{"par.ScanContext: op is nil", func() { ScanContext(ctx, s, nil) }},
		{"par.FindContext: ok is nil", func() { FindContext(ctx, s, nil) }},
		{"par.TilesContext: body is nil", func() { TilesContext(ctx, 1, 1, nil) }},
		{"par.TilesContext: rows < 0", func() {
			TilesContext(ctx, -1, 1, func(_ context.Context, _, _, _, _ int) error { return nil })
		}},
		{"par.MapIndexed: f is nil", func() { MapIndexed[[]int, int, int](s, nil) }},
		{"par.MapIndexedContext: f is nil", func() { MapIndexedContext[[]int, int, int](ctx, s, nil) }},
		{"par.MapNContext: f is nil", func() { MapNContext[int](ctx, 3, nil) }},
		{"par.MapNContext: n < 0", func() { MapNContext(ctx, -1, func(context.Context, int) (int, error) { return 0, nil }) }},
		{"par.Fold: zero is nil", func() { Fold(s, nil, glueInt, glueInt) }},
		{"par.Fold: add is nil", func() { Fold(s, zeroInt, nil, glueInt) }},
		{"par.Fold: join is nil", func() { Fold(s, zeroInt, glueInt, nil) }},
		{"par.FoldContext: zero is nil", func() { FoldContext(ctx, s, nil, glueIntContext, glueInt) }},
		{"par.FoldContext: add is nil", func() { FoldContext(ctx, s, zeroInt, nil, glueInt) }},
		{"par.FoldContext: join is nil", func() { FoldContext(ctx, s, zeroInt, glueIntContext, nil) }},
		{"par.ReduceNContext: part is nil", func() { ReduceNContext(ctx, 3, nil, glueInt) }},
		{"par.ReduceNContext: join is nil", func() {
			ReduceNContext[int](ctx, 3, func(context.Context, int, int) (int, error) { return 0, nil }, nil)
		}},
		{"par.ReduceNContext: n < 0", func() {
			ReduceNContext(ctx, -1, func(context.Context, int, int) (int, error) { return 0, nil }, glueInt)
		}},
		{"par.FindNContext: ok is nil", func() { FindNContext(ctx, 3, nil) }},
		{"par.FindNContext: n < 0", func() { FindNContext(ctx, -1, func(context.Context, int) (bool, error) { return false, nil }) }},
		{"par.AnyContext: ok is nil", func() { AnyContext(ctx, s, nil) }},
		{"par.ForSeq: body is nil", func() { ForSeq(slices.Values(s), nil) }},
		{"par.ForSeq: seq is nil", func() { ForSeq(nil, func(int) {}) }},
		{"par.ForSeq2: body is nil", func() { ForSeq2(slices.All(s), nil) }},
		{"par.ForSeqContext: body is nil", func() { ForSeqContext(ctx, slices.Values(s), nil) }},
		{"par.ForSeq2Context: body is nil", func() { ForSeq2Context(ctx, slices.All(s), nil) }},
		{"par.MapSeq: f is nil", func() { MapSeq[int, int](slices.Values(s), nil) }},
		{"par.MapSeq2: f is nil", func() { MapSeq2[int, int, int](slices.All(s), nil) }},
		{"par.MapSeqContext: f is nil", func() { MapSeqContext[int, int](ctx, slices.Values(s), nil) }},
		{"par.DoContext: fs[1] is nil", func() {
			DoContext(ctx, func(context.Context) error { t.Error("called"); return nil }, nil)
		}},
	} {
		func() {
			defer func() {
				if got := recover(); got != test.want {
					t.Errorf("panic %v, want %v", got, test.want)
				}
			}()
			test.call()
		}()
	}
}

func zeroInt() int { return 0 }

func glueInt(a, b int) int { return a }

func glueIntContext(_ context.Context, a, b int) (int, error) { return a, nil }

const wordBits = 32 << (^uint(0) >> 63)

// A call that is small does not pay for what others need. Now and then one is
// timed, and allocates: not one in two.
func TestSmallAllocatesNothing(t *testing.T) {
	s := []int{1}
	sum := func(part []int) (t int) {
		for _, v := range part {
			t += v
		}
		return t
	}
	for _, test := range []struct {
		name string
		want float64
		call func()
	}{
		{"ForEach", 0, func() { ForEach(s, func(i int, v *int) { *v = i }) }},
		{"Map", 1, func() { Map(s, func(v int) int { return v }) }},
		{"MapN", 1, func() { MapN(1, func(i int) int { return i }) }},
		{"Reduce", 0, func() { Reduce(s, sum, func(a, b int) int { return a + b }) }},
		{"ReduceN", 0, func() {
			ReduceN(1, func(lo, hi int) int { return lo }, func(a, b int) int { return a + b })
		}},
		{"Filter", 1, func() { Filter(s, func(int) bool { return true }) }},
		{"Scan", 1, func() { Scan(s, func(a, b int) int { return a + b }) }},
		{"Find", 0, func() { Find(s, func(int) bool { return false }) }},
		{"FindN", 0, func() { FindN(1, func(int) bool { return false }) }},
		{"Any", 0, func() { Any(s, func(int) bool { return false }) }},
		{"Tiles", 0, func() { Tiles(1, 1, func(_, _, _, _ int) {}) }},
		{"ForContext", 0, func() { ForContext(context.Background(), 1, func(_ context.Context, lo, hi int) error { return nil }) }},
		{"ForEachContext", 0, func() { ForEachContext(context.Background(), s, func(context.Context, int, *int) error { return nil }) }},
		{"MapContext", 1, func() {
			MapContext(context.Background(), s, func(_ context.Context, v int) (int, error) { return v, nil })
		}},
		{"FindContext", 0, func() {
			FindContext(context.Background(), s, func(_ context.Context, v int) (bool, error) { return false, nil })
		}},
	} {
		// A call that was interrupted is not small for some calls more, and whatever
		// runs beside this test allocates too.
		got := math.Inf(1)
		for try := 0; got != test.want && try < 5; try++ {
			got = min(got, testing.AllocsPerRun(1000, test.call))
		}
		if got != test.want {
			t.Errorf("%s of one element: %v allocations, want %v", test.name, got, test.want)
		}
	}
}
