package local

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Confined reports whether only the goroutines of the site can see a place
// before the join. It lies in a local variable, or in memory made for one.
// Other code uses the variable only before the goroutines start and after the
// join.
func (l *Loop) Confined(p *Place) bool {
	for i, s := range p.steps {
		if i > 0 && (s.deref || s.slice) {
			return false
		}
	}
	v, itself := p.root, len(p.steps) == 0
	if _, param := l.Site.Args[v]; param || v.Parent() == nil || uses.Global(v) {
		return false
	}
	switch v.Type().Underlying().(type) {
	case *types.Basic, *types.Array, *types.Struct:
	default:
		if !itself && (p.Deref() != uses.Under[*types.Pointer](v.Type()) || !l.fresh(l.sole(v))) {
			return false // it is elsewhere in memory
		}
	}
	s := l.starts(v)
	if s == nil {
		return false
	}
	start, _ := l.Find(s.Node)
	for up := range start.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		if up.Node().Pos() > v.Pos() && uses.Holds(up.Node(), s.Join.Pos()) {
			return false // they are started and joined again and again
		}
	}
	for _, use := range l.Uses.Of(v) {
		pos := use.Node().Pos()
		switch {
		case l.Uses.Declares(use):
		case itself && uses.Holds(l.At.Node(), pos):
			// One of the uses of the loop, which are looked at.
		case pos >= s.Join.End() || s.Join == s.Node && pos >= s.Node.End():
		case l.inBodies(pos):
			if !l.plain(use) {
				return false
			}
		case pos < s.Node.Pos():
			// A literal from before might run at any time.
			if fn, ok := uses.Func(use); !ok || fn.Node().Pos() > v.Pos() || !l.plain(use) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// fresh reports whether an expression makes new memory.
func (l *Loop) fresh(e ast.Expr) bool {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	return loop.Makes(l.Pass.TypesInfo, e) || ok && flow.Of(l.Pass).Made(call)
}

// starts returns where the function that declares v starts the goroutines, and
// waits for them.
func (l *Loop) starts(v *types.Var) (s *spawn.Site) {
	for up := l.Site; up != nil; up = up.Up {
		if up.Func != nil && up.Join != nil && uses.Holds(up.Func, v.Pos()) && uses.Holds(up.Func, up.Join.Pos()) && uses.Holds(up.Func, up.Node.Pos()) {
			s = up
		}
	}
	return s
}

// inBodies reports whether pos is in what the goroutines run.
func (l *Loop) inBodies(pos token.Pos) bool {
	for up := l.Site; up != nil; up = up.Up {
		if up.Body != nil && uses.Holds(up.Body, pos) {
			return true
		}
	}
	return false
}

// plain reports whether a use of a variable reads or writes what it holds, and
// hands it to nothing.
func (l *Loop) plain(at inspector.Cursor) bool {
	info := l.Pass.TypesInfo
	e := uses.Whole(at)
	part, whole := widen(info, e)
	refers := func(c inspector.Cursor) bool { return uses.Refers(info.TypeOf(c.Node().(ast.Expr))) }
	switch u := use(info, part); u.Kind {
	case Method: // of a lock beside it
		fn := section.Callee(info, u.Call.Node().(*ast.CallExpr))
		return fn != nil && pkgPath(fn) == "sync"
	case Address:
		return false
	case Read:
		if !whole {
			return !refers(part)
		}
	case Write:
		return !whole || !refers(e)
	default:
		return true
	}
	if !refers(e) {
		return true
	}
	// The slice, map or pointer itself.
	return measured(info, part)
}

// widen widens an expression to the part of it that is used, as
// [uses.Elements] does, but not to a method of it.
func widen(info *types.Info, c inspector.Cursor) (part inspector.Cursor, whole bool) {
	for part, whole = c, true; ; part = part.Parent() {
		switch part.ParentEdgeKind() {
		case edge.SelectorExpr_X:
			if _, ok := pathOf(info, part.Parent().Node().(ast.Expr)); !ok {
				return part, whole
			}
			whole = false
		case edge.IndexExpr_X, edge.StarExpr_X:
			whole = false
		case edge.ParenExpr_X:
		default:
			return part, whole
		}
	}
}

// declOf returns the declared function that v is a parameter or receiver of.
func (l *Loop) declOf(v *types.Var) *ast.FuncDecl {
	for up := l.Site; up != nil; up = up.Up {
		if up.Decl != nil && uses.Holds(up.Decl, v.Pos()) && v.Pos() < up.Decl.Body.Pos() {
			return up.Decl
		}
	}
	return nil
}
