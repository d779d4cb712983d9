package localise

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// operands are the arguments, and the receiver.
func (p *place) operands() []ast.Expr {
	if sel, ok := ast.Unparen(p.call.Fun).(*ast.SelectorExpr); ok && p.decl.Recv != nil {
		return append([]ast.Expr{sel.X}, p.call.Args...)
	}
	return p.call.Args
}

// bind puts the arguments in place of the parameters, or declares these.
func (p *place) bind() bool {
	info := p.pass.TypesInfo
	params := slices.Collect(p.fn.Signature().Params().Variables())
	operands := p.operands()
	recv := p.fn.Signature().Recv()
	if recv != nil {
		sel, _ := ast.Unparen(p.call.Fun).(*ast.SelectorExpr)
		if s := info.Selections[sel]; s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
			return p.refuse(p.call.Pos(), "its method is that of a part of a value")
		}
		params = slices.Insert(params, 0, recv)
	}
	if len(params) != len(operands) {
		return p.refuse(p.call.Pos(), "what is called is handed several values by one call")
	}
	for i, v := range params {
		if !p.put(v, operands[i], v == recv) {
			return false
		}
	}
	return p.why == ""
}

// put puts an argument in place of a parameter, or declares the parameter.
func (p *place) put(v *types.Var, arg ast.Expr, recv bool) bool {
	info := p.pass.TypesInfo
	text, value := rewrite.Text(p.pass.Fset, arg), info.Types[arg].Value
	typ := info.TypeOf(arg)
	at := slices.DeleteFunc(slices.Clone(p.uses.Of(v)), p.uses.Declares)
	address := recv && isPointer(v.Type()) && !isPointer(typ)
	lit := slices.ContainsFunc(at, func(c inspector.Cursor) bool { return mustFunc(c).Node() != ast.Node(p.decl) })
	stays := value == nil && !slices.ContainsFunc(at, p.changed)
	switch {
	case len(at) == 0 && (value != nil || p.settled(arg, false)):
		return true
	case len(at) == 0:
		p.lines = append(p.lines, "_ = "+text)
		return true
	case recv && !isPointer(v.Type()):
		return p.refuse(arg.Pos(), "its method has a copy of %s", types.ExprString(arg))
	case stays && address && (p.settled(arg, lit) || p.memory(arg, lit)):
		for _, c := range at {
			switch c.ParentEdgeKind() {
			case edge.SelectorExpr_X:
				p.edits = append(p.edits, rewrite.Replace(c.Node(), text))
			case edge.StarExpr_X:
				p.edits = append(p.edits, rewrite.Replace(c.Parent().Node(), text))
			default:
				p.edits = append(p.edits, rewrite.Replace(c.Node(), "&"+text))
			}
		}
		return true
	case address:
		return p.refuse(arg.Pos(), "%s may be another until then", types.ExprString(arg))
	case stays && types.Identical(typ, v.Type()) && (p.settled(arg, lit) || len(at) == 1 && !lit && p.arithmetic(arg)):
		_, binary := arg.(*ast.BinaryExpr)
		for _, c := range at {
			switch c.ParentEdgeKind() {
			case edge.IndexExpr_Index, edge.AssignStmt_Rhs, edge.CallExpr_Args, edge.ParenExpr_X:
			default:
				if binary {
					text = "(" + text + ")"
				}
			}
			p.edits = append(p.edits, rewrite.Replace(c.Node(), text))
		}
		return true
	}
	name := v.Name()
	if p.args[name] {
		name = rewrite.Fresh(p.pass.Pkg, uses.Decl(p.stmt), name+"Now")
		for _, c := range at {
			p.edits = append(p.edits, rewrite.Replace(c.Node(), name))
		}
	}
	_, basic := types.Unalias(v.Type()).(*types.Basic)
	switch {
	case value == nil && types.Identical(typ, v.Type()):
		p.lines = append(p.lines, name+" := "+text)
	case value != nil && basic: // it may be a constant of another type there
		p.lines = append(p.lines, fmt.Sprintf("%s := %s(%s)", name, v.Type(), text))
	default:
		return p.refuse(arg.Pos(), "%s is converted for the call", types.ExprString(arg))
	}
	p.names[name] = true
	return true
}

// changed reports whether a use of a parameter sets it, or a part that is its own.
func (p *place) changed(c inspector.Cursor) bool {
	for part := uses.Whole(c); ; part = part.Parent() {
		if uses.Written(part) {
			return true
		}
		switch part.ParentEdgeKind() {
		case edge.SelectorExpr_X, edge.IndexExpr_X:
		default:
			return false
		}
		switch p.pass.TypesInfo.TypeOf(part.Node().(ast.Expr)).Underlying().(type) {
		case *types.Struct, *types.Array:
		default:
			return false
		}
	}
}

// settled reports whether an operand is the same until what is called has ended, or,
// if it is used later, always: a local variable.
func (p *place) settled(e ast.Expr, always bool) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := p.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || v.Parent() == p.pass.Pkg.Scope() {
		return false
	}
	return !slices.ContainsFunc(p.uses.Of(v), func(use inspector.Cursor) bool {
		if p.uses.Declares(use) || !uses.Written(uses.Whole(use)) {
			return false
		}
		in, _ := uses.Func(use)
		return always || uses.Whole(use).ParentEdgeKind() == edge.UnaryExpr_X || !spans(in.Node(), p.call.Pos()) || !spans(in.Node(), v.Pos())
	})
}

// memory reports whether an operand stands for the same memory until then: an
// element of what is settled.
func (p *place) memory(e ast.Expr, always bool) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok || !p.settled(x.X, always) || p.pass.TypesInfo.Types[x.Index].Value == nil && !p.settled(x.Index, always) {
		return false
	}
	switch p.pass.TypesInfo.TypeOf(x.X).Underlying().(type) {
	case *types.Array, *types.Slice:
		return true
	}
	return false
}

// arithmetic reports whether an operand is computed of constants and local variables
// that stay, and cannot panic.
func (p *place) arithmetic(e ast.Expr) bool {
	info := p.pass.TypesInfo
	if info.Types[e].Value != nil {
		return true
	}
	b, ok := info.TypeOf(e).Underlying().(*types.Basic)
	if !ok || b.Info()&types.IsNumeric == 0 {
		return false
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return p.settled(e, false)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM, token.SHL, token.SHR:
			return p.arithmetic(e.X) && info.Types[e.Y].Value != nil
		}
		return p.arithmetic(e.X) && p.arithmetic(e.Y)
	case *ast.CallExpr:
		return info.Types[e.Fun].IsType() && p.arithmetic(e.Args[0])
	}
	return false
}
