package benchvet_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/vet/benchvet"
	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
)

func TestBenchvet(t *testing.T) {
	shapetest.Run(t, benchvet.Analyzer, "testdata/src/a", "testdata/src/old")
}

// A recorded run shows what syntax leaves open: an operation that takes no time,
// preparation that takes much, a timer that takes longer than the operation.
func TestEvidence(t *testing.T) {
	const path = "github.com/gopayoff/payoff/tool/vet/benchvet/testdata/src/a"
	file, err := filepath.Abs("testdata/src/a/a.go")
	if err != nil {
		t.Fatal(err)
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, "./testdata/src/a")
	if err != nil {
		t.Fatal(err)
	}
	line := func(text string) int {
		for _, f := range pkgs[0].Syntax {
			for _, d := range f.Decls {
				at := pkgs[0].Fset.Position(d.Pos())
				if src, err := readLines(at.Filename); err == nil {
					return 1 + slices.IndexFunc(src, func(l string) bool { return strings.Contains(l, text) })
				}
			}
		}
		t.Fatalf("no line has %q", text)
		return 0
	}
	m := &heat.Map{Run: "run", Benches: []heat.Bench{
		{Package: path, Name: "BenchmarkNotDropped", Procs: 1, NS: 0.3},
		{Package: path, Name: "BenchmarkNotDropped", Procs: 2, NS: 30},
		{Package: "example.com/other", Name: "BenchmarkStopped", Procs: 1, NS: 20},
		{Package: path, Name: "BenchmarkDroppedInSub/one", Procs: 1, NS: 0.2},
		{Package: path, Name: "BenchmarkSetup", Procs: 1, NS: 500, Lines: []heat.Line{{File: file, Line: line("xs[i] = i"), Share: 0.3}}},
		{Package: path, Name: "BenchmarkStopped", Procs: 1, NS: 40},
		{Package: path, Name: "BenchmarkSharedWrite", Procs: 2, NS: 20.8},
		{Package: path, Name: "BenchmarkSharedWrite", Procs: 1, NS: 9},
	}}
	name := filepath.Join(t.TempDir(), "heat.json")
	if err := m.Write(name); err != nil {
		t.Fatal(err)
	}
	if err := heat.Analyzer.Flags.Set("run", name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { heat.Analyzer.Flags.Set("run", "") })
	graph, err := checker.Analyze([]*analysis.Analyzer{benchvet.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{} // by line
	for _, f := range graph.Roots[0].Result.([]shape.Finding) {
		if f.Seen != "" {
			got[f.Func.Name.Name+" "+strings.Fields(f.Message)[0]+" "+pkgs[0].Fset.Position(f.Pos).String()[len(file)+1:]] = f.Seen
		}
	}
	want := map[string]string{"BenchmarkSetup": "it takes 30 % of the CPU time of BenchmarkSetup", "BenchmarkStopped": "BenchmarkStopped takes 40 ns an operation",
		"BenchmarkDroppedInSub": "BenchmarkDroppedInSub/one takes 0.20 ns an operation", "BenchmarkNotDropped": "BenchmarkNotDropped takes 0.30 ns an operation",
		"BenchmarkSharedWrite": "BenchmarkSharedWrite takes 9.00 ns an operation at GOMAXPROCS=1, and 21 ns at 2"}
	seen := map[string]int{}
	for k, v := range got {
		fn, _, _ := strings.Cut(k, " ")
		seen[fn]++
		if v != want[fn] {
			t.Errorf("%s: %q, want %q", k, v, want[fn])
		}
	}
	for fn := range want {
		if n := map[string]int{"BenchmarkNotDropped": 6, "BenchmarkSharedWrite": 5}[fn]; seen[fn] != max(n, 1) {
			t.Errorf("%s: evidence of %d findings, want %d", fn, seen[fn], max(n, 1))
		}
	}
}

func readLines(name string) ([]string, error) {
	data, err := os.ReadFile(name)
	return strings.Split(string(data), "\n"), err
}
