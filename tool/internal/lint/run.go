package lint

import (
	"context"
	"fmt"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// A Result is what one check found in one package.
type Result struct {
	Check    string
	Package  *packages.Package
	Findings []shape.Finding
	Useless  []analysis.Diagnostic // comments that ignore nothing
	Err      error                 // the rest is empty then
}

// Run runs checks over packages, with the evidence of a run, or nil, and reports
// shapes without evidence if hints are asked for. A check that panics has an error:
// of what was measured no mistake of a check may take anything away. Run returns
// early where ctx ends; the checks then run to their end unseen.
func Run(ctx context.Context, checks []*analysis.Analyzer, pkgs []*packages.Package, m *heat.Map, hints bool) (all []Result, err error) {
	type result struct {
		*checker.Graph
		error
	}
	own := make([]*analysis.Analyzer, len(checks))
	for i, a := range checks {
		own[i] = guarded(a)
	}
	back := heat.Give(m, hints)
	done := make(chan result, 1)
	go func() {
		g, err := checker.Analyze(own, pkgs, nil)
		back()
		done <- result{g, err}
	}()
	var of result
	select {
	case of = <-done:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if of.error != nil {
		return nil, of.error
	}
	for _, act := range of.Roots {
		r := Result{Check: act.Analyzer.Name, Package: act.Package, Err: act.Err}
		if act.Err == nil {
			r.Findings, _ = act.Result.([]shape.Finding)
			for _, d := range act.Diagnostics {
				if d.Category == "ignore" {
					r.Useless = append(r.Useless, d)
				}
			}
		}
		all = append(all, r)
	}
	return all, nil
}

// guarded is a check whose panics are errors.
func guarded(a *analysis.Analyzer) *analysis.Analyzer {
	b := *a
	b.Run = func(pass *analysis.Pass) (result any, err error) {
		defer func() {
			if p := recover(); p != nil {
				result, err = nil, fmt.Errorf("the check panics: %v", p)
			}
		}()
		return a.Run(pass)
	}
	return &b
}
