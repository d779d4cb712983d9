package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"testing"
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
