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
	homes := map[string]*maker{} // the first that makes a context, by the function
	for c := range pass.ResultOf[uses.Analyzer].(*uses.Index).Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := typeutil.StaticCallee(pass.TypesInfo, call)
		if _, named := call.Fun.(*ast.SelectorExpr); !named || fn == nil || fn.Pkg() == nil || len(call.Args) == 0 {
			continue
		}
		l, in := loop.Around(pass.TypesInfo, c)
		m := &maker{pass: pass, info: pass.TypesInfo, at: c, call: call, d: call.Args[0], loop: l, names: names}
		f := shape.Finding{
			Pos: call.Pos(), End: call.End(), Func: uses.Decl(c), Message: fn.FullName() + " makes a timer in each iteration",
			Causes: []string{"timer", "alloc", "select"}, Hot: []shape.Range{shape.Of(uses.Around(c))},
		}
		fix, edit, why := shape.Fix{Name: "reuse", Says: "make one timer and set it again in each iteration"}, m.receive, m.place
		switch name := fn.FullName(); {
		case name == "context.WithTimeout" || name == "context.WithDeadline":
			if f.Func == nil || f.Func.Name.Name == "Done" || len(call.Args) != 2 || strings.HasSuffix(pass.Fset.File(call.Pos()).Name(), "_test.go") {
				continue
			}
			if homes[name] == nil {
				homes[name] = m
			}
			f.Message = name + " sets a timer, which only what waits for the end needs"
			f.Causes = append(f.Causes, "lock")
			fix = shape.Fix{
				Name: "late", Says: "set the timer of the context when something waits for its end",
				Holds: "no more is asked of the context than its end, its error and its values",
			}
			edit, why = func() ([]analysis.TextEdit, *shape.Refusal) { return m.late(homes[name]) }, func() *shape.Refusal { return nil }
		case !in:
			continue
		case name == "time.NewTimer":
			edit = m.variable
		case name != "time.After" && name != "time.Tick":
			continue
		}
		no := why()
		if no == nil {
			fix.Edits, no = edit()
		}
		if no != nil {
			f.Refused = []shape.Refusal{{Name: fix.Name, Why: no.Why, Pos: no.Pos}}
		} else {
			f.Fixes = []shape.Fix{fix}
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

// variable is the edit of timer := time.NewTimer(d), if all uses are within the iteration.
func (m *maker) variable() (edits []analysis.TextEdit, why *shape.Refusal) {
	st, ok := m.at.Parent().Node().(*ast.AssignStmt)
	if !ok || st.Tok != token.DEFINE || len(st.Lhs) != 1 || !uses.Listed(m.at.Parent()) {
		return nil, shape.No(m.call, "its timer is not a variable of the loop")
	}
	timer, edits := m.make()
	v := m.info.Defs[st.Lhs[0].(*ast.Ident)]
	for c := range m.loop.At.Preorder((*ast.Ident)(nil)) {
		if v == nil || m.info.Uses[c.Node().(*ast.Ident)] != v {
			continue
		}
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
			return nil, shape.No(c.Node(), "the timer is kept, passed on or used later")
		}
		edits = append(edits, rewrite.Replace(c.Node(), timer))
	}
	return append(edits, rewrite.Replace(st, m.reset(timer))), nil
}
