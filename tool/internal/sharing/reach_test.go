package sharing

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/gopayoff/payoff/tool/internal/program"
)

// TestEscaping: which captured variables a literal may have a copy of: those that
// nothing sets again and whose address nobody takes.
func TestEscaping(t *testing.T) {
	const src = `package p

func use(...any) {}

type number int

func (n *number) set() {}
func (n number) get() {}

func f(xs []int, ch chan int) {
	var kept, assigned, added, key, value, address, received int
	var array [4]int
	var method, read number
	var alone int
	fresh := 1
	go func() { use(kept, assigned, added, key, value, address, received, array, method, read, fresh) }()
	assigned = 1
	added++
	for key = range xs {
	}
	for _, value = range xs {
	}
	use(&address)
	received = <-ch
	use(array[:])
	method.set()
	read.get()
	fresh, other := 2, alone
	use(other)
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	x := &toucher{Package: &program.Package{Package: &packages.Package{Fset: fset, Types: pkg, TypesInfo: info}}}
	var copied, set []string
	for _, d := range file.Decls {
		vars, copies := x.escaping(d)
		for v := range vars {
			if copies[v] {
				copied = append(copied, v.Name())
			} else {
				set = append(set, v.Name())
			}
		}
	}
	slices.Sort(copied)
	slices.Sort(set)
	if got, want := strings.Join(copied, " "), "kept read"; got != want {
		t.Errorf("copied: %s, want %s", got, want)
	}
	if got, want := strings.Join(set, " "), "added address array assigned fresh key method received value"; got != want {
		t.Errorf("set again or addressed: %s, want %s", got, want)
	}
}
