package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// Two edits that name the same clash where that is in one function, or in the
// package: both may declare it.
func TestClash(t *testing.T) {
	const src = "package p\n\nimport \"sync\"\n\nfunc f() {\n\ta()\n\tb()\n}\n\nfunc g() {\n\tc()\n}\n"
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	var calls []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n, ok := n.(*ast.ExprStmt); ok {
			calls = append(calls, n)
		}
		return true
	})
	in := func(i int, text string) []analysis.TextEdit {
		return []analysis.TextEdit{Insert(calls[i].Pos(), text)}
	}
	before := func(i int, text string) []analysis.TextEdit {
		return []analysis.TextEdit{Insert(f.Decls[i].Pos(), text)}
	}
	for _, tt := range []struct {
		name string
		a, b []analysis.TextEdit
		want bool
	}{
		{"one function", in(0, "x := 1\n"), in(1, "x := 2\n"), true},
		{"other names", in(0, "x := 1\n"), in(1, "y := 2\n"), false},
		{"two functions", in(0, "x := 1\n"), in(2, "x := 2\n"), false},
		{"the package", before(1, "var x int\n\n"), before(2, "var x int\n\n"), true},
		{"the same", before(1, "var x int\n\n"), before(1, "var x int\n\n"), false},
		{"what is selected", before(1, "var x = sync.OnceFunc(nil)\n\n"), before(2, "var y = sync.OnceFunc(nil)\n\n"), false},
		{"predeclared", before(1, "var x int\n\n"), before(2, "var y int\n\n"), false},
		{"an import", []analysis.TextEdit{Replace(f.Decls[0], "")}, in(0, "sync.OnceFunc(d)()\n"), true},
		{"no import", []analysis.TextEdit{Replace(f.Decls[0], "")}, in(0, "d()\n"), false},
		{"one place", []analysis.TextEdit{Replace(calls[0], "d()")}, []analysis.TextEdit{Replace(calls[0], "")}, true},
	} {
		if got := Clash([]*ast.File{f}, tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %t, want %t", tt.name, got, tt.want)
		}
	}
}

// The twelfth name is another than the second.
func TestNames(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\n\nfunc f(own3 int) {}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg := types.NewPackage("p", "p")
	names := Names{}
	seen := map[string]bool{"own3": true}
	for range 25 {
		got := names.Fresh(pkg, f.Decls[0], "own")
		if seen[got] {
			t.Errorf("%s is there already", got)
		}
		seen[got] = true
	}
	if got := names.Fresh(pkg, f, "own"); got != "own" {
		t.Errorf("%s in another node, want own", got)
	}
}
