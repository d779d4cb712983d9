package local

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
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
		switch {
		case i == 0:
		case s.deref, s.slice:
			return false
		}
	}
	return l.confinedVar(p.root, len(p.steps) > 0 && p.steps[0].deref, len(p.steps) == 0, 0)
}

// ConfinedVar reports the same of a variable, or of what a pointer made for it
// points to.
func (l *Loop) ConfinedVar(v *types.Var) bool {
	return l.confinedVar(v, isPointer(v.Type()), false, 0)
}

func (l *Loop) confinedVar(v *types.Var, pointed, itself bool, depth int) bool {
	if v.Parent() == nil || v.Parent() == l.Pass.Pkg.Scope() || depth > 3 {
		return false
	}
	if arg, ok := l.Site.Args[v]; ok {
		// A parameter: of a function that is called nowhere else, which does
		// with it what the caller may.
		w, _ := l.Pass.TypesInfo.ObjectOf(ident(arg)).(*types.Var)
		if w == nil || !l.calledOnce(v) || itself || !l.confinedVar(w, pointed, false, depth+1) {
			return false
		}
		for _, use := range l.Uses.Of(v) {
			if !l.Uses.Declares(use) && !l.plain(use) {
				return false
			}
		}
		return true
	}
	made, ok := l.made(v, itself)
	if !ok || !itself && pointed != isPointer(v.Type()) {
		return false
	}
	s := l.starts(v)
	if s == nil {
		return false
	}
	again := rounds(s, v)
	for _, use := range l.Uses.Of(v) {
		pos := use.Node().Pos()
		switch {
		case use == made, l.aimed && l.aim(use):
		case itself && spans(l.At.Node(), pos):
			// One of the uses of the loop, which are looked at.
		case pos >= s.Join.End() || s.Join == s.Node && pos >= s.Node.End():
			if again && !l.plain(use) {
				return false
			}
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

// made returns the identifier that declares a local variable whose memory is
// its own: it is a number, a struct or an array, or it is set, once, to what
// make, new or a literal returns. What is in memory elsewhere does not count if
// the variable itself is meant.
func (l *Loop) made(v *types.Var, itself bool) (at inspector.Cursor, ok bool) {
	own := itself
	switch v.Type().Underlying().(type) {
	case *types.Basic, *types.Array, *types.Struct:
		own = true
	}
	for _, use := range l.Uses.Of(v) {
		if !l.Uses.Declares(use) {
			if !own && uses.Written(use) {
				return at, false
			}
			continue
		}
		at = use
		switch d := use.Parent().Node().(type) {
		case *ast.AssignStmt:
			ok = own || len(d.Lhs) == len(d.Rhs) && l.fresh(d.Rhs[use.ParentEdgeIndex()])
		case *ast.Field:
			ok = own // a result, or a parameter by value
		case *ast.ValueSpec:
			ok = own || len(d.Names) == len(d.Values) && l.fresh(d.Values[use.ParentEdgeIndex()])
		}
	}
	return at, ok
}

// fresh reports whether an expression makes new memory.
func (l *Loop) fresh(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, lit := ast.Unparen(x.X).(*ast.CompositeLit)
		return x.Op == token.AND && lit
	case *ast.CallExpr:
		b, ok := l.Pass.TypesInfo.Uses[ident(x.Fun)].(*types.Builtin)
		return ok && (b.Name() == "make" || b.Name() == "new") || flow.Of(l.Pass).Made(x)
	}
	return false
}

// starts returns where the function that declares v starts the goroutines, and
// waits for them.
func (l *Loop) starts(v *types.Var) (s *spawn.Site) {
	for up := l.Site; up != nil; up = up.Up {
		if up.Func != nil && up.Join != nil && spans(up.Func, v.Pos()) && spans(up.Func, up.Join.Pos()) && spans(up.Func, up.Node.Pos()) {
			s = up
		}
	}
	return s
}

// inBodies reports whether pos is in what the goroutines run.
func (l *Loop) inBodies(pos token.Pos) bool {
	for up := l.Site; up != nil; up = up.Up {
		if up.Body != nil && spans(up.Body, pos) {
			return true
		}
	}
	return false
}

// rounds reports whether goroutines are started and joined again and again
// while v stays.
func rounds(s *spawn.Site, v *types.Var) (again bool) {
	ast.Inspect(s.Func, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if n.Pos() > v.Pos() && spans(n, s.Node.Pos()) && spans(n, s.Join.Pos()) {
				again = true
			}
		}
		return !again
	})
	return again
}

// plain reports whether a use of a variable reads or writes what it holds, and
// hands it to nobody.
func (l *Loop) plain(at inspector.Cursor) bool {
	e := uses.Whole(at)
	part, whole := widen(l.Pass.TypesInfo, e)
	switch u := use(l.Pass.TypesInfo, part); u.Kind {
	case Method:
		fn := section.Callee(l.Pass.TypesInfo, u.Call.Node().(*ast.CallExpr))
		at := u.Call.ParentEdgeKind()
		return fn != nil && (pkgPath(fn) == "sync" || // a lock beside it
			at != edge.GoStmt_Call && at != edge.DeferStmt_Call && !uses.Refers(l.Pass.TypesInfo.TypeOf(part.Node().(ast.Expr))) && l.lends(fn, map[*types.Func]bool{}))
	case Address:
		return false
	case Read:
		if !whole || !uses.Refers(l.Pass.TypesInfo.TypeOf(e.Node().(ast.Expr))) {
			return !uses.Refers(l.Pass.TypesInfo.TypeOf(part.Node().(ast.Expr)))
		}
	case Write:
		return !whole || !uses.Refers(l.Pass.TypesInfo.TypeOf(e.Node().(ast.Expr)))
	default:
		return true
	}
	// The slice, map or pointer itself.
	switch part.ParentEdgeKind() {
	case edge.RangeStmt_X:
		r := part.Parent().Node().(*ast.RangeStmt)
		return r.Value == nil || !uses.Refers(l.Pass.TypesInfo.TypeOf(r.Value))
	case edge.CallExpr_Args:
		call := part.Parent().Node().(*ast.CallExpr)
		if b, ok := l.Pass.TypesInfo.Uses[ident(call.Fun)].(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap" || b.Name() == "clear") {
			return true
		}
		for up := l.Site; up != nil; up = up.Up {
			if up.Call == call {
				return true // bound to a parameter, which is looked at
			}
		}
	}
	return false
}

// widen widens an expression to the part of it that is used, as
// [uses.Elements] does, but not to a method of it.
func widen(info *types.Info, c inspector.Cursor) (part inspector.Cursor, whole bool) {
	whole = true
	for {
		switch c.ParentEdgeKind() {
		case edge.SelectorExpr_X:
			if _, ok := pathOf(info, c.Parent().Node().(ast.Expr)); !ok {
				return c, whole
			}
			whole = false
		case edge.IndexExpr_X, edge.StarExpr_X:
			whole = false
		case edge.ParenExpr_X:
		default:
			return c, whole
		}
		c = c.Parent()
	}
}

// calledOnce reports whether the function that v is a parameter of is named
// once in the package, and cannot be elsewhere.
func (l *Loop) calledOnce(v *types.Var) bool {
	decl := l.declOf(v)
	if decl == nil { // a literal
		return true
	}
	fn := l.Pass.TypesInfo.Defs[decl.Name].(*types.Func)
	return l.called(fn) && len(l.calls[fn]) == 1
}

// declOf returns the declared function that v is a parameter or receiver of.
func (l *Loop) declOf(v *types.Var) *ast.FuncDecl {
	for up := l.Site; up != nil; up = up.Up {
		if up.Decl != nil && spans(up.Decl, v.Pos()) && v.Pos() < up.Decl.Body.Pos() {
			return up.Decl
		}
	}
	return nil
}

func spans(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }
