package verify

import (
	"cmp"
	"math"
	"slices"

	"github.com/gopayoff/payoff/tool/internal/discover"
	"github.com/gopayoff/payoff/tool/internal/judge"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/stats"
)

// An Answer compares a cell with the change to another one.
type Answer struct {
	measure.Cell
	Base    measure.Cell // of the untouched code, unless Changed
	Changed bool         // the other one has the change as well
	Word    judge.Word
	stats.Estimate
	AdjustedP      float64
	Wall, BaseWall float64 // ns per operation, medians
}

// family returns the index of the family of a benchmark, -1 if it has none.
func (r *Record) family(bench string) int {
	return slices.IndexFunc(r.Families, func(f discover.Family) bool {
		return slices.ContainsFunc(f.Members, func(m discover.Member) bool { return m.Bench == bench })
	})
}

// base is the benchmark that a family is compared with, "" without one.
func (r *Record) base(family int) string {
	if family < 0 || r.Families[family].Base < 0 {
		return ""
	}
	f := r.Families[family]
	return f.Members[f.Base].Bench
}

// asks are the sides that a cell with a change is compared with, besides the
// same cell without it: the base of its family, untouched and with the change,
// then variants; without a base the same benchmark on one processor.
func (r *Record) asks(t *Trial, c measure.Cell) (all []side) {
	f := r.family(c.Bench)
	switch base := r.base(f); {
	case base == c.Bench:
	case base != "":
		serial := measure.Cell{Bench: base, Procs: c.Procs}
		all = append(all, side{"", serial}, side{t.ID, serial})
		for _, m := range r.Families[f].Members {
			other := measure.Cell{Bench: m.Bench, Procs: c.Procs}
			if m.Bench != base && slices.Contains(r.Others, m.Bench) && !slices.Contains(t.Cells, other) {
				all = append(all, side{"", other})
			}
		}
	default:
		if one := (measure.Cell{Bench: c.Bench, Procs: 1}); c.Procs > 1 && slices.Contains(t.Cells, one) {
			all = append(all, side{t.ID, one})
		}
	}
	return all
}

// others are the fastest variants of the families of the candidates, by what the
// run before measured, but those that every candidate is to speed up.
func others(s *measure.Series, candidates []Candidate) (all []string) {
	wall := func(bench string) float64 {
		best := math.Inf(1)
		for _, procs := range s.Procs {
			var walls []float64
			for _, x := range s.Samples[measure.Cell{Bench: bench, Procs: procs}] {
				walls = append(walls, x.Wall)
			}
			if m := stats.Median(walls); m < best {
				best = m
			}
		}
		return best
	}
	for _, f := range s.Families {
		if f.Base < 0 {
			continue
		}
		var names []string
		tried := false
		for i, m := range f.Members {
			n := 0
			for _, c := range candidates {
				if slices.ContainsFunc(c.Cells, func(x measure.Cell) bool { return x.Bench == m.Bench }) {
					n++
				}
			}
			tried = tried || n > 0
			if i != f.Base && n < len(candidates) {
				names = append(names, m.Bench)
			}
		}
		if !tried {
			continue
		}
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(wall(a), wall(b)) })
		all = append(all, names[:min(len(names), mostOthers)]...)
	}
	return all
}

// answer compares what was proven with the bases and variants of its families.
// The correction for many is that of a run's verdicts.
func (r *Record) answer(all []Proof) {
	var p []float64
	var answers []*Answer
	for i := range all {
		x := &all[i]
		if !x.Fresh {
			continue
		}
		t, phase := r.trial(x.Candidate), Confirming
		if t == r.Together {
			phase = Combining
		}
		for _, c := range t.Cells {
			base := r.base(r.family(c.Bench))
			for _, q := range r.asks(t, c) {
				a := Answer{Cell: c, Base: q.cell, Changed: q.arm != "", Estimate: fixed(r.Rule, r.pairs(phase, q, side{t.ID, c}, false)),
					Wall: r.wall(phase, side{t.ID, c}), BaseWall: r.wall(phase, q)}
				last := len(x.After) - 1
				switch {
				case a.Pairs == 0:
				case base != "" && q.cell.Bench != base:
					x.Others = append(x.Others, a)
				case last < 0 || x.After[last].Cell != c:
					x.After = append(x.After, a)
				case a.BaseWall < x.After[last].BaseWall/(1+r.Bounds.Margin):
					x.After[last] = a // the change made the base faster: that is the best serial time
				}
			}
		}
		for _, list := range [][]Answer{x.After, x.Others} {
			for k := range list {
				answers = append(answers, &list[k])
				p = append(p, list[k].P)
			}
		}
	}
	for i, adjusted := range stats.Adjust(p) {
		a := answers[i]
		a.AdjustedP = adjusted
		switch r.Bounds.Decide(a.Estimate, adjusted, r.Rule.Error()) {
		case stats.Faster:
			a.Word = judge.Pays
		case stats.Slower:
			a.Word = judge.Loses
		case stats.Same:
			a.Word = judge.Even
		default:
			a.Word = judge.CannotSay
		}
	}
}
