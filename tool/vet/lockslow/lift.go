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
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// lift makes a call before the lock is taken that stands in a statement which needs it, or
// in the function that the statement calls. That gets the results.
func (m *mover) lift(slow, st inspector.Cursor, stay []inspector.Cursor) ([]analysis.TextEdit, *shape.Refusal) {
	call, ok := slow.Node().(*ast.CallExpr)
	if !ok || !always(st, slow) {
		return nil, shape.No(slow.Node(), "it waits, or is not always done")
	}
	no := m.needs(slow, stay)
	for c := range st.Preorder((*ast.CallExpr)(nil)) {
		if n := c.Node(); no == nil && n.End() <= call.Pos() && len(m.in.Effects(c).Unknown) > 0 {
			no = shape.No(n, "it may have to come after this")
		}
	}
	if a, ok := st.Node().(*ast.AssignStmt); no == nil && !(ok && slices.Contains(a.Rhs, ast.Expr(call))) {
		no = m.keeps(slow, []inspector.Cursor{st})
	}
	fn := section.Callee(m.in.Uses.Info, call)
	if no == nil && slow.ParentEdgeKind() != edge.ExprStmt_X {
		names, _, _ := m.names(uses.Decl(slow), call)
		return m.put(m.s, call, call, names, nil), nil
	} else if fn == nil {
		return nil, no
	}
	decl, ok := m.in.Uses.Declaration(fn)
	if !ok {
		return nil, no
	}
	m.holds = nil
	return m.within(fn.Origin(), decl.Node().(*ast.FuncDecl), decl)
}

// names are new variables for the results of a call, and parameters that get them.
func (m *mover) names(d *ast.FuncDecl, call *ast.CallExpr) (names []string, params string, ok bool) {
	results, several := m.in.Uses.Info.TypeOf(call).(*types.Tuple)
	if !several {
		results = types.NewTuple(types.NewVar(0, nil, "", m.in.Uses.Info.TypeOf(call)))
	}
	ok = true
	fresh := rewrite.Names{}
	for v := range results.Variables() {
		name := fresh.Fresh(m.lock.Pass.Pkg, d, "value")
		text, is := rewrite.Type(m.lock.Pass.Pkg, rewrite.File(m.lock.Pass, d.Pos()), d.Body.Lbrace, v.Type())
		names, params, ok = append(names, name), params+", "+name+" "+text, ok && is
	}
	return names, params, ok
}

// put makes a call before a section, with other operands, and puts the results in its place.
func (m *mover) put(s *section.Section, call *ast.CallExpr, at ast.Node, names []string, operands []analysis.TextEdit) []analysis.TextEdit {
	text, _ := inline.Source(m.lock.Pass, call.Pos(), call.End(), operands)
	list := strings.Join(names, ", ")
	edit := rewrite.Replace(at, list)
	if at != ast.Node(call) {
		edit = with(at.(*ast.CallExpr).Args, at.(*ast.CallExpr).Rparen, list)
	}
	return []analysis.TextEdit{rewrite.Insert(s.Enter.Node().Pos(), list+" := "+text+"\n"), edit}
}

// with adds to the end of a list.
func with[N ast.Node](list []N, end token.Pos, text string) analysis.TextEdit {
	if n := len(list); n > 0 {
		return rewrite.Insert(list[n-1].End(), ", "+text)
	}
	return rewrite.Insert(end, text)
}

// within makes the first slow call of a function where the function is called, before the
// lock is taken.
func (m *mover) within(fn *types.Func, d *ast.FuncDecl, decl inspector.Cursor) (edits []analysis.TextEdit, no *shape.Refusal) {
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
	names, params, ok := m.names(d, call)
	calls, why, _ := m.in.Uses.Calls(fn)
	if list := d.Type.Params.List; why != "" || !ok || len(names) == 0 || fn.Signature().Variadic() || len(list) > 0 && len(list[0].Names) == 0 {
		return nil, shape.No(d.Name, "not all calls of "+fn.Name()+" can give the result")
	}
	edits = append(edits, with(d.Type.Params.List, d.Type.Params.Closing, params[2:]), rewrite.Replace(call, strings.Join(names, ", ")))
	for _, c := range calls {
		more, no := m.give(c, fn, d, slow, stay[:i])
		if no != nil {
			return nil, no
		}
		edits = append(edits, more...)
	}
	return edits, nil
}

// give makes a slow call of a function before the section that calls the function.
func (m *mover) give(c inspector.Cursor, fn *types.Func, d *ast.FuncDecl, slow inspector.Cursor, stay []inspector.Cursor) ([]analysis.TextEdit, *shape.Refusal) {
	pass, info, call := m.lock.Pass, m.in.Uses.Info, c.Node().(*ast.CallExpr)
	in, at := *m, 0
	in.s = nil
	for _, s := range m.lock.Sections {
		if i := slices.IndexFunc(s.Stmts, func(st inspector.Cursor) bool { return st.Contains(c) && always(st, c) }); i >= 0 {
			in.s, at = s, i
		}
	}
	if in.s == nil || rewrite.File(pass, d.Pos()) != rewrite.File(pass, call.Pos()) {
		return nil, shape.No(call, fn.Name()+" is called elsewhere, or not always")
	}
	before := in.s.Stmts[:at:at]
	if no := in.needs(slow, append(before, stay...)); no != nil {
		return nil, no
	}
	enter := in.s.Enter.Node().Pos()
	_, scope := rewrite.Around(pass.Pkg, enter)
	sig := fn.Signature()
	params := slices.Collect(sig.Params().Variables())
	var operands []analysis.TextEdit
	for id := range slow.Preorder((*ast.Ident)(nil)) {
		n := id.Node().(*ast.Ident)
		v, _ := info.Uses[n].(*types.Var)
		i := slices.Index(params, v)
		given := ast.Expr(nil)
		switch {
		case id.ParentEdgeKind() == edge.SelectorExpr_Sel || v != nil && v.IsField():
			continue
		case v != nil && v == sig.Recv():
			given = call.Fun.(*ast.SelectorExpr).X
		case i >= 0:
			given = call.Args[i]
		default:
			if _, same := scope.LookupParent(n.Name, enter); same == nil || same != info.Uses[n] {
				return nil, shape.No(n, n.Name+" is not known where "+fn.Name()+" is called")
			}
			continue
		}
		arg, _ := c.FindNode(given)
		no := in.keeps(arg, before) // what it leads to was looked at
		switch x := ast.Unparen(given).(type) {
		case *ast.Ident:
			if v := m.in.Uses.Var(x); v == nil || in.s.Shares(v) || m.lock.Guarded[v] {
				no = in.needs(arg, before)
			}
		case *ast.SelectorExpr:
			no = in.needs(arg, before)
		case *ast.BasicLit:
			if t := v.Type(); t != types.Typ[types.String] && t != types.Typ[types.Int] {
				no = shape.No(given, "what is given gets another type")
			}
		default:
			no = shape.No(given, "it is no variable that is given")
		}
		t := info.TypeOf(given)
		switch {
		case no != nil:
		case !types.Identical(t, v.Type()) && !(i < 0 && types.Identical(uses.Deref(t), uses.Deref(v.Type()))):
			no = shape.No(given, "what is given gets another type")
		case !m.settled(v):
			no = shape.No(n, v.Name()+" is set")
		}
		if no != nil {
			return nil, no
		}
		operands = append(operands, rewrite.Replace(n, rewrite.Text(pass.Fset, given)))
	}
	m.holds = in.holds
	names, _, _ := m.names(uses.Decl(c), slow.Node().(*ast.CallExpr))
	return m.put(in.s, slow.Node().(*ast.CallExpr), call, names, operands), nil
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
