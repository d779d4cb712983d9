package staticsplit

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// byHand finds ranges whose parts are written out: by the number of the worker, as
// in if w == 0 { sums[0] = count(0, 450) } else { sums[1] = count(450, 500) }, or
// goroutine by goroutine.
func byHand(pass *analysis.Pass, r *atonce.Reader, sites []*spawn.Site) (all []shape.Finding) {
	const says = "the range is split by hand: where the parts differ in cost, the others wait for the worker with the dearest"
	for _, s := range pass.ResultOf[spawn.Reached].([]*spawn.Site) {
		if s.Up == nil || s.Lit == nil || s.Func == nil || len(s.Body.List) != 1 {
			continue
		}
		h := &helper{pass: pass, info: pass.TypesInfo, s: s}
		if workers := h.runs(); workers != nil && h.branches(s.Body.List[0], workers) && h.adjoin() {
			all = append(all, h.finding(r, s.Body.List[0], says))
		}
	}
	for i, s := range sites {
		if s.Func == nil || i > 0 && beside(sites[i-1], s) {
			continue
		}
		h := &helper{pass: pass, info: pass.TypesInfo, s: s}
		if h.listed(sites[i:]) && h.adjoin() {
			all = append(all, h.finding(r, h.stmt, says))
		}
	}
	return all
}

// branches reads what workers do by their number: each has a branch.
func (h *helper) branches(st ast.Stmt, workers ast.Expr) bool {
	n := h.info.Types[workers].Value
	if n == nil {
		return false
	}
	seen := map[string]bool{}
	branch := func(body *ast.BlockStmt) bool {
		if len(body.List) != 1 {
			return false
		}
		a, ok := body.List[0].(*ast.AssignStmt)
		return ok && a.Tok != token.DEFINE && h.keeps(a)
	}
	for {
		x, ok := st.(*ast.IfStmt)
		if !ok {
			block, ok := st.(*ast.BlockStmt) // the last one's
			return ok && branch(block) && constant.Compare(n, token.EQL, constant.MakeInt64(int64(len(h.parts))))
		}
		c, ok := ast.Unparen(x.Cond).(*ast.BinaryExpr)
		if !ok || c.Op != token.EQL || x.Init != nil || x.Else == nil || !branch(x.Body) {
			return false
		}
		k := h.info.Types[c.Y].Value
		if w := h.expand(c.X); w == nil || k == nil || types.ExprString(w) != number || seen[k.ExactString()] ||
			constant.Sign(k) < 0 || !constant.Compare(k, token.LSS, n) {
			return false
		}
		seen[k.ExactString()] = true
		st = x.Else
	}
}

// listed reads goroutines that are started one after the other and do a part each,
// and what follows at once if it does, too.
func (h *helper) listed(sites []*spawn.Site) bool {
	list := around(h.s)
	at := slices.IndexFunc(list, func(st ast.Stmt) bool { return starts(st, h.s) })
	if at < 0 {
		return false
	}
	h.stmt = list[at]
	for _, st := range list[at:] {
		if len(sites) > 0 && starts(st, sites[0]) {
			if s := sites[0]; s.Lit == nil || s.Join == nil || s.Type.Params.NumFields()+s.Type.Results.NumFields() > 0 || !h.alone(s.Body) {
				return false
			}
			sites, h.until = sites[1:], st.End()
			continue
		}
		if a, ok := st.(*ast.AssignStmt); ok && h.keeps(a) {
			h.until = st.End()
		}
		break
	}
	return len(h.parts) > 1
}

// alone reports whether a goroutine does one part, and says when it has.
func (h *helper) alone(body *ast.BlockStmt) bool {
	parts := 0
	for i, st := range body.List {
		switch st := st.(type) {
		case *ast.DeferStmt:
			if !h.done(st.Call) {
				return false
			}
		case *ast.AssignStmt:
			if st.Tok == token.DEFINE || !h.keeps(st) {
				return false
			}
			parts++
		case *ast.SendStmt:
			if parts == 0 || i != len(body.List)-1 {
				return false
			}
		case *ast.ExprStmt:
			if c, ok := st.X.(*ast.CallExpr); !ok || parts == 0 || i != len(body.List)-1 || !h.done(c) {
				return false
			}
		default:
			return false
		}
	}
	return parts == 1
}

// done reports whether a call says that a goroutine has ended, and nothing more.
func (h *helper) done(c *ast.CallExpr) bool {
	if sel, ok := c.Fun.(*ast.SelectorExpr); ok {
		return sel.Sel.Name == "Done" && len(c.Args) == 0
	}
	b, ok := inline.Object(h.info, c.Fun).(*types.Builtin)
	return ok && b.Name() == "close"
}

// around is the list of statements that a site's is in.
func around(s *spawn.Site) (list []ast.Stmt) {
	ast.Inspect(s.Func, func(n ast.Node) bool {
		if b, ok := n.(*ast.BlockStmt); ok && slices.ContainsFunc(b.List, func(st ast.Stmt) bool { return starts(st, s) }) {
			list = b.List
		}
		return list == nil
	})
	return list
}

// starts reports whether a statement is that of a site.
func starts(st ast.Stmt, s *spawn.Site) bool {
	x, call := st.(*ast.ExprStmt)
	return ast.Node(st) == s.Node || call && x.X == s.Node
}

// beside reports whether two sites stand one after the other.
func beside(a, b *spawn.Site) bool {
	if a.Func == nil || a.Func != b.Func {
		return false
	}
	list := around(a)
	i := slices.IndexFunc(list, func(st ast.Stmt) bool { return starts(st, a) })
	return i >= 0 && i+1 < len(list) && starts(list[i+1], b)
}

// keeps notes a statement that keeps what a call of a function of the package
// returns. Its ends are the arguments in which the parts differ.
func (h *helper) keeps(st *ast.AssignStmt) bool {
	if len(st.Lhs) != 1 || len(st.Rhs) != 1 || st.Tok != token.ASSIGN && st.Tok != token.ADD_ASSIGN && st.Tok != token.DEFINE {
		return false
	}
	call, ok := ast.Unparen(st.Rhs[0]).(*ast.CallExpr)
	if !ok || st.Tok == token.DEFINE && !types.Identical(h.info.TypeOf(st.Rhs[0]), types.Typ[types.Int]) {
		return false
	}
	if x, ok := st.Lhs[0].(*ast.IndexExpr); ok && h.info.Types[x.Index].Value == nil {
		if w := h.expand(x.Index); w == nil || types.ExprString(w) != number {
			return false
		}
	}
	h.parts = append(h.parts, part{st, call, -1, -1})
	return true
}

// adjoin reports whether each part begins where another ends, and the whole is the
// range from lo to n whatever these are.
func (h *helper) adjoin() bool {
	first := h.parts[0]
	from, to := -1, -1
	for i := range first.count.Args {
		for _, p := range h.parts[1:] {
			if len(p.count.Args) != len(first.count.Args) || h.text(p.count.Fun) != h.text(first.count.Fun) {
				return false
			}
			switch same := h.text(p.count.Args[i]) == h.text(first.count.Args[i]); {
			case same || i == from || i == to:
			case from < 0:
				from = i
			case to < 0:
				to = i
			default:
				return false
			}
		}
	}
	if to < 0 {
		return false
	}
	for i := range h.parts {
		h.parts[i].from, h.parts[i].to = from, to
	}
	// In the order of the range.
	all := slices.Clone(h.parts)
	next := func(end string) int {
		return slices.IndexFunc(all, func(p part) bool { return h.text(p.count.Args[from]) == end })
	}
	at := slices.IndexFunc(all, func(p part) bool {
		return !slices.ContainsFunc(all, func(q part) bool { return h.text(q.count.Args[to]) == h.text(p.count.Args[from]) })
	})
	var cuts []ast.Expr
	for at >= 0 {
		if cuts == nil {
			cuts = append(cuts, all[at].count.Args[from])
		}
		end := all[at].count.Args[to]
		cuts = append(cuts, end)
		all = slices.Delete(all, at, at+1)
		at = next(h.text(end))
	}
	if len(all) > 0 || !h.ascend(cuts) {
		return false
	}
	if h.n = cuts[len(cuts)-1]; !h.isZero(cuts[0]) {
		h.lo = cuts[0]
	}
	return true
}

func (h *helper) text(n ast.Node) string { return rewrite.Text(h.pass.Fset, n) }

func (h *helper) isZero(e ast.Expr) bool {
	v := h.info.Types[e].Value
	return v != nil && v.Kind() == constant.Int && constant.Sign(v) == 0
}

// ascend reports whether cuts are in order: constants, or 0, n/k and n, of which
// the parts are the whole even where n is less than 0.
func (h *helper) ascend(cuts []ast.Expr) bool {
	values := make([]constant.Value, len(cuts))
	for i, c := range cuts {
		if values[i] = h.info.Types[c].Value; values[i] == nil || values[i].Kind() != constant.Int {
			values = nil
			break
		}
	}
	if values != nil {
		return slices.IsSortedFunc(values, func(a, b constant.Value) int {
			return cmp.Compare(constant.Sign(constant.BinaryOp(a, token.SUB, b)), 0)
		})
	}
	if len(cuts) != 3 || !h.isZero(cuts[0]) || !h.stays(cuts[1]) || !h.stays(cuts[2]) {
		return false
	}
	at := cuts[1]
	if id, ok := ast.Unparen(at).(*ast.Ident); ok {
		if h.cut = h.declared(id); h.cut == nil {
			return false
		}
		at = h.cut.Rhs[0]
	}
	q, ok := ast.Unparen(at).(*ast.BinaryExpr)
	if !ok || q.Op != token.QUO || h.text(q.X) != h.text(cuts[2]) {
		return false
	}
	k := h.info.Types[q.Y].Value
	return k != nil && constant.Sign(k) > 0
}

// stays reports whether an expression has one value all along the function: a
// constant, a variable of it that is set where it is declared, the length of one,
// or such a one by a constant.
func (h *helper) stays(e ast.Expr) bool {
	if h.info.Types[e].Value != nil {
		return true
	}
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := h.info.Uses[x].(*types.Var)
		return ok && !v.IsField() && h.s.Func.Pos() <= v.Pos() && v.Pos() < h.stmt.Pos() && !h.set(v)
	case *ast.BinaryExpr:
		return x.Op == token.QUO && h.stays(x.X) && h.info.Types[x.Y].Value != nil
	case *ast.CallExpr:
		b, ok := inline.Object(h.info, x.Fun).(*types.Builtin)
		if !ok || b.Name() != "len" {
			return false
		}
		switch h.info.TypeOf(x.Args[0]).Underlying().(type) {
		case *types.Slice, *types.Array, *types.Basic:
			return h.stays(x.Args[0])
		}
	}
	return false
}

// set reports whether a variable is set again, or its address is taken.
func (h *helper) set(v *types.Var) (again bool) {
	ast.Inspect(h.s.Func, func(n ast.Node) bool {
		if u, ok := n.(*ast.UnaryExpr); ok && u.Op == token.AND {
			again = again || inline.Object(h.info, u.X) == types.Object(v)
		}
		for _, l := range rewrite.Assigned(n) {
			id, ok := ast.Unparen(l).(*ast.Ident)
			again = again || ok && h.info.Uses[id] == types.Object(v)
		}
		return !again
	})
	return again
}

// declared is the statement that declares a variable alone.
func (h *helper) declared(id *ast.Ident) (st *ast.AssignStmt) {
	ast.Inspect(h.s.Func, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.DEFINE && len(a.Lhs) == 1 && inline.Object(h.info, a.Lhs[0]) == h.info.Uses[id] {
			st = a
		}
		return st == nil
	})
	return st
}

// idle reports whether nothing but the parts uses what a statement declares.
func (h *helper) idle(st *ast.AssignStmt) bool {
	v, found := inline.Object(h.info, st.Lhs[0]), false
	ast.Inspect(h.s.Func, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && slices.ContainsFunc(h.parts, func(p part) bool { return p.count == c }) {
			return false
		}
		id, ok := n.(*ast.Ident)
		found = found || ok && h.info.Uses[id] == v
		return !found
	})
	return !found
}
