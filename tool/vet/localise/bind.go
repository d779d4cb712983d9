package localise

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// operands are the arguments, and the receiver.
func (p *place) operands() []ast.Expr {
	if sel, ok := ast.Unparen(p.call.Fun).(*ast.SelectorExpr); ok && p.recv != nil {
		return append([]ast.Expr{sel.X}, p.call.Args...)
	}
	return p.call.Args
}

// bind puts the arguments in place of the parameters, or declares these.
func (p *place) bind() bool {
	info := p.pass.TypesInfo
	var params []*ast.Ident
	for _, list := range []*ast.FieldList{p.recv, p.typ.Params} {
		if list == nil {
			continue
		}
		for _, f := range list.List {
			params = append(params, f.Names...)
			if len(f.Names) == 0 {
				params = append(params, nil)
			}
		}
	}
	operands := p.operands()
	if len(params) != len(operands) {
		return p.refuse(p.call.Pos(), "what is called is handed several values by one call")
	}
	if sel, ok := ast.Unparen(p.call.Fun).(*ast.SelectorExpr); ok && p.recv != nil {
		if s := info.Selections[sel]; s == nil || s.Kind() != types.MethodVal || len(s.Index()) != 1 {
			return p.refuse(sel.Pos(), "its method is that of a part of %s", types.ExprString(sel.X))
		}
	}
	var lits []func()
	for i, id := range params {
		arg := operands[i]
		var v *types.Var
		if id != nil && id.Name != "_" {
			v = info.Defs[id].(*types.Var)
		}
		var at []inspector.Cursor
		if v != nil {
			at = slices.DeleteFunc(slices.Clone(p.uses.Of(v)), p.uses.Declares)
		}
		if lit, ok := ast.Unparen(arg).(*ast.FuncLit); ok {
			if len(at) != 1 || at[0].ParentEdgeKind() != edge.CallExpr_Fun {
				return p.refuse(arg.Pos(), "the literal is not called once")
			}
			lits = append(lits, func() { p.handed(lit, at[0].Parent()) })
			continue
		}
		typ := info.TypeOf(arg)
		if i -= len(operands) - p.sig.Params().Len(); i >= 0 {
			typ = p.sig.Params().At(i).Type()
		}
		if !p.put(v, at, arg, typ, i < 0) {
			return false
		}
	}
	for _, f := range lits { // they take what the body has by now
		f()
	}
	return p.why == ""
}

// put puts an argument in place of a parameter, which has the type and is used
// there; or declares the parameter.
func (p *place) put(v *types.Var, at []inspector.Cursor, arg ast.Expr, typ types.Type, recv bool) bool {
	info := p.pass.TypesInfo
	text := p.argument(arg)
	lit := slices.ContainsFunc(at, func(c inspector.Cursor) bool { return mustFunc(c) != mustFunc(p.first()) })
	address := recv && v != nil && isPointer(v.Type()) && !isPointer(typ)
	if u, ok := ast.Unparen(arg).(*ast.UnaryExpr); ok && u.Op == token.AND && len(at) > 0 && !slices.ContainsFunc(at, p.changed) && types.Identical(info.TypeOf(arg), typ) {
		if v := p.uses.Var(u.X); v != nil && !v.IsField() || p.memory(u.X, lit) {
			p.addressed(at, p.argument(u.X))
			return true
		}
	}
	switch {
	case len(at) == 0:
		if id, ok := ast.Unparen(arg).(*ast.Ident); ok && p.around != nil {
			p.around.forgets(id)
		}
		if p.settled(arg, false) || info.Types[arg].Value != nil {
			return true
		}
		p.lines = append(p.lines, "_ = "+text)
		return true
	case recv && !address && v != nil && !isPointer(v.Type()) && !p.reads(at):
		return p.refuse(arg.Pos(), "its method has a copy of %s", types.ExprString(arg))
	case slices.ContainsFunc(at, p.changed):
	case info.Types[arg].Value == nil && (p.settled(arg, lit) || address && p.memory(arg, lit)) && (recv || types.Identical(info.TypeOf(arg), typ)):
		if address {
			p.addressed(at, text)
			return true
		}
		for _, c := range at {
			p.edits = append(p.edits, rewrite.Replace(c.Node(), text))
		}
		return true
	case info.Types[arg].Value != nil && !slices.ContainsFunc(at, func(c inspector.Cursor) bool { return !p.takes(c, typ) }):
		for _, c := range at {
			p.edits = append(p.edits, rewrite.Replace(c.Node(), text))
		}
		return true
	case len(at) == 1 && !lit && info.Types[arg].Value == nil && p.arithmetic(arg) && types.Identical(info.TypeOf(arg), typ) && !p.inLoop(at[0]):
		if !direct(at[0]) && !plain(arg) {
			text = "(" + text + ")"
		}
		p.edits = append(p.edits, rewrite.Replace(at[0].Node(), text))
		return true
	}
	if address {
		return p.refuse(arg.Pos(), "%s may be another until then", types.ExprString(arg))
	}
	name := v.Name()
	if p.args[name] || p.around != nil && (p.around.names[name] || p.around.args[name]) {
		name = rewrite.Fresh(p.pass.Pkg, uses.Decl(p.stmt), name+"Now")
		for _, c := range at {
			p.edits = append(p.edits, rewrite.Replace(c.Node(), name))
		}
	}
	p.names[name] = true
	_, basic := types.Unalias(typ).(*types.Basic)
	switch value := info.Types[arg].Value; {
	case value == nil && types.Identical(info.TypeOf(arg), typ):
		p.lines = append(p.lines, name+" := "+text)
	case value != nil && basic: // it may be a constant of another type there
		p.lines = append(p.lines, fmt.Sprintf("%s := %s(%s)", name, typ, text))
	default:
		return p.refuse(arg.Pos(), "%s is converted for the call", types.ExprString(arg))
	}
	return true
}

// addressed puts a variable in place of a pointer to it.
func (p *place) addressed(at []inspector.Cursor, text string) {
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
}

// forgets takes a variable away from the loop that sets it, if it is used nowhere but
// at id.
func (p *place) forgets(id *ast.Ident) {
	v, ok := p.pass.TypesInfo.Uses[id].(*types.Var)
	if !ok || len(p.uses.Of(v)) != 2 {
		return
	}
	at := p.uses.Of(v)[0]
	r, ok := at.Parent().Node().(*ast.RangeStmt)
	if !ok || !spans(p.body.Node(), r.Pos()) {
		return
	}
	key, _ := r.Key.(*ast.Ident)
	switch value := at.ParentEdgeKind() == edge.RangeStmt_Value; {
	case value && (key == nil || key.Name != "_"):
		p.edits = append(p.edits, analysis.TextEdit{Pos: r.Key.End(), End: r.Value.End()})
	case !value && r.Value != nil:
		p.edits = append(p.edits, rewrite.Replace(r.Key, "_"))
	default:
		p.edits = append(p.edits, analysis.TextEdit{Pos: r.Key.Pos(), End: r.Range})
	}
}

// first is a node of the body that is in no literal of it.
func (p *place) first() inspector.Cursor {
	for c := range p.body.Children() {
		return c
	}
	return p.body
}

// argument is the text of an argument: of a call within a body that has edits, with
// these.
func (p *place) argument(arg ast.Expr) string {
	if p.around != nil {
		return p.around.text(arg.Pos(), arg.End())
	}
	return rewrite.Text(p.pass.Fset, arg)
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

// reads reports whether uses of a receiver that is a copy select its fields alone,
// and neither set them nor have a method do so.
func (p *place) reads(at []inspector.Cursor) bool {
	if s := flow.Of(p.pass).Func(p.fn); s == nil || s.Effects.First(flow.Write) != nil {
		return false
	}
	return !slices.ContainsFunc(at, func(c inspector.Cursor) bool {
		if c.ParentEdgeKind() != edge.SelectorExpr_X {
			return true
		}
		sel := p.pass.TypesInfo.Selections[c.Parent().Node().(*ast.SelectorExpr)]
		return sel == nil || sel.Kind() != types.FieldVal || uses.Written(c.Parent())
	})
}

// settled reports whether an operand is the same until what is called has ended, or,
// if it is used later, always: a local variable, or a field on the way from one that
// what is called does not set.
func (p *place) settled(e ast.Expr, always bool) bool {
	info := p.pass.TypesInfo
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		if !ok {
			return e.Name == "nil"
		}
		if v.Parent() == p.pass.Pkg.Scope() {
			return p.keeps(v)
		}
		for _, use := range p.uses.Of(v) {
			if p.uses.Declares(use) || !uses.Written(uses.Whole(use)) {
				continue
			}
			in, _ := uses.Func(use)
			if always || !spans(in.Node(), p.call.Pos()) || !spans(in.Node(), v.Pos()) {
				return false
			}
		}
		return true
	case *ast.SelectorExpr:
		sel := info.Selections[e]
		if sel == nil {
			v, ok := info.Uses[e.Sel].(*types.Var)
			return ok && p.keeps(v)
		}
		v, ok := sel.Obj().(*types.Var)
		return ok && !always && p.settled(e.X, always) && p.keeps(v)
	}
	return false
}

// memory reports whether an operand stands for the same memory until then: an
// element of what is settled, or a field of such.
func (p *place) memory(e ast.Expr, always bool) bool {
	info := p.pass.TypesInfo
	switch e := ast.Unparen(e).(type) {
	case *ast.SelectorExpr:
		return info.Selections[e] != nil && !isPointer(info.TypeOf(e.X)) && (p.settled(e.X, always) || p.memory(e.X, always))
	case *ast.IndexExpr:
		switch info.TypeOf(e.X).Underlying().(type) {
		case *types.Array:
			return (p.settled(e.X, always) || p.memory(e.X, always)) && (info.Types[e.Index].Value != nil || p.settled(e.Index, always))
		case *types.Slice:
			return p.settled(e.X, always) && (info.Types[e.Index].Value != nil || p.settled(e.Index, always))
		}
	}
	return false
}

// keeps reports whether what is called does not set a variable of a package, or a
// field.
func (p *place) keeps(v *types.Var) bool {
	if p.fn == nil {
		return false
	}
	s := flow.Of(p.pass).Func(p.fn)
	if s == nil {
		return false
	}
	for _, e := range s.Effects {
		if e.Kind&(flow.Unknown|flow.Call|flow.Wait|flow.Receive) != 0 || e.Kind == flow.Write && (e.Var() == nil || e.Var().Origin() == v.Origin()) {
			return false
		}
	}
	return true
}

// arithmetic reports whether an operand is computed of constants and local variables
// that stay, and cannot panic.
func (p *place) arithmetic(e ast.Expr) bool {
	info := p.pass.TypesInfo
	if info.Types[e].Value != nil {
		return true
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := info.Uses[e].(*types.Var)
		return ok && v.Parent() != p.pass.Pkg.Scope() && p.settled(e, false)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && p.arithmetic(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.QUO || e.Op == token.REM || e.Op == token.SHL || e.Op == token.SHR {
			if info.Types[e.Y].Value == nil {
				return false
			}
		}
		b, ok := info.TypeOf(e.X).Underlying().(*types.Basic)
		return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0 && p.arithmetic(e.X) && p.arithmetic(e.Y)
	case *ast.CallExpr:
		b, ok := info.TypeOf(e).Underlying().(*types.Basic)
		return info.Types[e.Fun].IsType() && ok && b.Info()&types.IsNumeric != 0 && p.arithmetic(e.Args[0])
	}
	return false
}

// plain reports whether an operand needs no parentheses.
func plain(e ast.Expr) bool {
	switch e.(type) {
	case *ast.Ident, *ast.CallExpr, *ast.SelectorExpr, *ast.ParenExpr, *ast.BasicLit, *ast.IndexExpr:
		return true
	}
	return false
}

// direct reports whether an operand stands by itself.
func direct(c inspector.Cursor) bool {
	switch c.ParentEdgeKind() {
	case edge.IndexExpr_Index, edge.AssignStmt_Rhs, edge.CallExpr_Args, edge.ParenExpr_X:
		return true
	}
	return false
}

// takes reports whether a constant means the same where a parameter of a type is used.
func (p *place) takes(c inspector.Cursor, typ types.Type) bool {
	info := p.pass.TypesInfo
	switch n := c.Parent().Node().(type) {
	case *ast.AssignStmt:
		return c.ParentEdgeKind() == edge.AssignStmt_Rhs && n.Tok != token.DEFINE && len(n.Lhs) == len(n.Rhs) && types.Identical(info.TypeOf(n.Lhs[c.ParentEdgeIndex()]), typ)
	case *ast.IndexExpr:
		m, isMap := info.TypeOf(n.X).Underlying().(*types.Map)
		return c.ParentEdgeKind() == edge.IndexExpr_Index && (!isMap || types.Identical(m.Key(), typ))
	case *ast.CallExpr:
		sig, ok := info.TypeOf(n.Fun).Underlying().(*types.Signature)
		return ok && c.ParentEdgeKind() == edge.CallExpr_Args && !sig.Variadic() && types.Identical(sig.Params().At(c.ParentEdgeIndex()).Type(), typ)
	}
	return false
}

// inLoop reports whether a use is in a loop of the body.
func (p *place) inLoop(c inspector.Cursor) bool {
	for up := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		return spans(p.body.Node(), up.Node().Pos())
	}
	return false
}
