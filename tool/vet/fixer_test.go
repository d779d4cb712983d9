package vet_test

import (
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/vet"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// A fix tool gets one edit of a finding at most, and no two that meet; the checks as
// they are have such.
func TestFixer(t *testing.T) {
	defer heat.Give(nil, true)()
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax | packages.NeedModule}, "./rwtiny/testdata/src/a", "./shardpad/testdata/src/a")
	if err != nil {
		t.Fatal(err)
	}
	every := func(string) bool { return true }
	for _, tt := range []struct {
		name   string
		checks func() []*analysis.Analyzer
		meet   bool
	}{
		{"vet tool", vet.Tool, true},
		{"fix tool", func() []*analysis.Analyzer { return vet.Fixer(every) }, false},
	} {
		meet, edits, several := 0, 0, 0
		for _, pkg := range pkgs {
			graph, err := checker.Analyze(tt.checks(), []*packages.Package{pkg}, nil)
			if err != nil {
				t.Fatal(err)
			}
			var taken []analysis.TextEdit
			for _, act := range graph.Roots {
				if act.Err != nil {
					t.Errorf("%s: %s: %v", tt.name, act.Analyzer.Name, act.Err)
				}
				for _, d := range act.Diagnostics {
					if len(d.SuggestedFixes) > 1 {
						several++
					}
					for _, x := range d.SuggestedFixes[:min(1, len(d.SuggestedFixes))] {
						edits++
						if rewrite.Overlap(taken, x.TextEdits) {
							meet++
							continue
						}
						taken = append(taken, x.TextEdits...)
					}
				}
			}
		}
		if edits == 0 || (meet > 0) != tt.meet || several > 0 != tt.meet {
			t.Errorf("%s: of %d edits %d meet others, %d findings have several edits, want such %t", tt.name, edits, meet, several, tt.meet)
		}
	}
}
