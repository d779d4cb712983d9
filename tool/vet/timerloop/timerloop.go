package timerloop

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
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
	find, uses.Analyzer)

// A maker is a call that makes a timer in a loop.
type maker struct {
	pass   *analysis.Pass
	info   *types.Info
	at     inspector.Cursor
	call   *ast.CallExpr
	d      ast.Expr // the duration
	loop   loop.Loop
	before token.Pos     // where the timer is made instead
	names  rewrite.Names // of the timers of all edits
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	names := rewrite.Names{}
	for c := range pass.ResultOf[uses.Analyzer].(*uses.Index).Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(pass.TypesInfo, call)
		if _, named := call.Fun.(*ast.SelectorExpr); !named || fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "time" || len(call.Args) == 0 {
			continue
		}
		l, ok := loop.Around(pass.TypesInfo, c)
		if !ok {
			continue
		}
		m := &maker{pass: pass, info: pass.TypesInfo, at: c, call: call, d: call.Args[0], loop: l, names: names}
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c), Message: fn.FullName() + " makes a timer in each iteration",
			Causes: []string{"timer", "alloc", "select"}, Hot: []shape.Range{shape.Of(l.Stmt)},
		}
		var edit func() ([]analysis.TextEdit, *shape.Refusal)
		switch fn.FullName() {
		case "time.After", "time.Tick":
			edit = m.receive
		case "time.NewTimer":
			edit = m.variable
		case "time.AfterFunc":
			edit = m.later
		default:
			continue
		}
		why := m.place()
		var edits []analysis.TextEdit
		if why == nil {
			edits, why = edit()
		}
		if why != nil {
			f.Refused = []shape.Refusal{{Name: "reuse", Why: why.Why, Pos: why.Pos}}
		} else {
			f.Fixes = []shape.Fix{{Name: "reuse", Says: "make one timer and set it again in each iteration", Edits: edits}}
		}
		all = append(all, f)
	}
	return all, nil
}

// place finds where the timer can be made instead, and says why it cannot be set
// there and in each iteration.
func (m *maker) place() *shape.Refusal {
	before, why := m.loop.Before()
	m.before = before
	switch {
	case why != "":
		return shape.No(m.loop.Stmt, why)
	case !uses.Listed(m.loop.Whole()):
		return shape.No(m.loop.Stmt, "its loop is not a statement of a list")
	case !m.silent(m.d, 0):
		return shape.No(m.d, "its duration is computed by a call")
	}
	// The channel of a timer has no buffer since this version of the module: what a
	// timer does depends on that, whatever a single file says.
	for _, f := range m.pass.Files {
		if !rewrite.Since(m.pass, f, "go1.23") {
			return shape.No(m.call, "before Go 1.23 a timer that is set again may still hold an earlier time")
		}
	}
	return nil
}

// silent reports whether evaluating code does nothing else that could tell when the
// timer is set, but for so many receives.
func (m *maker) silent(code ast.Node, receives int) bool {
	ok := true
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			b, fn := loop.Builtin(m.info, n), typeutil.Callee(m.info, n)
			quick := fn != nil && fn.Pkg() != nil && (fn.Pkg().Path() == "context" || fn.Pkg().Path() == "time" && fn.Name() != "Sleep")
			ok = ok && (m.info.Types[n.Fun].IsType() || b == "min" || b == "max" || b == "len" || quick)
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				receives--
			}
			ok = ok && n.Op != token.AND && receives >= 0
		case *ast.FuncLit:
			ok = false
		}
		return ok
	})
	return ok
}

// receive is the edit of <-time.After(d) in a select.
func (m *maker) receive() ([]analysis.TextEdit, *shape.Refusal) {
	up := m.at.Parent()
	if recv, ok := up.Node().(*ast.UnaryExpr); !ok || recv.Op != token.ARROW || up.Parent().ParentEdgeKind() != edge.CommClause_Comm {
		return nil, shape.No(m.call, "its channel is not one of a select")
	}
	if v := m.info.Types[m.d].Value; m.call.Fun.(*ast.SelectorExpr).Sel.Name == "Tick" && (v == nil || constant.Sign(v) <= 0) {
		return nil, shape.No(m.d, "time.Tick of 0 or less never fires, and this duration may be")
	}
	sel := up.Parent().Parent().Parent().Parent() // statement, clause, block, select
	if !uses.Listed(sel) {
		return nil, shape.No(sel.Node(), "its select is not a statement of a list")
	}
	for _, c := range sel.Node().(*ast.SelectStmt).Body.List {
		if comm := c.(*ast.CommClause).Comm; comm != nil && !m.silent(comm, 1) {
			return nil, shape.No(comm, "a call that its select makes may take its time, or change the duration")
		}
	}
	timer, edits := m.make()
	return append(edits, rewrite.Insert(sel.Node().Pos(), m.reset(timer)+"\n"), rewrite.Replace(m.call, timer+".C")), nil
}

func (m *maker) text(n ast.Node) string { return rewrite.Text(m.pass.Fset, n) }

func (m *maker) pkg() string { return m.text(m.call.Fun.(*ast.SelectorExpr).X) }

func (m *maker) make() (timer string, edits []analysis.TextEdit) {
	timer = m.names.Fresh(m.pass.Pkg, loop.Func(m.loop.At), "timer")
	first := "0" // it is set before anything is received from it
	if m.loop.Invariant(m.d) {
		first = m.text(m.d)
	}
	return timer, []analysis.TextEdit{rewrite.Insert(m.before, timer+" := "+m.pkg()+".NewTimer("+first+")\n")}
}

func (m *maker) reset(timer string) string { return timer + ".Reset(" + m.text(m.d) + ")" }

// variable is the edit of timer := time.NewTimer(d).
func (m *maker) variable() ([]analysis.TextEdit, *shape.Refusal) {
	st, refs, why := m.declared()
	if why != nil {
		return nil, why
	}
	timer, edits := m.make()
	return append(append(edits, rewrite.Replace(st, m.reset(timer))), rename(refs, timer)...), nil
}

func rename(refs []inspector.Cursor, timer string) (edits []analysis.TextEdit) {
	for _, ref := range refs {
		edits = append(edits, rewrite.Replace(ref.Node(), timer))
	}
	return edits
}

// declared returns the statement that declares the timer, and its uses, which are
// all within the iteration.
func (m *maker) declared() (st *ast.AssignStmt, refs []inspector.Cursor, why *shape.Refusal) {
	st, ok := m.at.Parent().Node().(*ast.AssignStmt)
	if !ok || st.Tok != token.DEFINE || len(st.Lhs) != 1 || !uses.Listed(m.at.Parent()) {
		return nil, nil, shape.No(m.call, "its timer is not a variable of the loop")
	}
	v := m.info.Defs[st.Lhs[0].(*ast.Ident)]
	for c := range m.loop.At.Preorder((*ast.Ident)(nil)) {
		if v == nil || m.info.Uses[c.Node().(*ast.Ident)] != v {
			continue
		}
		refs = append(refs, c)
		later := false
		for in := range c.Enclosing((*ast.FuncLit)(nil), (*ast.DeferStmt)(nil), (*ast.GoStmt)(nil)) {
			later = later || in.Node().Pos() > st.Pos()
		}
		field, ok := c.Parent().Node().(*ast.SelectorExpr)
		switch up := c.Parent().Parent().Node().(type) {
		case *ast.UnaryExpr:
			ok = ok && up.Op == token.ARROW
		case *ast.CallExpr:
			ok = ok && up.Fun == field
		default:
			ok = false
		}
		if !ok || later {
			return nil, nil, shape.No(c.Node(), "the timer is kept, passed on or used later")
		}
	}
	return st, refs, nil
}

// later is the edit of timer := time.AfterFunc(d, f), which is stopped at the end of
// the iteration.
func (m *maker) later() ([]analysis.TextEdit, *shape.Refusal) {
	st, refs, why := m.declared()
	if why != nil {
		return nil, why
	}
	if why := m.stopped(st, refs); why != nil {
		return nil, why
	}
	if len(m.call.Args) != 2 || !m.same(m.call.Args[1]) {
		return nil, shape.No(m.call, "its function may be another in each iteration")
	}
	timer := m.names.Fresh(m.pass.Pkg, loop.Func(m.loop.At), "timer")
	return append(rename(refs, timer),
		rewrite.Insert(m.before, "var "+timer+" *"+m.pkg()+".Timer\n"),
		analysis.TextEdit{Pos: st.Pos(), End: m.call.Pos(), NewText: []byte("if " + timer + " == nil {\n" + timer + " = ")},
		rewrite.Insert(m.call.End(), "\n} else {\n"+m.reset(timer)+"\n}")), nil
}

// stopped says why the timer may still be set when the next iteration begins.
func (m *maker) stopped(st *ast.AssignStmt, refs []inspector.Cursor) *shape.Refusal {
	if len(refs) == 0 {
		return shape.No(st, "it is not stopped before the next iteration")
	}
	last := refs[len(refs)-1].Parent() // t.Stop
	stop := last.Parent().Parent()
	if _, ok := stop.Node().(*ast.ExprStmt); !ok || last.Node().(*ast.SelectorExpr).Sel.Name != "Stop" || stop.Parent() != m.at.Parent().Parent() {
		return shape.No(st, "it is not stopped before the next iteration")
	}
	for _, l := range rewrite.Leaves(m.info, m.loop.Body, false) {
		if l.Pos > st.Pos() && l.Pos < stop.Node().Pos() && (strings.HasSuffix(l.How, "continue") || l.How == "goto") {
			return &shape.Refusal{Why: "the next iteration may begin before it is stopped", Pos: l.Pos}
		}
	}
	return nil
}

// same reports whether a function is the same in each iteration: a literal that
// uses no variable of the loop, or what is declared before it.
func (m *maker) same(f ast.Expr) bool {
	lit, ok := ast.Unparen(f).(*ast.FuncLit)
	if !ok {
		return m.loop.Invariant(f)
	}
	same := true
	ast.Inspect(lit, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v, ok := m.info.Uses[id].(*types.Var)
			within := func(n ast.Node) bool { return n.Pos() <= v.Pos() && v.Pos() < n.End() }
			same = same && !(ok && within(m.loop.Stmt) && !within(lit))
		}
		return same
	})
	return same
}
