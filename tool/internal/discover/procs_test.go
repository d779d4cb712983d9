package discover

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"testing"
)

func TestSetsProcs(t *testing.T) {
	g := newCallGraph("procs")
	if _, err := benchmarks("testdata/procs_test.go.txt", g); err != nil {
		t.Fatal(err)
	}
	for name, line := range map[string]string{
		"BenchmarkSets":     "11",
		"BenchmarkRestores": "16",
		"BenchmarkCalls":    "29",
		"BenchmarkOwn":      "29",
		"BenchmarkAsks":     "",
	} {
		want := ""
		if line != "" {
			want = "procs_test.go.txt:" + line
		}
		if got := filepath.Base(g.setsProcs(name)); got != want && !(got == "." && want == "") {
			t.Errorf("setsProcs(%s) = %s, want %s", name, got, want)
		}
	}
}

// What the start of the process does concerns every benchmark.
func TestSetsProcsAtStart(t *testing.T) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "x.go", "package x; func init() { setup() }; func setup() { runtime.GOMAXPROCS(n()) }", 0)
	if err != nil {
		t.Fatal(err)
	}
	g := newCallGraph("x")
	g.add(fset, f)
	if got := g.setsProcs("BenchmarkAny"); got != "x.go:1" {
		t.Errorf("setsProcs = %q, want x.go:1", got)
	}
	if asks(&ast.Ident{Name: "n"}) {
		t.Error("asks(n) = true, want false: n may set")
	}
}
