package uses_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"slices"
	"testing"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

const src = `package p

import "sync"

type inner struct{ sync.Mutex }

type outer struct {
	inner
	n  int
	xs []int
	p  *outer
}

type box[T any] struct{ v T }

func (b *box[T]) get() T { return b.v }

func f(o *outer, b *box[int]) *int {
	o.Lock()
	o.inner.Unlock()
	o.n = 1
	(o.n)++
	o.xs[0] = o.n
	o.p.xs = append(o.xs, b.v)
	for o.n = range 3 {
	}
	_ = outer{n: 2, xs: nil}
	return &o.n
}
`

// The index has every use: through embedding, of instances, as a key.
func TestIndex(t *testing.T) {
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	conf := types.Config{Importer: packages}
	pkg, err := conf.Check("p", fset, []*ast.File{file}, info)
	if err != nil {
		t.Fatal(err)
	}
	x := uses.New(inspector.New([]*ast.File{file}), info)
	field := func(typ, name string) *types.Var {
		for f := range pkg.Scope().Lookup(typ).Type().Underlying().(*types.Struct).Fields() {
			if f.Name() == name {
				return f
			}
		}
		t.Fatalf("%s has no field %s", typ, name)
		return nil
	}
	for _, test := range []struct {
		typ, field            string
		uses, written, parted int // parted: an element or part is used
	}{
		{"inner", "Mutex", 3, 0, 2}, // declared, o.Lock, o.inner.Unlock
		{"outer", "inner", 3, 0, 2},
		{"outer", "n", 7, 4, 0},
		{"outer", "xs", 5, 2, 1},
		{"outer", "p", 2, 1, 1}, // o.p.xs is a part of what p leads to
		{"box", "v", 3, 0, 0},
	} {
		v := field(test.typ, test.field)
		written, parted := 0, 0
		for _, c := range x.Of(v) {
			if x.Declares(c) {
				continue
			}
			if _, through := c.Node().(*ast.SelectorExpr); through {
				parted++
				continue
			}
			part, whole := uses.Elements(uses.Whole(c))
			if uses.Written(part) {
				written++
			}
			if !whole {
				parted++
			}
		}
		if n := len(x.Of(v)); n != test.uses || written != test.written || parted != test.parted {
			t.Errorf("%s.%s: %d uses, %d written, %d of a part; want %d, %d, %d", test.typ, test.field, n, written, parted, test.uses, test.written, test.parted)
		}
	}
	if n := len(x.Literals(pkg.Scope().Lookup("outer").(*types.TypeName))); n != 1 {
		t.Errorf("%d literals of outer, want 1", n)
	}
}

// Types that lead to each other in more ways than can be counted come once each,
// and those too far away do not come.
func TestLeadsTo(t *testing.T) {
	var names []string
	for i := range 30 {
		names = append(names, fmt.Sprintf("T%d", i))
	}
	code := "package p\ntype far struct{ x [1]map[string]*[]end }\ntype end struct{}\n"
	for _, n := range names {
		code += "type " + n + " struct {"
		for _, to := range names {
			code += " f" + to + " *" + to + ";"
		}
		code += "}\n"
	}
	file, err := parser.ParseFile(fset, "p.go", code, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	of := func(name string) types.Type { return pkg.Scope().Lookup(name).Type() }
	if n := len(slices.Collect(uses.LeadsTo(types.NewPointer(of("T0")), 25))); n != 30 {
		t.Errorf("%d types, want 30", n)
	}
	for away, there := range map[int]bool{3: false, 4: true} { // [1]map, map, []end, end
		if got := slices.Contains(slices.Collect(uses.LeadsTo(of("far"), away)), of("end")); got != there {
			t.Errorf("end, %d away: %t, want %t", away, got, there)
		}
	}
	if got := slices.Collect(uses.LeadsTo(nil, 1)); len(got) > 0 {
		t.Errorf("nil leads to %v", got)
	}
}
