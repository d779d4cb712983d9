package lockslow

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// lift makes a call before the lock is taken that stands in a statement which needs it, or
// in the function that the statement calls. That gets the results.
func (m *mover) lift(slow, st inspector.Cursor, stay []inspector.Cursor) ([]analysis.TextEdit, *shape.Refusal) {
	call, ok := slow.Node().(*ast.CallExpr)
	if !ok || !always(st, slow) {
		return nil, shape.No(slow.Node(), "it waits, or is not always done")
	}
	no := m.moves(slow, st, stay)
	if no == nil {
		as := declares(m.in.Uses.Info, st, call)
		if slices.ContainsFunc(stay, func(c inspector.Cursor) bool {
			return uses.Any(c.Node(), func(id *ast.Ident) bool { return slices.Contains(as, id.Name) })
		}) {
			as = nil
		}
		names, _, _ := m.results(uses.Decl(slow), call, as)
		return m.put(call, names, nil, m.taken(st, call, as, names)), nil
	}
	if fn := section.Callee(m.in.Uses.Info, call); fn != nil {
		if decl, ok := m.in.Uses.Declaration(fn); ok {
			m.holds = nil
			return m.within(fn.Origin(), decl)
		}
	}
	return nil, no
}

// moves says why a call in a statement may not come before it, and before others.
func (m *mover) moves(slow, st inspector.Cursor, stay []inspector.Cursor) *shape.Refusal {
	if slow.ParentEdgeKind() == edge.ExprStmt_X {
		return shape.No(slow.Node(), "nothing takes what it returns")
	}
	if no := m.keeps(slow, []inspector.Cursor{st}); no != nil {
		return no
	}
	for c := range st.Preorder((*ast.CallExpr)(nil)) {
		if c.Node().End() <= slow.Node().Pos() {
			stay = append(stay, c)
		}
	}
	return m.needs(slow, stay...)
}

// declares are the variables that a statement declares for all that a call returns; nil
// where it does more.
func declares(info *types.Info, st inspector.Cursor, call *ast.CallExpr) (names []string) {
	set, ok := st.Node().(*ast.AssignStmt)
	if !ok || set.Rhs[0] != call {
		return nil
	}
	for _, e := range set.Lhs {
		id, ok := e.(*ast.Ident)
		if !ok || info.Defs[id] == nil || id.Name == "_" {
			return nil
		}
		names = append(names, id.Name)
	}
	return names
}

// taken puts variables in the place of a call. A statement goes that declares them for it.
func (m *mover) taken(st inspector.Cursor, call *ast.CallExpr, as, names []string) analysis.TextEdit {
	if as != nil {
		return rewrite.Drop(m.lock.Pass.Fset, st)
	}
	return rewrite.Replace(call, strings.Join(names, ", "))
}

// results are variables for the results of a call, and parameters that get them: new ones,
// or those of the function that makes the call if as has them.
func (m *mover) results(d *ast.FuncDecl, call *ast.CallExpr, as []string) (names []string, params string, ok bool) {
	results, several := m.in.Uses.Info.TypeOf(call).(*types.Tuple)
	if !several {
		results = types.NewTuple(types.NewVar(0, nil, "", m.in.Uses.Info.TypeOf(call)))
	}
	ok = true
	fresh := rewrite.Names{}
	for i, v := range slices.Collect(results.Variables()) {
		name := "value"
		if as != nil {
			name = as[i]
		}
		if as == nil || !spawn.Within(d, call) {
			name = fresh.Fresh(m.lock.Pass.Pkg, d, name)
		}
		text, is := rewrite.Type(m.lock.Pass.Pkg, rewrite.File(m.lock.Pass, d.Pos()), d.Body.Lbrace, v.Type())
		names, params, ok = append(names, name), params+name+" "+text+", ", ok && is
	}
	return names, params, ok
}

// put makes a call before the section, with other operands.
func (m *mover) put(call *ast.CallExpr, names []string, operands []analysis.TextEdit, more analysis.TextEdit) []analysis.TextEdit {
	text, _ := inline.Source(m.lock.Pass, call.Pos(), call.End(), operands)
	return []analysis.TextEdit{rewrite.Insert(m.s.Enter.Node().Pos(), strings.Join(names, ", ")+" := "+text+"\n"), more}
}

// within makes the first slow call of a function where the function is called, before the
// lock is taken.
func (m *mover) within(fn *types.Func, decl inspector.Cursor) (edits []analysis.TextEdit, no *shape.Refusal) {
	d := decl.Node().(*ast.FuncDecl)
	body, _ := decl.FindNode(d.Body)
	stay := slices.Collect(body.Children())
	i := slices.IndexFunc(stay, func(c inspector.Cursor) bool { return m.first([]inspector.Cursor{c}) != nil })
	if i < 0 {
		return nil, shape.No(d.Name, "all of "+fn.Name()+" is slow")
	}
	slow := m.first(stay[i : i+1]).at
	call, ok := slow.Node().(*ast.CallExpr)
	if !ok || !always(stay[i], slow) {
		return nil, shape.No(slow.Node(), "it waits, or is not always done")
	}
	as := declares(m.in.Uses.Info, stay[i], call)
	if uses.Any(d, func(id *ast.Ident) bool { return id.Pos() < stay[i].Node().Pos() && slices.Contains(as, id.Name) }) {
		as = nil
	}
	names, params, ok := m.results(d, call, as)
	calls, why, _ := m.in.Uses.Calls(fn)
	list := d.Type.Params
	if why != "" || !ok || len(list.List) > 0 && len(list.List[0].Names) == 0 {
		return nil, shape.No(d.Name, "not all calls of "+fn.Name()+" can give the result")
	}
	edits = append(edits, rewrite.Insert(list.Opening+1, params), m.taken(stay[i], call, as, names))
	for _, c := range calls {
		more, no := m.give(c, fn, slow, stay[i], stay[:i], as)
		if no != nil {
			return nil, no
		}
		edits = append(edits, more...)
	}
	return edits, nil
}

// give makes a slow call of a function before the section that calls the function.
func (m *mover) give(c inspector.Cursor, fn *types.Func, slow, st inspector.Cursor, stay []inspector.Cursor, as []string) ([]analysis.TextEdit, *shape.Refusal) {
	call, in := c.Node().(*ast.CallExpr), *m
	in.s = nil
	var before []inspector.Cursor
	for _, s := range m.lock.Sections {
		if i := slices.IndexFunc(s.Stmts, func(st inspector.Cursor) bool { return always(st, c) }); i >= 0 {
			in.s, before = s, s.Stmts[:i:i]
		}
	}
	if in.s == nil {
		return nil, shape.No(call, fn.Name()+" is called elsewhere, or not always")
	}
	if no := in.moves(slow, st, append(before, stay...)); no != nil {
		return nil, no
	}
	operands, no := in.operands(call, fn, slow, before)
	if no != nil {
		return nil, no
	}
	m.holds = in.holds
	names, _, _ := m.results(uses.Decl(c), slow.Node().(*ast.CallExpr), as)
	list := strings.Join(names, ", ")
	if len(call.Args) > 0 {
		list += ", "
	}
	return in.put(slow.Node().(*ast.CallExpr), names, operands, rewrite.Insert(call.Lparen+1, list)), nil
}

// operands puts what a call of a function gives into the slow call in the function.
func (m *mover) operands(call *ast.CallExpr, fn *types.Func, slow inspector.Cursor, before []inspector.Cursor) (edits []analysis.TextEdit, no *shape.Refusal) {
	info, enter := m.in.Uses.Info, m.s.Enter.Node().Pos()
	_, scope := rewrite.Around(m.lock.Pass.Pkg, enter)
	given := map[types.Object]ast.Expr{}
	if recv := fn.Signature().Recv(); recv != nil {
		given[recv] = call.Fun.(*ast.SelectorExpr).X
	}
	for i, v := range slices.Collect(fn.Signature().Params().Variables()) {
		given[v] = call.Args[i]
	}
	for id := range slow.Preorder((*ast.Ident)(nil)) {
		n := id.Node().(*ast.Ident)
		o := info.Uses[n]
		e, is := given[o]
		if id.ParentEdgeKind() == edge.SelectorExpr_Sel {
			continue
		}
		if !is {
			if _, same := scope.LookupParent(n.Name, enter); same == nil || same != o {
				return nil, shape.No(n, n.Name+" is not known where "+fn.Name()+" is called")
			}
			continue
		}
		if m.in.Uses.Var(e) == nil || !types.Identical(info.TypeOf(e), o.Type()) {
			return nil, shape.No(e, "it is no variable of the same type that is given")
		}
		arg, _ := uses.Find(m.in.Uses.Root, e) // what it leads to was looked at
		if no := m.keeps(arg, before); no != nil {
			return nil, no
		}
		for c := range arg.Preorder((*ast.Ident)(nil)) {
			if v := m.in.Uses.Var(c.Node().(*ast.Ident)); v != nil && m.changes(v) {
				return nil, shape.No(e, "it uses "+v.Name()+", which changes")
			}
		}
		edits = append(edits, rewrite.Replace(n, rewrite.Text(m.lock.Pass.Fset, e)))
	}
	return edits, nil
}

// always reports whether a statement does what stands in it, once.
func always(st, c inspector.Cursor) bool {
	for ; c != st; c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.BlockStmt_List, edge.CaseClause_List, edge.CaseClause_Body, edge.CommClause_Comm, edge.CommClause_Body, edge.FuncLit_Body, edge.ForStmt_Cond, edge.ForStmt_Post, edge.DeferStmt_Call, edge.GoStmt_Call, edge.IfStmt_Else:
			return false
		case edge.BinaryExpr_Y:
			if op := c.Parent().Node().(*ast.BinaryExpr).Op; op == token.LAND || op == token.LOR {
				return false
			}
		}
	}
	return true
}
