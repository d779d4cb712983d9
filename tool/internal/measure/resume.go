package measure

import (
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gopayoff/payoff/tool/internal/stats"
)

// resume takes up a Series that has samples already: where they were taken the
// rounds go on, as if they had not ended. The numbers of operations are those
// of the last samples, since what they were chosen from is not recorded. What
// broke stays out.
func (m *rounds) resume() {
	for _, p := range m.s.Problems {
		if !p.Note && p.Benchmark != "" {
			m.broken[p.Benchmark] = true
		}
	}
	var lengths []float64 // of samples that could be as long as they should
	for f := range m.families {
		x := &m.families[f]
		var seen []int32
		for _, c := range x.cells {
			if samples := m.s.Samples[c]; len(samples) > 0 {
				last := samples[len(samples)-1]
				m.had[c] = last.N
				m.took[c] = max(last.took(), time.Duration(float64(last.Whole)*float64(last.N)))
				m.whole[c] = float64(last.Whole)
				if last.N > 1 {
					lengths = append(lengths, float64(last.took()))
				}
				if _, ok := m.guess[c.Bench]; !ok {
					m.guess[c.Bench] = Listed{Name: c.Bench, PerOp: last.Wall}
				}
			}
			for _, twin := range []bool{false, true} {
				c.Twin = twin
				for _, s := range slices.Concat(m.s.Samples[c], m.s.Spoiled[c]) {
					seen = append(seen, s.Round)
					x.cost += s.took()
					m.samples++
				}
			}
		}
		slices.Sort(seen)
		x.rounds = len(slices.Compact(seen))
		m.before += x.cost
		if n := len(seen); n > 0 {
			m.round = max(m.round, seen[x.rounds-1]+1)
		}
	}
	if m.round == 0 {
		return // nothing was measured yet
	}
	// What processes took beside their timed regions is known of a run that could
	// write its end.
	if all := time.Duration(m.s.Cost.Samples); all > m.before {
		for f := range m.families {
			x := &m.families[f]
			x.cost = time.Duration(float64(x.cost) * float64(all) / float64(m.before))
		}
		m.before = all
	}
	m.settled = max(settled, m.round+settled) // of cells that have no samples yet
	if len(lengths) > 0 {
		m.o.Sample = time.Duration(stats.Median(lengths))
	}
	// Not the order of the rounds that were.
	m.rng = rand.New(rand.NewPCG(m.o.Seed, uint64(m.round)))
	m.calibrate()
	for i, c := range m.comparisons {
		x := &m.state[i]
		pairs := m.s.Pairs(c)
		x.pairs = len(pairs.Logs)
		n := x.pairs
		for n > 0 && !m.o.Rule.At(n) {
			n--
		}
		if n > 0 {
			x.estimate, x.looked = m.o.Rule.Surest(pairs.First(n), m.o.Bounds), true
		}
	}
	m.decide()
}

// took is how long the timed region of the sample was.
func (s Sample) took() time.Duration { return time.Duration(s.Wall * float64(s.N)) }
