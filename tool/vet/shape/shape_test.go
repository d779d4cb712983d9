package shape

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/unbuilt"
)

// checked is what an analyzer made by Analyzer says of a file.
func checked(t *testing.T, src string, given heat.Given, find func(*analysis.Pass) ([]Finding, error)) (kept []Finding, said []string, err error) {
	t.Helper()
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "/src/p.go", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Scopes: map[ast.Node]*types.Scope{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil), Error: func(error) {}}
	pkg, _ := conf.Check("p", fset, []*ast.File{f}, info)
	a := Analyzer("slow", "find what is slow", find)
	pass := &analysis.Pass{
		Analyzer: a, Fset: fset, Files: []*ast.File{f}, Pkg: pkg, TypesInfo: info,
		ReadFile: func(string) ([]byte, error) { return []byte(src), nil },
		ResultOf: map[*analysis.Analyzer]any{heat.Analyzer: given, unbuilt.Analyzer: &unbuilt.Files{}},
		Report: func(d analysis.Diagnostic) {
			s := fmt.Sprintf("%d %s: %s", fset.PositionFor(d.Pos, false).Line, d.Category, d.Message)
			for _, x := range d.SuggestedFixes {
				s += "; " + x.Message
			}
			said = append(said, s)
		},
	}
	got, err := a.Run(pass)
	kept, _ = got.([]Finding)
	return kept, said, err
}

// calls finds the calls of a function called slow.
func calls(change func(*Finding, *ast.CallExpr)) func(*analysis.Pass) ([]Finding, error) {
	return func(pass *analysis.Pass) (found []Finding, err error) {
		for _, f := range pass.Files {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "slow" {
					x := Finding{Pos: call.Pos(), End: call.End(), Message: "slow is slow", Causes: []string{"work"}, Hot: []Range{Of(call)}}
					if change != nil {
						change(&x, call)
					}
					found = append(found, x)
				}
				return true
			})
		}
		return found, nil
	}
}

func lines(kept []Finding, src string) (all []int) {
	for _, f := range kept {
		all = append(all, 1+strings.Count(src[:int(f.Pos)-1], "\n"))
	}
	return all
}

// TestReports: what evidence points at is told, or is sure; the rest where hints are asked
// for. Edits that drop in by themselves are offered with it.
func TestReports(t *testing.T) {
	const src = "package p\n\nfunc slow() {}\n\nfunc F() {\n\tslow()\n}\n"
	at := func(line int, share float64) *heat.Map {
		return &heat.Map{Benches: []heat.Bench{{Name: "B", Procs: 16, Lines: []heat.Line{{File: "/src/p.go", Line: line, Share: share, Causes: map[string]float64{"work": share}}}}}}
	}
	const hot = "6 slow: slow is slow [SUSPECTED: 50 % of what B loses at GOMAXPROCS=16: work]"
	for _, tt := range []struct {
		name   string
		given  heat.Given
		change func(*Finding, *ast.CallExpr)
		want   string
	}{
		{"nothing is known", heat.Given{}, nil, ""}, {"hints", heat.Given{Hints: true}, nil, "6 slow: slow is slow [HINT]"},
		{"hot", heat.Given{Map: at(6, 0.5)}, nil, hot}, {"hot beside it", heat.Given{Map: at(7, 0.5)}, nil, ""}, {"cold", heat.Given{Map: at(6, 0.01)}, nil, ""},
		{"sure", heat.Given{}, func(f *Finding, _ *ast.CallExpr) { f.Sure = true }, "6 slow: slow is slow [HINT]"},
		{"sure and hot", heat.Given{Map: at(6, 0.5)}, func(f *Finding, _ *ast.CallExpr) { f.Sure = true }, hot},
		{"seen", heat.Given{}, func(f *Finding, _ *ast.CallExpr) { f.Seen = "it was seen" }, "6 slow: slow is slow [SUSPECTED: it was seen]"},
		{"seen and hot", heat.Given{Map: at(6, 0.5)}, func(f *Finding, _ *ast.CallExpr) { f.Seen = "it was seen" }, "6 slow: slow is slow [SUSPECTED: it was seen]"},
		{"another cause", heat.Given{Map: at(6, 0.5)}, func(f *Finding, _ *ast.CallExpr) { f.Causes = []string{"lock"} }, ""},
		{"hot where others come alone", heat.Given{Map: at(3, 0.5)}, func(f *Finding, _ *ast.CallExpr) { f.Shared = []Range{{3, 40}} }, ""},
		{"edits", heat.Given{Hints: true}, func(f *Finding, c *ast.CallExpr) {
			with := []analysis.TextEdit{rewrite.Replace(c, "func() {}()")}
			f.Fixes = []Fix{{Name: "a", Says: "do a", Edits: with}, {Name: "b", Says: "do b", Value: 2, Edits: with}, {Name: "c", Says: "do c", Needs: "x", Edits: with}, {Name: "d", Says: "do d", Serial: true, Edits: with}}
		}, "6 slow: slow is slow [HINT]; do a; do d"},
	} {
		kept, said, err := checked(t, src, tt.given, calls(tt.change))
		if err != nil || strings.Join(said, "\n") != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.name, said, err, tt.want)
		}
		if len(kept) != 1 || kept[0].Check != "slow" {
			t.Errorf("%s: the result has %+v, want the finding whatever is told", tt.name, kept)
		}
	}
	// With what it shares the lines of Hot count together.
	both := at(6, 0.06)
	both.Benches[0].Lines = append(both.Benches[0].Lines, heat.Line{File: "/src/p.go", Line: 3, Share: 0.9, Causes: map[string]float64{"work": 0.44}})
	_, said, _ := checked(t, src, heat.Given{Map: both}, calls(func(f *Finding, _ *ast.CallExpr) {
		f.Shared = []Range{{token.Pos(strings.Index(src, "func slow") + 1), token.Pos(strings.Index(src, "func slow") + 5)}}
	}))
	if strings.Join(said, "\n") != hot {
		t.Errorf("shared: %q, want %q", said, hot)
	}
	if _, _, err := checked(t, src, heat.Given{}, func(*analysis.Pass) ([]Finding, error) { return nil, fmt.Errorf("broken") }); err == nil {
		t.Error("the error of a check is lost")
	}
	if _, _, err := checked(t, src, heat.Given{}, calls(func(f *Finding, c *ast.CallExpr) {
		f.Fixes = []Fix{{Name: "a", Edits: []analysis.TextEdit{rewrite.Replace(c, "x"), rewrite.Replace(c, "y")}}}
	})); err == nil || !strings.Contains(err.Error(), "slow at /src/p.go:6:2: edit a: ") {
		t.Errorf("two texts at one place: %v", err)
	}
}

// TestIgnored: a comment silences its check on its line and the next, whatever //line says;
// one that gives no reason or silences nothing is told.
func TestIgnored(t *testing.T) {
	for _, tt := range []struct {
		name, body string
		want       []int // lines of the findings, from that of the body
		said       []string
	}{
		{"the line", "slow() //payoff:ignore slow it is cold\n", nil, nil}, {"above", "//payoff:ignore slow it is cold\nslow()\n", nil, nil},
		{"two above", "//payoff:ignore slow it is cold\n\nslow()\n", []int{3}, []string{"1 ignore: payoff:ignore silences nothing: the check has no finding here; delete it"}},
		{"below", "slow()\n//payoff:ignore slow it is cold\n", []int{1}, []string{"2 ignore: payoff:ignore silences nothing: the check has no finding here; delete it"}},
		{"both lines", "slow() //payoff:ignore slow it is cold\nslow()\nslow()\n", []int{3}, nil},
		{"the last line of two", "slow(\n) //payoff:ignore slow it is cold\n", []int{1}, []string{"2 ignore: payoff:ignore silences nothing: the check has no finding here; delete it"}},
		{"no reason", "slow() //payoff:ignore slow \n", nil, []string{"1 ignore: payoff:ignore has no reason: say why after the name of the check"}},
		{"another check", "slow() //payoff:ignore other it is cold\n", []int{1}, nil}, {"a longer name", "slow() //payoff:ignore slower it is cold\n", []int{1}, nil},
		{"no name", "slow() //payoff:ignore\n", []int{1}, nil}, {"another word", "slow() //payoff:ignored slow x\n", []int{1}, nil},
		{"moved lines", "//payoff:ignore slow it is cold\n//line other.go:90\nslow()\n", []int{3}, []string{"1 ignore: payoff:ignore silences nothing: the check has no finding here; delete it"}},
		{"moved lines above", "//line other.go:90\n//payoff:ignore slow it is cold\nslow()\n", nil, nil},
	} {
		const head = "package p\n\nfunc slow() {}\n\nfunc F() {\n"
		src := head + tt.body + "}\n"
		kept, said, err := checked(t, src, heat.Given{}, calls(nil))
		var want []int
		for _, n := range tt.want {
			want = append(want, n+5)
		}
		for i, s := range said {
			line, rest, _ := strings.Cut(s, " ")
			n := 0
			fmt.Sscan(line, &n)
			said[i] = fmt.Sprint(n-5, " ", rest)
		}
		if got := lines(kept, src); err != nil || !slices.Equal(got, want) || !slices.Equal(said, tt.said) {
			t.Errorf("%s: findings at %v, said %q, %v, want %v, %q", tt.name, got, said, err, want, tt.said)
		}
	}
	for name, head := range map[string]string{"generated": "// Code generated by a tool. DO NOT EDIT.\n\npackage p\n", "cgo": "package p\n\nimport \"C\"\n"} {
		if kept, _, err := checked(t, head+"\nfunc slow() {}\n\nfunc F() { slow() }\n", heat.Given{Hints: true}, calls(nil)); err != nil || len(kept) > 0 || kept == nil {
			t.Errorf("%s: %v, %v, want none", name, kept, err)
		}
	}
	// Of names without their package it cannot be told when an import has to go.
	kept, _, err := checked(t, "package p\n\nimport . \"math\"\n\nfunc slow() {}\n\nfunc F() { slow(); _ = Abs(1) }\n", heat.Given{}, calls(func(f *Finding, c *ast.CallExpr) {
		f.Fixes = []Fix{{Name: "a", Edits: []analysis.TextEdit{rewrite.Replace(c, "")}}, {Name: "b", Edits: []analysis.TextEdit{rewrite.Replace(c, "")}}, {Name: "c", Edits: []analysis.TextEdit{rewrite.Replace(c, "")}}}
		f.Refused = []Refusal{{Name: "b", Why: "before"}}
	}))
	if err != nil || len(kept) != 1 || len(kept[0].Fixes) > 0 || len(kept[0].Refused) != 3 || kept[0].Refused[2].Name != "c" || kept[0].Refused[0].Why != "before" || kept[0].Refused[1].Name != "a" || kept[0].Refused[1].Why != `names of "math" stand without its name` {
		t.Errorf("a dot import: %+v, %v", kept, err)
	}
}

// TestPrice: an edit says what it takes in memory.
func TestPrice(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{Memory("each", "128 bytes instead of 8"), "each takes more memory: 128 bytes instead of 8"},
		{Memory("each", ""), ""},
		{Fix{Says: "do it", Dearer: Memory("each", "128 bytes")}.Message(), "do it; but then each takes more memory: 128 bytes"},
		{Fix{Says: "do it"}.Message(), "do it"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}
