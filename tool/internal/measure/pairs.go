package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/contest"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// Pairs returns the pairs of a comparison: of each round the first attempt that
// was kept on both sides. Their order is that of the rounds.
func (s *Series) Pairs(c Comparison) stats.Pairs {
	return s.read(c, s.kept, true)
}

// AllPairs returns the pairs of every attempt, disturbed ones too: what a
// verdict must not contradict.
func (s *Series) AllPairs(c Comparison) stats.Pairs {
	return s.read(c, s.all, false)
}

func (s *Series) read(c Comparison, of func(Cell) []Sample, once bool) stats.Pairs {
	p := s.pairs(c, wall, of, once)
	p.Control, p.ControlRounds = s.control(c)
	p.Others = s.others(c)
	return p
}

// LogRatios returns log(base wall / new wall) of [Series.Pairs]: above 0 where
// New is faster.
func (s *Series) LogRatios(c Comparison) []float64 { return s.PairLogs(c, wall) }

// PairLogs is LogRatios for any figure of a sample. Pairs in which the figure
// is not positive on both sides are left out.
func (s *Series) PairLogs(c Comparison, figure func(Sample) float64) []float64 {
	return s.pairs(c, figure, s.kept, true).Logs
}

func wall(x Sample) float64 { return x.Wall }

func (s *Series) kept(c Cell) []Sample { return s.Samples[c] }

// all returns every sample of a cell. Older records do not number attempts:
// of theirs the first counts, which is the one that was dropped.
func (s *Series) all(c Cell) []Sample {
	out := slices.Concat(s.Spoiled[c], s.Samples[c])
	slices.SortStableFunc(out, func(a, b Sample) int { return cmp.Or(cmp.Compare(a.Round, b.Round), cmp.Compare(a.Attempt, b.Attempt)) })
	return slices.CompactFunc(out, func(a, b Sample) bool { return a.Round == b.Round && a.Attempt == b.Attempt })
}

func (s *Series) pairs(c Comparison, figure func(Sample) float64, of func(Cell) []Sample, once bool) stats.Pairs {
	var p stats.Pairs
	if c.Kind == Control {
		for cell := range s.Samples {
			if cell.Twin {
				continue
			}
			twin := cell
			twin.Twin = true
			p = appendPairs(p, of(cell), of(twin), figure, once)
		}
		slices.Sort(p.Logs)            // map order must not decide anything
		p.Layouts, p.Rounds = nil, nil // the two sides have different layouts
		return p
	}
	p.Alike = c.Kind == Scaling
	return appendPairs(p, of(c.Base), of(c.New), figure, once)
}

// appendPairs adds the pairs of two sides by a figure of their samples.
func appendPairs(p stats.Pairs, as, bs []Sample, figure func(Sample) float64, once bool) stats.Pairs {
	return contest.Append(p, as, bs, func(x *Sample) contest.Taken {
		return contest.Taken{Round: x.Round, Attempt: x.Attempt, Layout: x.Layout, Figure: figure(*x)}
	}, once)
}

const (
	controlSamples = 10 // the first ones of a cell serve as its control
	controlPairs   = 64 // are enough for any number of comparisons
)

// control returns log ratios of code with itself for the early looks at c, and
// the rounds of their later sides: of twins, and of a cell's samples in one
// round and the next. They come from the first samples of cells at the processor
// counts of c, of its own family and then of those after it.
func (s *Series) control(c Comparison) (logs []float64, rounds []int32) {
	if c.Kind == Control {
		return nil, nil
	}
	procs := []int{c.New.Procs}
	if c.Base.Procs != c.New.Procs {
		procs = append(procs, c.Base.Procs)
	}
	var p stats.Pairs
	for i := range s.Families {
		for _, m := range s.Families[(c.Family+i)%len(s.Families)].Members {
			for _, n := range procs {
				cell := Cell{Bench: m.Bench, Procs: n}
				samples := s.Samples[cell]
				samples = samples[:min(len(samples), controlSamples)]
				for i := 1; i < len(samples); i += 2 {
					if a, b := samples[i-1], samples[i]; a.Round < b.Round {
						p.Logs, p.Rounds = append(p.Logs, math.Log(b.Wall/a.Wall)), append(p.Rounds, b.Round)
					}
				}
				cell.Twin = true
				p = appendPairs(p, samples, s.Samples[cell], wall, true)
			}
		}
		if len(p.Logs) >= controlPairs {
			break
		}
	}
	return p.Logs, p.Rounds
}

const (
	othersMost  = 24 // comparisons say enough about the scatter of pairs
	othersPairs = 9  // the first ones of each, so that a look which is read again finds the same
)

// others is how far apart the pairs of other comparisons lie: of those at the
// processor count of c, its own family first and then those after it, and then of
// those at other counts.
func (s *Series) others(c Comparison) stats.Scatter {
	if c.Kind == Control {
		return stats.Scatter{}
	}
	all := Comparisons(s.Families, s.Procs)
	far := func(o Comparison) int {
		n := (o.Family - c.Family + len(s.Families)) % len(s.Families)
		if o.New.Procs != c.New.Procs {
			n += len(s.Families)
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b Comparison) int { return cmp.Compare(far(a), far(b)) })
	first := func(c Cell) []Sample { return s.Samples[c][:min(len(s.Samples[c]), 2*othersPairs)] }
	var logs [][]float64
	for _, o := range all {
		if o == c || o.Base == o.New {
			continue
		}
		if x := s.pairs(o, wall, first, true).Logs; len(x) >= 3 {
			if logs = append(logs, x[:min(len(x), othersPairs)]); len(logs) == othersMost {
				break
			}
		}
	}
	return stats.Scattered(logs)
}
