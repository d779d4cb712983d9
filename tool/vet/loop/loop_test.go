package loop_test

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

const src = `package a

type pair struct{ x, y int }

func f(xs []int, m map[string]int, n int, p *pair, ch chan int, a [4]int, s string) {
	var moved, taken, caught int
	q := pair{}
	for range xs {
		use(xs, n, 3, len(xs), n+1, p.x, q.x, a, s, moved, taken, caught, g(), int64(n), n/2)
		moved++
	}
	_ = &taken
	func() { caught++ }()
	for range m {
	}
	for range n {
	}
	for i := 0; i < len(xs); i++ {
	}
	for i := 0; i < n; i++ {
		i++
	}
	for range ch {
	}
	for i := range xs {
		xs = xs[i:]
	}
	for range s {
	}
	for range a {
	}
	for i := 1; i < n; i++ {
	}
	for range 8 {
	}
	for range g() {
	}
}

func g() int { return 1 }

func use(...any) {}
`

func TestLoop(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	info := &types.Info{
		Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
		Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
	}
	if _, err := (&types.Config{Importer: importer.Default()}).Check("a", fset, []*ast.File{file}, info); err != nil {
		t.Fatal(err)
	}
	in := inspector.New([]*ast.File{file})
	text := func(n ast.Node) string { return rewrite.Text(fset, n) }

	// What stays the same in the first loop.
	call := func() inspector.Cursor {
		for c := range in.Root().Preorder((*ast.CallExpr)(nil)) {
			return c
		}
		panic("no call")
	}()
	l, ok := loop.Around(info, call)
	if !ok {
		t.Fatal("the call is in no loop")
	}
	same := map[string]bool{"n": true, "3": true, "len(xs)": true, "n + 1": true, "q.x": true, "a": true, "s": true, "int64(n)": true, "xs": true}
	for _, e := range call.Node().(*ast.CallExpr).Args {
		if got := l.Invariant(e); got != same[text(e)] {
			t.Errorf("Invariant(%s) = %t, want %t", text(e), got, !got)
		}
	}

	// How often each runs.
	want := []struct {
		count string
		neg   bool
	}{{"len(xs)", false}, {"len(m)", false}, {"n", true}, {"len(xs)", false}, {"", false}, {"", false}, {"", false}, {"len(s)", false}, {"len(a)", false}, {"n", true}, {"8", false}, {"", false}}
	i := 0
	for c := range in.Root().Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		count, neg, known := loop.New(info, c).Count(text)
		if count != want[i].count || neg != want[i].neg || known != (count != "") {
			t.Errorf("loop %d: Count = %q, %t, %t, want %q, %t", i, count, neg, known, want[i].count, want[i].neg)
		}
		i++
	}
	if i != len(want) {
		t.Errorf("%d loops, want %d", i, len(want))
	}
	for c := range in.Root().Preorder((*ast.FuncLit)(nil)) {
		if _, ok := loop.Around(info, c); ok {
			t.Error("the literal is in a loop, want none")
		}
	}
}
