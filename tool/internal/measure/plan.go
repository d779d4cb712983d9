package measure

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/stats"
)

// A block is what a round runs of one family: what is compared stays close in
// time.
type block struct {
	family int
	cells  []Cell
}

// controlled is how many cells run for each twin. Early looks need some twins
// in the first rounds.
const controlled = 8

// plan returns a round: a block per family, blocks and cells in shuffled
// order, so that of each pair either side comes first with the same chance. A
// cell that no open comparison needs is left out. For the A/A control one cell
// in [controlled] runs twice in a row; the rounds take turns over the families.
// A comparison that the budget can hardly decide waits for those that it can.
func (m *rounds) plan() []block {
	open := m.needed(false)
	if len(open) == 0 {
		if open = m.needed(true); len(open) == 0 {
			return nil
		}
	}
	var blocks []block
	for _, f := range m.turn(open) {
		cells := open[f]
		m.rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		blocks = append(blocks, block{f, cells})
	}
	if m.round == 0 {
		for i := range blocks {
			blocks[i].cells = slices.DeleteFunc(blocks[i].cells, func(c Cell) bool { return m.n[c] == m.atLeast(c) })
		}
		return blocks // no fewer make a sample: nothing to find, and no twin to compare
	}
	for _, b := range blocks {
		m.control += len(b.cells)
	}
	if len(m.o.Rule.Early) > 0 && int(m.round) <= m.firstLook() {
		m.control = max(m.control, controlled)
	}
	for ; m.control >= controlled; m.control -= controlled {
		m.twin(&blocks[m.twins%len(blocks)])
		m.twins++
	}
	m.rng.Shuffle(len(blocks), func(i, j int) { blocks[i], blocks[j] = blocks[j], blocks[i] })
	return blocks
}

// turn returns the open families that the round visits, in increasing order.
//
// Each is to have its first look before any goes on. Those whose first look is
// within their share of the budget have it first, together. The slower ones
// follow, the quickest of them first and one at a time, as far as that leaves
// the others what they need for a full look. It is tempting to visit all in
// each round: a few slow families then spend the budget before the quick ones
// have a pair, and have one or two themselves.
//
// After that a family that has had its share waits while others have not.
func (m *rounds) turn(open map[int][]Cell) []int {
	all := slices.Sorted(maps.Keys(open))
	if m.round == 0 {
		return all
	}
	share := (m.o.Budget - m.o.Spent) / time.Duration(max(1, len(m.s.Families)))
	first := m.firstLook()
	var quick, slow, looked []int
	for _, f := range all {
		switch {
		case m.families[f].rounds >= first:
			looked = append(looked, f)
		case m.until(f, first)+m.families[f].cost <= share:
			quick = append(quick, f)
		default:
			slow = append(slow, f)
		}
	}
	if len(quick) > 0 {
		return quick
	}
	if len(slow) > 0 {
		f := slices.MinFunc(slow, func(a, b int) int { return cmp.Compare(m.until(a, first), m.until(b, first)) })
		need := m.until(f, first)
		if m.families[f].rounds == 0 { // else what it has begun would be lost
			need += need / 4 // where others disturb it
			for _, g := range looked {
				need += min(m.until(g, m.o.Rule.Looks[0]), max(0, share-m.families[g].cost))
			}
		}
		if need <= m.left() || len(looked) == 0 {
			return []int{f}
		}
	}
	if due := slices.DeleteFunc(slices.Clone(looked), func(f int) bool { return m.families[f].cost >= share }); len(due) > 0 {
		return due
	}
	return looked
}

// until is how long a family takes to have so many rounds.
func (m *rounds) until(f, rounds int) time.Duration {
	return time.Duration(max(0, rounds-m.families[f].rounds)) * m.each(f)
}

// firstLook is the number of pairs at the first look.
func (m *rounds) firstLook() int {
	if early := m.o.Rule.Early; len(early) > 0 {
		return early[0].Pairs
	}
	return m.o.Rule.Looks[0]
}

// each is how long a round of a family takes: as its rounds did, or before the
// first as its cells will.
func (m *rounds) each(f int) time.Duration {
	if x := m.families[f]; x.rounds > 0 {
		return (x.cost - x.calibration) / time.Duration(x.rounds)
	}
	return m.cost(m.families[f].cells)
}

// twin puts a twin beside a cell of b that has none.
func (m *rounds) twin(b *block) {
	k := m.rng.IntN(len(b.cells))
	twin := b.cells[k]
	twin.Twin = true
	if slices.Contains(b.cells, twin) {
		return
	}
	if m.rng.IntN(2) == 0 {
		k++ // the twin second as often as first
	}
	b.cells = slices.Insert(b.cells, k, twin)
}

// needed returns the cells of open comparisons, by family: of all, or of those
// that the budget can decide.
func (m *rounds) needed(all bool) map[int][]Cell {
	need := map[Cell]bool{}
	open := map[int][]Cell{}
	for i, c := range m.comparisons {
		if x := m.state[i]; !x.open() || !all && m.futile(i) || m.broken[c.New.Bench] || m.broken[c.Base.Bench] {
			continue
		}
		for _, cell := range []Cell{c.Base, c.New} {
			if !need[cell] {
				need[cell] = true
				open[c.Family] = append(open[c.Family], cell)
			}
		}
	}
	return open
}

// futile reports whether what is left of the budget will hardly decide the
// i-th comparison: another look is out of reach, or promises nothing.
func (m *rounds) futile(i int) bool {
	n := m.state[i].pairs
	return m.state[i].futile || m.round > 1 && m.affordablePairs(m.comparisons[i].Family, n) <= n
}

// affordable returns those cells of a block that can be done in what is left of
// the budget: all, or those of comparisons of which both sides can.
func (m *rounds) affordable(b block) []Cell {
	left := m.left()
	cells := slices.DeleteFunc(b.cells, func(c Cell) bool { return m.broken[c.Bench] })
	if m.cost(cells) <= left {
		return cells
	}
	fits := map[Cell]bool{}
	for i, c := range m.comparisons {
		if c.Family != b.family || m.state[i].decision != stats.Open || !slices.Contains(cells, c.New) || !slices.Contains(cells, c.Base) {
			continue
		}
		var more time.Duration
		for _, cell := range []Cell{c.New, c.Base} {
			if !fits[cell] {
				more += m.expected(cell)
			}
		}
		if more <= left {
			left -= more
			fits[c.New], fits[c.Base] = true, true
		}
	}
	return slices.DeleteFunc(cells, func(c Cell) bool { return !fits[c] }) // a twin fits nowhere
}
