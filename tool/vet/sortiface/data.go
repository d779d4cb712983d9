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
)

// data is the edit of sort.Sort(x), where x is of a slice type whose methods
// are those of a slice, and the methods that the call runs.
func (s *sorting) data() ([]analysis.TextEdit, []*ast.FuncDecl, *refusal) {
	if len(s.call.Args) != 1 {
		return nil, nil, no(s.call, "it has no argument")
	}
	info := s.pass.TypesInfo
	x := ast.Unparen(s.call.Args[0])
	down := false
	if call, ok := x.(*ast.CallExpr); ok {
		if fn := typeutil.StaticCallee(info, call); fn != nil && fn.FullName() == "sort.Reverse" && len(call.Args) == 1 {
			down, x = true, ast.Unparen(call.Args[0])
		}
	}
	xs := x
	if call, ok := x.(*ast.CallExpr); ok && len(call.Args) == 1 && info.Types[call.Fun].IsType() {
		xs = call.Args[0]
	}
	named, ok := types.Unalias(info.TypeOf(x)).(*types.Named)
	if !ok {
		return nil, nil, no(x, "what it sorts has no type of its own")
	}
	elem, why := s.element(x)
	if why != nil {
		return nil, nil, why
	}
	if elem2, why := s.element(xs); why != nil || !types.Identical(elem, elem2) {
		return nil, nil, no(xs, "what it sorts is no slice")
	}
	text := rewrite.Text(s.pass.Fset, ast.Unparen(xs))
	if rewrite.Comments(s.file, s.call) {
		return nil, nil, no(s.call, "a comment stands in it")
	}
	if o := named.Obj(); o.Pkg() != nil && o.Pkg().Path() == "sort" {
		// sort.IntSlice and its like: < of the elements.
		fn, typ, edits, why := s.typed(xs, elem)
		switch {
		case why != nil:
			return nil, nil, why
		case !down && s.stable && floats(elem):
			return nil, nil, no(x, "0 and -0 are equal, and keep their order")
		case !down:
			return s.plain(s.call.Pos(), s.call.End(), xs), nil, nil
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
		return nil, nil, no(x, "the methods of its type are declared elsewhere")
	}
	run := []*ast.FuncDecl{lessFn, swap, length}
	if named.TypeArgs() != nil {
		return nil, run, no(x, "its type is generic")
	}
	if !s.plainLen(length) {
		return nil, run, no(length, "Len is not the length of the slice")
	}
	if !s.plainSwap(swap) {
		return nil, run, no(swap, "Swap does more than exchange two elements")
	}
	recv := receiver(info, lessFn)
	if recv == nil {
		return nil, run, no(lessFn, "Less does not look at its receiver")
	}
	l, why := s.less(lessFn.Type, lessFn.Body, func(e ast.Expr) bool { return loop.Var(info, e) == recv })
	if why != nil {
		return nil, run, why
	}
	if name := s.hidden(l); name != "" {
		return nil, run, no(lessFn, name+" of Less means something else where the sorting is")
	}
	fn, typ, edits, why := s.typed(xs, elem)
	if why != nil {
		return nil, run, why
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

// hidden is a name in a key that means something else at the call, "" if there
// is none.
func (s *sorting) hidden(l *less) (name string) {
	scope := s.pass.Pkg.Scope().Innermost(s.call.Pos())
	for _, k := range l.keys() {
		ast.Inspect(k.x, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				ast.Inspect(n.X, func(n ast.Node) bool {
					name = cmp.Or(name, s.hides(scope, l, n))
					return true
				})
				return false
			case *ast.Ident:
				name = cmp.Or(name, s.hides(scope, l, n))
			}
			return true
		})
	}
	return name
}

func (s *sorting) hides(scope *types.Scope, l *less, n ast.Node) string {
	id, ok := n.(*ast.Ident)
	if !ok {
		return ""
	}
	o := s.pass.TypesInfo.Uses[id]
	if v, ok := o.(*types.Var); ok && (v.IsField() || v == l.i || v == l.j || l.is(id)) || o == nil {
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

// receiver is the receiver of a method with a value of the slice, nil if it has
// no name or is a pointer.
func receiver(info *types.Info, fn *ast.FuncDecl) *types.Var {
	if len(fn.Recv.List) != 1 || len(fn.Recv.List[0].Names) != 1 {
		return nil
	}
	v, _ := info.Defs[fn.Recv.List[0].Names[0]].(*types.Var)
	if v == nil {
		return nil
	}
	if _, ok := v.Type().Underlying().(*types.Slice); !ok {
		return nil
	}
	return v
}

// plainLen: return len(s).
func (s *sorting) plainLen(fn *ast.FuncDecl) bool {
	info := s.pass.TypesInfo
	recv := receiver(info, fn)
	if recv == nil || len(fn.Body.List) != 1 {
		return false
	}
	r, ok := fn.Body.List[0].(*ast.ReturnStmt)
	if !ok || len(r.Results) != 1 {
		return false
	}
	call, ok := ast.Unparen(r.Results[0]).(*ast.CallExpr)
	return ok && loop.Builtin(info, call) == "len" && loop.Var(info, call.Args[0]) == recv
}

// plainSwap: s[i], s[j] = s[j], s[i].
func (s *sorting) plainSwap(fn *ast.FuncDecl) bool {
	info := s.pass.TypesInfo
	recv := receiver(info, fn)
	if recv == nil || len(fn.Body.List) != 1 {
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
		if !ok || loop.Var(info, ix.X) != recv {
			return nil
		}
		return loop.Var(info, ix.Index)
	}
	x, y := index(a.Lhs[0]), index(a.Lhs[1])
	return len(params) == 2 && x != nil && y != nil && x != y && index(a.Rhs[0]) == y && index(a.Rhs[1]) == x &&
		(x == params[0] || x == params[1]) && (y == params[0] || y == params[1])
}
