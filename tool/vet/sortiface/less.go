package sortiface

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// A less is what a less function compares: keys, of which the first that differ
// decide.
type less struct {
	keys []key
	xs   string // what is sorted, as the function names it
	i, j types.Object
}

// A key is a comparison of two elements.
type key struct {
	x, y ast.Expr // of the element at i, of that at j; nil: the elements
	down bool     // the larger comes first
	time bool     // they are times
}

// nan is why floats are not compared by package cmp where equal elements keep
// their order.
const nan = "it compares floats: for < a NaN is like every number, for package cmp it is less than all"

// floats reports whether values of a type may be NaN.
func floats(t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	return !ok || b.Info()&types.IsFloat != 0
}

func params(typ *ast.FuncType) (all []*ast.Ident) {
	for _, f := range typ.Params.List {
		all = append(all, f.Names...)
	}
	return all
}

// is reports whether a body is one statement.
func (s *sorting) is(body *ast.BlockStmt, text string) bool {
	return len(body.List) == 1 && rewrite.Text(s.pass.Fset, body.List[0]) == text && rewrite.Universal(s.pass.Pkg, body.Pos(), "len")
}

// less reads a less function of two indexes into xs.
func (s *sorting) less(typ *ast.FuncType, body *ast.BlockStmt, xs string) (*less, *shape.Refusal) {
	ps := params(typ)
	if len(ps) != 2 {
		return nil, shape.No(typ, "its less function has no names for its indexes")
	}
	l := &less{xs: xs, i: s.pass.TypesInfo.Defs[ps[0]], j: s.pass.TypesInfo.Defs[ps[1]]}
	for n, st := range body.List {
		chain := shape.No(st, "its less function is more than a chain of comparisons")
		var differ *ast.BinaryExpr
		if n < len(body.List)-1 { // if a[i].x != a[j].x { return a[i].x < a[j].x }
			test, ok := st.(*ast.IfStmt)
			if !ok || test.Init != nil || test.Else != nil || len(test.Body.List) != 1 {
				return nil, chain
			}
			if differ, ok = ast.Unparen(test.Cond).(*ast.BinaryExpr); !ok || differ.Op != token.NEQ {
				return nil, chain
			}
			st = test.Body.List[0]
		}
		r, ok := st.(*ast.ReturnStmt)
		if !ok || len(r.Results) != 1 {
			return nil, chain
		}
		k, why := s.key(l, ast.Unparen(r.Results[0]))
		if why != nil {
			return nil, why
		}
		are := func(x, y ast.Expr) bool { return s.text(x) == s.text(k.x) && s.text(y) == s.text(k.y) }
		if differ != nil && (k.time || !are(differ.X, differ.Y) && !are(differ.Y, differ.X)) {
			return nil, chain
		}
		l.keys = append(l.keys, k)
	}
	return l, nil
}

// key reads one comparison, and checks that it is one of the elements alone, by
// value.
func (s *sorting) key(l *less, e ast.Expr) (k key, why *shape.Refusal) {
	info := s.pass.TypesInfo
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op == token.LSS || e.Op == token.GTR {
			k = key{x: e.X, y: e.Y, down: e.Op == token.GTR}
		}
	case *ast.CallExpr: // a[i].t.Before(a[j].t)
		fn := typeutil.StaticCallee(info, e)
		if sel, ok := e.Fun.(*ast.SelectorExpr); ok && fn != nil && (fn.FullName() == "(time.Time).Before" || fn.FullName() == "(time.Time).After") {
			k = key{x: sel.X, y: e.Args[0], down: fn.Name() == "After", time: true}
		}
	}
	if k.x == nil {
		return k, shape.No(e, "its less function is no strict comparison")
	}
	if !s.twins(l, k.x, k.y) {
		if k.x, k.y, k.down = k.y, k.x, !k.down; !s.twins(l, k.x, k.y) {
			return k, shape.No(e, "the two sides of its comparison are not the same of either element")
		}
	}
	if s.stable && !k.time && floats(info.TypeOf(k.x)) {
		return k, shape.No(k.x, nan)
	}
	scope := s.pass.Pkg.Scope().Innermost(s.call.Pos())
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			why = shape.No(n, "its less function holds another function")
		case *ast.UnaryExpr:
			if n.Op == token.AND || n.Op == token.ARROW {
				why = shape.No(n, "its less function takes the address of an element or receives")
			}
		case *ast.SliceExpr:
			why = shape.No(n, "its less function may take the address of an element")
		case *ast.SelectorExpr:
			if v, ok := info.Uses[n.Sel].(*types.Var); ok && !v.IsField() {
				why = shape.No(n, fmt.Sprintf("its less function reads %s besides the elements", v.Name()))
			} else if loop.ImplicitAddress(info, n) {
				why = shape.No(n, "its less function takes the address of an element: the method has a pointer receiver")
			}
			ast.Inspect(n.X, look)
			return false
		case *ast.IndexExpr:
			if v := loop.Var(info, n.Index); v != nil && v == l.i && s.text(n.X) == l.xs {
				return false
			}
		case *ast.Ident:
			o := info.Uses[n]
			if _, ok := o.(*types.Var); ok {
				why = shape.No(n, fmt.Sprintf("its less function reads %s besides the elements", n.Name))
			} else if _, there := scope.LookupParent(n.Name, s.call.Pos()); there != o {
				why = shape.No(n, n.Name+" of Less means something else where the sorting is")
			}
		}
		return why == nil
	}
	ast.Inspect(k.x, look)
	return k, why
}

// twins reports whether x is an expression of the element at i, and y is the
// same of that at j.
func (s *sorting) twins(l *less, x, y ast.Expr) bool {
	a, i := s.of(l, x, l.i, "e")
	b, j := s.of(l, y, l.j, "e")
	return a == b && i && j
}

// of is the text of e with element in the place of the elements at an index, and
// reports whether it has such and does nothing else with the indexes.
func (s *sorting) of(l *less, e ast.Expr, index types.Object, element string) (text string, ok bool) {
	info, found, others := s.pass.TypesInfo, false, false
	text = s.text(e)
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.IndexExpr:
			if v := loop.Var(info, n.Index); v != nil && v == index && s.text(n.X) == l.xs {
				// All elements of an expression have the same text.
				found, text = true, strings.ReplaceAll(text, s.text(n), element)
				return false
			}
		case *ast.Ident:
			others = others || info.Uses[n] == l.i || info.Uses[n] == l.j
		}
		return true
	})
	return text, found && !others
}

// plain reports whether it compares the elements themselves.
func (s *sorting) plain(l *less) bool {
	if len(l.keys) != 1 || l.keys[0].time {
		return false
	}
	ix, ok := l.keys[0].x.(*ast.IndexExpr)
	return l.keys[0].x == nil || ok && s.text(ix.X) == l.xs
}

// compare is a function that compares two elements, and the imports that it needs.
func (s *sorting) compare(l *less, typ string, down bool) (fn string, imports []analysis.TextEdit) {
	name := func(name string) string { return rewrite.Fresh(s.pass.Pkg, s.call, name) }
	a, b, c := name("a"), name("b"), name("c")
	fn = fmt.Sprintf("func(%s, %s %s) int { ", a, b, typ)
	for n, k := range l.keys {
		x, y, text := a, b, ""
		if k.x != nil {
			x, _ = s.of(l, k.x, l.i, a)
			y, _ = s.of(l, k.y, l.j, b)
		}
		if k.down != down {
			x, y = y, x
		}
		if k.time {
			if _, ok := ast.Unparen(k.x).(*ast.StarExpr); ok {
				x = "(" + x + ")"
			}
			text = x + ".Compare(" + y + ")"
		} else {
			pkg, more := rewrite.Import(s.pass.Pkg, s.file, "cmp", s.call.Pos())
			imports, text = append(imports, more...), pkg+".Compare("+x+", "+y+")"
		}
		if n < len(l.keys)-1 {
			fn += fmt.Sprintf("if %s := %s; %s != 0 {\nreturn %s\n}\n", c, text, c, c)
		} else {
			fn += "return " + text + " }"
		}
	}
	return fn, imports
}
