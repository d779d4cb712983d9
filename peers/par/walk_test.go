package par

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/exascience/pargo/parallel"
	"github.com/gopayoff/payoff/par"
	"golang.org/x/sync/errgroup"
)

// A dir is a directory. To add up the files of a tree of them is the example of
// "The Go Programming Language", section 8.8 (du). It is in memory here: what is
// measured is the recursion, over directories of any number of children, and not
// a disk. Such a tree is not balanced, and nobody knows the size of a part of it.
type dir struct {
	files []file
	dirs  []*dir
}

type file struct {
	name string
	size int
}

// newDir returns a directory with n files in all: up to 20 in each directory and,
// as long as files are left, up to 8 directories, to which the rest is dealt
// unevenly.
func newDir(r *rand.Rand, n int) *dir {
	d := new(dir)
	own := min(n, r.IntN(21))
	for range own {
		ext := [...]string{"go", "go", "md", "txt", "s"}[r.IntN(5)]
		d.files = append(d.files, file{fmt.Sprintf("file%d.%s", r.IntN(1000), ext), r.IntN(1 << 16)})
	}
	n -= own
	for left := 1 + r.IntN(8); n > 0; left-- {
		part := n
		if left > 1 {
			part = min(n, 1+r.IntN(2*n/left+1))
		}
		d.dirs = append(d.dirs, newDir(r, part))
		n -= part
	}
	return d
}

// own returns the size of the directory's own Go files.
func (d *dir) own() (sum int) {
	for i := range d.files {
		if f := &d.files[i]; strings.HasSuffix(f.name, ".go") {
			sum += f.size
		}
	}
	return sum
}

func walkSerial(d *dir) int {
	sum := d.own()
	for _, sub := range d.dirs {
		sum += walkSerial(sub)
	}
	return sum
}

var (
	walk     = par.New(walkTask)
	walkJoin = par.New(walkTaskJoin)
)

// walkTask adds up several directories: of many children, two halves fork.
func walkTask(t *par.Task[[]*dir, int], dirs []*dir) (sum int) {
	if len(dirs) < 2 || t.Serial() {
		for _, d := range dirs {
			sum += d.own()
			if len(d.dirs) > 0 {
				sum += walkTask(t, d.dirs)
			}
		}
		return sum
	}
	half := len(dirs) / 2
	a, b := t.Fork(dirs[:half], dirs[half:])
	return a + b
}

func walkTaskJoin(t *par.Task[[]*dir, int], dirs []*dir) int {
	switch half := len(dirs) / 2; len(dirs) {
	case 0:
		return 0
	case 1:
		return dirs[0].own() + walkTaskJoin(t, dirs[0].dirs)
	default:
		a, b := t.Join(dirs[:half], dirs[half:])
		return a + b
	}
}

func walkRoot(d *dir) int {
	half := len(d.dirs) / 2
	var a, b int
	var wg sync.WaitGroup
	wg.Go(func() {
		for _, sub := range d.dirs[:half] {
			a += walkSerial(sub)
		}
	})
	for _, sub := range d.dirs[half:] {
		b += walkSerial(sub)
	}
	wg.Wait()
	return d.own() + a + b
}

// walkDepth has a goroutine for each directory of the upper levels.
func walkDepth(d *dir, depth int) int {
	if depth == 0 {
		return walkSerial(d)
	}
	sums := make([]int, len(d.dirs))
	var wg sync.WaitGroup
	for i, sub := range d.dirs {
		wg.Go(func() { sums[i] = walkDepth(sub, depth-1) })
	}
	sum := d.own()
	wg.Wait()
	for _, s := range sums {
		sum += s
	}
	return sum
}

func walkErrgroup(d *dir, depth int) int {
	if depth == 0 {
		return walkSerial(d)
	}
	sums := make([]int, len(d.dirs))
	var g errgroup.Group
	for i, sub := range d.dirs {
		g.Go(func() error {
			sums[i] = walkErrgroup(sub, depth-1)
			return nil
		})
	}
	sum := d.own()
	if err := g.Wait(); err != nil {
		panic(err)
	}
	for _, s := range sums {
		sum += s
	}
	return sum
}

func walkPargo(d *dir, depth int) int {
	if depth == 0 {
		return walkSerial(d)
	}
	var thunks []func() int
	for _, sub := range d.dirs {
		thunks = append(thunks, func() int { return walkPargo(sub, depth-1) })
	}
	return d.own() + parallel.ReduceIntSum(thunks...)
}

var walkVariants = []variant[*dir, int]{
	{name: "serial", run: walkSerial},
	{name: "payoff", run: func(d *dir) int { return d.own() + walk.Call(d.dirs) }},
	{name: "payoff-join", run: func(d *dir) int { return d.own() + walkJoin.Call(d.dirs) }},
	{name: "goroutines-root", run: walkRoot},
	{name: "goroutines-depth2", run: func(d *dir) int { return walkDepth(d, 2) }},
	{name: "goroutines-depth4", run: func(d *dir) int { return walkDepth(d, 4) }},
	{name: "goroutines-all", run: func(d *dir) int { return walkDepth(d, 1<<30) }, most: 10000},
	{name: "errgroup-depth2", run: func(d *dir) int { return walkErrgroup(d, 2) }},
	{name: "pargo-depth2", run: func(d *dir) int { return walkPargo(d, 2) }},
}

// n counts files.
var dirs = sizes(func(n int) *dir { return newDir(newRand(), n) }, 100, 1000, 10_000, 100_000, 1_000_000)

func BenchmarkWalk(b *testing.B) { bench(b, dirs, walkVariants) }
func TestWalk(t *testing.T)      { same(t, 100_000, 1000, dirs, walkVariants) }

func TestNewDir(t *testing.T) {
	var count func(d *dir) int
	count = func(d *dir) int {
		n := len(d.files)
		for _, sub := range d.dirs {
			n += count(sub)
		}
		return n
	}
	for _, n := range []int{0, 1, 100, 1000} {
		if got := count(newDir(newRand(), n)); got != n {
			t.Errorf("newDir(%d) has %d files", n, got)
		}
	}
}
