package layout_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"github.com/gopayoff/payoff/tool/vet/layout"
)

// What is sized has a size; what is not is not asked for one.
func TestSized(t *testing.T) {
	const src = `package p

import "sync/atomic"

type node struct { next *node; n int }
type pair[T any] struct { a, b T }
type list[T any] struct { p *pair[T]; s []T; m map[string]T; c chan T; f func(T) T; i interface{ F() T } }

func f[T any, S ~[]T]() {
	var (
		sized0 node
		sized1 pair[int]
		sized2 list[T]
		sized3 atomic.Pointer[T]
		sized4 [4]*T
		not0 T
		not1 pair[T]
		not2 [4]T
		not3 struct { a int; b [2]pair[list[T]]; c [1]struct{ d T } }
		not4 S
	)
	_, _, _, _, _, _, _, _, _, _ = sized0, sized1, sized2, sized3, sized4, not0, not1, not2, not3, not4
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.ForCompiler(fset, "source", nil)}
	if _, err := conf.Check("p", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	n := 0
	for id, o := range info.Defs {
		v, ok := o.(*types.Var)
		if !ok || v.IsField() {
			continue
		}
		n++
		want := id.Name[0] == 's'
		if got := layout.Sized(v.Type()); got != want {
			t.Errorf("Sized(%v) = %v, want %v", v.Type(), got, want)
		}
		if want {
			types.SizesFor("gc", "amd64").Sizeof(v.Type()) // panics if it is not so
		}
	}
	if n != 10 {
		t.Errorf("%d variables were asked about, want 10", n)
	}
}
