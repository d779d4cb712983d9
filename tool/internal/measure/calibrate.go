package measure

import (
	"math"
	"time"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

const settled = 8 // rounds after which the numbers of operations stay

// calibrate chooses how many operations make a sample of the wanted length,
// from the median of the times so far or, at first, the listing's guess. Cells that
// are compared and alike get one number.
func (m *rounds) calibrate() {
	var cells []Cell
	var own []float64
	at := map[Cell]int{}
	for _, f := range m.s.Families {
		for _, member := range f.Members {
			for _, procs := range m.s.Procs {
				c := Cell{Bench: member.Bench, Procs: procs}
				at[c] = len(cells)
				cells, own = append(cells, c), append(own, float64(m.own(c)))
			}
		}
	}
	var pairs [][2]int
	for _, c := range m.comparisons {
		pairs = append(pairs, [2]int{at[c.New], at[c.Base]})
	}
	for _, group := range contest.Groups(own, pairs) {
		n := int64(math.Round(contest.Mean(own, group)))
		for _, i := range group {
			n = max(n, m.atLeast(cells[i]))
		}
		for _, i := range group {
			// One of them must have more operations than go test would give another.
			m.n[cells[i]] = max(m.atLeast(cells[i]), min(n, max(int64(own[i]), m.inWhole(cells[i]))))
		}
	}
}

// own is how many operations c would run if it were alone.
func (m *rounds) own(c Cell) int64 {
	if n, ok := m.had[c]; ok {
		return n
	}
	each, all := m.takes(c)
	return contest.Operations(m.o.Sample, each, all)
}

// inWhole is how many operations go test would run in its second, as far as is known.
func (m *rounds) inWhole(c Cell) int64 {
	if each, _ := m.takes(c); each > 0 {
		return contest.Operations(whole, each, 0)
	}
	return math.MaxInt64
}

// takes is the time of an operation of c, and with all that is not timed, so far.
func (m *rounds) takes(c Cell) (each, all float64) {
	if walls := m.walls[c]; len(walls) > 0 {
		return stats.Median(walls), m.whole[c]
	}
	return m.guess[c.Bench].PerOp, m.guess[c.Bench].Whole
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
	if share := m.left() / contest.Wanted; round > share {
		m.o.Sample = max(time.Duration(float64(m.o.Sample)*float64(share)/float64(round)), min(m.o.Sample, contest.Shortest))
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
