// Package lint runs the checks of package vet over packages and grades what they
// find by the evidence of recorded runs.
//
// It measures nothing and writes no file. Loading packages with their tests
// takes a call of go list, and compiles what they import if that is not in the
// build cache; the checks take some three seconds of processor time for 100,000 lines.
package lint

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/problem"
	"github.com/gopayoff/payoff/tool/internal/spell"
	"github.com/gopayoff/payoff/tool/vet"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// A Report is what the checks found.
type Report struct {
	Runs     []string          `json:"runs"` // folders of the recorded runs whose evidence was used
	Packages []string          `json:"packages"`
	Lines    int               `json:"lines"` // of source that was read
	Findings []Finding         `json:"findings"`
	Hidden   int               `json:"hidden"`   // hints that were not asked for
	Problems []problem.Problem `json:"problems"` // packages that were left out
	Next     string            `json:"next"`
}

// A Finding is what one check found at one place.
type Finding struct {
	Check   string `json:"check"`
	Grade   string `json:"grade"` // CONFIRMED, SUSPECTED or HINT; "" of comments that are no use
	Message string `json:"message"`
	// Evidence is a phrase, "" for hints. Lost is the share of Benchmark's lost
	// processor time at Procs that Cause takes here, Share that of its CPU time
	// spent here; 0 where the evidence is of another kind.
	Evidence  string  `json:"evidence,omitempty"`
	Benchmark string  `json:"benchmark,omitempty"`
	Procs     int     `json:"procs,omitempty"`
	Cause     string  `json:"cause,omitempty"`
	Lost      float64 `json:"lost,omitempty"`
	Share     float64 `json:"share,omitempty"`
	Region
	Func    string         `json:"func,omitempty"`
	Fixes   []Fix          `json:"fixes,omitempty"`
	Refused []edit.Refusal `json:"refused,omitempty"`
}

// A Region is a stretch of a file.
type Region struct {
	File      string `json:"file"` // absolute
	Line      int    `json:"line"`
	Column    int    `json:"column"` // in bytes, from 1
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
}

// A Fix is an edit that payoff fix would try. It says what it does and at what price.
type Fix struct {
	edit.Edit
	Values []int `json:"values,omitempty"` // of what is swept
	// Diff is the edit in the unified format, as git apply takes it; "" where it
	// needs a value or a package.
	Diff    string `json:"diff,omitempty"`
	changes []patch.Change
}

// A Confirmed is an edit that a recorded trial found to be faster.
type Confirmed struct {
	Check, File string
	Line        int
	Says        string // the gain, a phrase
}

// Options say what is told.
type Options struct {
	Only      []string  // slugs of checks; nil: all
	Heat      *heat.Map // nil without a recorded run
	Confirmed []Confirmed
	Hints     bool // tell shapes without evidence, too
}

// Checks returns the checks with these slugs, or all.
func Checks(only []string) ([]*analysis.Analyzer, error) {
	all := vet.All()
	if len(only) == 0 {
		return all, nil
	}
	var names []string
	for _, a := range all {
		names = append(names, a.Name)
	}
	for _, slug := range only {
		if !slices.Contains(names, slug) {
			if near := spell.Nearest(slug, names); len(near) > 0 {
				return nil, fmt.Errorf("no check %q: did you mean %s?", slug, strings.Join(near, " or "))
			}
			return nil, fmt.Errorf("no check %q: there are %s", slug, strings.Join(names, ", "))
		}
	}
	return slices.DeleteFunc(all, func(a *analysis.Analyzer) bool { return !slices.Contains(only, a.Name) }), nil
}

// Check runs the checks over what was loaded.
func (c *Code) Check(ctx context.Context, o Options) (*Report, error) {
	checks, err := Checks(o.Only)
	if err != nil {
		return nil, err
	}
	r := &Report{Runs: []string{}, Packages: c.Paths(), Lines: c.lines(), Findings: []Finding{}, Problems: append([]problem.Problem{}, c.problems...)}
	results, err := Run(ctx, checks, c.sound(), o.Heat, o.Hints)
	if err != nil {
		return nil, err
	}
	for _, res := range results {
		fset := res.Package.Fset
		if res.Err != nil {
			r.Problems = append(r.Problems, problem.Problem{Package: res.Package.ID, Reason: fmt.Sprintf("%s: %v", res.Check, res.Err), Next: "please report it"})
			continue
		}
		for _, f := range res.Findings {
			x := grade(fset, f, o)
			if x.Grade == shape.Hint && !f.Sure && !o.Hints {
				r.Hidden++
				continue
			}
			x.offer(fset, f.Fixes, c.root)
			r.Findings = append(r.Findings, x)
		}
		for _, d := range res.Useless {
			r.Findings = append(r.Findings, Finding{Check: res.Check, Message: d.Message, Region: region(fset, d.Pos, d.End)})
		}
	}
	slices.SortFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, strings.Compare(a.Check, b.Check), strings.Compare(a.Message, b.Message))
	})
	r.Findings = slices.CompactFunc(r.Findings, func(a, b Finding) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column && a.Check == b.Check && a.Message == b.Message
	})
	slices.SortFunc(r.Problems, func(a, b problem.Problem) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Reason, b.Reason))
	})
	return r, nil
}

// grade is a finding with what the evidence says of it.
func grade(fset *token.FileSet, f shape.Finding, o Options) Finding {
	x := Finding{Check: f.Check, Message: f.Message, Region: region(fset, f.Pos, f.End)}
	if f.Func != nil {
		x.Func = f.Func.Name.Name
	}
	x.Grade, x.Evidence = f.Grade(fset, o.Heat)
	if e := f.Evidence(fset, o.Heat); x.Grade == shape.Suspected && f.Seen == "" {
		x.Benchmark, x.Procs, x.Cause, x.Lost, x.Share = e.Bench, e.Procs, e.Cause, e.Lost, e.Share
	}
	for _, p := range o.Confirmed {
		if p.Check == x.Check && p.File == x.File && p.Line == x.Line {
			x.Grade, x.Evidence = shape.Confirmed, p.Says
		}
	}
	for _, no := range f.Refused {
		x.Refused = append(x.Refused, no.At(fset))
	}
	return x
}

func region(fset *token.FileSet, pos, end token.Pos) Region {
	from := fset.PositionFor(pos, false)
	to := from
	if end.IsValid() {
		to = fset.PositionFor(end, false)
	}
	return Region{from.Filename, from.Line, from.Column, to.Line, to.Column}
}
