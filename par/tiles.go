package par

import (
	"context"
	"math"
)

// Tiles cuts a table of rows times cols cells into rectangles and calls body
// for each. A call is for the cells of rows r0 to r1-1 in columns c0 to c1-1.
//
//	par.Tiles(n, n, func(r0, r1, c0, c1 int) {
//		for r := r0; r < r1; r++ {
//			for c := c0; c < c1; c++ {
//				to[c*n+r] = from[r*n+c]
//			}
//		}
//	})
//
// It is for work that mixes rows and columns: a transpose, or a stencil of many
// rows. Where the work on a row needs that row only, as in a filter, or a few
// neighbours, [For] over the rows is simpler, and its inner loops are longer.
//
// Each cell is in one rectangle. Their sizes follow the time that cells take: a
// tile holds a few microseconds to some hundred of work. It has no more than
// some 16 thousand cells, also on one processor: what a cell shares with its
// neighbours stays in a cache. They are wider than high, up to four to one, as
// tables are stored by rows, unless the table is narrow. At the edge of a part
// they may be smaller, down to a cell. A table that is little work is one
// rectangle. All of this varies from call to call.
//
// Calls of body may overlap and come in any order. Panics and [runtime.Goexit]
// of body come out of Tiles as they do of [ForEach].
//
// Tiles calls nothing where rows or cols is 0. It panics where one is negative,
// where an int cannot count the cells, and where body is nil.
func Tiles(rows, cols int, body func(r0, r1, c0, c1 int), limit ...Limit) {
	if body == nil {
		panic("par.Tiles: body is nil")
	}
	n := cells("par.Tiles", rows, cols)
	if n == 0 {
		return
	}
	defer rethrow()
	key := code(body)
	if small(key, n) {
		body(0, rows, 0, cols)
		return
	}
	tiles(key, rows, cols, limit, body)
}

func tiles(key uintptr, rows, cols int, limit []Limit, body func(r0, r1, c0, c1 int)) {
	g := newGrid(key, rows, cols)
	runLimit(key, rows*cols, limit, func(lo, hi int) bool {
		for lo < hi {
			r0, r1, c0, c1 := g.tile(lo, hi)
			body(r0, r1, c0, c1)
			lo += (r1 - r0) * (c1 - c0)
		}
		return true
	})
}

// TilesContext is [Tiles] with a body that may fail, and that stops when ctx is
// done: see [ForContext]. A part ends at its first error. Of errors of several
// tiles, that of the first is returned, by rows of tiles, and in such a row from
// left to right.
func TilesContext(ctx context.Context, rows, cols int, body func(ctx context.Context, r0, r1, c0, c1 int) error, limit ...Limit) error {
	if body == nil {
		panic("par.TilesContext: body is nil")
	}
	n := cells("par.TilesContext", rows, cols)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if n == 0 {
		return nil
	}
	defer rethrow()
	key := code(body)
	if small(key, n) {
		return failure(ctx, body(ctx, 0, rows, 0, cols))
	}
	return tilesContext(ctx, key, rows, cols, limit, body)
}

func tilesContext(ctx context.Context, key uintptr, rows, cols int, limit []Limit, body func(ctx context.Context, r0, r1, c0, c1 int) error) error {
	g := newGrid(key, rows, cols)
	return runContext(ctx, key, rows*cols, limit, func(ctx context.Context, lo, hi int) (int, error) {
		for lo < hi {
			if ctx.Err() != nil {
				return lo, ctx.Err()
			}
			r0, r1, c0, c1 := g.tile(lo, hi)
			if err := body(ctx, r0, r1, c0, c1); err != nil {
				return lo, err
			}
			lo += (r1 - r0) * (c1 - c0)
		}
		return 0, nil
	})
}

// cells returns rows*cols, or panics in the name of a function.
func cells(name string, rows, cols int) int {
	if rows < 0 {
		panic(name + ": rows < 0")
	}
	if cols < 0 {
		panic(name + ": cols < 0")
	}
	if cols > 0 && rows > math.MaxInt/cols {
		panic(name + ": rows*cols overflows")
	}
	return rows * cols
}

// A grid numbers the cells of a table so that neighbours in number form
// rectangles: band by band of some rows, and in a band column by column. Part
// [lo, hi) of the numbers is then, in a band, some columns, with a rest of a
// column before and after them.
type grid struct {
	rows, cols int
	height     int // of bands; the last may be less high
	width      int // of a tile at most
}

// side is the height of tiles of cheap cells. With float64, 64 by 256 cells are
// 128 KiB.
const side = 64

// newGrid returns one with tiles that hold about as much work as is too little
// for two processors, as far as that is known.
func newGrid(key uintptr, rows, cols int) grid {
	h := side
	for h > side/8 && !small(key, h*h) {
		h /= 2
	}
	return gridOf(h, rows, cols)
}

// gridOf returns one with tiles h rows high where the table allows that.
func gridOf(h, rows, cols int) grid {
	area := 4 * h * h
	w := min(4*h, cols)
	h = min(area/w, rows)
	w = min(area/h, cols)
	// Bands of like height: not one of 64 rows and one of 1.
	bands := (rows-1)/h + 1
	return grid{rows, cols, (rows-1)/bands + 1, w}
}

// tile returns the first rectangle of the cells numbered lo to hi-1.
func (g *grid) tile(lo, hi int) (r0, r1, c0, c1 int) {
	r0 = lo / (g.height * g.cols) * g.height
	height := min(g.height, g.rows-r0)
	lo -= r0 * g.cols
	hi -= r0 * g.cols
	c0 = lo / height
	if r := lo - c0*height; r > 0 || hi-lo < height {
		// The rest of a column, or the beginning of one.
		return r0 + r, r0 + min(height, r+hi-lo), c0, c0 + 1
	}
	c1 = min(c0+g.width, g.cols, hi/height)
	return r0, r0 + height, c0, c1
}
