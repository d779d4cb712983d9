package shapetest_test

import (
	"go/ast"
	"go/types"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

// ints finds calls of sort.Ints.
var ints = shape.Analyzer("ints", "find sort.Ints", func(pass *analysis.Pass) (all []shape.Finding, err error) {
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				sel, ok := call.Fun.(*ast.SelectorExpr)
				if !ok {
					return true
				}
				if o, ok := pass.TypesInfo.Uses[sel.Sel].(*types.Func); !ok || o.FullName() != "sort.Ints" {
					return true
				}
				name, edits := rewrite.Import(pass.Pkg, file, "slices", call.Pos())
				f := shape.Finding{
					Pos: call.Pos(), End: call.End(), Message: "sorts through an interface", Func: fn,
					Causes: []string{"interfacesort"}, Hot: []shape.Range{shape.Of(call)},
					Fixes: []shape.Fix{{Name: "typed", Says: "sort with package slices", Edits: append(edits, rewrite.Replace(call.Fun, name+".Sort"))}},
				}
				if fn.Name.Name == "twice" {
					f.Refused = []shape.Refusal{{Name: "other", Why: "nobody wants it"}}
				}
				all = append(all, f)
				return true
			})
		}
	}
	return all, nil
})

func TestRun(t *testing.T) {
	shapetest.Run(t, ints, "testdata/src/ints")
}

// Without evidence nothing is reported; with it, what it supports.
func TestReport(t *testing.T) {
	cfg := &packages.Config{Mode: packages.LoadSyntax}
	pkgs, err := packages.Load(cfg, "./testdata/src/ints")
	if err != nil {
		t.Fatal(err)
	}
	file, err := filepath.Abs("testdata/src/ints/ints.go")
	if err != nil {
		t.Fatal(err)
	}
	run := filepath.Join(t.TempDir(), "heat.json")
	m := &heat.Map{Run: "run", Benches: []heat.Bench{{Name: "BenchmarkSort", Procs: 2, Lines: []heat.Line{
		{File: file, Line: 16, Share: 0.5, Causes: map[string]float64{"interfacesort": 0.4}},
	}}}}
	if err := m.Write(run); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		flags map[string]string
		want  []string
	}{
		{nil, nil},
		{map[string]string{"hints": "true"}, []string{"sorts through an interface [HINT]", "sorts through an interface [HINT]"}},
		{map[string]string{"run": run}, []string{"sorts through an interface [SUSPECTED: 40 % of what BenchmarkSort loses at GOMAXPROCS=2: interfacesort]"}},
	} {
		for k, v := range tt.flags {
			if err := heat.Analyzer.Flags.Set(k, v); err != nil {
				t.Fatal(err)
			}
		}
		graph, err := checker.Analyze([]*analysis.Analyzer{ints}, pkgs, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range graph.Roots[0].Diagnostics {
			got = append(got, d.Message)
			if len(d.SuggestedFixes) != 1 {
				t.Errorf("%q has %d edits, want one", d.Message, len(d.SuggestedFixes))
			}
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("with %v: %q, want %q", tt.flags, got, tt.want)
		}
		heat.Analyzer.Flags.Set("run", "")
		heat.Analyzer.Flags.Set("hints", "false")
	}
}
