package localise

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// returned takes the last statement of the body, which returns a value, and reports
// whether it may stand where the call is. Nothing else in the body returns.
func (p *place) returned(list []ast.Stmt) (value ast.Expr, ok bool) {
	n := len(list)
	if n == 0 || p.sig.Results().Len() != 1 || p.fn == nil || slices.ContainsFunc(list[:n-1], returns) {
		return nil, false
	}
	ret, ok := list[n-1].(*ast.ReturnStmt)
	if !ok || len(ret.Results) != 1 {
		return nil, false
	}
	value = ret.Results[0]
	tv := p.pass.TypesInfo.Types[value]
	if tv.Value != nil || !types.Identical(tv.Type, p.sig.Results().At(0).Type()) {
		return nil, false // it would have another type there
	}
	for i := range list { // after the lock is given back
		if _, unlocks := p.unlocks(list, i); unlocks && !p.arithmetic(value) {
			return nil, false
		}
	}
	return value, p.result || p.arithmetic(value)
}

// leaves reports whether the body is left by its end, by returns that the rest can
// stand in the other branch of, or by deferred calls that give a lock back.
func (p *place) leaves() bool {
	info := p.pass.TypesInfo
	block := p.body.Node().(*ast.BlockStmt)
	unlocks := map[token.Pos]bool{}
	for i := range block.List {
		if _, ok := p.unlocks(block.List, i); ok {
			unlocks[block.List[i].Pos()] = true
		}
	}
	for _, l := range rewrite.Leaves(info, block, false) {
		switch l.How {
		case "return", "panic":
		case "defer":
			if !unlocks[l.Pos] {
				return p.refuse(l.Pos, "it has a deferred call")
			}
		default:
			return p.refuse(l.Pos, "it has a %s", l.How)
		}
	}
	n := 0
	for range p.body.Preorder((*ast.LabeledStmt)(nil)) {
		return p.refuse(block.Pos(), "it has a label")
	}
	for c := range p.body.Preorder((*ast.ExprStmt)(nil), (*ast.AssignStmt)(nil), (*ast.IncDecStmt)(nil), (*ast.ReturnStmt)(nil), (*ast.IfStmt)(nil), (*ast.CallExpr)(nil)) {
		switch s := c.Node().(type) {
		case *ast.CallExpr:
			if fn := p.callee(s); fn != nil && fn == p.of {
				return p.refuse(s.Pos(), "%s calls itself", fn.Name())
			}
		default:
			n++
		}
	}
	if n > 24 {
		return p.refuse(block.Pos(), "it is too long to stand in place of its call")
	}
	return true
}

// unlocks reports whether a statement defers to give back the lock that the one
// before it takes.
func (p *place) unlocks(list []ast.Stmt, i int) (call *ast.CallExpr, ok bool) {
	d, ok := list[i].(*ast.DeferStmt)
	if !ok || i == 0 {
		return nil, false
	}
	before, ok := list[i-1].(*ast.ExprStmt)
	if !ok {
		return nil, false
	}
	lock, ok := before.X.(*ast.CallExpr)
	if !ok {
		return nil, false
	}
	a, ok1 := lock.Fun.(*ast.SelectorExpr)
	b, ok2 := d.Call.Fun.(*ast.SelectorExpr)
	if !ok1 || !ok2 || a.Sel.Name != "Lock" || b.Sel.Name != "Unlock" || types.ExprString(a.X) != types.ExprString(b.X) {
		return nil, false
	}
	fn, ok := p.pass.TypesInfo.Uses[b.Sel].(*types.Func)
	return d.Call, ok && fn.Pkg() != nil && fn.Pkg().Path() == "sync"
}

// list is the text of statements from one position to another, in which nothing
// returns: what stands after a branch that did is its other branch.
func (p *place) list(list []ast.Stmt, from, to token.Pos) (text string, ok bool) {
	for i, s := range list {
		if call, ok := p.unlocks(list, i); ok {
			rest, ok := p.list(list[i+1:], s.End(), to)
			return strings.TrimRight(p.text(from, s.Pos()), " \t\n") + strings.TrimRight(rest, " \t\n") + "\n" + p.text(call.Pos(), call.End()), ok
		}
		if _, last := s.(*ast.ReturnStmt); last {
			return p.text(from, s.Pos()) + p.text(s.End(), to), true
		}
		if !returns(s) {
			continue
		}
		guard, ok := s.(*ast.IfStmt)
		if !ok || guard.Init != nil || guard.Else != nil {
			return "", false
		}
		n := len(guard.Body.List)
		ret, ok := guard.Body.List[n-1].(*ast.ReturnStmt)
		if !ok || slices.ContainsFunc(guard.Body.List[:n-1], returns) {
			return "", false
		}
		rest, ok := p.list(list[i+1:], guard.End(), to)
		switch {
		case !ok:
			return "", false
		case strings.TrimSpace(rest) == "":
			return p.text(from, ret.Pos()) + p.text(ret.End(), guard.End()) + rest, true
		case n == 1:
			return p.text(from, guard.Pos()) + "if " + p.not(guard.Cond) + " {\n" + strings.TrimSpace(rest) + "\n}", true
		}
		return p.text(from, ret.Pos()) + "} else {\n" + strings.TrimSpace(rest) + "\n}", true
	}
	return p.text(from, to), true
}

func returns(s ast.Stmt) (found bool) {
	ast.Inspect(s, func(n ast.Node) bool {
		_, lit := n.(*ast.FuncLit)
		_, ret := n.(*ast.ReturnStmt)
		found = found || ret
		return !lit && !found
	})
	return found
}

// not is the text of the opposite of a condition.
func (p *place) not(e ast.Expr) string {
	switch x := ast.Unparen(e).(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			return p.text(x.X.Pos(), x.X.End())
		}
	case *ast.BinaryExpr:
		other := map[token.Token]token.Token{token.EQL: token.NEQ, token.NEQ: token.EQL}
		if b, ok := p.pass.TypesInfo.TypeOf(x.X).Underlying().(*types.Basic); ok && b.Info()&(types.IsInteger|types.IsString) != 0 {
			other[token.LSS], other[token.GEQ], other[token.GTR], other[token.LEQ] = token.GEQ, token.LSS, token.LEQ, token.GTR
		}
		if op, ok := other[x.Op]; ok {
			return p.text(x.X.Pos(), x.OpPos) + op.String() + p.text(x.OpPos+token.Pos(len(x.Op.String())), x.Y.End())
		}
		return "!(" + p.text(e.Pos(), e.End()) + ")"
	}
	return "!" + p.text(e.Pos(), e.End())
}

// text is the source of the body with its edits.
func (p *place) text(from, to token.Pos) string {
	s, err := inline.Source(p.pass, from, to, p.edits)
	if err != nil {
		p.refuse(from, "it is handed on twice")
	}
	return s
}

// means reports whether the names in the body mean the same where the call is.
func (p *place) means() bool {
	info := p.pass.TypesInfo
	p.names, p.args = map[string]bool{}, map[string]bool{}
	inside := func(o types.Object) bool {
		return o.Pos() >= p.typ.Pos() && o.Pos() < p.body.Node().End() || p.recv != nil && spans(p.recv, o.Pos())
	}
	scope := p.pass.Pkg.Scope().Innermost(p.from)
	for c := range p.body.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if o := info.Defs[id]; o != nil {
			p.names[id.Name] = true
			continue
		}
		o := info.Uses[id]
		if t, ok := o.(*types.TypeName); ok {
			if _, param := types.Unalias(t.Type()).(*types.TypeParam); param {
				return p.refuse(id.Pos(), "it names its type parameter %s", id.Name)
			}
		}
		if o == nil || c.ParentEdgeKind() == edge.SelectorExpr_Sel || inside(o) {
			continue
		}
		if v, ok := o.(*types.Var); ok && v.IsField() {
			continue
		}
		if p.around != nil && p.around.names[id.Name] {
			return p.refuse(id.Pos(), "%s is something else where the literal is called", id.Name)
		}
		if _, here := scope.LookupParent(id.Name, p.from); !same(o, here) {
			return p.refuse(id.Pos(), "%s is something else where the call stands", id.Name)
		}
	}
	for _, a := range p.operands() {
		ast.Inspect(a, func(n ast.Node) bool {
			if _, lit := n.(*ast.FuncLit); lit {
				return false // its names are looked at where it stands
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				ast.Inspect(s.X, func(n ast.Node) bool {
					if id, ok := n.(*ast.Ident); ok {
						p.args[id.Name] = true
					}
					return true
				})
				return false
			}
			if id, ok := n.(*ast.Ident); ok {
				p.args[id.Name] = true
			}
			return true
		})
	}
	for name := range p.args {
		if p.names[name] {
			return p.refuse(p.call.Pos(), "%s is something else in what is called", name)
		}
	}
	if p.around != nil {
		return true
	}
	was, is := info.FileVersions[rewrite.File(p.pass, p.body.Node().Pos())], info.FileVersions[rewrite.File(p.pass, p.call.Pos())]
	return was == is || p.refuse(p.call.Pos(), "it is written for another version of Go")
}

func same(a, b types.Object) bool {
	x, ok1 := a.(*types.PkgName)
	y, ok2 := b.(*types.PkgName)
	if ok1 && ok2 {
		return x.Imported() == y.Imported()
	}
	return a == b
}

// clashes reports whether what the text declares needs a block around it.
func (p *place) clashes(block *ast.BlockStmt) bool {
	declares := len(p.lines) > 0
	for _, s := range block.List {
		a, ok := s.(*ast.AssignStmt)
		_, decl := s.(*ast.DeclStmt)
		declares = declares || decl || ok && a.Tok == token.DEFINE
	}
	if !declares {
		return false
	}
	clash := false
	ast.Inspect(uses.Decl(p.stmt), func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		clash = clash || ok && p.names[id.Name]
		return !clash
	})
	for name := range p.names {
		clash = clash || p.taken[name]
	}
	if !clash {
		maps.Copy(p.taken, p.names)
	}
	return clash
}
