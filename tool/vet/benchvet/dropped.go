package benchvet

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// empty is the time, ns, of a loop in which nothing is left. A processor of 3 GHz
// takes a third of a nanosecond for its addition and jump.
const empty = 0.4

// dropped finds calls whose results nobody wants.
func (x *bench) dropped(decls map[types.Object]*ast.FuncDecl, t timing) (all []shape.Finding) {
	for _, l := range x.loops {
		if !l.byN {
			continue
		}
		for _, s := range l.body.List {
			call := result(s)
			if call == nil {
				continue
			}
			fn, ok := callee(x.pass.TypesInfo, call).(*types.Func)
			if !ok || fn.Signature().Results().Len() == 0 {
				continue
			}
			p := pure{x.pass.TypesInfo, decls, budget}
			sure := p.call(call, 0)
			if !sure && !(t.ns > 0 && t.ns < empty) {
				continue
			}
			f := shape.Finding{
				Pos: call.Pos(), End: call.End(),
				Message: fmt.Sprintf("nobody wants the result of %s: the compiler inlines the call and leaves it out, and an empty loop is measured", rewrite.Text(x.pass.Fset, call.Fun)),
				Causes:  own, Hot: []shape.Range{shape.Of(l.stmt)}, Sure: sure,
			}
			if t.ns > 0 && t.ns < empty {
				f.Seen = t.String()
			}
			x.offerLoop(&f, l)
			all = append(all, f)
		}
	}
	return all
}

// result is the call of a statement that does nothing with its result.
func result(s ast.Stmt) *ast.CallExpr {
	switch s := s.(type) {
	case *ast.ExprStmt:
		call, _ := ast.Unparen(s.X).(*ast.CallExpr)
		return call
	case *ast.AssignStmt:
		if len(s.Rhs) != 1 {
			return nil
		}
		for _, e := range s.Lhs {
			if id, ok := e.(*ast.Ident); !ok || id.Name != "_" {
				return nil
			}
		}
		call, _ := ast.Unparen(s.Rhs[0]).(*ast.CallExpr)
		return call
	}
	return nil
}

func callee(info *types.Info, call *ast.CallExpr) types.Object {
	switch f := ast.Unparen(call.Fun).(type) {
	case *ast.Ident:
		return info.Uses[f]
	case *ast.SelectorExpr:
		return info.Uses[f.Sel]
	}
	return nil
}

// budget is how many nodes of syntax a call may have, with those it makes, to be
// certainly inlined. The compiler allows 80 of its own.
const budget = 60

// A pure decides whether the compiler can leave out a call: it is inlined, and
// what it does cannot panic, allocate, loop or write to anything but its own
// variables.
type pure struct {
	info  *types.Info
	decls map[types.Object]*ast.FuncDecl
	left  int
}

func (p *pure) call(call *ast.CallExpr, depth int) bool {
	for _, a := range call.Args {
		if !p.expr(a, depth) {
			return false
		}
	}
	if tv := p.info.Types[call.Fun]; tv.IsType() {
		return !changesText(p.info, call)
	}
	switch o := callee(p.info, call).(type) {
	case *types.Builtin:
		switch o.Name() {
		case "len", "cap", "min", "max", "real", "imag", "complex":
			return true
		}
	case *types.Func:
		if o.Pkg() != nil && o.Signature().Recv() == nil && intrinsic(o) {
			return true
		}
		decl := p.decls[o]
		if decl == nil || depth > 2 || p.noinline(decl) {
			return false
		}
		if sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr); ok && o.Signature().Recv() != nil {
			if _, pointer := o.Signature().Recv().Type().(*types.Pointer); pointer || !p.expr(sel.X, depth) {
				return false
			}
		}
		return p.block(decl.Body, depth+1)
	}
	return false
}

func (p *pure) noinline(decl *ast.FuncDecl) bool {
	if decl.Doc == nil {
		return false
	}
	for _, c := range decl.Doc.List {
		if strings.HasPrefix(c.Text, "//go:") {
			return true
		}
	}
	return false
}

// intrinsic reports whether a function of the standard library is an
// instruction or a few.
func intrinsic(fn *types.Func) bool {
	switch fn.Pkg().Path() {
	case "math/bits":
		return !strings.HasPrefix(fn.Name(), "Div") && !strings.HasPrefix(fn.Name(), "Rem")
	case "math":
		switch fn.Name() {
		case "Abs", "Sqrt", "Float64bits", "Float64frombits", "Float32bits", "Float32frombits", "Copysign", "IsNaN":
			return true
		}
	}
	return false
}

// changesText reports whether a conversion is one between text and bytes, which
// copies, or to an interface.
func changesText(info *types.Info, call *ast.CallExpr) bool {
	basic := func(t types.Type) bool {
		b, ok := t.Underlying().(*types.Basic)
		return ok && b.Info()&types.IsNumeric != 0
	}
	return !basic(info.TypeOf(call)) || !basic(info.TypeOf(call.Args[0]))
}

func (p *pure) block(b *ast.BlockStmt, depth int) bool {
	for _, s := range b.List {
		if !p.stmt(s, depth) {
			return false
		}
	}
	return true
}

func (p *pure) stmt(s ast.Stmt, depth int) bool {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return len(s.Results) > 0 && p.exprs(s.Results, depth)
	case *ast.AssignStmt:
		if s.Tok == token.QUO_ASSIGN || s.Tok == token.REM_ASSIGN || s.Tok == token.ADD_ASSIGN && !p.numeric(s.Lhs[0]) {
			return false
		}
		for _, e := range s.Lhs {
			if !p.local(e) {
				return false
			}
		}
		return p.exprs(s.Rhs, depth)
	case *ast.IncDecStmt:
		return p.local(s.X)
	case *ast.IfStmt:
		return (s.Init == nil || p.stmt(s.Init, depth)) && p.expr(s.Cond, depth) && p.block(s.Body, depth) && (s.Else == nil || p.stmt(s.Else, depth))
	case *ast.BlockStmt:
		return p.block(s, depth)
	}
	return false
}

// local reports whether e is a variable of a function, and no more than that.
func (p *pure) local(e ast.Expr) bool {
	p.left--
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok {
		return false
	}
	v, ok := p.info.ObjectOf(id).(*types.Var)
	return id.Name == "_" || ok && v.Parent() != v.Pkg().Scope()
}

func (p *pure) exprs(all []ast.Expr, depth int) bool {
	for _, e := range all {
		if !p.expr(e, depth) {
			return false
		}
	}
	return true
}

func (p *pure) numeric(e ast.Expr) bool {
	b, ok := p.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsNumeric|types.IsBoolean) != 0
}

func (p *pure) expr(e ast.Expr, depth int) bool {
	p.left--
	if p.left < 0 {
		return false
	}
	if tv, ok := p.info.Types[e]; ok && tv.Value != nil {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.expr(e.X, depth)
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		if s := p.info.Selections[e]; s != nil {
			return s.Kind() == types.FieldVal && !s.Indirect() && p.expr(e.X, depth)
		}
		return true // of another package
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && p.expr(e.X, depth)
	case *ast.BinaryExpr:
		switch e.Op {
		case token.QUO, token.REM:
			if tv := p.info.Types[e.Y]; tv.Value == nil && !p.floating(e.X) {
				return false // may divide by zero
			}
		case token.SHL, token.SHR:
			if b, ok := p.info.TypeOf(e.Y).Underlying().(*types.Basic); p.info.Types[e.Y].Value == nil && (!ok || b.Info()&types.IsUnsigned == 0) {
				return false // may be negative
			}
		}
		return p.numeric(e.X) && p.expr(e.X, depth) && p.expr(e.Y, depth)
	case *ast.CallExpr:
		return p.call(e, depth)
	}
	return false
}

func (p *pure) floating(e ast.Expr) bool {
	b, ok := p.info.TypeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}
