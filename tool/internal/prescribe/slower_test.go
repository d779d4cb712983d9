package prescribe

import (
	"go/ast"
	"slices"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// What an edit makes dearer is told with it, and the benchmarks that come to the
// functions which take longer are tried with it, at all sizes.
func TestSlower(t *testing.T) {
	dir := write(t, map[string]string{
		"go.mod":      "module example.com/m\n\ngo 1.26\n",
		"m.go":        "package m\n\nimport \"example.com/m/sub\"\n\nfunc Get(x int) int { return x }\n\nfunc Put() { sub.Note() }\n\nfunc Fill() { Put() }\n\nfunc Other() {}\n",
		"sub/sub.go":  "package sub\n\nfunc Note() {}\n",
		"m_test.go":   "package m\n\nimport \"testing\"\n\nfunc BenchmarkGet(b *testing.B) { Get(1) }\nfunc BenchmarkPut(b *testing.B) { b.Run(\"n=1\", func(b *testing.B) { Put() }) }\nfunc BenchmarkOther(b *testing.B) { Other() }\n",
		"out_test.go": "package m_test\n\nimport (\n\t\"testing\"\n\n\t\"example.com/m\"\n)\n\nfunc BenchmarkFill(b *testing.B) { m.Fill() }\n",
	})
	check := shape.Analyzer("getput", "find Get", func(pass *analysis.Pass) (found []shape.Finding, err error) {
		decls := map[string]*ast.FuncDecl{}
		for _, f := range pass.Files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok {
					decls[d.Name.Name] = d
				}
			}
		}
		get := decls["Get"]
		if get == nil {
			return nil, nil
		}
		edit := []analysis.TextEdit{{Pos: get.Body.Lbrace + 1, End: get.Body.Lbrace + 1, NewText: []byte("\n")}}
		return []shape.Finding{{
			Pos: get.Pos(), End: get.End(), Message: "get", Func: get, Causes: []string{"work"}, Hot: []shape.Range{shape.Of(get)},
			Fixes: []shape.Fix{
				{Name: "cow", Says: "copy", Dearer: "Put copies it", Slower: []*ast.FuncDecl{decls["Put"]}, Edits: edit},
				{Name: "free", Says: "do it", Edits: edit},
			},
		}}, nil
	})
	benches := []string{"BenchmarkGet", "BenchmarkPut/n=1", "BenchmarkPut/n=2", "BenchmarkFill", "BenchmarkOther"}
	p := prescribe(t, dir, Options{Findings: []explain.Finding{lost(t, dir, "BenchmarkGet", 100, "work", "m.go: func Get")}, Checks: []*analysis.Analyzer{check}, Benches: benches})
	both := func(names ...string) (all []measure.Cell) {
		for _, name := range names {
			all = append(all, measure.Cell{Bench: name, Procs: 2})
			all = append(all, measure.Cell{Bench: name, Procs: 1})
		}
		return all
	}
	for _, tt := range []struct {
		id, dearer string
		cells      []measure.Cell
	}{
		{"getput:m.go:5:cow", "Put copies it", both("BenchmarkGet", "BenchmarkPut/n=1", "BenchmarkPut/n=2", "BenchmarkFill")},
		{"getput:m.go:5:free", "", both("BenchmarkGet")},
	} {
		f := p.Find(tt.id)
		if f == nil {
			t.Fatalf("no fix %s among %q, %+v", tt.id, ids(p), p.Findings)
		}
		for _, c := range tt.cells {
			if !slices.Contains(f.Cells, c) {
				t.Errorf("%s: not tried at %v: %v", tt.id, c, f.Cells)
			}
		}
		if f.Slower != nil {
			t.Errorf("%s: the fix keeps syntax, in which a report gets lost", tt.id)
		}
		if len(f.Cells) != len(tt.cells) || f.Dearer != tt.dearer {
			t.Errorf("%s: cells %v, dearer %q, want %v, %q", tt.id, f.Cells, f.Dearer, tt.cells, tt.dearer)
		}
	}
}
