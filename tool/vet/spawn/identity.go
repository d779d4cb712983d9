package spawn

import (
	"go/ast"
	"go/token"
	"go/types"
	"go/version"
)

// Differs reports whether v, a variable of the starting loop or of the body,
// holds another value in each goroutine of the loop. Then v is a loop
// variable, a parameter bound to one, or what is computed from such. It does
// not say that all values are distinct (w/2 differs), only that they come of
// the loop.
func (s *Site) Differs(v *types.Var) bool { return s.differs[v] }

// DiffersExpr reports whether an expression of the starting loop or the body
// mentions a variable that differs.
func (s *Site) DiffersExpr(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.differs[s.use(id)] {
			found = true
		}
		return !found
	})
	return found
}

// Own reports whether each goroutine of the site has the variable v for itself.
// Then v is declared in the body or is its parameter, or each iteration of the
// starting loop has a new one. What v refers to may be shared all the same.
func (s *Site) Own(v *types.Var) bool {
	if s.inBody(v.Pos()) {
		return true
	}
	if s.Loop == nil || v.Pos() < s.Loop.Pos() || v.Pos() >= s.Loop.End() {
		return false
	}
	return v.Pos() >= LoopBody(s.Loop).Pos() || s.perIteration()
}

// Shared reports whether what the body reaches by v is the same memory in all
// goroutines of the site. Then v is a captured variable or a package variable.
// Else it is a parameter or local name of a slice, map, pointer or the like
// that all of them share.
func (s *Site) Shared(v *types.Var) bool { return s.shared(v, 0) }

func (s *Site) shared(v *types.Var, depth int) bool {
	if v == nil || s.differs[v] || depth > 8 {
		return false
	}
	if !s.Own(v) {
		return true
	}
	if !reference(v.Type()) {
		return false
	}
	if arg, ok := s.Args[v]; ok {
		return s.sharedExpr(arg, depth+1)
	}
	if def := s.defs[v]; def != nil {
		return s.sharedExpr(def, depth+1)
	}
	return false
}

// SharedExpr reports whether e is or refers to the same memory in all
// goroutines of the site. The operand e of the body is one like totals, p.sums
// or (*p).n.
func (s *Site) SharedExpr(e ast.Expr) bool { return s.sharedExpr(e, 0) }

func (s *Site) sharedExpr(e ast.Expr, depth int) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		return s.shared(s.use(x), depth)
	case *ast.SelectorExpr:
		if sel, ok := s.info.Selections[x]; ok {
			return sel.Kind() == types.FieldVal && s.sharedExpr(x.X, depth)
		}
		return s.shared(s.use(x.Sel), depth) // pkg.Var
	case *ast.StarExpr:
		return s.sharedExpr(x.X, depth)
	case *ast.UnaryExpr:
		return x.Op == token.AND && s.sharedExpr(x.X, depth)
	case *ast.SliceExpr:
		return s.sharedExpr(x.X, depth) && !s.DiffersExpr(x)
	case *ast.IndexExpr:
		return s.sharedExpr(x.X, depth) && !s.DiffersExpr(x.Index) && s.fixed(x.Index)
	}
	return false
}

// fixed reports whether an index is a constant or a variable that is not the
// goroutine's own: something all goroutines agree on.
func (s *Site) fixed(e ast.Expr) bool {
	if s.info.Types[e].Value != nil {
		return true
	}
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && s.use(id) != nil && !s.Own(s.use(id))
}

func (s *Site) use(id *ast.Ident) *types.Var {
	v, _ := s.info.ObjectOf(id).(*types.Var)
	return v
}

func (s *Site) inBody(pos token.Pos) bool {
	if s.Up != nil && s.Up.inBody(pos) {
		return true
	}
	return s.Body != nil && s.Type.Pos() <= pos && pos < s.Body.End() ||
		s.Decl != nil && s.Decl.Pos() <= pos && pos < s.Decl.End()
}

// perIteration reports whether the starting loop has new variables in each
// iteration, as loops have since Go 1.22.
func (s *Site) perIteration() bool {
	v := s.info.FileVersions[s.File]
	return v == "" || version.Compare(v, "go1.22") >= 0
}

// bind finds the variables that differ per goroutine.
func (s *Site) bind() {
	s.differs, s.defs = map[*types.Var]bool{}, map[*types.Var]ast.Expr{}
	if s.Loop == nil {
		return
	}
	vars := s.loopVars()
	for _, v := range vars {
		s.differs[v] = true
	}
	roots := []ast.Node{LoopBody(s.Loop)}
	if s.Body != nil && !Within(s.Loop, s.Body) {
		roots = append(roots, s.Body)
	}
	s.spread(roots...)
	if !s.perIteration() && s.Lit != nil {
		// One variable for all: by the time a goroutine reads it, it has gone on.
		for _, v := range vars {
			delete(s.differs, v)
		}
	}
}

// spread finds the variables that are assigned under the roots, and those of
// them that differ because of what they are assigned.
func (s *Site) spread(roots ...ast.Node) {
	type assign struct {
		v   *types.Var
		rhs ast.Expr
	}
	var assigns []assign
	times := map[*types.Var]int{}
	see := func(v *types.Var, rhs ast.Expr, whole bool) {
		assigns = append(assigns, assign{v, rhs})
		if times[v]++; times[v] == 1 && whole {
			s.defs[v] = rhs
		} else {
			delete(s.defs, v)
		}
	}
	for _, root := range roots {
		eachAssign(s.info, root, see)
	}
	for v, arg := range s.Args {
		assigns = append(assigns, assign{v, arg})
	}
	for changed := true; changed; {
		changed = false
		for _, a := range assigns {
			if !s.differs[a.v] && a.rhs != nil && s.Own(a.v) && s.DiffersExpr(a.rhs) {
				s.differs[a.v], changed = true, true
			}
		}
	}
}

// loopVars returns the variables that the starting loop declares.
func (s *Site) loopVars() (vars []*types.Var) {
	var to []ast.Expr
	switch l := s.Loop.(type) {
	case *ast.RangeStmt:
		to = []ast.Expr{l.Key, l.Value}
	case *ast.ForStmt:
		if a, ok := l.Init.(*ast.AssignStmt); ok {
			to = a.Lhs
		}
	}
	for _, e := range to {
		if id, ok := e.(*ast.Ident); ok {
			if v, ok := s.info.Defs[id].(*types.Var); ok {
				vars = append(vars, v)
			}
		}
	}
	return vars
}

// LoopBody is the body of a loop, nil of other statements.
func LoopBody(loop ast.Stmt) *ast.BlockStmt {
	switch l := loop.(type) {
	case *ast.RangeStmt:
		return l.Body
	case *ast.ForStmt:
		return l.Body
	}
	return nil
}

// eachAssign calls f for each variable that is given a value under root, with
// the expression it comes from: nil where there is none, as for i++. The value
// is whole if it is that of the expression, and not an element or a part of it.
func eachAssign(info *types.Info, root ast.Node, f func(v *types.Var, rhs ast.Expr, whole bool)) {
	put := func(lhs, rhs ast.Expr, whole bool) {
		if id, ok := ast.Unparen(lhs).(*ast.Ident); ok && id.Name != "_" {
			if v, ok := info.ObjectOf(id).(*types.Var); ok {
				f(v, rhs, whole)
			}
		}
	}
	list := func(lhs, rhs []ast.Expr, whole bool) {
		for i, e := range lhs {
			if len(rhs) == len(lhs) {
				put(e, rhs[i], whole)
			} else if len(rhs) == 1 {
				put(e, rhs[0], false)
			}
		}
	}
	ast.Inspect(root, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			list(n.Lhs, n.Rhs, n.Tok == token.ASSIGN || n.Tok == token.DEFINE)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, id := range n.Names {
				names = append(names, id)
			}
			list(names, n.Values, true)
		case *ast.RangeStmt:
			list([]ast.Expr{n.Key, n.Value}, []ast.Expr{n.X}, false)
		case *ast.IncDecStmt:
			put(n.X, nil, false)
		case *ast.UnaryExpr:
			if n.Op == token.AND { // may be assigned by what has the pointer
				put(n.X, nil, false)
			}
		}
		return true
	})
}

// reference reports whether values of the type refer to memory that a copy
// shares.
func reference(t types.Type) bool {
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map, *types.Chan, *types.Signature, *types.Interface:
		return true
	}
	return false
}
