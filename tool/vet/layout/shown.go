package layout

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Around finds the struct type that a field is declared in.
func Around(x *uses.Index, field inspector.Cursor) (Struct, bool) {
	for st := range field.Enclosing((*ast.StructType)(nil)) {
		s := Struct{Node: st.Node().(*ast.StructType), Under: st}
		s.Type, _ = x.Info.TypeOf(s.Node).(*types.Struct)
		if spec, ok := st.Parent().Node().(*ast.TypeSpec); ok {
			s.Name, _ = x.Info.Defs[spec.Name].(*types.TypeName)
		}
		return s, s.Type != nil
	}
	return Struct{}, false
}

// Shown returns why the fields of a struct may be shown, as fmt shows all of
// them, and where. A value of it becomes one of an empty interface.
func (s Struct) Shown(x *uses.Index) (why string, at token.Pos) {
	s.arguments(x)
	const shown = "its fields may be shown: it is made an empty interface"
	for c := range x.Root.Preorder((*ast.CallExpr)(nil), (*ast.AssignStmt)(nil), (*ast.ValueSpec)(nil), (*ast.CompositeLit)(nil), (*ast.ReturnStmt)(nil), (*ast.SendStmt)(nil)) {
		found := token.NoPos
		to := func(t types.Type, e ast.Expr) {
			if t != nil && empty(t) && s.within(x.Info.TypeOf(e)) {
				found = e.Pos()
			}
		}
		switch n := c.Node().(type) {
		case *ast.CallExpr:
			if tv := x.Info.Types[n.Fun]; tv.IsType() {
				if len(n.Args) == 1 {
					to(tv.Type, n.Args[0])
				}
			} else if sig, ok := x.Info.TypeOf(n.Fun).(*types.Signature); ok && !keeps(x.Info, n) {
				for i, a := range n.Args {
					to(parameter(sig, i, n.Ellipsis.IsValid()), a)
				}
			}
		case *ast.AssignStmt:
			for i := range n.Lhs {
				if len(n.Lhs) == len(n.Rhs) && n.Tok == token.ASSIGN {
					to(x.Info.TypeOf(n.Lhs[i]), n.Rhs[i])
				}
			}
		case *ast.ValueSpec:
			for _, v := range n.Values {
				if n.Type != nil {
					to(x.Info.TypeOf(n.Type), v)
				}
			}
		case *ast.CompositeLit:
			for i, e := range n.Elts {
				kv, keyed := e.(*ast.KeyValueExpr)
				if keyed {
					e = kv.Value
				}
				switch t := uses.Deref(x.Info.TypeOf(n)).Underlying().(type) {
				case *types.Map:
					to(t.Key(), kv.Key)
					to(t.Elem(), e)
				case interface{ Elem() types.Type }: // a slice or array
					to(t.Elem(), e)
				case *types.Struct:
					if keyed {
						to(x.Info.TypeOf(kv.Key), e)
					} else {
						to(t.Field(i).Type(), e)
					}
				}
			}
		case *ast.ReturnStmt:
			var of types.Type
			if fn, ok := uses.Func(c); ok {
				switch fn := fn.Node().(type) {
				case *ast.FuncLit:
					of = x.Info.TypeOf(fn)
				case *ast.FuncDecl:
					of = x.Info.TypeOf(fn.Name)
				}
			}
			if sig, ok := of.(*types.Signature); ok && sig.Results().Len() == len(n.Results) {
				for i, e := range n.Results {
					to(sig.Results().At(i).Type(), e)
				}
			}
		case *ast.SendStmt:
			if ch, ok := x.Info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
				to(ch.Elem(), n.Value)
			}
		}
		if found.IsValid() {
			return shown, found
		}
	}
	return "", token.NoPos
}

// empty reports whether t is an interface without methods.
func empty(t types.Type) bool {
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return false
	}
	i, ok := t.Underlying().(*types.Interface)
	return ok && i.Empty()
}

// parameter is the type of the i-th argument of a call.
func parameter(sig *types.Signature, i int, spread bool) types.Type {
	last := sig.Params().Len() - 1
	if sig.Variadic() && i >= last && !spread {
		if s, ok := sig.Params().At(last).Type().(*types.Slice); ok {
			return s.Elem()
		}
		return nil
	}
	if i > last {
		return nil
	}
	return sig.Params().At(i).Type()
}

// keeps reports whether a call is of a function of the standard library that
// takes any value and looks at none of its unexported fields.
func keeps(info *types.Info, call *ast.CallExpr) bool {
	f, ok := typeutil.Callee(info, call).(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	switch path := f.Pkg().Path(); path {
	case "sync", "sync/atomic", "runtime", "errors", "context", "encoding/json", "encoding/gob", "encoding/xml":
		return true
	default:
		return strings.HasPrefix(path, "container/")
	}
}
