package prescribe

import (
	"go/ast"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/explain"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/sharing"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// TestAgainst: a trial of the run speaks against moving variables apart where all of
// them were and nothing was won, and no other benchmark of the finding won by it.
func TestAgainst(t *testing.T) {
	trial := func(bench string, ratio, low, high float64, leaves ...edit.Note) explain.Finding {
		f := losing(bench, 8, 500, 2000, 0.1, "", 1)
		f.Page.New.Set.Sharing = &evidence.Sharing{Seen: &sharing.Seen{False: 300}, Pad: &evidence.Trial{Ratio: ratio, Low: low, High: high, Does: []edit.Note{{What: "field n"}}}, Leaves: leaves}
		return f
	}
	untried := losing("BenchmarkB", 8, 500, 2000, 0.1, "", 1)
	watched := losing("BenchmarkB", 8, 500, 2000, 0.1, "", 1)
	watched.Page.New.Set.Sharing = &evidence.Sharing{Seen: &sharing.Seen{False: 300}}
	a, b := measure.Cell{Bench: "BenchmarkA", Procs: 8}, measure.Cell{Bench: "BenchmarkB", Procs: 8}
	for _, tt := range []struct {
		name     string
		findings []explain.Finding
		cells    []measure.Cell
		want     bool
	}{
		{"no faster", []explain.Finding{trial("BenchmarkA", 0.99, 0.95, 1.03)}, []measure.Cell{a}, true},
		{"perhaps a little", []explain.Finding{trial("BenchmarkA", 1.02, 0.96, 1.09)}, []measure.Cell{a}, true},
		{"perhaps faster", []explain.Finding{trial("BenchmarkA", 1.02, 0.9, 1.1)}, []measure.Cell{a}, false},
		{"it looks slower, and nothing is sure", []explain.Finding{trial("BenchmarkA", 1, 0.6, 1.7)}, []measure.Cell{a}, true},
		{"it looks faster, and nothing is sure", []explain.Finding{trial("BenchmarkA", 1.01, 0.6, 1.7)}, []measure.Cell{a}, false},
		{"surely a little faster", []explain.Finding{trial("BenchmarkA", 1.04, 1.01, 1.07)}, []measure.Cell{a}, false},
		{"not all was moved", []explain.Finding{trial("BenchmarkA", 0.99, 0.95, 1.03, edit.Note{What: "elements"})}, []measure.Cell{a}, false},
		{"of another benchmark", []explain.Finding{trial("BenchmarkA", 0.99, 0.95, 1.03)}, []measure.Cell{b}, false},
		{"of another number of processors", []explain.Finding{trial("BenchmarkA", 0.99, 0.95, 1.03)}, []measure.Cell{{Bench: "BenchmarkA", Procs: 2}}, false},
		{"another one won", []explain.Finding{trial("BenchmarkA", 0.99, 0.95, 1.03), trial("BenchmarkB", 2, 1.5, 2.5)}, []measure.Cell{a, b}, false},
		{"both did not", []explain.Finding{trial("BenchmarkA", 0.99, 0.95, 1.03), trial("BenchmarkB", 0.9, 0.8, 1)}, []measure.Cell{a, b}, true},
		{"the other one was not watched", []explain.Finding{trial("BenchmarkA", 0.99, 0.95, 1.03), untried}, []measure.Cell{a, b}, true},
		{"nothing was moved", []explain.Finding{watched}, []measure.Cell{b}, false},
	} {
		c := &chemist{Options: Options{Findings: tt.findings}}
		if got := c.against(tt.cells, true); (got != nil) != tt.want {
			t.Errorf("%s: %+v speaks against it, want one: %t", tt.name, got, tt.want)
		}
		if got, want := c.against(tt.cells, false), tt.want || tt.name == "not all was moved"; (got != nil) != want {
			t.Errorf("%s: %+v speaks against the same edit, want one: %t", tt.name, got, want)
		}
	}
}

// TestTriedApart: an edit that only moves variables apart is refused where the run
// tried that in vain, with what it saw; other edits of the place are offered.
func TestTriedApart(t *testing.T) {
	dir := write(t, map[string]string{
		"go.mod":    "module example.com/m\n\ngo 1.26\n",
		"m.go":      "package m\n\nfunc Get(x int) int { return x }\n",
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc BenchmarkGet(b *testing.B) { Get(1) }\n",
	})
	check := shape.Analyzer("near", "find Get", func(pass *analysis.Pass) (found []shape.Finding, err error) {
		for _, f := range pass.Files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name == "Get" {
					edit := []analysis.TextEdit{{Pos: d.Body.Lbrace + 1, End: d.Body.Lbrace + 1, NewText: []byte("\n")}}
					found = append(found, shape.Finding{
						Pos: d.Pos(), End: d.End(), Message: "get", Func: d, Causes: []string{"work"}, Hot: []shape.Range{shape.Of(d)},
						Fixes: []shape.Fix{{Name: "pad", Says: "make room", Edits: edit}, {Name: "local", Says: "do it", Edits: edit}},
					})
				}
			}
		}
		return found, nil
	})
	for _, tt := range []struct {
		high    float64
		refused string
	}{
		{1.02, "it was 0.98x as fast [0.94, 1.02]"},
		{0, ""}, // not tried
	} {
		f := lost(t, dir, "BenchmarkGet", 100, "work", "m.go: func Get")
		if tt.high > 0 {
			f.Page.New.Set.Sharing = &evidence.Sharing{Pad: &evidence.Trial{Ratio: 0.98, Low: 0.94, High: tt.high}}
		}
		p := prescribe(t, dir, Options{Findings: []explain.Finding{f}, Checks: []*analysis.Analyzer{check}})
		if p.Find("near:m.go:3:local") == nil || (p.Find("near:m.go:3:pad") == nil) != (tt.refused != "") {
			t.Errorf("a trial of at most %v: offered are %q", tt.high, ids(p))
		}
		said := ""
		for _, r := range p.Findings[0].Refused {
			said += r.Name + ": " + r.Why
		}
		if !strings.Contains(said, tt.refused) || (said == "") != (tt.refused == "") {
			t.Errorf("a trial of at most %v: refused %q, want %q", tt.high, said, tt.refused)
		}
	}
}
