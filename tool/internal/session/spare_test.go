package session

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gopayoff/payoff/tool/internal/edit"
	"github.com/gopayoff/payoff/tool/internal/gocmd/gocmdtest"
	"github.com/gopayoff/payoff/tool/internal/measure"
	"github.com/gopayoff/payoff/tool/internal/patch"
	"github.com/gopayoff/payoff/tool/internal/prescribe"
)

// TestSpare: a fix keeps the cells that run what it changes, as processes of them show;
// where that cannot be told, all.
func TestSpare(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs a package")
	}
	const code = "package m\n\ntype total struct{ n int }\n\nfunc sum(xs []int) int {\n\tvar t total\n\tfor _, x := range xs {\n\t\tt.n += x\n\t}\n\treturn t.n\n}\n\nfunc seldom(i int, xs []int) int {\n\tif i%100 == 99 {\n\t\treturn sum(xs)\n\t}\n\treturn len(xs)\n}\n\nfunc other(xs []int) (n int) {\n\tfor _, x := range xs {\n\t\tn ^= x\n\t}\n\treturn n\n}\n"
	const tests = "package m\n\nimport \"testing\"\n\nvar xs = make([]int, 1000)\n\nfunc BenchmarkSum(b *testing.B) {\n\tfor name, f := range map[string]func(int, []int) int{\"sum\": func(_ int, xs []int) int { return sum(xs) }, \"seldom\": seldom, \"other\": func(_ int, xs []int) int { return other(xs) }} {\n\t\tb.Run(name, func(b *testing.B) {\n\t\t\tfor i := 0; i < b.N; i++ {\n\t\t\t\tf(i, xs)\n\t\t\t}\n\t\t})\n\t}\n}\n"
	dir, _ := gocmdtest.Module(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.22\n", "m.go": code, "m_test.go": tests})
	s := &session{plan: Plan{Dir: dir, Cure: &Cure{}}, tell: func(Event) {}}
	if err := s.find(t.Context()); err != nil {
		t.Fatal(err)
	}
	p := &pack{session: s, host: s.host(t.TempDir()), target: s.targets[0], series: &measure.Series{Samples: map[measure.Cell][]measure.Sample{}}}
	var cells []measure.Cell
	for _, name := range []string{"sum", "seldom", "other"} {
		c := measure.Cell{Bench: "BenchmarkSum/" + name, Procs: 1}
		cells = append(cells, c)
		p.series.Samples[c] = []measure.Sample{{N: 200, Wall: 500}}
	}
	fix := func(file, was, is string) prescribe.Fix {
		text := map[string]string{"m.go": code, "m_test.go": tests}[file]
		return prescribe.Fix{Edit: edit.Edit{ID: is, Name: "shorter"}, Cells: slices.Clone(cells), Packages: []prescribe.Package{{Path: "example.com/m", Dir: dir}},
			Changes: []patch.Change{{File: filepath.Join(dir, file), Before: text, After: strings.Replace(text, was, is, 1)}}}
	}
	pre := &prescribe.Prescription{Fixes: []prescribe.Fix{
		fix("m.go", "t.n += x", "t.n = t.n + x"),
		fix("m.go", "n int }", "n int; _ int }"),
		fix("m_test.go", "f(i, xs)", "f(i+0, xs)"),
		fix("m.go", "n ^= x", "n = n ^ x"),
	}}
	notes, err := p.spare(t.Context(), pre)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]measure.Cell{cells[:2], cells, cells, cells[2:]} {
		if got := pre.Fixes[i].Cells; !slices.Equal(got, want) {
			t.Errorf("%s: cells %v, want %v", pre.Fixes[i].ID, got, want)
		}
	}
	if want := []string{"shorter: not measured where nothing runs that it changes: Sum/other", "shorter: not measured where nothing runs that it changes: Sum/seldom, Sum/sum"}; !slices.Equal(notes, want) {
		t.Errorf("notes %q, want %q", notes, want)
	}
}
