package layout

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// shown returns why code that takes any value may come to see the fields of the
// struct, as fmt prints them and reflect lists them, and where it gets one.
func (s Struct) shown(x *uses.Index) (why string, at token.Pos) {
	const boxed = "it is made an interface, behind which its fields may be listed"
	for c := range x.Root.Preorder((*ast.CallExpr)(nil), (*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.ReturnStmt)(nil), (*ast.CompositeLit)(nil), (*ast.SendStmt)(nil)) {
		for from, to := range conversions(x.Info, c) {
			if s.boxed(x.Info.TypeOf(from), to) {
				return boxed, from.Pos()
			}
		}
	}
	return "", token.NoPos
}

// boxed reports whether a value of type from that becomes one of type to takes
// the struct behind an interface. One with methods is expected to be used by
// these, unless it holds the struct itself.
func (s Struct) boxed(from, to types.Type) bool {
	if from == nil || to == nil || types.IsInterface(from) || !types.IsInterface(to) {
		return false
	}
	if _, param := types.Unalias(to).(*types.TypeParam); param {
		return false
	}
	if i, ok := to.Underlying().(*types.Interface); ok && i.NumMethods() > 0 {
		_, pointer := types.Unalias(from).Underlying().(*types.Pointer)
		return !pointer && s.is(from)
	}
	return s.within(from, 0)
}

// conversions yields the operands of a node with the types that they become.
func conversions(info *types.Info, c inspector.Cursor) func(yield func(ast.Expr, types.Type) bool) {
	return func(yield func(ast.Expr, types.Type) bool) {
		switch n := c.Node().(type) {
		case *ast.CallExpr:
			arguments(info, n, yield)
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && !yield(n.Rhs[i], info.TypeOf(lhs)) {
					return
				}
			}
		case *ast.ValueSpec:
			for _, v := range n.Values {
				if n.Type != nil && !yield(v, info.TypeOf(n.Type)) {
					return
				}
			}
		case *ast.ReturnStmt:
			fn, ok := uses.Func(c)
			if !ok {
				return
			}
			var sig *types.Signature
			switch f := fn.Node().(type) {
			case *ast.FuncDecl:
				sig = info.Defs[f.Name].(*types.Func).Signature()
			case *ast.FuncLit:
				sig, _ = info.TypeOf(f).(*types.Signature)
			}
			for i, v := range n.Results {
				if sig != nil && len(n.Results) == sig.Results().Len() && !yield(v, sig.Results().At(i).Type()) {
					return
				}
			}
		case *ast.SendStmt:
			if ch, ok := info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
				yield(n.Value, ch.Elem())
			}
		case *ast.CompositeLit:
			elements(info, n, yield)
		}
	}
}

// arguments yields those of a call, but for packages that keep any value and
// look at none.
func arguments(info *types.Info, call *ast.CallExpr, yield func(ast.Expr, types.Type) bool) {
	if tv := info.Types[call.Fun]; tv.IsType() {
		if len(call.Args) == 1 {
			yield(call.Args[0], tv.Type)
		}
		return
	}
	if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok {
		if fn, ok := info.Uses[sel.Sel].(*types.Func); ok && fn.Pkg() != nil {
			switch fn.Pkg().Path() {
			case "sync", "sync/atomic", "container/list", "container/heap", "container/ring", "runtime":
				return
			}
		}
	}
	sig, ok := info.TypeOf(call.Fun).Underlying().(*types.Signature)
	if !ok {
		return // a builtin
	}
	for i, arg := range call.Args {
		var to types.Type
		switch n := sig.Params().Len(); {
		case sig.Variadic() && i >= n-1:
			to = sig.Params().At(n - 1).Type()
			if s, ok := to.Underlying().(*types.Slice); ok && !call.Ellipsis.IsValid() {
				to = s.Elem()
			}
		case i < n:
			to = sig.Params().At(i).Type()
		}
		if !yield(arg, to) {
			return
		}
	}
}

// elements yields those of a composite literal.
func elements(info *types.Info, lit *ast.CompositeLit, yield func(ast.Expr, types.Type) bool) {
	t := info.TypeOf(lit)
	if t == nil {
		return
	}
	var elem, key types.Type
	switch u := uses.Deref(t).Underlying().(type) {
	case *types.Slice:
		elem = u.Elem()
	case *types.Array:
		elem = u.Elem()
	case *types.Map:
		elem, key = u.Elem(), u.Key()
	}
	for i, e := range lit.Elts {
		to := elem
		if st, ok := uses.Deref(t).Underlying().(*types.Struct); ok && i < st.NumFields() {
			to = st.Field(i).Type()
		}
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
			if id, ok := kv.Key.(*ast.Ident); ok && elem == nil {
				if v, ok := info.Uses[id].(*types.Var); ok {
					to = v.Type()
				}
			}
			if key != nil && !yield(kv.Key, key) {
				return
			}
		}
		if !yield(e, to) {
			return
		}
	}
}
