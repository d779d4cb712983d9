package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

func TestSized(t *testing.T) {
	const src = `package p
type pointer[T any] struct { _ [0]*T; p *T; m map[string]T; f func(T) }
type value[T any] struct { v T }
type G[T any] struct {
	yes1 pointer[T]
	yes2 value[int]
	yes3 []T
	yes4 struct { n int; p *T }
	no1  T
	no2  value[T]
	no3  [2]T
	no4  struct { n int; v value[T] }
}
`
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for v := range pkg.Scope().Lookup("G").Type().Underlying().(*types.Struct).Fields() {
		if want := v.Name()[0] == 'y'; Sized(v.Type()) != want {
			t.Errorf("Sized(%v) = %t, want %t", v.Type(), !want, want)
		}
	}
}

// TestFill: a struct is filled up to a whole line, and
// what relies on the layout refuses it.
func TestFill(t *testing.T) {
	for _, tt := range []struct {
		name, src string
		size      int64
		want      string // the texts
		why       string
	}{
		{"one byte", "type S struct {\n\ta byte\n}\n", 1, "_ [127]byte // no two share a cache line\n", ""}, {"a byte less", "type S struct {\n\ta [127]byte\n}\n", 127, "_ [1]byte // no two share a cache line\n", ""}, {"a byte more", "type S struct {\n\ta [129]byte\n}\n", 129, "_ [127]byte // no two share a cache line\n", ""},
		{"on one line", "type S struct{ a, b int }\n", 16, "; _ [112]byte", ""},
		{"a literal", "type S struct{ a, b int }\n\nvar v = []S{{1, 2}, {a: 1}, {}}\n", 16, "", "a literal of it has no field names"},
		{"a literal with field names", "type S struct{ a, b int }\n\nvar v = []S{{a: 1}, {}}\n", 16, "; _ [112]byte", ""},
		{"open to others", "type S struct{ A int }\n", 8, "", "other packages may write its values without field names"}, {"not open", "type S struct{ A, b int }\n", 16, "; _ [112]byte", ""}, {"made a type of", "type S struct{ a int }\n\ntype R S\n", 8, "", "type R is made of it"}, {"an alias", "type S struct{ a int }\n\ntype R = S\n", 8, "; _ [120]byte", ""},
		{"converted", "type S struct{ a int }\n\ntype R struct{ a int }\n\nvar v = R(S{})\n", 8, "", "it is converted from or to another type"}, {"converted back", "type S struct{ a int }\n\ntype R struct{ a int }\n\nvar v = S(R{})\n", 8, "", "it is converted from or to another type"},
		{"handed to another language", "type S struct{ a int }\n\nfunc f(*S)\n", 8, "", "f, which is not written in Go, gets it"}, {"a method in another language", "type S struct{ a int }\n\nfunc (*S) f()\n", 8, "", "f, which is not written in Go, gets it"}, {"within", "type S struct{ a int }\n\nfunc f([]map[int]S)\n", 8, "", "f, which is not written in Go, gets it"}, {"another type handed on", "type S struct{ a int }\n\nfunc f(int)\n", 8, "; _ [120]byte", ""},
	} {
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, "p.go", "package p\n\n"+tt.src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}}
		pkg, err := new(types.Config).Check("p", fset, []*ast.File{f}, info)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		x := uses.New(inspector.New([]*ast.File{f}), info)
		s, ok := Of(x, pkg.Scope().Lookup("S").Type())
		if !ok {
			t.Fatalf("%s: no struct", tt.name)
		}
		edits, why, at := s.Fill(x, pkg, fset, tt.size)
		var got []string
		for _, e := range edits {
			got = append(got, string(e.NewText))
		}
		if strings.Join(got, "|") != tt.want || why != tt.why || at.IsValid() != (why != "") {
			t.Errorf("%s: %q, %q, want %q, %q", tt.name, got, why, tt.want, tt.why)
		}
	}
}
