package prescribe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/vet/heat"
)

const (
	fairlyLost = 0.1 // of what a benchmark loses: less is no place to ask about
	mostPlaces = 3   // without a finding that are told of
)

// unedited says of the lines that cost most and have no finding what was
// considered there: where nothing can be offered, that is the answer.
func (c *chemist) unedited() {
	type line struct {
		source.Place
		heat.Evidence
	}
	var lines []line
	for _, b := range c.heat.Benches {
		for _, l := range b.Lines {
			x := line{source.Place{File: l.File, Line: l.Line}, heat.Evidence{Bench: b.Name, Procs: b.Procs, Share: l.Share}}
			for slug, share := range l.Causes {
				if share > x.Lost || share == x.Lost && slug < x.Cause {
					x.Cause, x.Lost = slug, share
				}
			}
			if x.Lost < fairlyLost {
				x.Cause, x.Lost = "", 0
			}
			if (x.Lost > 0 || x.Share >= fairlyHot) && !c.found(x.Place) {
				lines = append(lines, x)
			}
		}
	}
	slices.SortStableFunc(lines, func(x, y line) int {
		return cmp.Or(cmp.Compare(y.Lost, x.Lost), cmp.Compare(y.Evidence.Share, x.Evidence.Share), x.Compare(y.Place), cmp.Compare(x.Bench, y.Bench))
	})
	told := map[source.Place]bool{}
	for _, x := range lines {
		if len(told) == mostPlaces || told[x.Place] {
			continue
		}
		told[x.Place] = true
		c.p.Left = append(c.p.Left, fmt.Sprintf("no edit for %s (%s): %s", x.Short(), x.Evidence, c.considered(x.Place)))
	}
	if len(told) > 0 || len(c.p.Findings) > 0 {
		return
	}
	for _, f := range worst(c.Findings)[:1] {
		why := "nothing explains it"
		if len(f.Causes) > 0 {
			var slugs []string
			for _, x := range f.Causes {
				slugs = append(slugs, x.Slug)
			}
			why = strings.Join(slugs, ", ")
		}
		c.p.Left = append(c.p.Left, fmt.Sprintf("no edit for %s: what it loses at GOMAXPROCS=%d is placed at no line (%s)", f.Verdict.New.Bench, f.Verdict.New.Procs, why))
	}
}

// found reports whether a finding is about a line.
func (c *chemist) found(at source.Place) bool {
	for i, f := range c.p.Findings {
		if f.OnLine(at) || c.sites[i] != nil && c.sites[i].has(at) {
			return true
		}
	}
	return false
}

// has reports whether a line is one of those whose evidence decides about a site.
func (s *site) has(at source.Place) bool {
	return slices.ContainsFunc(s.Stretches(s.pkg.Fset), func(x heat.Stretch) bool {
		return x.File == at.File && x.From <= at.Line && at.Line <= x.To
	})
}

// considered says what was looked for at a line without a finding.
func (c *chemist) considered(at source.Place) string {
	q, _ := c.prog.Find(at.File)
	if err := program.Editable(q); err != nil {
		return err.Error()
	}
	var said []string
	for _, s := range c.all {
		if !s.has(at) {
			continue
		}
		why := "the evidence names none of the causes that it cures: " + strings.Join(s.Causes, ", ")
		if f, ok := c.finding(s); ok && !c.wanted(f) {
			why = "-only leaves it out"
		}
		for _, r := range s.Refused {
			why += fmt.Sprintf(", and it refuses %s: %s", r.Name, r.Why)
		}
		if x := fmt.Sprintf("%s is about it, and %s", s.Check, why); !slices.Contains(said, x) {
			said = append(said, x)
		}
	}
	if len(said) == 0 {
		return "no check finds a form there that it can change"
	}
	return strings.Join(said, "; ")
}
