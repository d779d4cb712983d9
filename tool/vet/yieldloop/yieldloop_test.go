package yieldloop_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/vet/heat"
	"github.com/gopayoff/payoff/tool/vet/shape/shapetest"
	"github.com/gopayoff/payoff/tool/vet/yieldloop"
)

func TestCheck(t *testing.T) {
	shapetest.Run(t, yieldloop.Analyzer, "testdata/src/a")
}

// What looks in vain shows what it costs to yield.
func TestLooks(t *testing.T) {
	file, err := filepath.Abs("testdata/src/a/a.go")
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, _, found := bytes.Cut(src, []byte("// look again"))
	if !found {
		t.Fatal("no loop looks again")
	}
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadSyntax}, "./testdata/src/a")
	if err != nil {
		t.Fatal(err)
	}
	defer heat.Give(&heat.Map{Run: "run", Benches: []heat.Bench{{Name: "BenchmarkLooks", Procs: 2, Causes: map[string]float64{"oversubscription": 0.9}, Lines: []heat.Line{
		{File: file, Line: 1 + bytes.Count(before, []byte("\n")), Share: 0.5},
	}}}}, false)()
	graph, err := checker.Analyze([]*analysis.Analyzer{yieldloop.Analyzer}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	said := graph.Roots[0].Diagnostics
	if len(said) != 1 || !strings.Contains(said[0].Message, "SUSPECTED: oversubscription takes 90 % of what BenchmarkLooks loses") {
		t.Errorf("said %+v, want that each iteration yields, once", said)
	}
}
