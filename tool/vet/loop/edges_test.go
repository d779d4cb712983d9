package loop_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
)

// A checked is a file with one function f, whose statements a test gives.
type checked struct {
	*types.Info
	in   *inspector.Inspector
	text func(ast.Node) string
	decl *ast.FuncDecl
}

// check type-checks a function with these statements. Around them are values of many types.
func check(t *testing.T, body string) checked {
	t.Helper()
	src := `package a

type pair struct{ x, y int }

func (p *pair) Ptr() {}

func (p pair) Val() {}

type deep struct {
	pair
	in  pair
	far *pair
}

func use(...any) {}

func f(xs, ys []int, n int, p *pair, a [4]int, pa *[4]int, m map[int]int, s string, d deep, fn func(), n64 int64, ok bool) {
	v, w := 0, 0
	use(v, w)
` + body + "\n}\n"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "a.go", src, 0)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	c := checked{Info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{}, Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	conf := types.Config{Importer: importer.Default(), Error: func(err error) {
		if !strings.Contains(err.Error(), "declared and not used") {
			t.Errorf("%s: %v", body, err)
		}
	}}
	_, _ = conf.Check("a", fset, []*ast.File{file}, c.Info) // its error is the first that was told
	c.in = inspector.New([]*ast.File{file})
	c.text = func(n ast.Node) string { return rewrite.Text(fset, n) }
	c.decl = file.Decls[len(file.Decls)-1].(*ast.FuncDecl)
	return c
}

// variable is the variable of f that has a name.
func (c checked) variable(name string) *types.Var {
	var at token.Pos
	var found *types.Var
	for id, o := range c.Defs {
		if v, ok := o.(*types.Var); ok && id.Name == name && !v.IsField() && c.decl.Pos() <= v.Pos() && (found == nil || v.Pos() < at) {
			found, at = v, v.Pos()
		}
	}
	return found
}

// loops are the loops of f, in order.
func (c checked) loops() (all []loop.Loop) {
	for at := range c.in.Root().Preorder((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		all = append(all, loop.New(c.Info, at))
	}
	return all
}

// TestWrites: each way in which a variable, or a part of it, can change; what is behind a
// pointer is no part of it, and that it is declared is no write.
func TestWrites(t *testing.T) {
	for _, tt := range []struct{ body, v, want string }{
		{"v = 1", "v", "w"}, {"v++", "v", "w"}, {"v--", "v", "w"}, {"v += 1", "v", "w"}, {"w, v = 1, 2", "v", "w"}, {"v, w = 1, 2", "v", "w"}, {"(v) = 1", "v", "w"}, {"w = v", "v", ""}, {"u := v; use(u)", "u", ""},
		{"for v = range xs {}", "v", "w"}, {"for _, v = range xs {}", "v", "w"}, {"for v, w = range xs {}", "v", "w"}, {"for w, v = range xs {}", "v", "w"}, {"for v := range xs { use(v) }", "v", ""}, {"for range v {}", "v", ""},
		{"use(&v)", "v", "a"}, {"use(&w)", "v", ""}, {"use(-v)", "v", ""}, {"func() { v = 1 }()", "v", "wc"}, {"func() { use(&v) }()", "v", "ac"}, {"func() { v := 0; v = 1; use(v) }()", "v", ""},
		{"func() { u := 0; func() { u = 1 }() }()", "u", "wc"}, {"func() { u := 0; u = 1 }()", "u", "w"}, {"func() {}(); v = 1", "v", "w"},
		{"a[1] = 2", "a", "w"}, {"pa[1] = 2", "pa", ""}, {"xs[1] = 2", "xs", ""}, {"m[1] = 2", "m", ""}, {"use(a[:])", "a", "a"}, {"use(xs[:])", "xs", ""}, {"use(pa[:])", "pa", ""}, {"use(&a[1])", "a", "a"}, {"use(&xs[1])", "xs", ""},
		{"d.in.x = 1", "d", "w"}, {"d.x = 1", "d", "w"}, {"d.far.x = 1", "d", ""}, {"p.x = 1", "p", ""}, {"use(&d.in.y)", "d", "a"}, {"*p = pair{}", "p", ""}, {"p = nil", "p", "w"},
		{"d.in.Ptr()", "d", "a"}, {"d.in.Val()", "d", ""}, {"d.Ptr()", "d", "a"}, {"p.Ptr()", "p", ""}, {"use(d.in.Ptr)", "d", "a"}, {"use(pair.Val)", "d", ""}, {"d.far.Ptr()", "d", ""},
		{"v = 1; v++; use(&v)", "v", "w w a"},
	} {
		c := check(t, tt.body)
		var got []string
		for _, w := range loop.Writes(c.Info, c.decl, c.variable(tt.v)) {
			s := map[bool]string{false: "w", true: "a"}[w.Address]
			if w.Captured {
				s += "c"
			}
			got = append(got, s)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: writes to %s: %q, want %q", tt.body, tt.v, got, tt.want)
		}
	}
}

// TestConstant: what is written in the loop, or may be by others at any time, does not stay
// the same in it; what is written before it or after it does.
func TestConstant(t *testing.T) {
	for body, want := range map[string]bool{
		"for range n { use(v) }": true, "v = 1; for range n { use(v) }": true, "for range n { use(v) }; v = 1": true, "for range n { v = 1 }": false, "for v = 0; v < n; {}": false, "for v < n { w++ }": true, "for ; v < n; v++ {}": false,
		"use(&v); for range n {}": false, "for range n {}; use(&v)": false, "func() { v = 1 }(); for range n {}": false, "func() { use(v) }(); for range n {}": true, "for v := range n { v = 1 }": true, "for v = range n {}": false,
	} {
		c := check(t, body)
		if got := c.loops()[0].Constant(c.variable("v")); got != want {
			t.Errorf("%s: v is constant %t, want %t", body, got, want)
		}
	}
	c := check(t, "for i := range xs { u := i; use(u) }; u := 0; use(u)")
	for _, name := range []string{"i", "u"} {
		if c.loops()[0].Constant(c.variable(name)) {
			t.Errorf("%s, declared in the loop, is constant", name)
		}
	}
	for e, want := range map[string]bool{"v + w": true, "v + p.x": false, "p.x + v": false, "v - 1": true, "v * w": true, "v / w": false, "v << 1": false, "-v": false, "(v)": true, "cap(xs)": true, "max(v)": false, "float64(v)": true, "string(s)": true, "[]byte(s)": false, "d.in.x": true, "d.x": true, "d.far.x": false, "p.x": false, "xs[0]": false, "a[0]": false, "len(a)": true, "len(m)": true, "1 << 3": true, "n": true, "len(xs) + v": true, "len(xs) / 2": false} {
		c := check(t, "for range n { use("+e+") }")
		var arg ast.Expr
		ast.Inspect(c.loops()[0].Body, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && arg == nil {
				arg = call.Args[0]
			}
			return true
		})
		if got := c.loops()[0].Invariant(arg); got != want {
			t.Errorf("Invariant(%s) = %t, want %t", e, got, want)
		}
	}
}

// TestCounts: how often a loop runs at most, and whether that may be negative, by its head
// and by what the body does to it.
func TestCounts(t *testing.T) {
	for head, want := range map[string]string{
		"for i := 0; i < n; i++ {}": "n neg", "for i := 5; i < n; i++ {}": "n neg", "for i := -1; i < n; i++ {}": "", "for i := v; i < n; i++ {}": "", "for i := 0; i <= n; i++ {}": "", "for i := 0; i != n; i++ {}": "", "for i := 0; i < n; i-- {}": "", "for i := 0; i < n; i += 2 {}": "",
		"for i := 0; n > i; i++ {}": "", "for i := 0; v < n; i++ {}": "", "for i := 0; i < n; v++ {}": "", "for i := 0; i < n; {}": "", "for i, j := 0, 0; i < n; i++ { use(j) }": "", "for v = 0; v < n; v++ {}": "",
		"for i := 0; i < 9; i++ {}": "9", "for i := 0; i < len(xs); i++ {}": "len(xs)", "for i := 0; i < len(xs)-1; i++ {}": "len(xs) - 1 neg", "for i := 0; i < n; i++ { n-- }": "", "for i := 0; i < n; i++ { i = 0 }": "", "for i := 0; i < n; i++ { use(&i) }": "", "for i := 0; i < len(xs); i++ { xs = nil }": "",
		"for i := int64(0); i < n64; i++ {}": "", "for i := 0; i < p.x; i++ {}": "", "for {}": "", "for ok {}": "",
		"for range n {}": "n neg", "for range n64 {}": "", "for range 9 {}": "9", "for range v + 1 {}": "v + 1 neg", "for range len(ys) {}": "len(ys)", "for range xs { xs = nil }": "", "for range pa {}": "", "for range a {}": "len(a)", "for range m {}": "len(m)", "for range s {}": "len(s)", "for range p.x {}": "",
	} {
		c := check(t, head)
		count, neg, known := c.loops()[0].Count(c.text)
		got := count
		if neg {
			got += " neg"
		}
		if got != want || known != (want != "") {
			t.Errorf("%s: %q, known %t, want %q", head, got, known, want)
		}
	}
	for head, want := range map[string]string{
		"for i := 0; i < n; i++ {}": "i from 0 to n", "for i := v; i < n; i++ {}": "i from v to n", "for i := 1; i < n; i++ {}": "i from 1 to n", "for i := 0; i <= n; i++ {}": "", "for i := 0; i < n; i-- {}": "", "for i := 0; v < n; i++ {}": "", "for i := 0; i < n; v++ {}": "", "for v = 0; v < n; v++ {}": "", "for i, j := 0, 1; i < n; i++ { use(j) }": "", "for i := int64(0); i < n64; i++ {}": "",
		"for i := range n {}": "i to n", "for range n {}": " to n", "for i := range 3 {}": "i to 3", "for i := range n64 {}": "", "for i, x := range xs { use(i, x) }": "i x over xs", "for _, x := range a { use(x) }": " x over a", "for i := range pa { use(i) }": "", "for v = range xs {}": "", "for k := range m { use(k) }": "", "for i := range s { use(i) }": "", "for {}": "",
	} {
		c := check(t, head)
		x, ok := loop.Numbered(c.Info, c.loops()[0].Stmt)
		got := ""
		if ok {
			for _, id := range []*ast.Ident{x.Key, x.Value} {
				if id != nil {
					got = strings.TrimPrefix(got+" "+id.Name, " ")
				}
			}
			switch {
			case x.Over != nil:
				got += " over " + c.text(x.Over)
			case x.Lo != nil:
				got += " from " + c.text(x.Lo) + " to " + c.text(x.Hi)
			case strings.Contains(want, "from 0"):
				got += " from 0 to " + c.text(x.Hi)
			default:
				got += " to " + c.text(x.Hi)
			}
		}
		if strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: numbered %q, want %q", head, got, want)
		}
	}
}

// TestPlaces: the loop that a statement is in, where one before it can stand, and which
// function holds it.
func TestPlaces(t *testing.T) {
	for _, tt := range []struct{ body, around string }{ // of the call of mark
		{"for range n { use(1) }", "range"}, {"for range n { for ok { use(1) } }", "for"}, {"for ok { for range n { use(1) } }", "range"}, {"for range n { if ok { use(1) } }", "range"}, {"use(1)", ""}, {"for range n { func() { use(1) }() }", ""},
		{"func() { for range n { use(1) } }()", "range"}, {"for use(1); ok; {}", ""}, {"for use(1); ok; { break }; for range n {}", ""}, {"for range g(1) {}", ""}, {"for ok { for range g(1) {} }", "for"}, {"for i := g(1); i < n; i++ {}", ""},
	} {
		c := check(t, strings.ReplaceAll(tt.body, "g(1)", "(func(...int) int { return 1 })(1)"))
		got := ""
		for at := range c.in.Root().Preorder((*ast.CallExpr)(nil)) {
			call := at.Node().(*ast.CallExpr)
			if len(call.Args) != 1 || c.text(call.Args[0]) != "1" {
				continue
			}
			if l, ok := loop.Around(c.Info, at); ok {
				got = map[bool]string{false: "for", true: "range"}[strings.Contains(fmt.Sprintf("%T", l.Stmt), "Range")]
			}
		}
		if got != tt.around {
			t.Errorf("%s: in a loop %q, want %q", tt.body, got, tt.around)
		}
	}
	for body, want := range map[string]string{
		"for range n { }": "for", "a: for range n { break a }": "a:", "goto end; end: for range n {}": "goto", "func() { goto end; end: }(); for range n {}": "goto", "func() { for range n {} }(); goto end; end:": "for",
	} {
		c := check(t, body)
		pos, why := c.loops()[0].Before()
		switch {
		case want == "goto":
			if pos.IsValid() || why != "the function has a goto" {
				t.Errorf("%s: a place, or no reason: %q", body, why)
			}
		case why != "" || !strings.HasPrefix(c.text(c.loops()[0].Whole().Node()), want) || pos != c.loops()[0].Whole().Node().Pos():
			t.Errorf("%s: %q, before %q, want before %q", body, why, c.text(c.loops()[0].Whole().Node()), want)
		}
	}
	c := check(t, "use(d.in.x, d, xs[0], (d).x, (*p).x)")
	want := []bool{true, true, false, true, false}
	for at := range c.in.Root().Preorder((*ast.CallExpr)(nil)) {
		if call := at.Node().(*ast.CallExpr); len(call.Args) == len(want) {
			for i, e := range call.Args {
				if got := loop.Chain(e); got != want[i] {
					t.Errorf("Chain(%s) = %t, want %t", c.text(e), got, want[i])
				}
			}
		}
	}
}
