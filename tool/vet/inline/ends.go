package inline

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// How the end of a task is told: wait groups and slots that the function has for that
// alone go with the goroutines.

// A Use is an identifier with the nodes around it, the innermost first. There are three
// at least.
type Use struct {
	ID     *ast.Ident
	Around []ast.Node
}

// Uses returns where decl uses o, but for its definition.
func Uses(info *types.Info, decl *ast.FuncDecl, o types.Object) (out []Use) {
	var stack []ast.Node
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && info.Uses[id] == o {
			around := slices.Clone(stack)
			slices.Reverse(around)
			out = append(out, Use{id, around})
		}
		stack = append(stack, n)
		return true
	})
	return out
}

// locals returns the variables that decl itself declares, with the statement
// that does nothing else. One without a value that is declared together with
// others has a statement of its line alone.
func (f *function) locals() map[*types.Var]ast.Stmt {
	if f.vars != nil {
		return f.vars
	}
	f.vars = map[*types.Var]ast.Stmt{}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeclStmt:
			d := n.Decl.(*ast.GenDecl)
			for _, spec := range d.Specs {
				s, ok := spec.(*ast.ValueSpec)
				if !ok || len(s.Names) != 1 {
					continue
				}
				v, ok := f.info.Defs[s.Names[0]].(*types.Var)
				switch {
				case !ok:
				case len(d.Specs) == 1:
					f.vars[v] = n
				case len(s.Values) == 0:
					f.vars[v] = &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: s.Pos(), Tok: d.Tok, Specs: []ast.Spec{s}}}
				}
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && len(n.Lhs) == 1 {
				if v, ok := spawn.Object(f.info, n.Lhs[0]).(*types.Var); ok {
					f.vars[v] = n
				}
			}
		}
		return true
	})
	return f.vars
}

// A group is a wait group that counts nothing but tasks, with the statements
// that are for it alone.
type group struct {
	v     *types.Var
	decl  ast.Stmt
	stmts []ast.Stmt
}

func (f *function) groups() (out []group) {
next:
	for v, decl := range f.locals() {
		if !uses.Is(v.Type(), "sync", "WaitGroup") {
			continue
		}
		g := group{v: v, decl: decl}
		for _, u := range Uses(f.info, f.decl, v) {
			s, ok := f.groupStmt(u)
			if !ok {
				continue next
			}
			if s != nil {
				g.stmts = append(g.stmts, s)
			}
		}
		out = append(out, g)
	}
	return out
}

// groupStmt returns the statement of a use of a wait group that goes with it;
// nil where the group goes with the start of a task.
func (f *function) groupStmt(u Use) (ast.Stmt, bool) {
	sel, _ := u.Around[0].(*ast.SelectorExpr)
	call, _ := u.Around[1].(*ast.CallExpr)
	if sel == nil || call == nil || call.Fun != sel {
		return nil, false
	}
	switch st := u.Around[2].(type) {
	case *ast.ExprStmt:
		switch sel.Sel.Name {
		case "Go":
			return nil, slices.ContainsFunc(f.sites, func(s *spawn.Site) bool { return s.Node == call })
		case "Add":
			return st, listed(u.Around[3]) && !Calls(call.Args[0], f.info)
		case "Wait": // not of another goroutine
			return st, listed(u.Around[3]) && !slices.ContainsFunc(u.Around, func(n ast.Node) bool { _, lit := n.(*ast.FuncLit); return lit })
		case "Done":
			return st, f.last(st)
		}
	case *ast.DeferStmt:
		return st, sel.Sel.Name == "Done" && f.top(st)
	}
	return nil, false
}

// calls reports whether code that stays calls a method of a wait group.
func (f *function) calls(code ast.Node, method string) (found bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && f.gone[st] {
			return false
		}
		if c, ok := n.(*ast.CallExpr); ok {
			found = found || spawn.IsMethod(typeutil.StaticCallee(f.info, c), "sync", "WaitGroup", method)
		}
		return !found
	})
	return found
}

// method is the name of the method that a statement calls.
func method(s *ast.ExprStmt) string {
	if c, ok := s.X.(*ast.CallExpr); ok {
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok {
			return sel.Sel.Name
		}
	}
	return ""
}

// deferred has a deferred literal go of which nothing is left.
func (f *function) deferred() {
	for _, s := range f.sites {
		lit := Literal(s)
		if lit == nil {
			continue
		}
		for _, st := range lit.Body.List {
			list := deferredList(st)
			if len(list) == 0 || slices.ContainsFunc(list, func(st ast.Stmt) bool { return !f.gone[st] }) {
				continue
			}
			for _, st := range list {
				delete(f.gone, st)
			}
			f.gone[st] = true
		}
	}
}

// deferredList are the statements of defer func() { … }().
func deferredList(st ast.Stmt) []ast.Stmt {
	if d, ok := st.(*ast.DeferStmt); ok && len(d.Call.Args) == 0 {
		if lit, ok := d.Call.Fun.(*ast.FuncLit); ok {
			return lit.Body.List
		}
	}
	return nil
}

// listed reports whether the statements in n stand in a list, from which one
// may go.
func listed(n ast.Node) bool {
	switch n.(type) {
	case *ast.BlockStmt, *ast.CaseClause:
		return true
	}
	return false
}

// Calls reports whether evaluating e calls a function other than len, cap, min and max, and
// what tells the number of processors.
func Calls(e ast.Expr, info *types.Info) bool {
	return uses.Any(e, func(c *ast.CallExpr) bool {
		return !info.Types[c.Fun].IsType() && !slices.Contains([]string{"len", "cap", "min", "max"}, loop.Builtin(info, c)) &&
			!slices.Contains([]string{"runtime.GOMAXPROCS(0)", "runtime.NumCPU()"}, types.ExprString(c))
	})
}

// taskOf is the literal of the task that a node is in, nil if it is in none.
func (f *function) taskOf(n ast.Node) *ast.FuncLit {
	for _, s := range f.sites {
		if lit := Literal(s); lit != nil && spawn.Within(lit, n) {
			return lit
		}
	}
	return nil
}

// top reports whether a statement is one of the body of a task.
func (f *function) top(st ast.Stmt) bool {
	lit := f.taskOf(st)
	return lit != nil && slices.Contains(lit.Body.List, st)
}

// last reports whether a statement is the last of the body of a task, and the
// only end: no return comes before it. So is one of a literal that it defers.
func (f *function) last(st ast.Stmt) bool {
	lit := f.taskOf(st)
	if lit == nil {
		return false
	}
	list := lit.Body.List
	if slices.ContainsFunc(list, func(d ast.Stmt) bool { return slices.Contains(deferredList(d), st) }) {
		return true
	}
	return list[len(list)-1] == st && !slices.ContainsFunc(rewrite.Leaves(f.info, lit.Body, false), func(l rewrite.Leave) bool { return l.How == "return" })
}

// slots returns the statements that do nothing but keep tasks waiting for their
// turn: they send to a channel of the function for each task, and receive from
// it at its end.
func (f *function) slots() (out []ast.Stmt) {
	for v, decl := range f.locals() {
		c, _ := f.made(v)
		if c == nil || len(c.Args) < 2 || Calls(c.Args[1], f.info) {
			continue
		}
		var send, recv ast.Stmt
		all := Uses(f.info, f.decl, v)
		for _, u := range all {
			switch n := u.Around[0].(type) {
			case *ast.SendStmt:
				if n.Chan == u.ID && idle(n.Value) && listed(u.Around[1]) && (f.taskOf(n) == nil || f.top(n)) {
					send = n
				}
			case *ast.UnaryExpr:
				if st, ok := u.Around[1].(*ast.ExprStmt); ok && n.Op == token.ARROW && f.last(st) {
					recv = st
				}
			}
		}
		if send != nil && recv != nil && len(all) == 2 {
			out = append(out, decl, send, recv)
		}
	}
	return out
}

// idle reports whether a value carries nothing: true, nil, 0, struct{}{}.
func idle(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false" || e.Name == "nil"
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

// made returns the call that makes the channel which a variable is declared as, and the
// declaration; nil if it is declared as something else.
func (f *function) made(v *types.Var) (c *ast.CallExpr, decl ast.Stmt) {
	for n := range ast.Preorder(f.decl.Body) {
		d, ok := n.(*ast.AssignStmt)
		if !ok || d.Tok != token.DEFINE || len(d.Lhs) != len(d.Rhs) {
			continue
		}
		for i, x := range d.Lhs {
			call, ok := d.Rhs[i].(*ast.CallExpr)
			if ok && spawn.Object(f.info, x) == v && loop.Builtin(f.info, call) == "make" && uses.Under[*types.Chan](v.Type()) {
				return call, d
			}
		}
	}
	return nil, nil
}

// channels has the channels that tasks send to take all of that, and refuses others, on
// which a task in place would wait.
func (f *function) channels() (no *shape.Refusal) {
	seen := map[*types.Var]bool{}
	for _, s := range f.sites {
		if s.Body == nil {
			continue
		}
		ast.Inspect(s.Body, func(n ast.Node) bool {
			send, ok := n.(*ast.SendStmt)
			if !ok || f.gone[send] || no != nil {
				return no == nil
			}
			v, _ := spawn.Object(f.info, send.Chan).(*types.Var)
			if root, _ := Root(f.info, send.Chan).(*types.Var); s.Decl == f.decl && s.Join == nil && root != nil && s.Args[root] != nil && spawn.Object(f.info, s.Args[root]) == root {
				f.soft = cmp.Or(f.soft, &shape.Refusal{Holds: "what receives from " + types.ExprString(send.Chan) + " is not the caller"})
				return true // as the function itself does
			}
			if arg := s.Args[v]; arg != nil {
				v, _ = spawn.Object(f.info, arg).(*types.Var)
			}
			switch {
			case v == nil:
				no = shape.No(n, "the task sends on a channel that may have no room for that: in place it would wait for ever")
			case !seen[v] && !f.room(v):
				no = shape.No(n, "the task sends on "+v.Name()+", which has no room for that: in place it would wait for ever")
			}
			seen[v] = true
			return true
		})
	}
	return no
}

// room gives a channel room for what the tasks send. Nothing else must send, and no select
// choose by it.
func (f *function) room(v *types.Var) bool {
	c, decl := f.made(v)
	if c == nil {
		return false
	}
	sends, times := 0, ""
	for _, u := range Uses(f.info, f.decl, v) {
		if slices.ContainsFunc(u.Around, func(n ast.Node) bool { _, chosen := n.(*ast.SelectStmt); return chosen }) {
			return false
		}
		task := f.taskOf(u.ID)
		switch n := u.Around[0].(type) {
		case *ast.SendStmt:
			if n.Chan != u.ID || task == nil || !f.often(u.Around, decl, sends == 0, &times) {
				return false
			}
			sends++
		case *ast.UnaryExpr:
			if n.Op != token.ARROW || task != nil {
				return false
			}
		case *ast.RangeStmt:
			if n.X != u.ID || task != nil {
				return false
			}
		case *ast.CallExpr:
			if loop.Builtin(f.info, n) == "close" {
				break
			}
			given := f.given(n, u.ID)
			if given == 0 || !f.often(u.Around, decl, sends == 0, &times) {
				return false
			}
			sends += given
		default:
			return false
		}
	}
	room := strconv.Itoa(sends)
	if times != "" && sends == 1 {
		room = times
	} else if times != "" {
		room += "*" + times
	}
	if len(c.Args) > 1 {
		size, text := f.info.Types[c.Args[1]].Value, rewrite.Text(f.pass.Fset, c.Args[1])
		return text == room || "max(0, "+text+")" == room || times == "" && size != nil && constant.Compare(size, token.GEQ, constant.MakeInt64(int64(sends)))
	}
	f.edits = append(f.edits, rewrite.Insert(c.Args[0].End(), ", "+room))
	return true
}

// given is how often the declared function that a task calls sends on what it is given, at
// most; 0 where it does more with that.
func (f *function) given(call *ast.CallExpr, arg ast.Expr) (sends int) {
	i := slices.IndexFunc(f.sites, func(s *spawn.Site) bool { return s.Call == call && s.Decl != nil })
	if i < 0 {
		return 0
	}
	s := f.sites[i]
	for p, x := range s.Args {
		if x != arg {
			continue
		}
		for _, u := range Uses(f.info, s.Decl, p) {
			send, ok := u.Around[0].(*ast.SendStmt)
			if !ok || send.Chan != u.ID || !f.often(u.Around, s.Decl.Body, false, new(string)) {
				return 0
			}
			sends++
		}
	}
	return sends
}

// often reports whether it is known how often what lies within the nodes is evaluated at
// most after decl, in the function or in a task: once, or as times says in a loop around the
// task. The first of all sets times.
func (f *function) often(around []ast.Node, decl ast.Stmt, first bool, times *string) bool {
	var count string
	for _, n := range around {
		if n.Pos() <= decl.Pos() && decl.End() <= n.End() {
			break
		}
		switch n := n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			l, _ := Numbered(f.pass, rewrite.File(f.pass, n.Pos()), n.(ast.Stmt))
			if l == nil || count != "" || f.taskOf(n) != nil || !l.settled(f.pass, f.decl, decl.End()) {
				return false
			}
			if count = l.Count; l.Over == "" {
				count = "max(0, " + l.Count + ")"
			}
		case *ast.FuncLit:
			if f.taskOf(n) != n {
				return false
			}
		}
	}
	if first {
		*times = count
	}
	return *times == count
}
