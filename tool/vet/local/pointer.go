package local

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// aims returns what a local pointer of the goroutines may point to, if the code
// shows it: it is set to addresses of variables, fields and elements only, and
// nobody is handed the pointer. set reports whether it points to something from
// the start.
func (l *Loop) aims(v *types.Var) (at []path, set bool) {
	if _, param := l.Site.Args[v]; param || !isPointer(v.Type()) || !l.inBodies(v.Pos()) {
		return nil, false
	}
	var around inspector.Cursor // the function that declares it
	set = true
	for _, c := range l.Uses.Of(v) {
		if l.Uses.Declares(c) {
			around, _ = uses.Func(c)
		}
	}
	for _, c := range l.Uses.Of(v) {
		if to, isSet := target(c); isSet {
			fn, _ := uses.Func(c)
			u, ok := ast.Unparen(to).(*ast.UnaryExpr)
			switch {
			case to == nil:
				set = false
				continue
			case !ok || u.Op != token.AND || fn != around:
				return nil, false
			}
			p, ok := pathOf(l.Pass.TypesInfo, u.X)
			if !ok || p.root == nil || p.root.IsField() {
				return nil, false
			}
			at = append(at, p)
			continue
		}
		part, whole := widen(l.Pass.TypesInfo, uses.Whole(c))
		if whole && !use(l.Pass.TypesInfo, part).Kind.atomic() || !l.plain(c) {
			return nil, false
		}
	}
	return at, set && at != nil
}

// target returns what a variable is set to where it is declared or assigned to,
// nil if that is not written there, and whether it is.
func target(use inspector.Cursor) (to ast.Expr, isSet bool) {
	e := uses.Whole(use)
	i := e.ParentEdgeIndex()
	switch e.ParentEdgeKind() {
	case edge.AssignStmt_Lhs:
		if a := e.Parent().Node().(*ast.AssignStmt); len(a.Lhs) == len(a.Rhs) {
			return a.Rhs[i], true
		}
		return &ast.BadExpr{}, true
	case edge.ValueSpec_Names:
		switch d := e.Parent().Node().(*ast.ValueSpec); len(d.Values) {
		case 0:
			return nil, true
		case len(d.Names):
			return d.Values[i], true
		}
		return &ast.BadExpr{}, true
	}
	return nil, false
}

// aim reports whether a variable is used to point a pointer at it, or at a part
// of it, whose aims are known.
func (l *Loop) aim(use inspector.Cursor) bool {
	part, _ := widen(l.Pass.TypesInfo, uses.Whole(use))
	if part.ParentEdgeKind() != edge.UnaryExpr_X {
		return false
	}
	at := part.Parent()
	var to *ast.Ident
	switch at.ParentEdgeKind() {
	case edge.AssignStmt_Rhs:
		if a := at.Parent().Node().(*ast.AssignStmt); len(a.Lhs) == len(a.Rhs) {
			to = ident(a.Lhs[at.ParentEdgeIndex()])
		}
	case edge.ValueSpec_Values:
		if d := at.Parent().Node().(*ast.ValueSpec); len(d.Names) == len(d.Values) {
			to = d.Names[at.ParentEdgeIndex()]
		}
	}
	if to == nil {
		return false
	}
	v, ok := l.Pass.TypesInfo.ObjectOf(to).(*types.Var)
	if !ok {
		return false
	}
	aims, _ := l.aims(v)
	return aims != nil
}

// alternatives returns the ways to the memory of a path that do not lead
// through a pointer whose aims are known: one for each of them.
func (l *Loop) alternatives(p path, depth int) (all []path) {
	if len(p.steps) > 0 && p.steps[0].deref && depth < 4 {
		aims, _ := l.aims(p.root)
		for _, a := range aims {
			q := path{
				key:   strings.Replace(p.key, "(*"+name(p.root)+")", a.key, 1),
				root:  a.root,
				vars:  slices.Concat(a.vars, p.vars[1:]),
				steps: slices.Concat(a.steps, p.steps[1:]),
			}
			all = append(all, l.alternatives(q, depth+1)...)
		}
	}
	if all == nil {
		all = []path{p}
	}
	return all
}

// roots returns the variables from which a place is reached.
func (l *Loop) roots(p *Place) (all []*types.Var) {
	all = []*types.Var{p.root}
	for _, q := range l.alternatives(p.path, 0) {
		if !slices.Contains(all, q.root) {
			all = append(all, q.root)
		}
	}
	return all
}

// Aims returns, for a place that is reached by a pointer of the goroutine, the
// expressions whose address that may be.
func (l *Loop) Aims(p *Place) (all []ast.Expr) {
	if !p.Deref() {
		return nil
	}
	for _, use := range l.Uses.Of(p.root) {
		if to, _ := target(use); to != nil {
			if u, ok := ast.Unparen(to).(*ast.UnaryExpr); ok {
				all = append(all, u.X)
			}
		}
	}
	if aims, _ := l.aims(p.root); aims == nil {
		return nil
	}
	return all
}

// hidden is Confined, through pointers whose aims are known as well. Who relies
// on it has to look for such pointers in the loop.
func (l *Loop) hidden(p *Place) bool {
	l.aimed = true
	defer func() { l.aimed = false }()
	for _, q := range l.alternatives(p.path, 0) {
		if !l.Confined(&Place{path: q}) {
			return false
		}
	}
	return true
}

// unwatched reports whether a place lies in variables of the package that nobody
// uses but the function which starts the goroutines, before it starts and after
// it joins them, and the goroutines. Another call of that function may look
// while the loop runs: it has to make no difference to it whether all the
// additions of the loop come at once.
func (l *Loop) unwatched(p *Place) bool {
	l.aimed = true
	defer func() { l.aimed = false }()
	for _, q := range l.alternatives(p.path, 0) {
		if (q.far() || !l.unwatchedVar(q.root)) && !l.Confined(&Place{path: q}) {
			return false
		}
	}
	return true
}

func (l *Loop) unwatchedVar(v *types.Var) bool {
	if v.Parent() != l.Pass.Pkg.Scope() || l.Uses.Unseen(v) != "" {
		return false
	}
	var from *spawn.Site
	for up := l.Site; up != nil; up = up.Up {
		if up.Func != nil && up.Join != nil && spans(up.Func, up.Join.Pos()) && spans(up.Func, up.Node.Pos()) {
			from = up
			if !slices.ContainsFunc(l.Uses.Of(v), func(use inspector.Cursor) bool { return !l.Uses.Declares(use) && !spans(up.Func, use.Node().Pos()) }) {
				break
			}
		}
	}
	if from == nil {
		return false
	}
	for _, use := range l.Uses.Of(v) {
		pos := use.Node().Pos()
		switch {
		case l.Uses.Declares(use), l.aim(use):
		case !l.plain(use), !spans(from.Func, pos):
			return false
		case l.inBodies(pos):
		case pos < from.Node.Pos():
			// A literal from before might run at any time.
			if fn, ok := uses.Func(use); !ok || !spans(fn.Node(), from.Node.Pos()) {
				return false
			}
		case pos < from.Join.End():
			return false
		}
	}
	return true
}
