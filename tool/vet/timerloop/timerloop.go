package timerloop

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/passes/inspect"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds timers that are made in each iteration.
var Analyzer = shape.Analyzer("timerloop",
	"find timers made in each iteration of a loop\n\ntime.After, time.Tick and time.NewTimer allocate; one timer with Reset does not.",
	find, inspect.Analyzer)

// A maker is a call that makes a timer in a loop.
type maker struct {
	pass *analysis.Pass
	at   inspector.Cursor
	call *ast.CallExpr
	loop loop.Loop
	// made counts the timers that edits put into a function, so that each has
	// a name of its own.
	made map[ast.Node]int
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	made := map[ast.Node]int{}
	for c := range in.Root().Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(pass.TypesInfo, call)
		if _, named := call.Fun.(*ast.SelectorExpr); !named || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "time" || len(call.Args) == 0 {
			if fn != nil {
				if f, ok := called(pass, c, call); ok {
					all = append(all, f)
				}
			}
			continue
		}
		l, ok := loop.Around(pass.TypesInfo, c)
		if !ok {
			continue
		}
		m := maker{pass, c, call, l, made}
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c),
			Causes: []string{"timer", "alloc", "select"}, Hot: []shape.Range{shape.Of(l.Stmt)},
		}
		var fix shape.Fix
		var why *shape.Refusal
		switch name := fn.FullName(); name {
		case "time.After", "time.Tick":
			f.Message = name + " makes a timer and a channel in each iteration"
			fix, why = m.receive(name == "time.Tick")
		case "time.NewTimer":
			f.Message = "time.NewTimer makes a timer and a channel in each iteration"
			fix, why = m.variable()
		case "time.AfterFunc":
			f.Message = "time.AfterFunc makes a timer in each iteration"
			fix, why = m.later()
		default:
			continue
		}
		if why != nil {
			f.Refused = []shape.Refusal{{Name: "reuse", Why: why.Why, Pos: why.Pos}}
		} else {
			f.Fixes = []shape.Fix{fix}
		}
		all = append(all, f)
	}
	return all, nil
}

// receive is the edit of <-time.After(d).
func (m *maker) receive(tick bool) (shape.Fix, *shape.Refusal) {
	up := m.at.Parent()
	recv, ok := up.Node().(*ast.UnaryExpr)
	if !ok || recv.Op != token.ARROW {
		return shape.Fix{}, shape.No(m.call, "its channel is kept")
	}
	if tick && !m.positive() {
		return shape.Fix{}, shape.No(m.call.Args[0], "time.Tick of 0 or less never fires, and this duration may be")
	}
	stmt := up.Parent()
	if st, ok := stmt.Node().(*ast.ExprStmt); ok {
		if stmt.ParentEdgeKind() != edge.CommClause_Comm {
			// Nothing else is waited for.
			pkg := m.call.Fun.(*ast.SelectorExpr).X
			return shape.Fix{
				Name: "sleep", Says: "sleep instead of waiting for a channel",
				Edits: []analysis.TextEdit{{Pos: st.Pos(), End: m.call.Lparen, NewText: []byte(rewrite.Text(m.pass.Fset, pkg) + ".Sleep")}},
			}, nil
		}
	}
	for stmt.ParentEdgeKind() != edge.CommClause_Comm {
		switch stmt.Node().(type) {
		case *ast.AssignStmt, *ast.ExprStmt:
			return shape.Fix{}, shape.No(m.call, "it is received from outside of a select")
		case ast.Stmt, nil:
			return shape.Fix{}, shape.No(m.call, "it is received from outside of a select")
		}
		stmt = stmt.Parent()
	}
	sel := stmt.Parent().Parent().Parent() // clause, block, select
	if w := m.quiet(sel.Node().(*ast.SelectStmt)); w != nil {
		return shape.Fix{}, w
	}
	whole := sel
	for {
		if _, ok := whole.Parent().Node().(*ast.LabeledStmt); !ok {
			break
		}
		whole = whole.Parent()
	}
	if whole != sel && m.labelled(whole) {
		return shape.Fix{}, shape.No(m.call, "a continue or goto leads to its select")
	}
	if !uses.Listed(whole) {
		return shape.Fix{}, shape.No(sel.Node(), "its select is not a statement of a list")
	}
	return m.reuse(whole.Node().Pos(), "", nil, m.call)
}

// labelled reports whether control can come to the label of a select otherwise
// than from the statement before it.
func (m *maker) labelled(c inspector.Cursor) (jumps bool) {
	name := c.Node().(*ast.LabeledStmt).Label.Name
	ast.Inspect(loop.Func(c), func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Label != nil && b.Label.Name == name && b.Tok != token.BREAK {
			jumps = true
		}
		return true
	})
	return jumps
}

// quiet says why setting the timer before the select is not the same as in its
// case: something else that the select evaluates could tell.
func (m *maker) quiet(sel *ast.SelectStmt) (why *shape.Refusal) {
	info := m.pass.TypesInfo
	d := m.call.Args[0]
	if info.Types[d].Value != nil {
		return nil
	}
	for _, cl := range sel.Body.List {
		comm := cl.(*ast.CommClause).Comm
		if comm == nil {
			continue
		}
		ast.Inspect(comm, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.CallExpr:
				if n == m.call || why != nil {
					return false
				}
				if info.Types[n.Fun].IsType() || loop.Builtin(info, n) != "" {
					return true
				}
				if fn := typeutil.Callee(info, n); fn != nil && fn.Pkg() != nil {
					switch fn.Pkg().Path() {
					case "context", "time":
						return true
					}
				}
				if !m.own(d) {
					why = shape.No(n, "the duration might change in a call that its select makes")
				}
			}
			return why == nil
		})
	}
	return why
}

// own reports whether only this function can change the duration.
func (m *maker) own(d ast.Expr) bool {
	own := true
	ast.Inspect(d, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := m.pass.TypesInfo.Uses[id].(*types.Var)
		if !ok {
			return true
		}
		decl := uses.Decl(m.at)
		if decl == nil || !loop.Local(v, decl) {
			own = false
			return false
		}
		for _, w := range loop.Writes(m.pass.TypesInfo, decl, v) {
			own = own && !w.Address && !w.Captured
		}
		return true
	})
	return own
}

// variable is the edit of timer := time.NewTimer(d).
func (m *maker) variable() (shape.Fix, *shape.Refusal) {
	st, id, refs, why := m.declared()
	if why != nil {
		return shape.Fix{}, why
	}
	return m.reuse(st.Pos(), id.Name, refs, st)
}

// declared returns the statement that declares the timer, its name and the uses of
// it, which are all within the iteration.
func (m *maker) declared() (st *ast.AssignStmt, id *ast.Ident, refs []*ast.Ident, why *shape.Refusal) {
	st, ok := m.at.Parent().Node().(*ast.AssignStmt)
	if !ok || st.Tok != token.DEFINE || len(st.Lhs) != 1 || !uses.Listed(m.at.Parent()) {
		return nil, nil, nil, shape.No(m.call, "its timer is not a variable of the loop")
	}
	info := m.pass.TypesInfo
	id = st.Lhs[0].(*ast.Ident)
	v, ok := info.Defs[id].(*types.Var)
	if !ok {
		return nil, nil, nil, shape.No(st, "its timer is not a variable of the loop")
	}
	var stack []ast.Node
	ast.Inspect(m.loop.Body, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, n)
		use, ok := n.(*ast.Ident)
		if !ok || info.Uses[use] != v || why != nil {
			return true
		}
		refs = append(refs, use)
		parent := func(i int) ast.Node { return stack[len(stack)-1-i] }
		for _, s := range stack {
			switch s.(type) {
			case *ast.FuncLit:
				why = shape.No(use, "a function literal uses the timer")
			case *ast.DeferStmt, *ast.GoStmt:
				why = shape.No(use, "the timer is used after the iteration")
			}
		}
		field, ok := parent(1).(*ast.SelectorExpr)
		if !ok {
			why = shape.No(use, "the timer is kept or passed on")
			return true
		}
		switch field.Sel.Name {
		case "C":
			if r, ok := parent(2).(*ast.UnaryExpr); !ok || r.Op != token.ARROW {
				why = shape.No(use, "the timer's channel is kept or passed on")
			}
		case "Stop", "Reset":
			if call, ok := parent(2).(*ast.CallExpr); !ok || call.Fun != field {
				why = shape.No(use, "a method value of the timer is kept")
			}
		}
		return true
	})
	return st, id, refs, why
}

// later is the edit of timer := time.AfterFunc(d, f), which is stopped at the end of
// the iteration.
func (m *maker) later() (shape.Fix, *shape.Refusal) {
	if len(m.call.Args) != 2 {
		return shape.Fix{}, shape.No(m.call, "it is given what another call returns")
	}
	st, id, refs, why := m.declared()
	if why != nil {
		return shape.Fix{}, why
	}
	if why := m.stopped(st, refs); why != nil {
		return shape.Fix{}, why
	}
	d, f := m.call.Args[0], m.call.Args[1]
	if !m.silent(d) {
		return shape.Fix{}, shape.No(d, "its duration is computed by a call")
	}
	if why := m.same(f); why != nil {
		return shape.Fix{}, why
	}
	before, text := m.loop.Before()
	if text != "" {
		return shape.Fix{}, shape.No(m.loop.Stmt, text)
	}
	if !uses.Listed(m.loop.Whole()) {
		return shape.Fix{}, shape.No(m.loop.Stmt, "its loop is not a statement of a list")
	}
	timer := m.name(id.Name, refs, st)
	pkg := rewrite.Text(m.pass.Fset, m.call.Fun.(*ast.SelectorExpr).X)
	edits := []analysis.TextEdit{
		rewrite.Insert(before, "var "+timer+" *"+pkg+".Timer\n"),
		{Pos: st.Pos(), End: m.call.Pos(), NewText: []byte("if " + timer + " == nil {\n" + timer + " = ")},
		rewrite.Insert(m.call.End(), "\n} else {\n"+timer+".Reset("+rewrite.Text(m.pass.Fset, d)+")\n}"),
	}
	if timer != id.Name {
		for _, u := range refs {
			edits = append(edits, rewrite.Replace(u, timer))
		}
	}
	return shape.Fix{Name: "reuse", Says: "make one timer in the first iteration and set it again in each other", Edits: edits}, nil
}

// stopped says why the timer may still be set when the next iteration begins.
func (m *maker) stopped(st *ast.AssignStmt, refs []*ast.Ident) *shape.Refusal {
	var stop ast.Stmt
	for c, ok := m.at.Parent().NextSibling(); ok; c, ok = c.NextSibling() {
		if s, is := c.Node().(*ast.ExprStmt); is {
			if call, is := s.X.(*ast.CallExpr); is {
				if sel, is := call.Fun.(*ast.SelectorExpr); is && sel.Sel.Name == "Stop" {
					if id, is := sel.X.(*ast.Ident); is && m.pass.TypesInfo.Uses[id] == m.pass.TypesInfo.Defs[st.Lhs[0].(*ast.Ident)] {
						stop = s
					}
				}
			}
		}
	}
	if stop == nil {
		return shape.No(st, "it is not stopped before the next iteration")
	}
	if last := refs[len(refs)-1]; last.Pos() > stop.End() {
		return shape.No(last, "it is used after it is stopped")
	}
	for _, l := range rewrite.Leaves(m.pass.TypesInfo, m.loop.Body, false) {
		if l.Pos > st.Pos() && l.Pos < stop.Pos() && (strings.HasSuffix(l.How, "continue") || l.How == "goto") {
			return &shape.Refusal{Why: "the next iteration may begin before it is stopped", Pos: l.Pos}
		}
	}
	return nil
}

// same says why the function may be another in each iteration.
func (m *maker) same(f ast.Expr) (why *shape.Refusal) {
	lit, ok := ast.Unparen(f).(*ast.FuncLit)
	if !ok {
		if !m.declaredFunc(f) && !m.loop.Invariant(f) {
			return shape.No(f, "its function may be another in each iteration")
		}
		return nil
	}
	ast.Inspect(lit, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || why != nil {
			return why == nil
		}
		v, ok := m.pass.TypesInfo.Uses[id].(*types.Var)
		of := m.loop.Stmt
		if ok && of.Pos() <= v.Pos() && v.Pos() < of.End() && !(lit.Pos() <= v.Pos() && v.Pos() < lit.End()) {
			why = shape.No(id, "its function uses "+id.Name+", which is another in each iteration")
		}
		return why == nil
	})
	return why
}

// declaredFunc reports whether an expression is the name of a declared function.
func (m *maker) declaredFunc(f ast.Expr) bool {
	switch f := ast.Unparen(f).(type) {
	case *ast.Ident:
		_, ok := m.pass.TypesInfo.Uses[f].(*types.Func)
		return ok
	case *ast.SelectorExpr:
		_, ok := m.pass.TypesInfo.Uses[f.Sel].(*types.Func)
		return ok && m.pass.TypesInfo.Selections[f] == nil // a method value has a receiver
	}
	return false
}

// name is what the timer is called before the loop: as in it, if that is free there.
func (m *maker) name(name string, refs []*ast.Ident, old ast.Node) string {
	fn := loop.Func(m.loop.At)
	timer := "timer"
	if m.made[fn]++; m.made[fn] > 1 {
		timer += strconv.Itoa(m.made[fn])
	}
	timer = rewrite.Fresh(m.pass.Pkg, fn, timer)
	if name != "" && !elsewhere(m.pass.TypesInfo, fn, name, refs, old) {
		timer = name
	}
	return timer
}

// reuse is the edit that makes the timer before the loop and sets it at pos. old
// is what was there: the call in a case, or the statement that declares name,
// which uses have.
func (m *maker) reuse(pos token.Pos, name string, refs []*ast.Ident, old ast.Node) (shape.Fix, *shape.Refusal) {
	// The channel of a timer has no buffer since this version of the module.
	if !since(m.pass, "go1.23") {
		return shape.Fix{}, shape.No(m.call, "before Go 1.23 a timer that is set again may still hold an earlier time")
	}
	before, why := m.loop.Before()
	if why != "" {
		return shape.Fix{}, shape.No(m.loop.Stmt, why)
	}
	if !uses.Listed(m.loop.Whole()) {
		return shape.Fix{}, shape.No(m.loop.Stmt, "its loop is not a statement of a list")
	}
	d := m.call.Args[0]
	if !m.silent(d) {
		return shape.Fix{}, shape.No(d, "its duration is computed by a call")
	}
	pkg := rewrite.Text(m.pass.Fset, m.call.Fun.(*ast.SelectorExpr).X)
	limit := rewrite.Text(m.pass.Fset, d)
	first := limit
	if !m.loop.Invariant(d) {
		first = "0" // it is set before anything is received from it
	}
	timer := m.name(name, refs, old)
	edits := []analysis.TextEdit{rewrite.Insert(before, timer+" := "+pkg+".NewTimer("+first+")\n")}
	if st, ok := old.(*ast.AssignStmt); ok {
		edits = append(edits, rewrite.Replace(st, timer+".Reset("+limit+")"))
		if timer != name {
			for _, u := range refs {
				edits = append(edits, rewrite.Replace(u, timer))
			}
		}
	} else {
		edits = append(edits, rewrite.Insert(pos, timer+".Reset("+limit+")\n"), rewrite.Replace(old, timer+".C"))
	}
	return shape.Fix{Name: "reuse", Says: "make one timer before the loop and set it again in each iteration", Edits: edits}, nil
}

// elsewhere reports whether the function has the name for something else, too.
func elsewhere(info *types.Info, fn ast.Node, name string, refs []*ast.Ident, decl ast.Node) (found bool) {
	own := map[*ast.Ident]bool{decl.(*ast.AssignStmt).Lhs[0].(*ast.Ident): true}
	for _, u := range refs {
		own[u] = true
	}
	ast.Inspect(fn, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name && !own[id] {
			if v, ok := info.ObjectOf(id).(*types.Var); !ok || !v.IsField() {
				found = true
			}
		}
		return true
	})
	return found
}

// silent reports whether evaluating a duration does nothing else.
func (m *maker) silent(d ast.Expr) bool {
	info := m.pass.TypesInfo
	ok := true
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			b := loop.Builtin(info, n)
			ok = ok && (info.Types[n.Fun].IsType() || b == "min" || b == "max" || b == "len")
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW && n.Op != token.AND
		case *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// positive reports whether the duration is a constant above 0.
func (m *maker) positive() bool {
	v := m.pass.TypesInfo.Types[m.call.Args[0]].Value
	return v != nil && constant.Sign(v) > 0
}

// since reports whether the package's module asks for that version: what a
// timer does depends on it, whatever a single file says.
func since(pass *analysis.Pass, goVersion string) bool {
	for _, f := range pass.Files {
		if !rewrite.Since(pass, f, goVersion) {
			return false
		}
	}
	return true
}
