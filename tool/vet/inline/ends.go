package inline

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// How the end of a task is told: wait groups and channels that the function
// has for that alone go with the goroutines.

// A use is an identifier with the nodes around it, the innermost first.
type use struct {
	id     *ast.Ident
	around []ast.Node
}

// uses returns where decl uses o, but for its definition.
func (f *Func) uses(o types.Object) (out []use) {
	var stack []ast.Node
	ast.Inspect(f.decl, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && f.info.Uses[id] == o {
			around := slices.Clone(stack)
			slices.Reverse(around)
			out = append(out, use{id, around})
		}
		stack = append(stack, n)
		return true
	})
	return out
}

// locals returns the variables that decl itself declares, with the statement
// that does nothing else. One without a value that is declared together with
// others has a statement of its line alone.
func (f *Func) locals() map[*types.Var]ast.Stmt {
	if f.vars != nil {
		return f.vars
	}
	out := map[*types.Var]ast.Stmt{}
	f.vars = out
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeclStmt:
			d, ok := n.Decl.(*ast.GenDecl)
			if !ok {
				return true
			}
			for _, spec := range d.Specs {
				s, ok := spec.(*ast.ValueSpec)
				if !ok || len(s.Names) != 1 {
					continue
				}
				v, ok := f.info.Defs[s.Names[0]].(*types.Var)
				switch {
				case !ok:
				case len(d.Specs) == 1:
					out[v] = n
				case len(s.Values) == 0:
					out[v] = &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: s.Pos(), Tok: d.Tok, Specs: []ast.Spec{s}}}
				}
			}
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE && len(n.Lhs) == 1 {
				if v, ok := f.object(n.Lhs[0]).(*types.Var); ok {
					out[v] = n
				}
			}
		}
		return true
	})
	return out
}

// A group is a wait group that counts nothing but tasks, with the statements
// that are for it alone.
type group struct {
	v     *types.Var
	decl  ast.Stmt
	stmts []ast.Stmt
}

func (f *Func) groups() (out []group) {
next:
	for v, decl := range f.locals() {
		if !isType(v.Type(), "sync", "WaitGroup") {
			continue
		}
		g := group{v: v, decl: decl}
		for _, u := range f.uses(v) {
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

// done reports whether the task tells a wait group of its end.
func (f *Func) done(s *spawn.Site) (found bool) {
	if f.lit(s) == nil {
		return false
	}
	ast.Inspect(f.lit(s).Body, func(n ast.Node) bool {
		if st, ok := n.(ast.Stmt); ok && f.gone[st] {
			return false
		}
		if c, ok := n.(*ast.CallExpr); ok {
			found = found || spawn.IsMethod(typeutil.StaticCallee(f.info, c), "sync", "WaitGroup", "Done")
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
func (f *Func) deferred() {
	for _, s := range f.sites {
		if f.lit(s) == nil {
			continue
		}
		for _, st := range f.lit(s).Body.List {
			lit := deferredLit(st)
			if lit == nil || len(lit.Body.List) == 0 {
				continue
			}
			if !slices.ContainsFunc(lit.Body.List, func(st ast.Stmt) bool { return !f.gone[st] }) {
				for _, st := range lit.Body.List {
					delete(f.gone, st)
				}
				f.gone[st] = true
			}
		}
	}
}

// deferredLit is the literal of defer func() { … }().
func deferredLit(st ast.Stmt) *ast.FuncLit {
	d, ok := st.(*ast.DeferStmt)
	if !ok || len(d.Call.Args) > 0 {
		return nil
	}
	lit, _ := d.Call.Fun.(*ast.FuncLit)
	return lit
}

// groupStmt returns the statement of a use of a wait group that goes with it;
// nil where the group goes with the start of a task.
func (f *Func) groupStmt(u use) (ast.Stmt, bool) {
	if len(u.around) < 3 {
		return nil, false
	}
	sel, _ := u.around[0].(*ast.SelectorExpr)
	call, _ := u.around[1].(*ast.CallExpr)
	if sel == nil || call == nil || call.Fun != sel {
		return nil, false
	}
	switch st := u.around[2].(type) {
	case *ast.ExprStmt:
		switch sel.Sel.Name {
		case "Go":
			return nil, slices.ContainsFunc(f.sites, func(s *spawn.Site) bool { return s.Node == call })
		case "Add":
			return st, listed(u.around[3]) && !Calls(call.Args[0], f.info)
		case "Wait":
			return st, listed(u.around[3]) && !f.inTask(st) && !slices.ContainsFunc(u.around, literal) // of another goroutine
		case "Done":
			return st, f.last(st)
		}
	case *ast.DeferStmt:
		return st, sel.Sel.Name == "Done" && f.top(st)
	}
	return nil, false
}

func literal(n ast.Node) bool {
	_, ok := n.(*ast.FuncLit)
	return ok
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

// Calls reports whether evaluating e calls a function other than len, cap, min and max.
func Calls(e ast.Expr, info *types.Info) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && !info.Types[c.Fun].IsType() {
			b, builtin := Object(info, c.Fun).(*types.Builtin)
			found = found || !builtin || !slices.Contains([]string{"len", "cap", "min", "max"}, b.Name())
		}
		return !found
	})
	return found
}

// inTask reports whether a node is in the literal of a task.
func (f *Func) inTask(n ast.Node) bool { return f.taskOf(n) != nil }

func (f *Func) taskOf(n ast.Node) *spawn.Site {
	for _, s := range f.sites {
		if lit := f.lit(s); lit != nil && lit.Pos() <= n.Pos() && n.End() <= lit.End() {
			return s
		}
	}
	return nil
}

// lit is the literal that a task is written as where it starts; nil if it is
// something else.
func (f *Func) lit(s *spawn.Site) *ast.FuncLit {
	fun := s.Call.Fun
	if s.Kind != spawn.Go {
		fun = s.Call.Args[0]
	}
	lit, _ := ast.Unparen(fun).(*ast.FuncLit)
	return lit
}

// top reports whether a statement is one of the body of a task.
func (f *Func) top(st ast.Stmt) bool {
	s := f.taskOf(st)
	return s != nil && slices.Contains(f.lit(s).Body.List, st)
}

// last reports whether a statement is the last of the body of a task, and the
// only end: no return comes before it. So is one of a literal that it defers.
func (f *Func) last(st ast.Stmt) bool {
	s := f.taskOf(st)
	if s == nil {
		return false
	}
	for _, d := range f.lit(s).Body.List {
		if lit := deferredLit(d); lit != nil && slices.Contains(lit.Body.List, st) {
			return true
		}
	}
	if f.lit(s).Body.List[len(f.lit(s).Body.List)-1] != st {
		return false
	}
	return !slices.ContainsFunc(rewrite.Leaves(f.info, f.lit(s).Body, false), func(l rewrite.Leave) bool { return l.How == "return" })
}

// slots returns the statements that do nothing but keep tasks waiting for their
// turn: they send to a channel of the function for each task, and receive from
// it at its end.
func (f *Func) slots() (out []ast.Stmt) {
next:
	for v, decl := range f.locals() {
		if _, capacity, ok := f.made(decl); !ok || capacity == nil || Calls(capacity, f.info) {
			continue
		}
		goes := []ast.Stmt{decl}
		sends, receives := 0, 0
		for _, u := range f.uses(v) {
			if len(u.around) < 3 {
				continue next
			}
			switch n := u.around[0].(type) {
			case *ast.SendStmt:
				if n.Chan != u.id || !idle(n.Value) || !listed(u.around[1]) || f.inTask(n) && !f.top(n) {
					continue next
				}
				sends++
				goes = append(goes, n)
			case *ast.UnaryExpr:
				st, ok := u.around[1].(*ast.ExprStmt)
				if !ok || n.Op != token.ARROW || !f.last(st) {
					continue next
				}
				receives++
				goes = append(goes, st)
			default:
				continue next
			}
		}
		if sends == 1 && receives == 1 {
			out = append(out, goes...)
		}
	}
	return out
}

// channels takes away those that carry the one result of a task, or its end,
// and refuses others on which a task in place would wait.
func (f *Func) channels() *shape.Refusal {
	locals := f.locals()
	done := map[*types.Var]bool{}
	for _, s := range f.sites {
		if s.Body == nil {
			continue
		}
		var no *shape.Refusal
		ast.Inspect(s.Body, func(n ast.Node) bool {
			var ch ast.Expr
			switch n := n.(type) {
			case *ast.SendStmt:
				ch = n.Chan
			case *ast.CallExpr:
				if b, ok := f.object(n.Fun).(*types.Builtin); ok && b.Name() == "close" {
					ch = n.Args[0]
				}
			}
			if st, ok := n.(ast.Stmt); ok && f.gone[st] {
				return false
			}
			if ch == nil || no != nil {
				return no == nil
			}
			v, _ := f.object(ch).(*types.Var)
			if v != nil && (done[v] || s.Body.Pos() <= v.Pos() && v.Pos() < s.Body.End() && makes(s.Body, f.info, v)) {
				return true
			}
			if v == nil {
				if _, send := n.(*ast.SendStmt); send {
					no = refuse(n, "the task sends on a channel that may have no room for that: in place it would wait for ever")
				}
				return true
			}
			decl := locals[v]
			if decl != nil && (f.result(v, decl) || f.end(v, decl) || f.room(v, decl)) {
				done[v] = true
				return true
			}
			if _, send := n.(*ast.SendStmt); send {
				no = refuse(n, "the task sends on %s, which has no room for that: in place it would wait for ever", v.Name())
			}
			return true
		})
		if no != nil {
			return no
		}
	}
	return nil
}

// makes reports whether a body makes the channel that it has a variable for.
func makes(body ast.Node, info *types.Info, v *types.Var) (found bool) {
	ast.Inspect(body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return !found
		}
		for i, to := range a.Lhs {
			c, call := a.Rhs[i].(*ast.CallExpr)
			found = found || Object(info, to) == v && call && info.Types[c.Fun].IsBuiltin()
		}
		return !found
	})
	return found
}

// made returns the type of the elements and the capacity, nil without one, of
// the make in v's declaration.
func (f *Func) made(decl ast.Stmt) (elem ast.Expr, capacity ast.Expr, ok bool) {
	var e ast.Expr
	switch d := decl.(type) {
	case *ast.AssignStmt:
		e = d.Rhs[0]
	case *ast.DeclStmt:
		if s := d.Decl.(*ast.GenDecl).Specs[0].(*ast.ValueSpec); len(s.Values) == 1 && s.Type == nil {
			e = s.Values[0]
		}
	}
	c, isCall := e.(*ast.CallExpr)
	if !isCall || len(c.Args) == 0 {
		return nil, nil, false
	}
	if b, isMake := f.object(c.Fun).(*types.Builtin); !isMake || b.Name() != "make" {
		return nil, nil, false
	}
	t, isChan := c.Args[0].(*ast.ChanType)
	if !isChan {
		return nil, nil, false
	}
	if len(c.Args) > 1 {
		capacity = c.Args[1]
	}
	return t.Value, capacity, true
}

// result makes a channel that carries one value out of a task a variable.
func (f *Func) result(v *types.Var, decl ast.Stmt) bool {
	elem, _, ok := f.made(decl)
	if !ok {
		return false
	}
	var send *ast.SendStmt
	var recv *ast.UnaryExpr
	for _, u := range f.uses(v) {
		switch n := u.around[0].(type) {
		case *ast.SendStmt:
			if send != nil || n.Chan != u.id || !f.last(n) || f.repeated(n, decl) {
				return false
			}
			send = n
		case *ast.UnaryExpr:
			if recv != nil || n.Op != token.ARROW || f.inTask(n) {
				return false
			}
			if !f.once(u.around[1:], decl) {
				return false
			}
			recv = n
		default:
			return false
		}
	}
	if send == nil || recv == nil || recv.Pos() < send.End() {
		return false
	}
	f.edits = append(f.edits,
		rewrite.Replace(decl, "var "+v.Name()+" "+rewrite.Text(f.pass.Fset, elem)),
		analysis.TextEdit{Pos: send.Arrow, End: send.Arrow + 2, NewText: []byte("=")},
		analysis.TextEdit{Pos: recv.Pos(), End: recv.X.Pos()},
	)
	return true
}

// repeated reports whether the task that a node is in starts in a loop, each
// time with the same declaration.
func (f *Func) repeated(n ast.Node, decl ast.Stmt) bool {
	loop := f.taskOf(n).Loop
	return loop != nil && !(spawn.LoopBody(loop).Pos() <= decl.Pos() && decl.End() <= spawn.LoopBody(loop).End())
}

// once reports whether what lies within the nodes is evaluated once at most
// after decl, and as an operand.
func (f *Func) once(around []ast.Node, decl ast.Stmt) bool {
	switch n := around[0].(type) {
	case *ast.ExprStmt, *ast.SelectStmt, *ast.CommClause:
		return false
	case *ast.AssignStmt:
		if len(n.Lhs) != len(n.Rhs) {
			return false // v, ok := <-c
		}
	case *ast.ValueSpec:
		if len(n.Names) != len(n.Values) {
			return false
		}
	}
	for _, n := range around {
		if n.Pos() <= decl.Pos() && decl.End() <= n.End() {
			break
		}
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit, *ast.SelectStmt, *ast.DeferStmt, *ast.GoStmt:
			return false
		}
	}
	return true
}

// end takes away a channel that only tells that a task is at its end.
func (f *Func) end(v *types.Var, decl ast.Stmt) bool {
	if _, _, ok := f.made(decl); !ok {
		return false
	}
	goes := []ast.Stmt{decl}
	sends, closes, receives := 0, 0, 0
	for _, u := range f.uses(v) {
		if len(u.around) < 3 {
			return false
		}
		switch n := u.around[0].(type) {
		case *ast.SendStmt:
			if n.Chan != u.id || !f.last(n) || f.repeated(n, decl) || !idle(n.Value) {
				return false
			}
			sends++
			goes = append(goes, n)
		case *ast.CallExpr: // close
			if b, ok := f.object(n.Fun).(*types.Builtin); !ok || b.Name() != "close" {
				return false
			}
			st, _ := u.around[1].(ast.Stmt)
			if _, deferred := st.(*ast.DeferStmt); st == nil || !(deferred && f.top(st) || f.last(st)) || f.repeated(st, decl) {
				return false
			}
			closes++
			goes = append(goes, st)
		case *ast.UnaryExpr:
			st, ok := u.around[1].(*ast.ExprStmt)
			if !ok || n.Op != token.ARROW || f.inTask(n) || !listed(u.around[2]) {
				return false
			}
			if !f.once(u.around[2:], decl) {
				return false
			}
			receives++
			goes = append(goes, st)
		default:
			return false
		}
	}
	if receives == 0 || closes == 0 && sends != receives || closes > 0 && sends > 0 || closes > 1 {
		return false
	}
	for _, s := range goes {
		f.gone[s] = true
	}
	return true
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

// room reports whether a channel takes all that its tasks send before anybody
// receives.
func (f *Func) room(v *types.Var, decl ast.Stmt) bool {
	_, capacity, ok := f.made(decl)
	if !ok || capacity == nil {
		return false
	}
	c := f.info.Types[capacity].Value
	if c == nil || c.Kind() != constant.Int {
		return false
	}
	n, _ := constant.Int64Val(c)
	var sends int64
	for _, u := range f.uses(v) {
		if s, ok := u.around[0].(*ast.SendStmt); ok && s.Chan == u.id {
			task := f.taskOf(s)
			if task == nil || task.Loop != nil || f.looped(s, task) {
				return false
			}
			sends++
		} else if r, ok := u.around[0].(*ast.UnaryExpr); !ok || r.Op != token.ARROW {
			return false // handed to somebody, who may send as well
		}
	}
	return sends <= n
}

// looped reports whether a node of a task lies in a loop or in a function
// there.
func (f *Func) looped(n ast.Node, task *spawn.Site) (found bool) {
	ast.Inspect(f.lit(task).Body, func(x ast.Node) bool {
		switch x.(type) {
		case *ast.ForStmt, *ast.RangeStmt, *ast.FuncLit:
			found = found || x.Pos() <= n.Pos() && n.End() <= x.End()
		}
		return true
	})
	return found
}

// waits refuses a task that waits for what may come after it. alone says that
// those that would receive what it sends come after it as well.
func (f *Func) waits(s *spawn.Site, alone bool) (no *shape.Refusal) {
	if s.Body == nil {
		return nil
	}
	if alone {
		if at := f.held(f.stmts[s]); at != nil {
			return refuse(at, "the function holds a lock when it starts the task, which may want it")
		}
	}
	seen, called := map[*ast.FuncDecl]bool{f.decl: true}, map[*ast.FuncLit]bool{}
	var look func(body ast.Node, own bool)
	look = func(body ast.Node, own bool) {
		if at := f.handsOn(body); at != nil && no == nil {
			no = refuse(at, "the task takes a lock that another may have to give back, or gives one back")
		}
		ast.Inspect(body, func(n ast.Node) bool {
			if st, ok := n.(ast.Stmt); ok && f.gone[st] || no != nil {
				return false
			}
			switch n := n.(type) {
			case *ast.ForStmt:
				if at := f.looks(n); at != nil {
					no = refuse(at, "the task looks until another has set something")
				}
			case *ast.SelectStmt:
				no = refuse(n, "the task waits in a select")
			case *ast.UnaryExpr:
				if n.Op == token.ARROW && !(f.ok != nil && f.ok(n.X, false)) {
					no = refuse(n, "the task waits for a channel")
				}
			case *ast.RangeStmt:
				if _, ok := f.info.TypeOf(n.X).Underlying().(*types.Chan); ok && !(f.ok != nil && f.ok(n.X, false)) {
					no = refuse(n, "the task waits for a channel")
				}
			case *ast.SendStmt:
				if alone && !own || f.ok != nil && !f.ok(n.Chan, true) {
					no = refuse(n, "the task sends on another channel")
				}
			case *ast.CallExpr:
				fn, _ := typeutil.Callee(f.info, n).(*types.Func)
				if fn == nil {
					v, ok := typeutil.Callee(f.info, n).(*types.Var)
					if ok && f.counts(s) && f.given(v) {
						f.assume(n, v.Name())
					}
					for _, lit := range f.literals(v) {
						if !called[lit] {
							called[lit] = true
							look(lit.Body, false)
						}
					}
					return true
				}
				fn = fn.Origin()
				switch {
				case spawn.IsMethod(fn, "sync", "Cond", "Wait"):
					no = refuse(n, "the task waits for a condition")
				case spawn.IsMethod(fn, "sync", "WaitGroup", "Wait"):
					if v := f.object(ast.Unparen(n.Fun).(*ast.SelectorExpr).X); v == nil || v.Pos() < body.Pos() || v.Pos() >= body.End() {
						no = refuse(n, "the task waits for other goroutines")
					}
				case fn.Pkg() != nil && fn.Pkg().Path() == "runtime" && (fn.Name() == "Gosched" || fn.Name() == "LockOSThread"):
					no = refuse(n, "the task calls runtime.%s", fn.Name())
				}
				for _, d := range spawn.Callees(f.pass, fn) {
					if !seen[d] && len(seen) < 20 {
						seen[d] = true
						look(d.Body, false)
					}
				}
			}
			return true
		})
	}
	if s.Decl != nil {
		if s.Decl != f.decl {
			look(s.Decl.Body, false)
		}
		return no
	}
	look(s.Body, true)
	return no
}

// assume has it as a condition that a function waits for no other task.
func (f *Func) assume(call ast.Node, name string) {
	holds := "what " + name + " does waits for no other task"
	switch {
	case f.soft == nil:
		f.soft = refuse(call, "the task calls %s, which may wait for other tasks", name)
		f.soft.Holds = holds
	case !strings.Contains(f.soft.Holds, holds):
		f.soft.Holds += ", and " + holds
	}
}

// counts reports whether the loop that starts the task counts up to a number,
// not over input: then the tasks may be workers that meet.
func (f *Func) counts(s *spawn.Site) bool {
	switch l := s.Loop.(type) {
	case *ast.ForStmt:
		return true
	case *ast.RangeStmt:
		t, ok := f.info.TypeOf(l.X).Underlying().(*types.Basic)
		return ok && t.Info()&types.IsInteger != 0
	}
	return false
}

// literals are what the function sets a variable to, of those that it writes down.
func (f *Func) literals(v *types.Var) (out []*ast.FuncLit) {
	if v == nil {
		return nil
	}
	put := func(l ast.Expr, r ast.Expr) {
		if lit, ok := r.(*ast.FuncLit); ok && f.object(l) == v {
			out = append(out, lit)
		}
	}
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for i := range min(len(n.Lhs), len(n.Rhs)) {
				put(n.Lhs[i], n.Rhs[i])
			}
		case *ast.ValueSpec:
			for i := range n.Values {
				put(n.Names[min(i, len(n.Names)-1)], n.Values[i])
			}
		}
		return true
	})
	return out
}

// given reports whether v is a parameter of the function.
func (f *Func) given(v *types.Var) bool {
	return f.decl.Type.Params.Pos() <= v.Pos() && v.Pos() < f.decl.Type.Params.End()
}

// held returns a lock that the function takes before the statement and has not
// given back by then, nil if there is none.
func (f *Func) held(stmt ast.Stmt) (at ast.Node) {
	var locks []ast.Node
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() >= stmt.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			fn := typeutil.StaticCallee(f.info, n)
			if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
				return true
			}
			switch fn.Name() {
			case "Lock", "RLock":
				locks = append(locks, n)
			case "Unlock", "RUnlock":
				if len(locks) > 0 {
					locks = locks[:len(locks)-1]
				}
			}
		}
		return true
	})
	if len(locks) > 0 {
		return locks[0]
	}
	return nil
}

func isType(t types.Type, pkg, name string) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == pkg && n.Obj().Name() == name
}
