package sharing

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// flows looks at where e goes, a slice or array of padded elements.
func (f *flow) flows(e ast.Expr) error {
	switch p := f.parents[e].(type) {
	case *ast.ParenExpr:
		return f.flows(p)
	case *ast.IndexExpr:
		if p.X == e {
			f.through(p)
			return nil
		}
	case *ast.SliceExpr:
		if p.X == e {
			return f.flows(p)
		}
	case *ast.RangeStmt:
		if p.X == e {
			return f.ranges(p)
		}
	case *ast.BinaryExpr:
		if f.isNil(p.X) || f.isNil(p.Y) {
			return nil
		}
	case *ast.AssignStmt:
		for i := range p.Lhs {
			if len(p.Lhs) != len(p.Rhs) {
				return errors.New("it is set by a call with several results")
			}
			if p.Lhs[i] == e {
				return f.conform(p.Rhs[i])
			}
			if p.Rhs[i] == e {
				return f.conform(p.Lhs[i])
			}
		}
	case *ast.ValueSpec:
		if i := slices.Index(p.Values, e); i >= 0 && i < len(p.Names) {
			return f.conform(p.Names[i])
		}
	case *ast.KeyValueExpr:
		if key, ok := p.Key.(*ast.Ident); ok && p.Value == e {
			if v, ok := f.TypesInfo.Uses[key].(*types.Var); ok && v.IsField() {
				return f.conform(key)
			}
		}
	case *ast.CallExpr:
		return f.argument(p, e)
	case *ast.ReturnStmt:
		return errors.New("a function returns it")
	case *ast.UnaryExpr:
		if p.Op == token.AND {
			return errors.New("its address is taken")
		}
	}
	return errors.New("it is used as a whole")
}

// argument looks at a call that e is handed to.
func (f *flow) argument(call *ast.CallExpr, e ast.Expr) error {
	i := slices.Index(call.Args, e)
	if i < 0 {
		return errors.New("it is called")
	}
	switch fn := f.callee(call).(type) {
	case *types.Builtin:
		switch fn.Name() {
		case "len", "cap", "clear":
			return nil
		case "copy":
			return f.conform(call.Args[1-i])
		case "append":
			if i == 0 || call.Ellipsis.IsValid() {
				if err := f.conform(call); err != nil {
					return err
				}
				return f.flows(call)
			}
		}
	case *types.Func:
		sig := fn.Signature()
		if fn.Pkg() == f.Types && sig.Recv() == nil && sig.TypeParams() == nil && i < sig.Params().Len() && (!sig.Variadic() || i < sig.Params().Len()-1) {
			f.join(sig.Params().At(i))
			return nil
		}
		return fmt.Errorf("it is handed to %s", types.ExprString(call.Fun))
	}
	return errors.New("it is handed to a function")
}

// ranges gives the value of a range clause back its type.
func (f *flow) ranges(r *ast.RangeStmt) error {
	if r.Value == nil {
		return nil
	}
	id, ok := r.Value.(*ast.Ident)
	switch {
	case ok && id.Name == "_":
		return nil
	case !ok || r.Tok != token.DEFINE:
		return errors.New("a range clause sets a variable from it")
	}
	file := f.fileOf(r)
	at, _ := f.offsets(r.Body)
	f.edits = append(f.edits, func() { file.edits.sel(at+1, fmt.Sprintf(" %[1]s := %[1]s.v; _ = %[1]s;", id.Name)) })
	return nil
}

// conform makes the value of e have padded elements.
func (f *flow) conform(e ast.Expr) error {
	if f.isNil(e) || f.wrapped[e] {
		return nil
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.conform(e.X)
	case *ast.Ident, *ast.SelectorExpr:
		id, ok := e.(*ast.Ident)
		if sel, isSel := e.(*ast.SelectorExpr); isSel {
			id, ok = sel.Sel, true
		}
		if ok && id.Name == "_" {
			return nil
		}
		if v, isVar := f.TypesInfo.ObjectOf(id).(*types.Var); ok && isVar {
			f.join(v)
			return nil
		}
	case *ast.SliceExpr:
		return f.conform(e.X)
	case *ast.CompositeLit:
		return f.literal(e)
	case *ast.CallExpr:
		b, ok := f.callee(e).(*types.Builtin)
		switch {
		case f.TypesInfo.Types[e.Fun].IsType() && f.isNil(e.Args[0]): // []T(nil)
			return f.wrapType(e.Fun)
		case ok && b.Name() == "make":
			return f.wrapType(e.Args[0])
		case ok && b.Name() == "append":
			f.wrapped[e] = true
			if err := f.conform(e.Args[0]); err != nil {
				return err
			}
			if e.Ellipsis.IsValid() {
				return f.conform(e.Args[1])
			}
			if f.elem == "" && len(e.Args) > 1 {
				return errors.New("its element type is not written down")
			}
			for _, arg := range e.Args[1:] {
				f.around(arg, "payoffPad["+f.elem+"](", ")")
			}
			return nil
		}
	}
	return fmt.Errorf("its elements come from %s", types.ExprString(e))
}

// literal makes a literal one of padded elements.
func (f *flow) literal(e *ast.CompositeLit) error {
	if f.wrapped[e] {
		return nil
	}
	if err := f.wrapType(e.Type); err != nil {
		return err
	}
	f.wrapped[e] = true
	for _, elt := range e.Elts {
		if kv, ok := elt.(*ast.KeyValueExpr); ok {
			elt = kv.Value
		}
		if lit, ok := elt.(*ast.CompositeLit); ok && lit.Type == nil {
			return errors.New("its literal has elements without a type")
		}
		f.around(elt, "{v: ", "}")
	}
	return nil
}

func (f *flow) isNil(e ast.Expr) bool { return f.TypesInfo.Types[e].IsNil() }
