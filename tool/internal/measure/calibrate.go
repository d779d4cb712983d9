package measure

import (
	"math"
	"time"

	"github.com/gopayoff/payoff/tool/internal/stats"
)

const (
	wanted   = 24                    // rounds that the budget should hold
	shortest = 10 * time.Millisecond // sample, unless a shorter one is asked for
	settled  = 8                     // rounds after which the numbers of operations stay
	alike    = 1.35                  // compared cells whose times differ by less run as many operations
	untimed  = 3                     // processes may take this many times the length of their sample
)

// calibrate chooses how many operations make a sample of the wanted length,
// from the median of the times so far or, at first, the listing's guess.
//
// Cells that are compared and whose times are alike get the same number, the
// geometric mean of their own. It is tempting to give each its own: a process
// that runs longer spreads its warm-up and the growth of its heap over more
// operations, and code that allocates then comes out some percent faster than
// itself.
func (m *rounds) calibrate() {
	var cells []Cell
	own := map[Cell]float64{}
	for _, f := range m.s.Families {
		for _, member := range f.Members {
			for _, procs := range m.s.Procs {
				c := Cell{Bench: member.Bench, Procs: procs}
				own[c] = float64(m.own(c))
				cells = append(cells, c)
			}
		}
	}
	// Cells with one number are joined; joined[c] leads to their root.
	joined := map[Cell]Cell{}
	root := func(c Cell) Cell {
		for joined[c] != (Cell{}) {
			c = joined[c]
		}
		return c
	}
	for _, c := range m.comparisons {
		a, b := own[c.New], own[c.Base]
		if x, y := root(c.New), root(c.Base); x != y && a < alike*b && b < alike*a {
			joined[x] = y
		}
	}
	sum, n := map[Cell]float64{}, map[Cell]float64{}
	for _, c := range cells {
		sum[root(c)] += math.Log(own[c])
		n[root(c)]++
	}
	least := map[Cell]int64{}
	for _, c := range cells {
		least[root(c)] = max(least[root(c)], m.atLeast(c))
	}
	for _, c := range cells {
		x := root(c)
		m.n[c] = max(least[x], int64(math.Round(math.Exp(sum[x]/n[x]))))
	}
}

// own is how many operations c would run if it were alone.
func (m *rounds) own(c Cell) int64 {
	if n, ok := m.had[c]; ok {
		return n
	}
	g := m.guess[c.Bench]
	n := m.operations(g.PerOp)
	if walls := m.walls[c]; len(walls) > 0 {
		n = m.operations(stats.Median(walls))
		g.Whole = m.whole[c]
	}
	if most := untimed * float64(m.o.Sample); g.Whole*float64(n) > most {
		n = max(1, int64(most/g.Whole)) // much work outside the timer
	}
	return n
}

// operations is how many of perOp ns make a sample.
func (m *rounds) operations(perOp float64) int64 {
	if !(perOp > 0) {
		return 1
	}
	return int64(min(max(1, math.Round(float64(m.o.Sample)/perOp)), 1e9))
}

// fit shortens the samples if a round takes too long for the budget: many
// short pairs say more than a few long ones. Samples that have no more operations
// than they must cannot be shortened and do not count.
func (m *rounds) fit() {
	var round time.Duration
	for c, d := range m.took {
		if m.n[c] > m.atLeast(c) {
			round += d
		}
	}
	if share := m.left() / wanted; round > share {
		m.o.Sample = max(time.Duration(float64(m.o.Sample)*float64(share)/float64(round)), min(m.o.Sample, shortest))
	}
}

// expected is how long a process of c will take.
func (m *rounds) expected(c Cell) time.Duration {
	c.Twin = false
	if d, ok := m.took[c]; ok {
		return d
	}
	return m.startup() + time.Duration(max(m.guess[c.Bench].PerOp, m.guess[c.Bench].Whole)*float64(m.n[c]))
}
