package syncmap

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A count is statements that add to the number of a key.
type count struct {
	stmts   []inspector.Cursor
	on      ast.Expr // the map
	key, by ast.Expr
}

func (c count) has(n ast.Node) bool {
	return slices.ContainsFunc(c.stmts, func(s inspector.Cursor) bool { return s.Node().Pos() <= n.Pos() && n.End() <= s.Node().End() })
}

// own are the edits that count in a map of the loop's, and add that to the
// shared one after it. ok is false if no loop counts.
func (t *typed) own(sections *section.Index) (edits []analysis.TextEdit, ok bool) {
	p := local.New(t.pass)
	if p.Recovers() {
		return nil, false
	}
	elem := t.v
	if a := atomicOf(t.value); a != "" {
		elem = strings.ToLower(a)
	} else if b, is := t.value.Underlying().(*types.Basic); !is || b.Info()&types.IsInteger == 0 {
		return nil, false
	}
	byLoop := map[inspector.Cursor][]count{}
	var order []inspector.Cursor
	for _, c := range t.calls {
		if c.of != "LoadOrStore" {
			continue
		}
		n, is := t.compared(c)
		if !is {
			n, is = t.atomic(c)
		}
		if !is {
			continue
		}
		for _, loop := range slices.Backward(loops(n.stmts[0])) {
			at, _ := t.index.Root.FindNode(loop)
			all := append(slices.Clone(byLoop[at]), n)
			if loop != n.stmts[0].Node() && t.alone(p, sections, at, all) {
				if byLoop[at] == nil {
					order = append(order, at)
				}
				byLoop[at] = all
				break
			}
		}
	}
	if len(order) == 0 {
		return nil, false
	}
	rest := *t
	rest.group = new(group)
	*rest.group = *t.group
	rest.adds = elem
	var counts []count
	names := map[ast.Node]int{}
	for _, at := range order {
		file := rewrite.File(t.pass, at.Node().Pos())
		k, ok := rewrite.Type(t.pass.Pkg, file, at.Node().Pos(), t.key)
		if _, too := rewrite.Type(t.pass.Pkg, file, at.Node().Pos(), t.value); !ok || !too {
			return nil, false
		}
		if _, made := t.pass.Pkg.Scope().Innermost(at.Node().Pos()).LookupParent("make", at.Node().Pos()); made != types.Universe.Lookup("make") {
			return nil, false
		}
		var within ast.Node = file
		if d := uses.Decl(at); d != nil {
			within = d
		}
		names[within]++
		name := "own"
		if n := names[within]; n > 1 {
			name += string(rune('0' + n%10))
		}
		name = rewrite.Fresh(t.pass.Pkg, within, name)
		for i, n := range byLoop[at] {
			counts = append(counts, n)
			text := name + "[" + t.text(n.key) + "]"
			if by := t.text(n.by); by == "1" {
				text += "++"
			} else {
				text += " += " + by
			}
			edits = append(edits, analysis.TextEdit{Pos: n.stmts[0].Node().Pos(), End: n.stmts[len(n.stmts)-1].Node().End(), NewText: []byte(text)})
			if i == 0 {
				edits = append(edits, rewrite.Insert(rewrite.Above(t.pass.Fset, at), name+" := "+t.empty("map["+k+"]"+elem)+"\n"), rewrite.Insert(at.Node().End(), "\n"+t.text(n.on)+".add("+name+")"))
			}
		}
	}
	counted := func(n ast.Node) bool {
		return slices.ContainsFunc(counts, func(c count) bool { return c.has(n) })
	}
	rest.calls = slices.DeleteFunc(slices.Clone(t.calls), func(c call) bool { return counted(c.Node()) })
	rest.changes = slices.DeleteFunc(slices.Clone(t.changes), func(e analysis.TextEdit) bool {
		return slices.ContainsFunc(counts, func(c count) bool {
			return c.stmts[0].Node().Pos() <= e.Pos && e.End <= c.stmts[len(c.stmts)-1].Node().End()
		})
	})
	return append(edits, rest.edits(mutex)...), true
}

// atomicOf is the name of the atomic integer that a type points to, or "".
func atomicOf(t types.Type) string {
	for _, name := range []string{"Int32", "Int64", "Uint32", "Uint64"} {
		if _, is := types.Unalias(t).(*types.Pointer); is && uses.Is(uses.Deref(t), "sync/atomic", name) {
			return name
		}
	}
	return ""
}

// compared is the count of
//
//	for {
//		old, loaded := m.LoadOrStore(key, 1)
//		if !loaded || m.CompareAndSwap(key, old, old.(int)+1) {
//			break
//		}
//	}
func (t *typed) compared(c call) (n count, ok bool) {
	info := t.index.Info
	a, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 2 {
		return n, false
	}
	loop, ok := c.Parent().Parent().Parent().Node().(*ast.ForStmt)
	if !ok || loop.Init != nil || loop.Cond != nil || loop.Post != nil || len(loop.Body.List) != 2 || loop.Body.List[0] != ast.Stmt(a) || !uses.Listed(c.Parent().Parent().Parent()) {
		return n, false
	}
	old, loaded := t.index.Var(a.Lhs[0]), t.index.Var(a.Lhs[1])
	if old == nil || loaded == nil {
		return n, false
	}
	check, ok := loop.Body.List[1].(*ast.IfStmt)
	if !ok || check.Init != nil || check.Else != nil || len(check.Body.List) != 1 {
		return n, false
	}
	leave, ok := check.Body.List[0].(*ast.BranchStmt)
	if !ok || leave.Tok != token.BREAK || leave.Label != nil {
		return n, false
	}
	cond, ok := ast.Unparen(check.Cond).(*ast.BinaryExpr)
	if !ok || cond.Op != token.LOR {
		return n, false
	}
	not, ok := ast.Unparen(cond.X).(*ast.UnaryExpr)
	if !ok || not.Op != token.NOT || t.index.Var(not.X) != loaded {
		return n, false
	}
	i := slices.IndexFunc(t.calls, func(c call) bool { return c.of == "CompareAndSwap" && c.Node() == ast.Unparen(cond.Y) })
	if i < 0 || !t.same(t.calls[i], c) || t.index.Var(t.calls[i].args[1]) != old {
		return n, false
	}
	sum, ok := ast.Unparen(t.calls[i].args[2]).(*ast.BinaryExpr)
	if !ok || sum.Op != token.ADD || t.text(sum.Y) != t.text(c.args[1]) {
		return n, false
	}
	was, ok := ast.Unparen(sum.X).(*ast.TypeAssertExpr)
	if !ok || t.index.Var(was.X) != old || !types.Identical(info.TypeOf(was), t.value) || !t.steady(c.args[1]) {
		return n, false
	}
	return count{[]inspector.Cursor{c.Parent().Parent().Parent()}, on(c), c.args[0], c.args[1]}, t.steady(c.args[0])
}

// atomic is the count of
//
//	n, ok := m.Load(key) // or none of that
//	if !ok {
//		n, _ = m.LoadOrStore(key, new(atomic.Int64))
//	}
//	n.(*atomic.Int64).Add(1)
func (t *typed) atomic(c call) (n count, ok bool) {
	a, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok || len(a.Lhs) != 2 || atomicOf(t.value) == "" || !t.zero(c.args[1]) {
		return n, false
	}
	v := t.index.Var(a.Lhs[0])
	if id, blank := a.Lhs[1].(*ast.Ident); !blank || id.Name != "_" || v == nil || v.IsField() || v.Parent() == t.pass.Pkg.Scope() {
		return n, false
	}
	first := c.Parent()
	last, mentions := first, 2
	if a.Tok == token.ASSIGN {
		check, is := first.Parent().Parent().Node().(*ast.IfStmt)
		if !is || check.Init != nil || check.Else != nil || len(check.Body.List) != 1 {
			return n, false
		}
		last = first.Parent().Parent()
		if first, ok = last.PrevSibling(); !ok {
			return n, false
		}
		load, is := first.Node().(*ast.AssignStmt)
		if !is || load.Tok != token.DEFINE || len(load.Lhs) != 2 || len(load.Rhs) != 1 || t.index.Var(load.Lhs[0]) != v {
			return n, false
		}
		i := slices.IndexFunc(t.calls, func(x call) bool { return x.of == "Load" && x.Node() == load.Rhs[0] })
		not, is := ast.Unparen(check.Cond).(*ast.UnaryExpr)
		there := t.index.Var(load.Lhs[1])
		if i < 0 || !t.same(t.calls[i], c) || !is || not.Op != token.NOT || there == nil || t.index.Var(not.X) != there || len(t.index.Of(there)) != 2 {
			return n, false
		}
		mentions = 3
	}
	next, ok := last.NextSibling()
	if !ok || !uses.Listed(next) || !uses.Listed(first) || len(t.index.Of(v)) != mentions {
		return n, false
	}
	s, ok := next.Node().(*ast.ExprStmt)
	if !ok {
		return n, false
	}
	add, ok := s.X.(*ast.CallExpr)
	if !ok || len(add.Args) != 1 {
		return n, false
	}
	sel, ok := add.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Add" {
		return n, false
	}
	was, ok := ast.Unparen(sel.X).(*ast.TypeAssertExpr)
	if !ok || t.index.Var(was.X) != v || !types.Identical(t.index.Info.TypeOf(was), t.value) {
		return n, false
	}
	stmts := []inspector.Cursor{first, next}
	if last != first {
		stmts = []inspector.Cursor{first, last, next}
	}
	return count{stmts, on(c), c.args[0], add.Args[0]}, t.steady(c.args[0]) && t.steady(add.Args[0])
}

// zero reports whether an expression is a new atomic.
func (t *typed) zero(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		return creates(t.index.Info, e) && types.Identical(t.index.Info.TypeOf(e), t.value)
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(e.X).(*ast.CompositeLit)
		return ok && e.Op == token.AND && len(lit.Elts) == 0 && types.Identical(t.index.Info.TypeOf(e), t.value)
	}
	return false
}

// on is the map of a call.
func on(c call) ast.Expr {
	return ast.Unparen(c.Node().(*ast.CallExpr).Fun).(*ast.SelectorExpr).X
}

// same reports whether two calls are for the same key of the same map.
func (t *typed) same(a, b call) bool {
	return t.text(on(a)) == t.text(on(b)) && t.text(a.args[0]) == t.text(b.args[0])
}

// steady reports whether an expression is the same when it is evaluated again
// at once, and may be evaluated once.
func (t *typed) steady(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			id, _ := n.Fun.(*ast.Ident)
			fn := t.index.Info.Types[n.Fun]
			ok = ok && (fn.IsType() || fn.IsBuiltin() && id != nil && slices.Contains([]string{"cap", "len", "max", "min"}, id.Name))
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW
		case *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// alone reports whether a loop does nothing but count that others may wait for,
// or that may look at the map, and goes on to what follows it.
func (t *typed) alone(p *local.Package, sections *section.Index, loop inspector.Cursor, counts []count) bool {
	if why, _ := (&local.Loop{Package: p, At: loop}).Leaves(); why != "" {
		return false
	}
	for _, c := range counts {
		if t.text(c.on) != t.text(counts[0].on) {
			return false
		}
	}
	ok := true
	ast.Inspect(counts[0].on, func(n ast.Node) bool { // it has to be the same one after the loop
		switch n := n.(type) {
		case *ast.Ident:
			v, is := t.index.Info.Uses[n].(*types.Var)
			ok = ok && is && !(loop.Node().Pos() <= v.Pos() && v.Pos() < loop.Node().End()) && !slices.ContainsFunc(t.index.Of(v), func(c inspector.Cursor) bool {
				return !t.index.Declares(c) && uses.Written(uses.Whole(c))
			})
		case *ast.SelectorExpr, *ast.ParenExpr, nil:
		default:
			ok = false
		}
		return ok
	})
	if !ok {
		return false
	}
	quiet := func(c inspector.Cursor) bool {
		e := sections.Effects(c)
		return len(e.Unknown)+len(e.Waits)+len(e.Takes) == 0 && !slices.ContainsFunc(t.group.vars, e.Touches)
	}
	var look func(c inspector.Cursor) bool
	look = func(c inspector.Cursor) bool {
		if slices.ContainsFunc(counts, func(n count) bool { return n.has(c.Node()) }) {
			return true
		}
		if !slices.ContainsFunc(counts, func(n count) bool {
			return c.Node().Pos() <= n.stmts[0].Node().Pos() && n.stmts[0].Node().End() <= c.Node().End()
		}) {
			return quiet(c)
		}
		for child := range c.Children() {
			if !look(child) {
				return false
			}
		}
		return true
	}
	return look(loop)
}
