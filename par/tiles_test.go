package par

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/gopayoff/payoff/internal/stress"
)

// Whatever the parts and the height of bands, tiles lie in the table, hold the
// cells of their part, and each cell is in one.
func TestGridHostile(t *testing.T) {
	rnd := rand.New(rand.NewPCG(stress.Seed(t), 0))
	for range rounds(2000) {
		g := grid{rows: 1 + rnd.IntN(60), cols: 1 + rnd.IntN(60)}
		g.height, g.width = 1+rnd.IntN(g.rows), 1+rnd.IntN(g.cols)
		seen := make([]atomic.Int32, g.rows*g.cols)
		hostile(rnd, g.rows*g.cols, func(lo, hi int) bool {
			for lo < hi {
				r0, r1, c0, c1 := g.tile(lo, hi)
				if r0 < 0 || r0 >= r1 || r1 > g.rows || c0 < 0 || c0 >= c1 || c1 > g.cols || (r1-r0)*(c1-c0) > hi-lo ||
					r1-r0 > g.height || c1-c0 > g.width {
					t.Errorf("%+v: tile [%d,%d) x [%d,%d) of part [%d,%d)", g, r0, r1, c0, c1, lo, hi)
					return false
				}
				for r := r0; r < r1; r++ {
					for c := c0; c < c1; c++ {
						seen[r*g.cols+c].Add(1)
					}
				}
				lo += (r1 - r0) * (c1 - c0)
			}
			return true
		})
		for i := range seen {
			if s := seen[i].Load(); s != 1 {
				t.Fatalf("%+v: cell %d, %d is in %d tiles", g, i/g.cols, i%g.cols, s)
			}
		}
	}
}

// Whole parts of a table are few tiles: full ones but for the edges.
func TestGridTilesAreLarge(t *testing.T) {
	for _, test := range []struct{ rows, cols, height, width, want int }{
		{1000, 1000, 63, 256, 16 * 4},
		{65, 1024, 33, 256, 2 * 4},
		{64, 64, 64, 64, 1},
		{1_000_000, 4, 4082, 4, 245},
		{3, 1_000_000, 3, 5461, 184},
	} {
		g := gridOf(side, test.rows, test.cols)
		if g.height != test.height || g.width != test.width {
			t.Errorf("%d x %d: tiles of %d x %d, want %d x %d", test.rows, test.cols, g.height, g.width, test.height, test.width)
		}
		tiles := 0
		for lo, n := 0, test.rows*test.cols; lo < n; tiles++ {
			r0, r1, c0, c1 := g.tile(lo, n)
			lo += (r1 - r0) * (c1 - c0)
		}
		if tiles != test.want {
			t.Errorf("%d x %d: %d tiles, want %d", test.rows, test.cols, tiles, test.want)
		}
	}
}

func TestTilesContextFails(t *testing.T) {
	failed := errors.New("failed")
	for _, side := range []int{1, 10, 300} {
		err := TilesContext(context.Background(), side, side, func(_ context.Context, r0, r1, c0, c1 int) error {
			if r1 == side && c1 == side {
				return failed
			}
			return nil
		})
		if err != failed {
			t.Errorf("%d x %d: %v, want %v", side, side, err, failed)
		}
	}
}
