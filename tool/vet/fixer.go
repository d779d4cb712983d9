package vet

import (
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// Fixer returns what a fix tool, like go fix -fixtool, is made of. That makes the
// first edit of each finding, of all checks at once, and nothing at all where two of
// them meet. So a finding has one edit here, the first that meets none before it,
// or none: the next go fix can make that. The checks of which chosen reports true
// take turns in the order of [All]; the others must not run.
func Fixer(chosen func(name string) bool) []*analysis.Analyzer {
	var taken []analysis.TextEdit // each check waits for the one before
	offer := func(pass *analysis.Pass, d *analysis.Diagnostic) {
		fixes := d.SuggestedFixes
		d.SuggestedFixes = nil
		for _, x := range fixes {
			if !rewrite.Clash(pass.Files, taken, x.TextEdits) {
				d.SuggestedFixes = []analysis.SuggestedFix{x}
				taken = append(taken, x.TextEdits...)
				return
			}
		}
	}
	all := All()
	var before *analysis.Analyzer
	for i, a := range all {
		if !chosen(a.Name) {
			continue
		}
		b := *a
		if before != nil {
			b.Requires = append(slices.Clip(a.Requires), before)
		}
		b.Run = func(pass *analysis.Pass) (any, error) {
			p := *pass
			p.Report = func(d analysis.Diagnostic) {
				offer(pass, &d)
				pass.Report(d)
			}
			return a.Run(&p)
		}
		all[i], before = &b, &b
	}
	return append(all, heat.Analyzer)
}
