package measure

import "time"

// likely is the chance of a decision from which on time is well spent.
const likely = 0.5

// needs returns the budget that would probably have decided what is open, by
// what rounds took and by the looks that promise it. Comparisons that no look
// promises to decide do not count: time is not what they lack. It is 0 if that
// leaves none.
func (m *rounds) needs() time.Duration {
	rounds := make([]int, len(m.families))
	for i, c := range m.comparisons {
		if m.state[i].open() && !m.broken[c.New.Bench] && !m.broken[c.Base.Bench] {
			rounds[c.Family] = max(rounds[c.Family], m.missing(i))
		}
	}
	var more time.Duration
	for f, n := range rounds {
		more += time.Duration(n) * m.each(f)
	}
	if more == 0 {
		return 0
	}
	return m.o.Budget - m.left() + more
}

// missing is how many pairs the i-th comparison is short of the first look that
// will probably decide it; 0 if there is none.
func (m *rounds) missing(i int) int {
	pairs := m.s.Pairs(m.comparisons[i])
	n := len(pairs.Logs)
	if first := m.o.Rule.Looks[0]; n < first {
		return first - n
	}
	e := m.o.Rule.Read(pairs)
	for _, look := range m.o.Rule.Looks {
		if look > n && m.o.Rule.Chance(e, look, m.layouts.most(m), m.o.Bounds) >= likely {
			return look - n
		}
	}
	return 0
}
