package sortiface

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// data is the edit of sort.Sort(x), where x is of a slice type whose methods
// are those of a slice, or of a struct that does the same with a field of it, and
// the methods that the call runs.
func (s *sorting) data() ([]analysis.TextEdit, []*ast.FuncDecl, *shape.Refusal) {
	if len(s.call.Args) != 1 {
		return nil, nil, shape.No(s.call, "it has no argument")
	}
	info := s.pass.TypesInfo
	x := ast.Unparen(s.call.Args[0])
	down := false
	for {
		call, ok := x.(*ast.CallExpr)
		if !ok {
			break
		}
		fn := typeutil.StaticCallee(info, call)
		if fn == nil || fn.FullName() != "sort.Reverse" || len(call.Args) != 1 {
			break
		}
		down, x = !down, ast.Unparen(call.Args[0])
	}
	named, ok := types.Unalias(uses.Deref(info.TypeOf(x))).(*types.Named)
	if !ok {
		return nil, nil, shape.No(x, "what it sorts has no type of its own")
	}
	xs, text := x, rewrite.Text(s.pass.Fset, x)
	var field *types.Var
	if st, ok := named.Underlying().(*types.Struct); ok {
		if field = onlySlice(st); field == nil {
			return nil, nil, shape.No(x, "what it sorts is no slice, nor has one")
		}
		lit, held := literal(info, x, st)
		switch {
		case held != nil:
			xs, text = held, rewrite.Text(s.pass.Fset, ast.Unparen(held))
		case lit || path(info, x) == nil:
			return nil, nil, shape.No(x, "what it sorts is not named by a variable")
		default:
			text += "." + field.Name()
		}
	} else if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
		xs = call.Args[0]
		text = rewrite.Text(s.pass.Fset, ast.Unparen(xs))
	}
	var of types.Type = named
	if field != nil {
		of = field.Type()
	}
	elem, why := s.element(of, x)
	if why != nil {
		return nil, nil, why
	}
	if field == nil {
		if elem2, why := s.element(info.TypeOf(xs), xs); why != nil || !types.Identical(elem, elem2) {
			return nil, nil, shape.No(xs, "what it sorts is no slice")
		}
	}
	if rewrite.Comments(s.file, s.call) {
		return nil, nil, shape.No(s.call, "a comment stands in it")
	}
	if o := named.Obj(); o.Pkg() != nil && o.Pkg().Path() == "sort" {
		// sort.IntSlice and its like: < of the elements.
		fn, typ, edits, why := s.typed(xs, elem)
		switch {
		case why != nil:
			return nil, nil, why
		case !down && s.stable && floats(elem):
			return nil, nil, shape.No(x, "0 and -0 are equal, and keep their order")
		case !down:
			return s.plain(text), nil, nil
		}
		if edits := s.backwards(xs, text, elem); edits != nil {
			return edits, nil, nil
		}
		compare, more := rewrite.Import(s.pass.Pkg, s.file, "cmp", s.call.Pos())
		a, b := s.names()
		edits = append(edits, more...)
		return append(edits, rewrite.Replace(s.call, fmt.Sprintf("%s(%s, func(%s, %s %s) int { return %s.Compare(%s, %s) })", fn, text, a, b, typ, compare, b, a))), nil, nil
	}
	methods := map[string]*ast.FuncDecl{}
	for _, f := range s.pass.Files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv == nil || fn.Body == nil {
				continue
			}
			o, _ := info.Defs[fn.Name].(*types.Func)
			if o == nil {
				continue
			}
			for i := range named.NumMethods() {
				if named.Method(i).Origin() == o {
					methods[fn.Name.Name] = fn
				}
			}
		}
	}
	lessFn, swap, length := methods["Less"], methods["Swap"], methods["Len"]
	if lessFn == nil || swap == nil || length == nil {
		return nil, nil, shape.No(x, "the methods of its type are declared elsewhere")
	}
	run := []*ast.FuncDecl{lessFn, swap, length}
	if named.TypeArgs() != nil {
		return nil, run, shape.No(x, "its type is generic")
	}
	if !s.plainLen(length, field) {
		return nil, run, shape.No(length, "Len is not the length of the slice")
	}
	if !s.plainSwap(swap, field) {
		return nil, run, shape.No(swap, "Swap does more than exchange two elements")
	}
	is := slice(info, lessFn, field)
	if is == nil {
		return nil, run, shape.No(lessFn, "Less does not look at its receiver")
	}
	l, why := s.less(lessFn.Type, lessFn.Body, is)
	if why != nil {
		return nil, run, why
	}
	if name := s.hidden(l); name != "" {
		return nil, run, shape.No(lessFn, name+" of Less means something else where the sorting is")
	}
	fn, typ, edits, why := s.typed(xs, elem)
	if why != nil {
		return nil, run, why
	}
	if l.plain() && ordered(elem) && !s.stable && !down {
		return s.plain(text), run, nil
	}
	if l.plain() && ordered(elem) && down {
		if edits := s.backwards(xs, text, elem); edits != nil {
			return edits, run, nil
		}
	}
	// All keys in one return, wherever they stood.
	p := part{keys: l.keys(), at: s.call}
	for i := range p.keys {
		p.keys[i].down = p.keys[i].down != down
	}
	body, imports := s.text(l, p)
	a, b := s.names()
	return append(append(edits, imports...), rewrite.Replace(s.call, fmt.Sprintf("%s(%s, func(%s, %s %s) int { %s })", fn, text, a, b, typ, body[0].NewText))), run, nil
}

// backwards is the edit for a slice that is sorted by > of its elements, where
// those that are equal are the same: up, without a call for each comparison, and
// then turned around. It is nil where that cannot be told or written.
func (s *sorting) backwards(xs ast.Expr, text string, elem types.Type) []analysis.TextEdit {
	st := s.at.Parent()
	if _, ok := st.Node().(*ast.ExprStmt); !ok || !uses.Listed(st) || floats(elem) || path(s.pass.TypesInfo, xs) == nil {
		return nil
	}
	pkg, edits := rewrite.Import(s.pass.Pkg, s.file, "slices", s.call.Pos())
	return append(edits, rewrite.Replace(s.call, fmt.Sprintf("%s.Sort(%s)\n%s.Reverse(%s)", pkg, text, pkg, text)))
}

// hidden is a name in a key that means something else at the call, "" if there
// is none.
func (s *sorting) hidden(l *less) (name string) {
	scope := s.pass.Pkg.Scope().Innermost(s.call.Pos())
	var look func(e ast.Expr)
	look = func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IndexExpr:
				return !l.is(n.X)
			case *ast.SelectorExpr:
				look(n.X)
				return false
			case *ast.Ident:
				name = cmp.Or(name, s.hides(scope, l, n))
			}
			return true
		})
	}
	for _, k := range l.keys() {
		look(k.x)
	}
	return name
}

func (s *sorting) hides(scope *types.Scope, l *less, id *ast.Ident) string {
	o := s.pass.TypesInfo.Uses[id]
	if v, ok := o.(*types.Var); ok && (v.IsField() || v == l.i || v == l.j) || o == nil {
		return ""
	}
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		return ""
	}
	if _, there := scope.LookupParent(id.Name, s.call.Pos()); there != o {
		return id.Name
	}
	return ""
}

// onlySlice is the field of a struct that is a slice, nil if there are several or
// none.
func onlySlice(st *types.Struct) (only *types.Var) {
	for f := range st.Fields() {
		if _, ok := f.Type().Underlying().(*types.Slice); ok {
			if only != nil {
				return nil
			}
			only = f
		}
	}
	return only
}

// literal reports whether x is T{held} or &T{held}, and what it holds where T has
// that one field.
func literal(info *types.Info, x ast.Expr, st *types.Struct) (is bool, held ast.Expr) {
	if u, ok := x.(*ast.UnaryExpr); ok && u.Op == token.AND {
		x = ast.Unparen(u.X)
	}
	lit, is := x.(*ast.CompositeLit)
	if !is || len(lit.Elts) != 1 || st.NumFields() != 1 {
		return is, nil
	}
	held = lit.Elts[0]
	if kv, ok := held.(*ast.KeyValueExpr); ok {
		held = kv.Value
	}
	return true, held
}

// slice says which expressions in a method are what is sorted: its receiver, or
// the field of that. It is nil where the receiver has no name.
func slice(info *types.Info, fn *ast.FuncDecl, field *types.Var) func(ast.Expr) bool {
	if len(fn.Recv.List) != 1 || len(fn.Recv.List[0].Names) != 1 {
		return nil
	}
	recv, _ := info.Defs[fn.Recv.List[0].Names[0]].(*types.Var)
	if recv == nil {
		return nil
	}
	if field == nil {
		if _, ok := recv.Type().Underlying().(*types.Slice); !ok {
			return nil // a pointer
		}
		return func(e ast.Expr) bool { return loop.Var(info, e) == recv }
	}
	return func(e ast.Expr) bool {
		sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
		return ok && loop.Var(info, sel.X) == recv && info.Uses[sel.Sel] == field
	}
}

// plainLen: return len(s).
func (s *sorting) plainLen(fn *ast.FuncDecl, field *types.Var) bool {
	info := s.pass.TypesInfo
	is := slice(info, fn, field)
	if is == nil || len(fn.Body.List) != 1 {
		return false
	}
	r, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	call, ok := ast.Unparen(r.Results[0]).(*ast.CallExpr)
	return ok && loop.Builtin(info, call) == "len" && is(call.Args[0])
}

// plainSwap: s[i], s[j] = s[j], s[i].
func (s *sorting) plainSwap(fn *ast.FuncDecl, field *types.Var) bool {
	info := s.pass.TypesInfo
	is := slice(info, fn, field)
	if is == nil || len(fn.Body.List) != 1 {
		return false
	}
	a, ok := fn.Body.List[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 2 || len(a.Rhs) != 2 {
		return false
	}
	var params []*types.Var
	for _, f := range fn.Type.Params.List {
		for _, n := range f.Names {
			v, _ := info.Defs[n].(*types.Var)
			params = append(params, v)
		}
	}
	index := func(e ast.Expr) *types.Var {
		ix, ok := ast.Unparen(e).(*ast.IndexExpr)
		if !ok || !is(ix.X) {
			return nil
		}
		return loop.Var(info, ix.Index)
	}
	x, y := index(a.Lhs[0]), index(a.Lhs[1])
	return len(params) == 2 && x != nil && y != nil && x != y && index(a.Rhs[0]) == y && index(a.Rhs[1]) == x &&
		(x == params[0] || x == params[1]) && (y == params[0] || y == params[1])
}
