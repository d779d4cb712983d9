package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
)

// Drop takes whole lines where it can, and leaves comments that are not the
// node's.
func TestDrop(t *testing.T) {
	const src = `package p

type t struct {
	a int
	// b has a comment.
	b int // and another
	c int
}

func f() {
	x := 1
	y := 2 // of its own
	// z
	z := 3
	_, _, _ = x, y, z
}

func g() { println(1); println(2) }

func h() { x := 1; y := 2; return } // of h
`
	const want = `package p

type t struct {
	a int
	c int
}

func f() {
	// of its own
	// z
	_, _, _ = x, y, z
}

func g() { println(1) }

func h() { return } // of h
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var edits []analysis.TextEdit
	for c := range inspector.New([]*ast.File{file}).Root().Preorder((*ast.Field)(nil), (*ast.AssignStmt)(nil), (*ast.ExprStmt)(nil)) {
		switch n := c.Node().(type) {
		case *ast.Field:
			if n.Names[0].Name == "b" {
				edits = append(edits, Drop(fset, c))
			}
		case *ast.AssignStmt:
			if len(n.Lhs) == 1 {
				edits = append(edits, Drop(fset, c))
			}
		case *ast.ExprStmt:
			if _, first := c.PrevSibling(); first {
				edits = append(edits, Drop(fset, c))
			}
		}
	}
	got, err := Apply(fset.File(file.FileStart), []byte(src), edits)
	if err != nil || string(got) != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}

// Above stops at what is not the statement's.
func TestAbove(t *testing.T) {
	for _, src := range []string{
		"package p\nfunc f() {\n\t// one\n\t// two\nprintln()\n}\n",
		"package p\nfunc f() {\n\tprintln(1) // other\n\tprintln()\n}\n",
		"package p\nfunc f() {\n\t// far\n\n\tprintln()\n}\n",
		"package p\n// f\nfunc f() { println() }\n",
		"package p\nfunc f() { // f\n\tprintln()\n}\n",
	} {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, "", src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for c := range inspector.New([]*ast.File{file}).Root().Preorder((*ast.ExprStmt)(nil)) {
			if call := c.Node().(*ast.ExprStmt).X.(*ast.CallExpr); len(call.Args) > 0 {
				continue
			}
			got := fset.Position(Above(fset, c)).Line
			want := fset.Position(c.Node().Pos()).Line
			if src[len("package p\nfunc f() {\n\t"):][:6] == "// one" {
				want -= 2
			}
			if got != want {
				t.Errorf("%q: above is line %d, want %d", src, got, want)
			}
		}
	}
}
