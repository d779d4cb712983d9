package planted

import "sync"

// Goroutines that are given less to do than their start costs.

func scale(xs, out []int) int {
	for i, x := range xs {
		out[i] = churn(x, 2)
	}
	return out[len(out)/2]
}

// A goroutine for every item.
func scalePerItem(xs, out []int) int {
	var wg sync.WaitGroup
	for i, x := range xs {
		wg.Go(func() { out[i] = churn(x, 2) })
	}
	wg.Wait()
	return out[len(out)/2]
}

// A tree of sums.
func treeSum(xs []int) int {
	if len(xs) == 1 {
		return xs[0] & 0xffff
	}
	mid := len(xs) / 2
	return treeSum(xs[:mid]) + treeSum(xs[mid:])
}

// A goroutine for the left half at every level, down to single numbers.
func treeSumLeft(xs []int) int {
	if len(xs) == 1 {
		return xs[0] & 0xffff
	}
	mid := len(xs) / 2
	left := 0
	var wg sync.WaitGroup
	wg.Go(func() { left = treeSumLeft(xs[:mid]) })
	right := treeSumLeft(xs[mid:])
	wg.Wait()
	return left + right
}

const rowLen = 64

func relax(grid []int) int {
	copyOf := grid[:len(grid):len(grid)]
	h := 0
	for r := 0; r < len(copyOf); r += rowLen {
		for _, x := range copyOf[r : r+rowLen] {
			h += x & 0xfff
		}
	}
	return h
}

// Every row of 64 numbers is a parallel section with a wait at its end.
func relaxPerRow(grid []int) int {
	h := 0
	for r := 0; r < len(grid); r += rowLen {
		var part [workers]int
		halves(rowLen, func(w, lo, hi int) {
			s := 0
			for _, x := range grid[r+lo : r+hi] {
				s += x & 0xfff
			}
			part[w] = s
		})
		h += part[0] + part[1]
	}
	return h
}

// group collects the first error of its goroutines, as errgroup does.
type group struct {
	wg   sync.WaitGroup
	once sync.Once
	err  error
}

func (g *group) Go(f func() error) {
	g.wg.Add(1)
	go func() {
		defer g.wg.Done()
		if err := f(); err != nil {
			g.once.Do(func() { g.err = err })
		}
	}()
}

func (g *group) Wait() error {
	g.wg.Wait()
	return g.err
}

func check(xs, out []int) int {
	for i, x := range xs {
		out[i] = churn(x, 10)
	}
	return sum(out)
}

func checkGroup(xs, out []int) int {
	var g group
	for i, x := range xs {
		g.Go(func() error {
			out[i] = churn(x, 10)
			return nil
		})
	}
	if g.Wait() != nil {
		return -1
	}
	return sum(out)
}
