package par

import (
	"math/bits"
	"sync"
	"testing"

	"github.com/exascience/pargo/parallel"
	"github.com/gopayoff/payoff/par"
	"golang.org/x/sync/errgroup"
)

// A board has queens in its upper rows. Its 20 bytes in five fields are more than
// one likes to hand down a recursion, since the compiler keeps structs in registers
// only up to four fields: that is what Queens is here for, beside its being a
// benchmark of most libraries for fork and join.
type board struct {
	all               uint32 // the columns there are
	cols, left, right uint32 // the columns attacked, straight and along diagonals
	free              uint32 // the columns still to be tried in this row
}

func newBoard(n int) board {
	all := uint32(1)<<n - 1
	return board{all: all, free: all}
}

// put returns the board with a queen in the column of bit.
func (b board) put(bit uint32) board {
	b.cols |= bit
	b.left = (b.left | bit) << 1
	b.right = (b.right | bit) >> 1
	b.free = b.all &^ (b.cols | b.left | b.right)
	return b
}

func (b board) full() bool { return b.cols == b.all }

// split returns the board with a queen in the next column to be tried, and the
// board with the columns after it still to be tried.
func (b board) split() (first, rest board) {
	rest = b
	rest.free &= rest.free - 1
	return b.put(b.free & -b.free), rest
}

// queensSerial keeps everything in registers, as one writes it.
func queensSerial(all, cols, left, right uint32) (solutions int) {
	if cols == all {
		return 1
	}
	for free := all &^ (cols | left | right); free != 0; free &= free - 1 {
		bit := free & -free
		solutions += queensSerial(all, cols|bit, (left|bit)<<1, (right|bit)>>1)
	}
	return solutions
}

func (b board) serial() int { return queensSerial(b.all, b.cols, b.left, b.right) }

var (
	queens = par.New(func(t *par.Task[board, int], b board) int {
		return queensFields(t, b.all, b.cols, b.left, b.right, b.free)
	})
	queensStruct = par.New(queensTaskStruct)
	queensJoin   = par.New(queensTaskJoin)
	queensNarrow = par.New(queensTaskNarrow)
)

// queensFields is the recursion over the fields of a board, as the documentation of
// par.New has it.
func queensFields(t *par.Task[board, int], all, cols, left, right, free uint32) (solutions int) {
	if cols == all {
		return 1
	}
	if t.Serial() {
		for ; free != 0; free &= free - 1 {
			bit := free & -free
			c, l, r := cols|bit, (left|bit)<<1, (right|bit)>>1
			solutions += queensFields(t, all, c, l, r, all&^(c|l|r))
		}
		return solutions
	}
	if free == 0 {
		return 0
	}
	x, y := t.Fork(board{all, cols, left, right, free}.split())
	return x + y
}

func queensTaskStruct(t *par.Task[board, int], b board) (solutions int) {
	if b.full() {
		return 1
	}
	if b.free == 0 {
		return 0
	}
	if t.Serial() {
		all, cols, left, right := b.all, b.cols, b.left, b.right
		for free := b.free; free != 0; free &= free - 1 {
			bit := free & -free
			c, l, r := cols|bit, (left|bit)<<1, (right|bit)>>1
			solutions += queensTaskStruct(t, board{all, c, l, r, all &^ (c | l | r)})
		}
		return solutions
	}
	x, y := t.Fork(b.split())
	return x + y
}

// A narrow board does without all: columns that are not there are attacked.
type narrow struct{ cols, left, right, free uint32 }

func (b board) narrow() narrow { return narrow{b.cols | ^b.all, b.left, b.right, b.free} }

func queensTaskNarrow(t *par.Task[narrow, int], b narrow) (solutions int) {
	if b.cols == ^uint32(0) {
		return 1
	}
	if b.free == 0 {
		return 0
	}
	if t.Serial() {
		for free := b.free; free != 0; free &= free - 1 {
			bit := free & -free
			c, l, r := b.cols|bit, (b.left|bit)<<1, (b.right|bit)>>1
			solutions += queensTaskNarrow(t, narrow{c, l, r, ^(c | l | r)})
		}
		return solutions
	}
	bit := b.free & -b.free
	c, l, r := b.cols|bit, (b.left|bit)<<1, (b.right|bit)>>1
	x, y := t.Fork(narrow{c, l, r, ^(c | l | r)}, narrow{b.cols, b.left, b.right, b.free &^ bit})
	return x + y
}

func queensTaskJoin(t *par.Task[board, int], b board) int {
	if b.full() {
		return 1
	}
	if b.free == 0 {
		return 0
	}
	x, y := t.Join(b.split())
	return x + y
}

// queensRoot has a goroutine for the left half of the first row.
func queensRoot(b board) int {
	half := func(free uint32) (solutions int) {
		for ; free != 0; free &= free - 1 {
			solutions += b.put(free & -free).serial()
		}
		return solutions
	}
	lower := b.free & (1<<(bits.Len32(b.free)/2) - 1)
	var x int
	var wg sync.WaitGroup
	wg.Go(func() { x = half(lower) })
	y := half(b.free &^ lower)
	wg.Wait()
	return x + y
}

// queensRows has a goroutine for each queen of the first rows.
func queensRows(b board, rows int) (solutions int) {
	if b.full() {
		return 1
	}
	if rows == 0 {
		return b.serial()
	}
	counts := make([]int, bits.OnesCount32(b.free))
	var wg sync.WaitGroup
	for i, free := 0, b.free; free != 0; i, free = i+1, free&(free-1) {
		wg.Go(func() { counts[i] = queensRows(b.put(free&-free), rows-1) })
	}
	wg.Wait()
	for _, c := range counts {
		solutions += c
	}
	return solutions
}

func queensErrgroup(b board, rows int) (solutions int) {
	if b.full() {
		return 1
	}
	if rows == 0 {
		return b.serial()
	}
	counts := make([]int, bits.OnesCount32(b.free))
	var g errgroup.Group
	for i, free := 0, b.free; free != 0; i, free = i+1, free&(free-1) {
		g.Go(func() error {
			counts[i] = queensErrgroup(b.put(free&-free), rows-1)
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		panic(err)
	}
	for _, c := range counts {
		solutions += c
	}
	return solutions
}

func queensPargo(b board, rows int) int {
	if b.full() {
		return 1
	}
	if rows == 0 {
		return b.serial()
	}
	var thunks []func() int
	for free := b.free; free != 0; free &= free - 1 {
		thunks = append(thunks, func() int { return queensPargo(b.put(free&-free), rows-1) })
	}
	return parallel.ReduceIntSum(thunks...)
}

var queensVariants = []variant[board, int]{
	{name: "serial", run: board.serial},
	{name: "payoff", run: queens.Call},
	{name: "payoff-join", run: queensJoin.Call},
	{name: "payoff-narrow", run: func(b board) int { return queensNarrow.Call(b.narrow()) }},
	{name: "payoff-struct", run: queensStruct.Call},
	{name: "goroutines-root", run: queensRoot},
	{name: "goroutines-rows1", run: func(b board) int { return queensRows(b, 1) }},
	{name: "goroutines-rows2", run: func(b board) int { return queensRows(b, 2) }},
	{name: "goroutines-rows3", run: func(b board) int { return queensRows(b, 3) }},
	{name: "goroutines-all", run: func(b board) int { return queensRows(b, 32) }, most: 8},
	{name: "errgroup-rows2", run: func(b board) int { return queensErrgroup(b, 2) }},
	{name: "pargo-rows2", run: func(b board) int { return queensPargo(b, 2) }},
}

var boards = sizes(newBoard, 4, 6, 8, 10, 12)

func BenchmarkQueens(b *testing.B) { bench(b, boards, queensVariants) }
func TestQueens(t *testing.T)      { same(t, 10, 8, boards, queensVariants) }

// The oracle itself: https://oeis.org/A000170.
func TestQueensSerial(t *testing.T) {
	for n, want := range map[int]int{4: 2, 6: 4, 8: 92, 10: 724} {
		if got := newBoard(n).serial(); got != want {
			t.Errorf("queens(%d) = %d, want %d", n, got, want)
		}
	}
}
