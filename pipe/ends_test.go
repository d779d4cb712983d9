package pipe_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
	"github.com/gopayoff/payoff/pipe"
)

// What comes before an error is delivered, whatever stands between the stage that has
// failed and the sink, and nothing that comes after.
func TestBeforeError(t *testing.T) {
	stress.NoneLeft(t)
	same := func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Map(p, func(v int) int { return v }) }
	once := func(v int) iter.Seq[int] { return func(yield func(int) bool) { yield(v) } }
	graphs := map[string]func(p pipe.Pipe[int]) pipe.Pipe[int]{
		"fused": same,
		"relay": func(p pipe.Pipe[int]) pipe.Pipe[int] { return same(same(p).AtMost(2)) },
		"relays": func(p pipe.Pipe[int]) pipe.Pipe[int] {
			return same(same(same(same(p).AtMost(2)).AtMost(3)).AtMost(2))
		},
		"flatmap":  func(p pipe.Pipe[int]) pipe.Pipe[int] { return same(pipe.FlatMap(p, once)) },
		"flatmaps": func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.FlatMap(same(pipe.FlatMap(p, once)), once) },
		"window": func(p pipe.Pipe[int]) pipe.Pipe[int] {
			return pipe.Map(pipe.Window(p, 1, 1), func(w []int) int { return w[0] })
		},
		"batch": func(p pipe.Pipe[int]) pipe.Pipe[int] {
			return pipe.Map(pipe.Chunk(p, 1), func(b []int) int { return b[0] })
		},
		"broadcast": func(p pipe.Pipe[int]) pipe.Pipe[int] { return pipe.Broadcast(p, same) },
		"split": func(p pipe.Pipe[int]) pipe.Pipe[int] {
			return pipe.Split(p, func(int) int { return 0 }, same)
		},
	}
	fails := map[string]func(k int) pipe.Pipe[int]{
		"map": func(k int) pipe.Pipe[int] { return pipe.MapContext(pipe.Slice(numbers(10000)), failAt(k, errOdd)) },
		"seq2": func(k int) pipe.Pipe[int] {
			return pipe.Seq2(func(yield func(int, error) bool) {
				for i := range k {
					if !yield(i, nil) {
						return
					}
				}
				yield(0, errOdd)
			})
		},
		"flatmap": func(k int) pipe.Pipe[int] {
			return pipe.FlatMapContext(pipe.Range(10000), func(_ context.Context, v int) iter.Seq2[int, error] {
				return func(yield func(int, error) bool) {
					if v == k {
						yield(0, errOdd)
					} else {
						yield(v, nil)
					}
				}
			})
		},
	}
	modes(t, func(t *testing.T) {
		for from, fail := range fails {
			for name, graph := range graphs {
				for _, k := range []int{0, 5, 55, 5555} {
					got, err := graph(fail(k)).Collect(bg)
					if !errors.Is(err, errOdd) || !slices.Equal(got, numbers(k)) {
						t.Errorf("%s, then %s: an error at %d: %d items, %v", from, name, k, len(got), err)
					}
				}
			}
		}
	})
}

// The context that a function has ends with the run, in whichever way that does.
func TestContextEnds(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		for _, n := range []int{1, 2000} {
			var kept context.Context
			var breaks atomic.Bool
			keep := func(ctx context.Context, v int) (int, error) {
				if v == 0 {
					kept = ctx
				}
				if ctx.Err() != nil && !breaks.Load() {
					t.Error("done while the run goes on")
				}
				return v, nil
			}
			always := func(ctx context.Context, v int) (bool, error) { keep(ctx, v); return true, nil }
			flat := func(ctx context.Context, v int) iter.Seq2[int, error] {
				keep(ctx, v)
				return func(yield func(int, error) bool) { yield(v, nil) }
			}
			for name, p := range map[string]pipe.Pipe[int]{
				"MapContext":     pipe.MapContext(pipe.Range(n), keep),
				"FilterContext":  pipe.FilterContext(pipe.Range(n), always),
				"FlatMapContext": pipe.FlatMapContext(pipe.Range(n), flat),
				"behind AtMost":  pipe.Map(pipe.MapContext(pipe.Range(n), keep).AtMost(2), work),
			} {
				if err := p.Drain(bg); err != nil || kept.Err() == nil {
					t.Errorf("%s: Drain = %v, the context's error %v", name, err, kept.Err())
				}
				breaks.Store(true)
				for range p.All(bg) {
					break
				}
				breaks.Store(false)
				if kept.Err() == nil {
					t.Errorf("%s: the context is not done after a break", name)
				}
			}
		}
	})
}

// A pipe that may have many items, and has few, needs little room.
func TestCollectRoom(t *testing.T) {
	got, err := pipe.MapContext(pipe.Range(math.MaxInt), failAt(11, errOdd)).Collect(bg)
	if len(got) != 11 || !errors.Is(err, errOdd) || cap(got) > 1<<20 {
		t.Errorf("Collect = %d items of %d, %v", len(got), cap(got), err)
	}
}

// Of errors that are gathered, those of items after the one that ends the run are not
// told, however batches are cut.
func TestGatherBeforeStop(t *testing.T) {
	stress.NoneLeft(t)
	modes(t, func(t *testing.T) {
		for range 5 {
			p := pipe.MapContext(pipe.Range(3000), func(_ context.Context, v int) (int, error) {
				if v%100 >= 50 {
					return 0, fmt.Errorf("item %d", v)
				}
				return v, nil
			}).OnError(pipe.Gather)
			_, err := pipe.MapContext(p, failAt(145, errOdd)).Collect(bg)
			var told []int
			for _, err := range err.(interface{ Unwrap() []error }).Unwrap() {
				var e *pipe.Error
				if errors.As(err, &e) {
					told = append(told, e.Index)
				}
			}
			want := append(numbers(100)[50:], 145)
			if !slices.Equal(told, want) {
				t.Fatalf("errors of items %d, want %d", told, want)
			}
		}
	})
}
