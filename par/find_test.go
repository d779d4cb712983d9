package par

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// Whatever the parts, the lowest hit is found, and each element is tried once
// at most.
func TestSearchHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	stress.Procs(t, func(t *testing.T) {
		for range rounds(1000) {
			n := 1 + rnd.IntN(1000)
			hits := make(map[int]error)
			want, wantErr := -1, error(nil)
			for range rnd.IntN(4) {
				i, err := rnd.IntN(n), error(nil)
				if rnd.IntN(2) == 0 {
					err = errors.New("failed")
				}
				if hits[i] = err; want < 0 || i <= want {
					want, wantErr = i, err
				}
			}
			tried := make([]atomic.Int32, n)
			q := search{any: rnd.IntN(4) == 0, try: func(lo, hi int) (int, error) {
				for i := lo; i < hi; i++ {
					if tried[i].Add(1) > 1 {
						t.Errorf("element %d is tried again", i)
					}
					if err, hit := hits[i]; hit {
						return i, err
					}
				}
				return -1, nil
			}}
			q.best.Store(math.MaxInt64)
			hostile(rnd, n, q.part)
			got, err := q.result(n)
			if q.any && got >= 0 && want >= 0 {
				if hitErr, hit := hits[got]; !hit || hitErr != err {
					t.Fatalf("any of %v: %d, %v", hits, got, err)
				}
				continue
			}
			if got != want || err != wantErr {
				t.Fatalf("n = %d, hits %v: %d, %v, want %d, %v", n, hits, got, err, want, wantErr)
			}
		}
	})
}

// A context that ends amid a search leaves nothing but its cause, or the lowest
// hit if all before it were tried.
func TestSearchEndsAmid(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	cause := errors.New("cause")
	stress.Procs(t, func(t *testing.T) {
		for range rounds(1000) {
			n := 1 + rnd.IntN(1000)
			hit, end := rnd.IntN(2*n), rnd.IntN(n)
			ctx, cancel := context.WithCancelCause(context.Background())
			var tried atomic.Int64
			q := search{ctx: ctx, try: func(lo, hi int) (int, error) {
				for i := lo; i < hi; i++ {
					tried.Add(1)
					if i == end {
						cancel(cause)
					}
					if i == hit {
						return i, nil
					}
				}
				return -1, nil
			}}
			q.best.Store(math.MaxInt64)
			all := hostile(rnd, n, q.part)
			got, err := q.result(n)
			switch {
			case got == hit && err == nil && tried.Load() > int64(hit):
			case got == -1 && err == cause && !all:
			case got == -1 && err == nil && hit >= n && tried.Load() == int64(n):
			default:
				t.Fatalf("n = %d, hit %d, end %d, tried %d: %d, %v", n, hit, end, tried.Load(), got, err)
			}
			cancel(nil)
		}
	})
}

func TestSearchEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	cause := errors.New("cause")
	q := search{ctx: ctx, try: func(lo, hi int) (int, error) { return -1, nil }}
	q.best.Store(math.MaxInt64)
	if !q.part(0, 10) {
		t.Error("part returned false before the end of the context")
	}
	cancel(cause)
	if q.part(10, 20) {
		t.Error("part returned true after the end of the context")
	}
	if got, err := q.result(20); got != -1 || err != cause {
		t.Errorf("the result is %d, %v, want -1, %v", got, err, cause)
	}
}

// No more elements are tried than twice those before the hit, beside what is too
// little for two processors: a hit near the beginning costs what it costs a loop.
func TestFindStopsEarly(t *testing.T) {
	stress.Procs(t, func(t *testing.T) {
		const n = 1 << 24
		for _, hit := range []int{0, 1, 10, 1000, 30_000, 300_000} {
			var tried atomic.Int64
			if got := FindN(n, func(i int) bool {
				tried.Add(1)
				return i == hit
			}); got != hit {
				t.Errorf("FindN = %d, want %d", got, hit)
			}
			if got, most := tried.Load(), int64(max(2*(hit+1), 1<<14)); got > most {
				t.Errorf("%d elements are tried for a hit at %d, want at most %d", got, hit, most)
			}
		}
	})
}
