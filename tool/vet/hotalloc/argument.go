package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// argument looks at make(T), T{} and the like that are made for one call, as its
// argument.
func (s *search) argument(c inspector.Cursor) {
	call, st, ok := s.passed(c)
	if !ok {
		return
	}
	p := s.parameter(call, c.ParentEdgeIndex())
	if p == nil {
		return
	}
	name := p.Name()
	if name == "" || name == "_" {
		name = "made"
	}
	e := c.Node().(ast.Expr)
	v := types.NewVar(e.Pos(), s.pass.Pkg, name, s.pass.TypesInfo.TypeOf(e))
	b := buffer{search: s, declaration: declaration{at: st, v: v, init: e}, alone: e}
	if !b.known() || b.buf || b.of != nil {
		return
	}
	why := s.keeper().argument(v, c, c.Parent(), &b.how)
	if why == nil {
		why = b.again()
	}
	l, looped := loop.Around(s.pass.TypesInfo, c)
	if !looped && !isMap(v.Type()) || !looped && why != nil {
		return
	}
	f := s.finding(c, st.Node(), "what is made for each call of "+s.text(call.Fun)+" is garbage after it")
	if isMap(v.Type()) {
		f.Causes = append(f.Causes, "mapgrow")
	}
	if decl, ok := s.index.Declaration(typeutil.StaticCallee(s.pass.TypesInfo, call)); ok && isMap(v.Type()) {
		f.Hot = append(f.Hot, shape.Of(decl.Node()))
	}
	if looped {
		f.Hot = append(f.Hot, shape.Of(l.Stmt))
		var edits []analysis.TextEdit
		if why == nil {
			edits, why = b.hoist(l)
		}
		if why != nil {
			f.Refused = append(f.Refused, shape.Refusal{Name: "hoist", Why: why.Why, Pos: why.Pos})
		} else {
			f.Fixes = append(f.Fixes, shape.Fix{Name: "hoist", Says: "make it once before the loop and empty it in each iteration", Edits: edits})
		}
	}
	if edits := b.sized(call, c); edits != nil {
		f.Fixes = append(f.Fixes, shape.Fix{Name: "presize", Says: "make room for all of it at once", Edits: edits})
	}
	if len(f.Fixes)+len(f.Refused) > 0 {
		s.found = append(s.found, f)
	}
}

// passed is the call that an expression is an argument of, and the statement that
// evaluates it once.
func (s *search) passed(c inspector.Cursor) (call *ast.CallExpr, st inspector.Cursor, ok bool) {
	if c.ParentEdgeKind() != edge.CallExpr_Args {
		return nil, st, false
	}
	call = c.Parent().Node().(*ast.CallExpr)
	for up := range c.Enclosing((*ast.FuncLit)(nil), (*ast.AssignStmt)(nil), (*ast.ExprStmt)(nil), (*ast.DeclStmt)(nil), (*ast.ReturnStmt)(nil), (*ast.IfStmt)(nil),
		(*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.SwitchStmt)(nil), (*ast.SelectStmt)(nil), (*ast.GoStmt)(nil), (*ast.DeferStmt)(nil), (*ast.FuncDecl)(nil)) {
		switch up.Node().(type) {
		case *ast.AssignStmt, *ast.ExprStmt, *ast.DeclStmt, *ast.ReturnStmt:
			return call, up, uses.Listed(up)
		}
		break
	}
	return nil, st, false
}

// parameter is that of a function of the package which gets the i-th argument, nil
// if there is none.
func (s *search) parameter(call *ast.CallExpr, i int) *types.Var {
	fn := typeutil.StaticCallee(s.pass.TypesInfo, call)
	if fn == nil || call.Ellipsis.IsValid() {
		return nil
	}
	if _, here := s.index.Declaration(fn); !here {
		return nil
	}
	sig := fn.Origin().Signature()
	if i >= sig.Params().Len() || sig.Variadic() && i == sig.Params().Len()-1 {
		return nil
	}
	return sig.Params().At(i)
}

// sized are the edits that make a map with room for what the function that is
// called puts into it: an entry for each element of another argument, at most.
func (b *buffer) sized(call *ast.CallExpr, c inspector.Cursor) []analysis.TextEdit {
	info := b.pass.TypesInfo
	if !isMap(b.v.Type()) || len(b.args) > 0 || !rewrite.Universal(b.pass.Pkg, b.at.Node().Pos(), "make", "len") || b.comments(b.at, b.at.Node()) {
		return nil
	}
	p := b.parameter(call, c.ParentEdgeIndex())
	decl, _ := b.index.Declaration(typeutil.StaticCallee(info, call))
	for i, arg := range call.Args {
		q := b.parameter(call, i)
		if q == nil || i == c.ParentEdgeIndex() || !b.fills(decl, p, q) {
			continue
		}
		typ, ok := b.typed()
		if !ok {
			return nil
		}
		if v := loop.Var(info, arg); v != nil && !v.IsField() && v.Parent() != b.pass.Pkg.Scope() {
			return []analysis.TextEdit{rewrite.Replace(b.alone, "make("+typ+", len("+b.text(arg)+"))")}
		}
		if !b.first(arg) {
			return nil
		}
		name := b.fresh(loop.Func(b.at), q.Name())
		return []analysis.TextEdit{
			rewrite.Insert(b.at.Node().Pos(), name+" := "+b.text(arg)+"\n"),
			rewrite.Replace(arg, name),
			rewrite.Replace(b.alone, "make("+typ+", len("+name+"))"),
		}
	}
	return nil
}

// typed is the text of the map's type.
func (b *buffer) typed() (string, bool) {
	switch e := b.init.(type) {
	case *ast.CallExpr:
		return b.text(e.Args[0]), true
	case *ast.CompositeLit:
		return b.text(e.Type), e.Type != nil
	}
	return "", false
}

// fills reports whether a loop over q, which is a slice, array or string, puts
// into p, and nothing assigns them.
func (b *buffer) fills(decl inspector.Cursor, p, q *types.Var) (found bool) {
	switch u := q.Type().Underlying().(type) {
	case *types.Slice:
	case *types.Basic:
		if u.Info()&types.IsString == 0 {
			return false
		}
	default:
		return false
	}
	for _, v := range []*types.Var{p, q} {
		for _, c := range b.index.Of(v) {
			if !b.index.Declares(c) && uses.Written(uses.Whole(c)) {
				return false
			}
		}
	}
	for c := range decl.Preorder((*ast.RangeStmt)(nil)) {
		r := c.Node().(*ast.RangeStmt)
		if loop.Var(b.pass.TypesInfo, r.X) != q {
			continue
		}
		for _, u := range b.index.Of(p) {
			in, ok := loop.Around(b.pass.TypesInfo, u)
			if ok && in.Stmt == ast.Stmt(r) && u.ParentEdgeKind() == edge.IndexExpr_X && uses.Written(u.Parent()) {
				found = true
			}
		}
	}
	return found
}

// first reports whether an argument can be evaluated before the statement: nothing
// is called or received before it there, and nothing that it calls is what the
// statement sets.
func (b *buffer) first(arg ast.Expr) bool {
	ok := true
	ast.Inspect(b.at.Node(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			// One that holds the argument comes after it.
			ok = ok && (n.Pos() >= arg.Pos() || n.Pos() <= arg.Pos() && arg.End() <= n.End())
		case *ast.UnaryExpr:
			ok = ok && (n.Op != token.ARROW || n.Pos() >= arg.Pos())
		case *ast.BinaryExpr:
			// What stands on the right may not be evaluated at all.
			ok = ok && (n.Op != token.LAND && n.Op != token.LOR || arg.Pos() < n.Y.Pos() || n.Y.End() <= arg.Pos())
		}
		return ok
	})
	t := b.pass.TypesInfo.TypeOf(arg)
	_, untyped := t.(*types.Basic)
	return ok && (!untyped || b.pass.TypesInfo.Types[arg].Value == nil)
}
