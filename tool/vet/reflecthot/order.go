package reflecthot

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// apart reports whether the parts can be written one after the other: no
// argument is evaluated, or read, after an earlier part has been written.
func (s *site) apart(parts []part) bool {
	for _, p := range parts {
		switch {
		case p.arg == nil || len(parts) == 1:
		case s.calls(p.arg):
			s.refuse("typed", p.arg, "a call among its arguments would come between the writes")
			return false
		case isBytes(s.pass.TypesInfo.TypeOf(p.arg)):
			s.refuse("typed", p.arg, rewrite.Text(s.pass.Fset, p.arg)+" may lie in what is written to")
			return false
		}
	}
	return true
}

func isBytes(t types.Type) bool {
	_, ok := t.Underlying().(*types.Slice)
	return ok
}

// certain reports whether no argument can panic after an earlier part has been
// written: somebody who recovers would see that part.
func (s *site) certain(parts []part) bool {
	for i, p := range parts {
		if i > 0 && p.arg != nil && !s.sure(p.arg) {
			return false
		}
	}
	return true
}

// sure reports whether evaluating e cannot panic. It knows variables, fields
// of values, structs, and arithmetic without division.
func (s *site) sure(e ast.Expr) bool {
	info := s.pass.TypesInfo
	if info.Types[e].Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.sure(e.X)
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		return sel == nil || sel.Kind() == types.FieldVal && !sel.Indirect() && s.sure(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && s.sure(e.X)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return false
		}
		return uses.Basic(info.TypeOf(e.X)) && uses.Basic(info.TypeOf(e.Y)) && s.sure(e.X) && s.sure(e.Y)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				x = kv.Value
			}
			if !s.sure(x) {
				return false
			}
		}
		return isStruct(info.TypeOf(e))
	case *ast.CallExpr:
		switch {
		case len(e.Args) != 1:
			return false
		case loop.Builtin(info, e) == "len", info.Types[e.Fun].IsType() && uses.Basic(info.TypeOf(e)):
			return s.sure(e.Args[0])
		}
	}
	return false
}

// own reports whether buf, which is appended to, is a local variable whose
// array nobody else knows. Appending in steps may write into spare capacity and
// then move on where a single append moves at once; somebody with the array at
// hand can tell.
func (s *site) own(at inspector.Cursor, buf ast.Expr, parts []part) bool {
	info := s.pass.TypesInfo
	if cut, ok := ast.Unparen(buf).(*ast.SliceExpr); ok {
		buf = cut.X
	}
	v := loop.Var(info, buf)
	fn := loop.Func(s.at)
	if v == nil || fn == nil || !s.replaced(at, v) {
		return false
	}
	var body *ast.BlockStmt
	switch fn := fn.(type) {
	case *ast.FuncDecl:
		body = fn.Body
	case *ast.FuncLit:
		body = fn.Body
	}
	if v.Pos() < body.Pos() || v.Pos() >= body.End() {
		return false // a parameter, a result, of a function around, or of the package
	}
	for _, p := range parts {
		if p.arg != nil && uses.Mentions(info, p.arg, v) {
			return false
		}
	}
	in, ok := s.at.Inspector().Root().FindNode(body)
	if !ok {
		return false
	}
	for c := range in.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if info.Defs[id] != v && info.Uses[id] != v {
			continue
		}
		if loop.Func(c) != fn || !s.keeps(c, v) {
			return false
		}
	}
	return true
}

// replaced reports whether v = append(v, …) or return append(v, …), with the
// append at at: nobody looks at what v was.
func (s *site) replaced(at inspector.Cursor, v *types.Var) bool {
	return at.ParentEdgeKind() == edge.ReturnStmt_Results || at.ParentEdgeKind() == edge.AssignStmt_Rhs && assigns(s.pass.TypesInfo, at.Parent().Node(), v)
}

func assigns(info *types.Info, n ast.Node, v *types.Var) bool {
	a, ok := n.(*ast.AssignStmt)
	return ok && len(a.Lhs) == 1 && len(a.Rhs) == 1 && a.Tok == token.ASSIGN && loop.Var(info, a.Lhs[0]) == v
}

// keeps reports whether a use of v leaves its array to v alone, while v is in
// use.
func (s *site) keeps(c inspector.Cursor, v *types.Var) bool {
	info := s.pass.TypesInfo
	switch c.ParentEdgeKind() {
	case edge.ValueSpec_Names:
		spec := c.Parent().Node().(*ast.ValueSpec)
		return len(spec.Values) == 0 || len(spec.Names) == 1 && s.fresh(spec.Values[0], v)
	case edge.AssignStmt_Lhs:
		a := c.Parent().Node().(*ast.AssignStmt)
		return len(a.Lhs) == 1 && len(a.Rhs) == 1 && s.fresh(a.Rhs[0], v)
	}
	for {
		switch c.ParentEdgeKind() {
		case edge.ParenExpr_X, edge.SliceExpr_X:
			c = c.Parent()
			continue
		case edge.IndexExpr_X:
			return c.Parent().ParentEdgeKind() != edge.UnaryExpr_X || c.Parent().Parent().Node().(*ast.UnaryExpr).Op != token.AND
		case edge.AssignStmt_Rhs:
			return assigns(info, c.Parent().Node(), v)
		case edge.ReturnStmt_Results:
			return true
		case edge.CallExpr_Args:
			call := c.Parent().Node().(*ast.CallExpr)
			if rewrite.Appends(info, call) {
				if c.ParentEdgeIndex() > 0 {
					return loop.Builtin(info, call) == "append" // its elements
				}
				c = c.Parent()
				continue
			}
			switch loop.Builtin(info, call) {
			case "len", "cap", "copy":
				return true
			}
			if info.Types[call.Fun].IsType() {
				return uses.Basic(info.TypeOf(call)) // a string
			}
			fn := typeutil.StaticCallee(info, call)
			return fn != nil && fn.Name() == "Write" && isWrite(fn.Signature()) // io.Writer: it must not retain it
		}
		return false
	}
}

// fresh reports whether e is an array that nobody knows, or that of v.
func (s *site) fresh(e ast.Expr, v *types.Var) bool {
	info := s.pass.TypesInfo
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return info.Types[e].IsNil() || loop.Var(info, e) == v
	case *ast.CompositeLit:
		return true
	case *ast.SliceExpr:
		return s.fresh(e.X, v)
	case *ast.CallExpr:
		switch {
		case loop.Builtin(info, e) == "make":
			return true
		case rewrite.Appends(info, e):
			return s.fresh(e.Args[0], v)
		}
		return info.Types[e.Fun].IsType() && len(e.Args) == 1 && uses.Basic(info.TypeOf(e.Args[0]))
	}
	return false
}

// calls reports whether evaluating e calls anything.
func (s *site) calls(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			found = found || !s.pass.TypesInfo.Types[n.Fun].IsType() && loop.Builtin(s.pass.TypesInfo, n) == ""
		case *ast.UnaryExpr:
			found = found || n.Op.String() == "<-"
		}
		return !found
	})
	return found
}
