package deferloop

import (
	"go/ast"
	"go/token"
	"go/types"

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

// Analyzer finds calls that are deferred in loops.
var Analyzer = shape.Analyzer("deferloop",
	"find calls that are deferred in each iteration of a loop\n\nThey pile up until the function returns, or keep a function literal from being inlined.",
	find, inspect.Analyzer)

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	in := pass.ResultOf[inspect.Analyzer].(*inspector.Inspector)
	for c := range in.Root().Preorder((*ast.DeferStmt)(nil)) {
		if f, ok := inLoop(pass, c); ok {
			all = append(all, f)
		} else if f, ok := inLiteral(pass, c); ok {
			all = append(all, f)
		}
	}
	return all, nil
}

// inLoop looks at a defer that a loop repeats.
func inLoop(pass *analysis.Pass, c inspector.Cursor) (f shape.Finding, ok bool) {
	l, ok := loop.Around(pass.TypesInfo, c)
	if !ok || once(l, c) {
		return f, false
	}
	d := c.Node().(*ast.DeferStmt)
	f = shape.Finding{
		Pos: d.Pos(), End: d.End(), Func: uses.Decl(c),
		Message: rewrite.Text(pass.Fset, d.Call.Fun) + " is deferred in each iteration: the calls pile up until the function returns",
		Causes:  []string{"work", "alloc", "lock"}, Hot: []shape.Range{shape.Of(l.Stmt)},
		Refused: []shape.Refusal{{Name: "inline", Why: "the calls come at the end of the function, after all iterations; at the end of each they would let others in between", Pos: d.Pos()}},
	}
	edits, why := listed(pass, c, l)
	if why != nil {
		f.Refused = append(f.Refused, shape.Refusal{Name: "once", Why: why.Why, Pos: why.Pos})
	} else {
		f.Fixes = []shape.Fix{{Name: "once", Says: "defer once, and release there what the iterations took", Edits: edits}}
	}
	return f, true
}

// once reports whether the loop is left when the defer has been reached: the
// list that it is in ends in a return, or in a break of the loop.
func once(l loop.Loop, c inspector.Cursor) bool {
	if c.ParentEdgeKind() != edge.BlockStmt_List {
		return false
	}
	list := c.Parent().Node().(*ast.BlockStmt).List
	for _, st := range list[c.ParentEdgeIndex()+1:] {
		continues := false
		ast.Inspect(st, func(n ast.Node) bool {
			b, ok := n.(*ast.BranchStmt)
			continues = continues || ok && b.Tok != token.BREAK
			return !continues
		})
		if continues {
			return false
		}
	}
	switch last := list[len(list)-1].(type) {
	case *ast.ReturnStmt:
		return true
	case *ast.BranchStmt:
		return last.Tok == token.BREAK && last.Label == nil && c.Parent().Node() == l.Body
	}
	return false
}

// inLiteral looks at func() { …; defer mu.Unlock(); … }() in a loop.
func inLiteral(pass *analysis.Pass, c inspector.Cursor) (f shape.Finding, ok bool) {
	lit, ok := loop.Func(c).(*ast.FuncLit)
	if !ok || c.Parent().Node() != lit.Body {
		return f, false
	}
	at := c.Parent().Parent()
	call := at.Parent()
	st := call.Parent()
	if at.ParentEdgeKind() != edge.CallExpr_Fun || call.ParentEdgeKind() != edge.ExprStmt_X {
		return f, false
	}
	l, ok := loop.Around(pass.TypesInfo, st)
	if !ok {
		return f, false
	}
	d := c.Node().(*ast.DeferStmt)
	f = shape.Finding{
		Pos: d.Pos(), End: d.End(), Func: uses.Decl(c),
		Message: "a function is called in each iteration to defer " + rewrite.Text(pass.Fset, d.Call.Fun) + ": it is not inlined",
		Causes:  []string{"work", "lock"}, Hot: []shape.Range{shape.Of(l.Stmt)},
	}
	in := literal{pass: pass, lit: lit, d: d, call: call.Node().(*ast.CallExpr), st: st}
	edits, why := in.edit(c.ParentEdgeIndex())
	if why != nil {
		f.Refused = []shape.Refusal{{Name: "inline", Why: why.Why, Pos: why.Pos}}
	} else {
		f.Fixes = []shape.Fix{{Name: "inline", Says: "release it at the end of the iteration, without a function", Edits: edits}}
	}
	return f, true
}

// A literal is called where it stands and defers a call.
type literal struct {
	pass *analysis.Pass
	lit  *ast.FuncLit
	d    *ast.DeferStmt
	call *ast.CallExpr
	st   inspector.Cursor // the statement that calls it
}

// edit makes a block of the literal. i is the place of the defer in it.
func (l *literal) edit(i int) ([]analysis.TextEdit, *shape.Refusal) {
	info := l.pass.TypesInfo
	if len(l.call.Args) > 0 || l.lit.Type.Results != nil {
		return nil, shape.No(l.lit, "the function has parameters or results")
	}
	switch l.st.ParentEdgeKind() {
	case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body:
	default:
		return nil, shape.No(l.call, "the call is not a statement of a list")
	}
	fn := typeutil.StaticCallee(info, l.d.Call)
	if fn == nil {
		return nil, shape.No(l.d, "what is deferred is no method of a lock")
	}
	switch fn.FullName() {
	case "(*sync.Mutex).Unlock", "(*sync.RWMutex).Unlock", "(*sync.RWMutex).RUnlock", "(*sync.WaitGroup).Done":
	default:
		return nil, shape.No(l.d, "what is deferred is no method of a lock")
	}
	held := ast.Unparen(l.d.Call.Fun).(*ast.SelectorExpr).X // it is a method
	if !loop.Chain(held) {
		return nil, shape.No(held, "the lock is not named by a variable")
	}
	if id := l.hidden(held); id != nil {
		return nil, shape.No(l.lit, "its "+id.Name+" is not the one that is deferred")
	}
	for _, x := range rewrite.Leaves(info, l.lit.Body, false) {
		if x.Pos != l.d.Pos() {
			return nil, &shape.Refusal{Why: "the function has a " + x.How, Pos: x.Pos}
		}
	}
	labels := false
	ast.Inspect(l.lit.Body, func(n ast.Node) bool {
		_, is := n.(*ast.LabeledStmt)
		labels = labels || is
		return !labels
	})
	if labels {
		return nil, shape.No(l.lit, "the function has labels")
	}
	s := safety{info: info, body: l.lit.Body, checked: map[string]bool{}}
	for _, st := range l.lit.Body.List[:i] {
		s.before(st)
	}
	s.before(l.d)
	for _, st := range l.lit.Body.List[i+1:] {
		if n, why := s.panics(st); n != nil {
			return nil, shape.No(n, why+", and the lock would stay locked")
		}
	}
	if v := assigned(info, l.lit.Body, held); v != nil {
		return nil, shape.No(v, "what holds the lock changes")
	}
	// The literal's braces stay: they are those of a block.
	edits := []analysis.TextEdit{{Pos: l.call.Pos(), End: l.lit.Body.Pos()}, {Pos: l.lit.Body.End(), End: l.call.End()}}
	edits = append(edits, rewrite.Drop(l.pass.Fset, cursor(l.st, l.d)))
	list := l.lit.Body.List
	if i == len(list)-1 {
		// Nothing follows: the call itself takes the place.
		return append(edits[:2], analysis.TextEdit{Pos: l.d.Pos(), End: l.d.Call.Pos()}), nil
	}
	return append(edits, rewrite.Insert(list[len(list)-1].End(), "\n"+rewrite.Text(l.pass.Fset, l.d.Call))), nil
}

// hidden returns a name on the way to the lock that means something else at the
// end of the literal, nil if there is none.
func (l *literal) hidden(held ast.Expr) (found *ast.Ident) {
	scope := l.pass.TypesInfo.Scopes[l.lit.Type]
	ast.Inspect(held, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if v, ok := l.pass.TypesInfo.Uses[id].(*types.Var); ok && v.IsField() {
			return true
		}
		if there := scope.Lookup(id.Name); there != nil && there != l.pass.TypesInfo.Uses[id] {
			found = id
		}
		return true
	})
	return found
}

func cursor(c inspector.Cursor, n ast.Node) inspector.Cursor {
	at, _ := c.FindNode(n)
	return at
}

// assigned finds what assigns a part of the chain that leads to the lock.
func assigned(info *types.Info, body ast.Node, held ast.Expr) (at ast.Node) {
	parts := map[types.Object]bool{}
	ast.Inspect(held, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := info.Uses[id].(*types.Var); ok {
				parts[v] = true
			}
		}
		return true
	})
	is := func(e ast.Expr) bool {
		switch e := ast.Unparen(e).(type) {
		case *ast.Ident:
			return parts[info.Uses[e]]
		case *ast.SelectorExpr:
			return parts[info.Uses[e.Sel]]
		case *ast.StarExpr:
			return true // of whatever
		}
		return false
	}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, e := range n.Lhs {
				if is(e) && at == nil {
					at = n
				}
			}
		case *ast.IncDecStmt:
			if is(n.X) && at == nil {
				at = n
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && is(n.X) && at == nil {
				at = n
			}
		}
		return at == nil
	})
	return at
}
