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
	parts []part
	i, j  *types.Var
	// is reports whether an expression is the slice that is sorted.
	is func(ast.Expr) bool
}

// A part is a statement of a less function: the last returns, those before are
// if a[i].x != a[j].x { return a[i].x < a[j].x }.
type part struct {
	keys []key
	at   ast.Node        // what is replaced: the return, or the condition
	ret  *ast.ReturnStmt // of the condition, nil for the last part
}

// keys are those of all parts.
func (l *less) keys() (all []key) {
	for _, p := range l.parts {
		all = append(all, p.keys...)
	}
	return all
}

// A key is a comparison of two elements.
type key struct {
	x, y ast.Expr // of the element at i, of that at j
	down bool     // the larger comes first
	by   string   // what compares: "" for <, or a format of the arguments
	pkg  string   // that has to be imported for it
}

// less reads a less function of two indexes.
func (s *sorting) less(typ *ast.FuncType, body *ast.BlockStmt, is func(ast.Expr) bool) (*less, *shape.Refusal) {
	l := &less{is: is}
	var params []*types.Var
	for _, f := range typ.Params.List {
		for _, n := range f.Names {
			v, _ := s.pass.TypesInfo.Defs[n].(*types.Var)
			params = append(params, v)
		}
	}
	if len(params) != 2 || params[0] == nil || params[1] == nil {
		return nil, shape.No(typ, "its less function does not compare two elements")
	}
	l.i, l.j = params[0], params[1]
	list := body.List
	for len(list) > 1 {
		// if a[i].x != a[j].x { return a[i].x < a[j].x }
		test, ok := list[0].(*ast.IfStmt)
		if !ok || test.Init != nil || test.Else != nil || len(test.Body.List) != 1 {
			return nil, shape.No(list[0], "its less function is more than a chain of comparisons")
		}
		k, why := s.result(l, test.Body.List[0])
		if why != nil {
			return nil, why
		}
		differ, ok := ast.Unparen(test.Cond).(*ast.BinaryExpr)
		if !ok || differ.Op != token.NEQ || len(k) != 1 || k[0].by != "" || !s.pair(l, differ, k[0]) {
			return nil, shape.No(test, "its less function is more than a chain of comparisons")
		}
		l.parts = append(l.parts, part{k, test.Cond, test.Body.List[0].(*ast.ReturnStmt)})
		list = list[1:]
	}
	if len(list) == 0 {
		return nil, shape.No(body, "its less function is empty")
	}
	k, why := s.result(l, list[0])
	if why != nil {
		return nil, why
	}
	l.parts = append(l.parts, part{k, list[0], nil})
	return l, s.closed(l)
}

// result reads a return of a comparison.
func (s *sorting) result(l *less, st ast.Stmt) ([]key, *shape.Refusal) {
	r, ok := st.(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return nil, shape.No(st, "its less function is more than a chain of comparisons")
	}
	return s.keys(l, r.Results[0])
}

// keys reads x < y, and x < y || x == y && rest.
func (s *sorting) keys(l *less, e ast.Expr) ([]key, *shape.Refusal) {
	e = ast.Unparen(e)
	if b, ok := e.(*ast.BinaryExpr); ok && b.Op == token.LOR {
		first, why := s.keys(l, b.X)
		if why != nil {
			return nil, why
		}
		and, ok := ast.Unparen(b.Y).(*ast.BinaryExpr)
		if !ok || and.Op != token.LAND || len(first) != 1 || first[0].by != "" {
			return nil, shape.No(b, "its less function is no strict comparison")
		}
		equal, rest := ast.Unparen(and.X), and.Y
		if eq, ok := equal.(*ast.BinaryExpr); !ok || eq.Op != token.EQL || !s.pair(l, eq, first[0]) {
			return nil, shape.No(and, "its less function is no strict comparison")
		}
		more, why := s.keys(l, rest)
		return append(first, more...), why
	}
	k, why := s.key(l, e)
	if why != nil {
		return nil, why
	}
	return []key{k}, nil
}

// key reads one comparison.
func (s *sorting) key(l *less, e ast.Expr) (key, *shape.Refusal) {
	info := s.pass.TypesInfo
	switch e := e.(type) {
	case *ast.BinaryExpr:
		if e.Op != token.LSS && e.Op != token.GTR {
			break
		}
		x, y := e.X, e.Y
		if call, ok := ast.Unparen(x).(*ast.CallExpr); ok && zero(info, y) {
			// bytes.Compare(a[i], a[j]) < 0
			if k, ok := s.threeWay(call); ok {
				return s.mirror(l, e, k, e.Op == token.GTR)
			}
		}
		return s.mirror(l, e, key{x: x, y: y}, e.Op == token.GTR)
	case *ast.CallExpr:
		// a[i].t.Before(a[j].t)
		sel, ok := e.Fun.(*ast.SelectorExpr)
		fn := typeutil.StaticCallee(info, e)
		if !ok || fn == nil || len(e.Args) != 1 {
			break
		}
		switch fn.FullName() {
		case "(time.Time).Before":
			return s.mirror(l, e, key{x: sel.X, y: e.Args[0], by: "%s.Compare(%s)"}, false)
		case "(time.Time).After":
			return s.mirror(l, e, key{x: sel.X, y: e.Args[0], by: "%s.Compare(%s)"}, true)
		}
	}
	return key{}, shape.No(e, "its less function is no strict comparison")
}

// threeWay reads a call that says by its sign how two values compare, and says
// the opposite of them the other way round.
func (s *sorting) threeWay(call *ast.CallExpr) (key, bool) {
	fn := typeutil.StaticCallee(s.pass.TypesInfo, call)
	if fn == nil {
		return key{}, false
	}
	switch name := fn.Origin().FullName(); name {
	case "strings.Compare", "bytes.Compare", "cmp.Compare":
		if len(call.Args) == 2 {
			return key{x: call.Args[0], y: call.Args[1], by: "%s." + fn.Name() + "(%s, %s)", pkg: fn.Pkg().Path()}, true
		}
	case "(time.Time).Compare", "(net/netip.Addr).Compare", "(*math/big.Int).Cmp":
		if sel, ok := call.Fun.(*ast.SelectorExpr); ok && len(call.Args) == 1 {
			return key{x: sel.X, y: call.Args[0], by: "%s." + fn.Name() + "(%s)"}, true
		}
	}
	return key{}, false
}

// mirror checks that the two sides of a comparison are the same expression of
// one element and the other, and puts that of i first.
func (s *sorting) mirror(l *less, e ast.Expr, k key, down bool) (key, *shape.Refusal) {
	k.down = down
	if !s.twins(l, k.x, k.y) {
		k.x, k.y, k.down = k.y, k.x, !down
		if !s.twins(l, k.x, k.y) {
			return key{}, shape.No(e, "the two sides of its comparison are not the same of either element")
		}
	}
	return k, nil
}

// pair reports whether a comparison is of what k compares.
func (s *sorting) pair(l *less, e *ast.BinaryExpr, k key) bool {
	x, y := e.X, e.Y
	if !s.twins(l, x, y) {
		x, y = y, x
	}
	text := func(e ast.Expr) string { return rewrite.Text(s.pass.Fset, ast.Unparen(e)) }
	return s.twins(l, x, y) && text(x) == text(k.x)
}

// twins reports whether x is an expression of the element at i, and y is the
// same of that at j.
func (s *sorting) twins(l *less, x, y ast.Expr) bool {
	a, na := s.of(l, x, "e")
	b, nb := s.of(l, y, "e")
	return a == b && na.i > 0 && na.j == 0 && nb.j > 0 && nb.i == 0 && na.other == 0 && nb.other == 0
}

// A count is how an expression uses the indexes: for elements of what is
// sorted, or otherwise.
type count struct{ i, j, other int }

// of is the text of e with element in the place of elements that are sorted.
func (s *sorting) of(l *less, e ast.Expr, element string) (string, count) {
	var n count
	info := s.pass.TypesInfo
	var at []ast.Node
	ast.Inspect(e, func(x ast.Node) bool {
		if ix, ok := x.(*ast.IndexExpr); ok && l.is(ix.X) {
			switch loop.Var(info, ix.Index) {
			case l.i:
				n.i++
				at = append(at, x)
				return false
			case l.j:
				n.j++
				at = append(at, x)
				return false
			}
		}
		if id, ok := x.(*ast.Ident); ok {
			if v := info.Uses[id]; v == l.i || v == l.j {
				n.other++
			}
		}
		return true
	})
	src := rewrite.Text(s.pass.Fset, e)
	if len(at) == 0 {
		return src, n
	}
	// All elements of an expression have the same text but for the index.
	for _, x := range at {
		src = strings.ReplaceAll(src, rewrite.Text(s.pass.Fset, x), element)
	}
	return src, n
}

// closed checks that the comparison is one of the elements alone, by value.
func (s *sorting) closed(l *less) (why *shape.Refusal) {
	info := s.pass.TypesInfo
	for _, k := range l.keys() {
		if s.stable && k.by == "" && floats(info.TypeOf(k.x)) {
			return shape.No(k.x, nan)
		}
		for _, e := range []ast.Expr{k.x, k.y} {
			ast.Inspect(e, func(n ast.Node) bool {
				if why != nil {
					return false
				}
				switch n := n.(type) {
				case *ast.FuncLit:
					why = shape.No(n, "its less function holds another function")
				case *ast.UnaryExpr:
					if n.Op == token.AND || n.Op == token.ARROW {
						why = shape.No(n, "its less function takes the address of an element or receives")
					}
				case *ast.SelectorExpr:
					if loop.ImplicitAddress(info, n) {
						why = shape.No(n, "its less function takes the address of an element: the method has a pointer receiver")
					}
				case *ast.SliceExpr:
					if _, ok := info.TypeOf(n.X).Underlying().(*types.Array); ok {
						why = shape.No(n, "its less function takes the address of an element")
					}
				case *ast.IndexExpr:
					if l.is(n.X) {
						return false
					}
				case *ast.Ident:
					v, ok := info.Uses[n].(*types.Var)
					if ok && !v.IsField() && v != l.i && v != l.j {
						why = shape.No(n, fmt.Sprintf("its less function reads %s besides the elements", n.Name))
					}
				}
				return why == nil
			})
		}
	}
	return why
}

// nan is why floats are not compared by package cmp where equal elements keep
// their order.
const nan = "it compares floats: for < a NaN is like every number, for package cmp it is less than all"

// floats reports whether values of the type may be NaN.
func floats(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsFloat != 0
	case *types.Interface: // of a type parameter
		for i := range u.NumEmbeddeds() {
			if floats(u.EmbeddedType(i)) {
				return true
			}
		}
		// It might be embedded in another way: integers and strings have to be listed.
		return u.NumEmbeddeds() == 0
	case *types.Union:
		for i := range u.Len() {
			if floats(u.Term(i).Type()) {
				return true
			}
		}
	}
	return false
}

// plain reports whether it is x < y of the elements themselves.
func (l *less) plain() bool {
	keys := l.keys()
	if len(keys) != 1 {
		return false
	}
	k := keys[0]
	ix, ok := ast.Unparen(k.x).(*ast.IndexExpr)
	return ok && l.is(ix.X) && !k.down && k.by == ""
}

// names are those of the elements in the comparison.
func (s *sorting) names() (a, b string) {
	return rewrite.Fresh(s.pass.Pkg, s.call, "a"), rewrite.Fresh(s.pass.Pkg, s.call, "b")
}

// text is what a part becomes, and the imports that it needs.
func (s *sorting) text(l *less, p part) (edits, imports []analysis.TextEdit) {
	pkg := func(path string) string {
		name, more := rewrite.Import(s.pass.Pkg, s.file, path, s.call.Pos())
		imports = append(imports, more...)
		return name
	}
	a, b := s.names()
	c := rewrite.Fresh(s.pass.Pkg, s.call, "c")
	compare := func(k key) string {
		x, _ := s.of(l, ast.Unparen(k.x), a)
		y, _ := s.of(l, ast.Unparen(k.y), b)
		if k.down {
			x, y = y, x
		}
		switch {
		case k.by == "":
			return pkg("cmp") + ".Compare(" + x + ", " + y + ")"
		case k.pkg != "":
			return fmt.Sprintf(k.by, pkg(k.pkg), x, y)
		}
		return fmt.Sprintf(k.by, x, y)
	}
	if p.ret != nil {
		return []analysis.TextEdit{
			rewrite.Replace(p.at, c+" := "+compare(p.keys[0])+"; "+c+" != 0"),
			rewrite.Replace(p.ret.Results[0], c),
		}, imports
	}
	var out strings.Builder
	last := len(p.keys) - 1
	for _, k := range p.keys[:last] {
		fmt.Fprintf(&out, "if %s := %s; %s != 0 {\nreturn %s\n}\n", c, compare(k), c, c)
	}
	out.WriteString("return " + compare(p.keys[last]))
	return []analysis.TextEdit{rewrite.Replace(p.at, out.String())}, imports
}

func zero(info *types.Info, e ast.Expr) bool {
	tv := info.Types[e]
	return tv.Value != nil && tv.Value.ExactString() == "0"
}
