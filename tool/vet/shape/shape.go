// Package shape is what the checks of package vet share: what they find, and
// how that is told.
//
// A shape alone is no reason to speak. A check returns all it finds, with the
// lines whose evidence decides and the edits to try. The analyzer made of it
// reports what a recorded run supports (package heat), and payoff fix tries
// the edits. A check costs what its find does, some milliseconds for 10,000
// lines.
package shape

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/unbuilt"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Finding is a shape in the source that can cost what Message says. It has
// the lines whose evidence decides whether it does, and the edits to try.
type Finding struct {
	Check    string // slug of the check
	Pos, End token.Pos
	Message  string        // one line: what is there and what it costs; no full stop
	Func     *ast.FuncDecl // the declaration it is in: edits of one function are tried together; nil if in none
	Causes   []string      // slugs of the catalogue: evidence has to name one of them
	Hot      []Range       // where: the loop, the function, all accessors of a field
	Shared   []Range       // where else, for benchmarks that were seen to come to Hot: functions that it calls, and others may
	Above    []Range       // that count for what is lost in what they call
	Sure     bool          // worth telling without evidence
	Common   bool          // as often right as wrong, evidence or not: a hint until an edit is measured
	Seen     string        // evidence that the check itself has, a phrase; "" for none
	Fixes    []Fix         // alternatives, none of them trusted
	Refused  []Refusal     // edits that were considered
}

// A Range is a stretch of a file.
type Range struct{ Pos, End token.Pos }

// Of is the range of a node.
func Of(n ast.Node) Range { return Range{n.Pos(), n.End()} }

// All are the ranges of nodes.
func All[N ast.Node](nodes []N) (out []Range) {
	for _, n := range nodes {
		out = append(out, Of(n))
	}
	return out
}

// A Fix is an edit that computes what the code did before and may be faster.
// That it is has to be measured. [Memory] makes a Dearer of memory; Slower are the
// functions that take longer, and Edits the texts.
type Fix = edit.Edit

// Offer enters an edit into a finding or, where there is a reason, that it is refused.
func (f *Finding) Offer(x Fix, why string, at token.Pos) {
	if why == "" {
		f.Fixes = append(f.Fixes, x)
	} else {
		f.Refused = append(f.Refused, Refusal{Name: x.Name, Why: why, Pos: at})
	}
}

// Memory says what takes more memory, and how much; "" if that is "".
func Memory(what, much string) string {
	if much == "" {
		return ""
	}
	return what + " takes more memory: " + much
}

// A Refusal says why the check does not offer an edit that it considered; Pos is
// that of the reason.
type Refusal = edit.Refusal

// No refuses an edit because of what is at n. The name of the edit is for the caller.
func No(n ast.Node, why string) *Refusal { return &Refusal{Why: why, Pos: n.Pos()} }

// Analyzer makes the analyzer of a check. Its result is all that find returns,
// []Finding, but for what lies in generated files, in files that use cgo and
// under a //payoff:ignore comment. It reports those of them that are Sure or
// that there is evidence for, of package heat or [Finding.Seen], or all with
// -heat.hints.
//
// doc is the documentation: its first line a summary. find may be called for
// several packages at once. What find's edits leave unused of the imports goes;
// those that would break a file that the pass does not see become refusals.
func Analyzer(slug, doc string, find func(*analysis.Pass) ([]Finding, error), requires ...*analysis.Analyzer) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: slug, Doc: doc,
		Requires:   append([]*analysis.Analyzer{flow.Analyzer, heat.Analyzer, unbuilt.Analyzer}, requires...),
		ResultType: reflect.TypeFor[[]Finding](),
		Run: func(pass *analysis.Pass) (any, error) {
			all, err := find(pass)
			if err != nil {
				return nil, err
			}
			ignored := ignores(pass, slug)
			kept := []Finding{}
			for _, f := range all {
				file := rewrite.File(pass, f.Pos)
				if file == nil || ast.IsGenerated(file) || imported(file, "", `"C"`) != nil || ignored.has(pass.Fset, f.Pos) {
					continue
				}
				f.Check = slug
				for i := range f.Fixes {
					if f.Fixes[i].Edits, err = rewrite.Complete(pass, f.Fixes[i].Edits); err != nil {
						return nil, fmt.Errorf("%s at %v: edit %s: %w", slug, pass.Fset.Position(f.Pos), f.Fixes[i].Name, err)
					}
				}
				if slug != "benchvet" {
					f.leave(pass)
				}
				if err := f.hold(pass); err != nil {
					return nil, fmt.Errorf("%s at %v: %w", slug, pass.Fset.Position(f.Pos), err)
				}
				kept = append(kept, f)
			}
			given := pass.ResultOf[heat.Analyzer].(heat.Given)
			for _, f := range kept {
				f.report(pass, given)
			}
			ignored.report(pass)
			return kept, nil
		},
	}
}

// leave makes refusals of the fixes of a test or a benchmark, which is there to do what
// it does.
func (f *Finding) leave(pass *analysis.Pass) {
	if f.Func == nil || !strings.HasSuffix(pass.Fset.Position(f.Pos).Filename, "_test.go") {
		return
	}
	fn, ok := pass.TypesInfo.Defs[f.Func.Name].(*types.Func)
	if !ok || !slices.ContainsFunc(slices.Collect(fn.Signature().Params().Variables()), func(v *types.Var) bool {
		n := uses.Named(v.Type())
		return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "testing"
	}) {
		return
	}
	for _, x := range f.Fixes {
		if !slices.ContainsFunc(f.Refused, func(r Refusal) bool { return r.Name == x.Name }) {
			f.Refused = append(f.Refused, Refusal{Name: x.Name, Why: "a test is to call what it tests", Pos: f.Func.Name.Pos()})
		}
	}
	f.Fixes = nil
}

// hold makes refusals of the fixes that would break files that the pass does
// not see, and of those in files that use names of other packages without naming
// these: it cannot be told when such an import has to go.
func (f *Finding) hold(pass *analysis.Pass) error {
	left := pass.ResultOf[unbuilt.Analyzer].(*unbuilt.Files)
	var fixes []Fix
	for _, x := range f.Fixes {
		why := ""
		for _, file := range pass.Files {
			own := rewrite.Within(file, x.Edits)
			if len(own) == 0 || why != "" {
				continue
			}
			if s := imported(file, ".", ""); s != nil {
				why = "names of " + s.Path.Value + " stand without its name"
			}
			if why != "" || !left.Any() {
				continue
			}
			src, err := pass.ReadFile(pass.Fset.PositionFor(file.FileStart, false).Filename)
			if err != nil {
				return err
			}
			after, err := rewrite.Parse(pass.Fset.File(file.FileStart), src, own)
			if err != nil {
				return fmt.Errorf("edit %s: %w", x.Name, err)
			}
			why = left.Breaks(file, after)
		}
		if why == "" {
			fixes = append(fixes, x)
		} else if !slices.ContainsFunc(f.Refused, func(r Refusal) bool { return r.Name == x.Name }) {
			f.Refused = append(f.Refused, Refusal{Name: x.Name, Why: why, Pos: f.Pos})
		}
	}
	f.Fixes = fixes
	return nil
}

// Grades of what is told.
const (
	Confirmed = "CONFIRMED" // an edit was measured to be faster
	Suspected = "SUSPECTED" // evidence points here
	Hint      = "HINT"      // the shape alone
)

// Evidence is what a map says of the finding.
func (f *Finding) Evidence(fset *token.FileSet, m *heat.Map) heat.Evidence {
	return m.In(f.Causes, f.Stretches(fset)...)
}

// Stretches are the lines of Hot, Above and Shared.
func (f *Finding) Stretches(fset *token.FileSet) (out []heat.Stretch) {
	for i, ranges := range [][]Range{f.Hot, f.Above, f.Shared} {
		for _, r := range ranges {
			s := heat.StretchOf(fset, r.Pos, r.End)
			s.Above, s.Shared = i == 1, i == 2
			out = append(out, s)
		}
	}
	return out
}

// Grade is how sure a finding is by a map, and the evidence in a phrase.
func (f *Finding) Grade(fset *token.FileSet, m *heat.Map) (grade, evidence string) {
	switch e := f.Evidence(fset, m); {
	case f.Common:
	case f.Seen != "":
		return Suspected, f.Seen
	case e.Hot():
		return Suspected, e.String()
	}
	return Hint, ""
}

func (f *Finding) report(pass *analysis.Pass, given heat.Given) {
	grade, evidence := f.Grade(pass.Fset, given.Map)
	switch {
	case grade == Suspected:
		grade += ": " + evidence
	case !f.Sure && !given.Hints:
		return
	}
	d := analysis.Diagnostic{Pos: f.Pos, End: f.End, Category: f.Check, Message: f.Message + " [" + grade + "]"}
	for _, x := range f.Fixes {
		if x.Alone() {
			d.SuggestedFixes = append(d.SuggestedFixes, analysis.SuggestedFix{Message: x.Message(), TextEdits: x.Edits})
		}
	}
	pass.Report(d)
}

// imported is an import of a file by that name, or of that path; nil if it has none.
func imported(f *ast.File, name, path string) *ast.ImportSpec {
	for _, s := range f.Imports {
		if s.Name != nil && s.Name.Name == name || s.Path.Value == path {
			return s
		}
	}
	return nil
}
