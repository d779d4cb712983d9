package lint

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/program"
	"github.com/gopayoff/payoff/tool/vet"
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
// of what was measured no mistake of a check may take anything away. Some checks see
// a package also together with what it imports of its module. Run returns
// early where ctx ends; the checks then run to their end unseen.
func Run(ctx context.Context, checks []*analysis.Analyzer, pkgs []*packages.Package, m *heat.Map, hints bool) (all []Result, err error) {
	type result struct {
		*checker.Graph
		error
	}
	var own, across []*analysis.Analyzer
	for _, a := range checks {
		own = append(own, guarded(a))
		if vet.Across(a) {
			across = append(across, own[len(own)-1])
		}
	}
	var joint []*packages.Package
	for _, p := range pkgs {
		if q := program.Joint(p); q != nil && len(across) > 0 {
			joint = append(joint, q)
		}
	}
	back := heat.Give(m, hints)
	done := make(chan result, 1)
	go func() {
		g, err := checker.Analyze(own, pkgs, nil)
		if err == nil && len(joint) > 0 {
			var more *checker.Graph
			if more, err = checker.Analyze(across, joint, nil); err == nil {
				g.Roots = append(g.Roots, more.Roots...)
			}
		}
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
		if slices.Contains(joint, act.Package) {
			all = add(all, act)
			continue
		}
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

// add adds what a check offers where it sees several packages as one. What it offers at
// the same place for one of them alone goes before that.
func add(all []Result, act *checker.Action) []Result {
	r := Result{Check: act.Analyzer.Name, Package: act.Package, Err: act.Err}
	found, _ := act.Result.([]shape.Finding)
	for _, f := range found {
		offered := len(f.Fixes) == 0
		at := r.Package.Fset.Position(f.Pos)
		same := func(g shape.Finding) bool { return r.Package.Fset.Position(g.Pos) == at }
		for _, x := range all {
			offered = offered || x.Check == r.Check && slices.ContainsFunc(x.Findings, func(g shape.Finding) bool { return same(g) && len(g.Fixes) > 0 })
		}
		if offered {
			continue
		}
		for i := range all {
			if all[i].Check == r.Check {
				all[i].Findings = slices.DeleteFunc(all[i].Findings, same)
			}
		}
		r.Findings = append(r.Findings, f)
	}
	return append(all, r)
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
