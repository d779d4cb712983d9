package waitloop

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/local"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// together makes the calls that wait in goroutines of their own, and then goes
// through what they returned in the order of the loop.
func (w *wait) together(f *shape.Finding) {
	at, why := w.result()
	if why == "" {
		at, why = w.head()
	}
	if why == "" {
		at, why = w.apart()
	}
	if why == "" {
		at, why = w.panics()
	}
	var fixes []shape.Fix
	if why == "" {
		at = w.loop
		fixes, why = w.write()
	}
	if why != "" {
		f.Refused = append(f.Refused, shape.Refusal{Name: "together", Why: why, Pos: at.Pos()})
		return
	}
	f.Fixes = fixes
}

func (w *wait) body() *ast.BlockStmt { return spawn.LoopBody(w.loop) }

// result says why the loop does not always go on with the one result of one
// call that waits.
func (w *wait) result() (at ast.Node, why string) {
	if len(w.calls) > 1 {
		return w.calls[1], "an iteration waits in several places"
	}
	call := w.calls[0]
	for _, l := range rewrite.Leaves(w.info, w.body(), false) {
		if l.How != "panic" && (l.How != "continue" || l.Pos < call.Pos()) {
			return &ast.BadExpr{From: l.Pos, To: l.Pos}, "the loop ends early, by " + l.How
		}
	}
	if _, several := w.info.TypeOf(call).(*types.Tuple); several {
		return call, "the call returns several values"
	}
	var path []ast.Node // from the body to the call
	var stack []ast.Node
	ast.Inspect(w.body(), func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if stack = append(stack, n); n == ast.Node(call) {
			path = append(path, stack[1:len(stack)-1]...)
		}
		return true
	})
	next := ast.Node(call)
	for i := len(path) - 1; i >= 0; i-- {
		ok := false
		switch n := path[i].(type) {
		case *ast.AssignStmt, *ast.ParenExpr, *ast.CallExpr, *ast.UnaryExpr, *ast.IndexExpr, *ast.SelectorExpr,
			*ast.KeyValueExpr, *ast.CompositeLit, *ast.StarExpr, *ast.DeclStmt, *ast.GenDecl, *ast.ValueSpec, *ast.SendStmt:
			ok = true
		case *ast.BinaryExpr:
			ok = n.Op != token.LAND && n.Op != token.LOR || n.X == next
		case *ast.IfStmt:
			ok = ast.Node(n.Init) == next || n.Cond == next
		case *ast.SwitchStmt:
			ok = ast.Node(n.Init) == next || n.Tag == next
		case *ast.ExprStmt:
			ok = true
		}
		if !ok {
			return call, "not every iteration makes the call"
		}
		next = path[i]
	}
	return nil, ""
}

// head says why the head of the loop, and what the call is given, is not known
// before the loop.
func (w *wait) head() (at ast.Node, why string) {
	if id, _ := w.depends(w.calls[0]); id != nil {
		return id, "what the call is given depends on " + id.Name + ", which an iteration computes"
	}
	for _, e := range []ast.Expr{w.lo, w.hi, w.over} {
		if e == nil || why != "" {
			continue
		}
		if id, _ := w.depends(e); id != nil {
			return id, "the range depends on " + id.Name + ", which the loop changes"
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && loop.Builtin(w.info, c) != "len" && !w.info.Types[c.Fun].IsType() {
				at, why = c, "the range is the result of a call"
			}
			return true
		})
	}
	for _, id := range []*ast.Ident{w.key, w.value} {
		if v, ok := w.info.Defs[id].(*types.Var); ok && why == "" && len(loop.Writes(w.info, w.body(), v)) > 0 {
			at, why = id, "the loop changes "+v.Name()
		}
	}
	ast.Inspect(w.body(), func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && why == "" && w.info.Defs[id] != nil && (w.key != nil && id.Name == w.key.Name || w.value != nil && id.Name == w.value.Name) {
			at, why = id, id.Name+" means something else in the loop"
		}
		return true
	})
	if at := labelled(w.decl, w.loop); at != nil && why == "" {
		return at, "the loop has a label"
	}
	return at, why
}

// depends returns a variable in code outside of the loop's body that the body
// declares or changes.
func (w *wait) depends(code ast.Node) (at *ast.Ident, changed bool) {
	in := func(n ast.Node, v *types.Var) bool { return n.Pos() <= v.Pos() && v.Pos() < n.End() }
	ast.Inspect(code, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok || at != nil {
			return at == nil
		}
		v, ok := w.info.ObjectOf(id).(*types.Var)
		if !ok || v.IsField() || in(code, v) {
			return true
		}
		if own := in(w.body(), v); own || len(loop.Writes(w.info, w.body(), v)) > 0 {
			at, changed = id, !own
		}
		return true
	})
	return at, changed
}

// labelled returns the label of a statement.
func labelled(decl *ast.FuncDecl, st ast.Stmt) (at ast.Node) {
	ast.Inspect(decl, func(n ast.Node) bool {
		if l, ok := n.(*ast.LabeledStmt); ok && l.Stmt == st {
			at = l
		}
		return true
	})
	return at
}

// apart says why a call may see what another one does, or the rest of the loop.
func (w *wait) apart() (at ast.Node, why string) {
	call := w.calls[0]
	code := &atonce.Code{Own: call}
	trusted := false
	if b := w.r.Read(code, call); b != nil {
		if trusted = w.trusted(); !trusted {
			return b.At, "the call " + b.Why + "; nothing says that it is meant for several goroutines"
		}
	}
	mentioned := map[types.Object]bool{}
	ast.Inspect(call, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			mentioned[w.info.Uses[id]] = true
		}
		return true
	})
	rest := &atonce.Code{Own: w.loop, Skip: call, Write: func(x ast.Expr, _ ast.Node) bool {
		var v *types.Var
		switch x := ast.Unparen(x).(type) {
		case *ast.Ident:
			v, _ = w.info.Uses[x].(*types.Var)
		case *ast.IndexExpr:
			if v, _ = inline.Object(w.info, x.X).(*types.Var); v == nil || v.IsField() || !w.array(v) && !w.r.Made(v) {
				return false
			}
		}
		if v == nil || v.IsField() || mentioned[v] || code.Here.Reads[v] || code.Behind.Reads[v] {
			return false
		}
		return !trusted && !code.Here.Leads && !code.Behind.Leads || w.hidden(v)
	}}
	if b := w.r.Read(rest, w.body()); b != nil {
		return b.At, "the loop " + b.Why + " beside the call"
	}
	if trusted { // what it changes is not known
		for _, l := range []atonce.Looks{rest.Here, rest.Behind} {
			for v := range l.Reads {
				if v.IsField() || v.Parent() == w.pass.Pkg.Scope() {
					return w.loop, "the call may change " + v.Name() + ", which the loop looks at"
				}
			}
		}
	}
	return nil, ""
}

func (w *wait) array(v *types.Var) bool {
	_, ok := v.Type().Underlying().(*types.Array)
	return ok
}

// trusted reports whether several goroutines make the call already.
func (w *wait) trusted() bool {
	fn := section.Callee(w.info, w.calls[0])
	top := false
	for _, st := range w.s.Body.List {
		top = top || st == w.loop
	}
	root := w.s
	for root.Up != nil {
		root = root.Up
	}
	return fn != nil && !section.Standard(fn) && top && root.Loop != nil && w.s.Join != nil
}

// owned reports whether what a call is given is the goroutine's own, and not a
// value that leads nowhere.
func (w *wait) owned(call *ast.CallExpr) (found bool) {
	ast.Inspect(call, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := w.info.Uses[id].(*types.Var)
		if ok && !v.IsField() && (v.Pos() < w.loop.Pos() || w.body().Pos() <= v.Pos()) {
			found = found || w.s.Differs(v) || w.s.Own(v) && uses.Refers(v.Type())
		}
		return true
	})
	return found
}

// chained reports whether the iterations depend on each other by what they are
// for: they keep up a pace, ask by a connection of their own, which has an order,
// or hand on what they were answered.
func (w *wait) chained() bool {
	for _, call := range w.calls {
		t := w.info.TypeOf(call)
		if tuple, ok := t.(*types.Tuple); ok && tuple.Len() == 0 || types.Identical(t, types.Universe.Lookup("error").Type()) || w.dropped(call) {
			return true
		}
		if _, changed := w.depends(call); changed {
			return true
		}
		if w.owned(call) && w.r.Read(&atonce.Code{Own: call}, call) != nil {
			return true
		}
	}
	return false
}

// dropped reports whether nobody looks at what a call returns.
func (w *wait) dropped(call *ast.CallExpr) (found bool) {
	ast.Inspect(w.body(), func(n ast.Node) bool {
		st, ok := n.(*ast.ExprStmt)
		found = found || ok && st.X == ast.Expr(call)
		return !found
	})
	return found
}

// hidden reports whether nobody but the goroutines of the site can see a
// variable, or what was made for it.
func (w *wait) hidden(v *types.Var) bool {
	c, ok := w.pkg.Find(w.loop)
	if !ok || v.Parent() == w.pass.Pkg.Scope() {
		return false
	}
	if (&local.Loop{Package: w.pkg, Site: w.s, At: c}).ConfinedVar(v) {
		return true
	}
	if uses.Refers(v.Type()) {
		return false
	}
	// Used in its function alone.
	var home ast.Node
	for _, use := range w.pkg.Uses.Of(v) {
		fn, ok := uses.Func(use)
		if !ok || home != nil && fn.Node() != home {
			return false
		}
		home = fn.Node()
	}
	for _, x := range loop.Writes(w.info, w.decl, v) {
		if x.Address {
			return false
		}
	}
	return true
}

// panics says why a goroutine of its own would end the call otherwise.
func (w *wait) panics() (at ast.Node, why string) {
	if at := spawn.Goexits(w.pass, w.calls[0]); at != nil {
		return at, "the call may end its goroutine"
	}
	for up := w.s; up != nil; up = up.Up {
		if up.Body == nil {
			continue
		}
		if at := spawn.Recovers(w.pass, up.Body); at != nil {
			return at, "the goroutine stops panics"
		}
	}
	return nil, ""
}

// write makes the edits.
func (w *wait) write() (fixes []shape.Fix, why string) {
	if !rewrite.Since(w.pass, w.file, "go1.22") {
		return nil, "the file's version of Go has one loop variable for all iterations"
	}
	call := w.calls[0]
	elem, ok := rewrite.Type(w.pass.Pkg, w.file, w.loop.Pos(), w.info.TypeOf(call))
	if !ok {
		return nil, "the type of what the call returns has no name here"
	}
	if !rewrite.Universal(w.pass.Pkg, w.loop.Pos(), "max") {
		return nil, "max means something else here"
	}
	text := func(n ast.Node) string { return rewrite.Text(w.pass.Fset, n) }
	fresh := func(name string) string { return w.pkg.Name(w.decl, w.loop, name) }
	answers, slots, group := fresh("answers"), fresh("slots"), fresh("calls")
	key := ""
	if w.key != nil {
		key = w.key.Name
	} else {
		key = rewrite.Fresh(w.pass.Pkg, w.loop, "i")
	}
	index, count := key, ""
	switch {
	case w.over != nil:
		count = "len(" + text(w.over) + ")"
	case w.lo != nil:
		index = key + "-" + term(w.lo, text)
		count = fmt.Sprintf("max(0, %s-%s)", text(w.hi), term(w.lo, text))
	case w.info.Types[w.hi].Value != nil || strings.HasPrefix(text(w.hi), "len("):
		count = text(w.hi)
	default:
		count = "max(0, " + text(w.hi) + ")"
	}
	made, err := inline.Source(w.pass, call.Pos(), call.End(), nil)
	if err != nil {
		return nil, err.Error()
	}
	answer := fmt.Sprintf("%s[%s]", answers, index)
	rest, err := inline.Source(w.pass, w.body().Lbrace, w.body().Rbrace+1, []analysis.TextEdit{rewrite.Replace(call, answer)})
	if err != nil {
		return nil, err.Error()
	}
	head := func(value bool) string {
		r, ok := w.loop.(*ast.RangeStmt)
		switch {
		case !ok:
			h, _ := inline.Source(w.pass, w.loop.Pos(), w.body().Lbrace, nil)
			return h
		case value:
			return fmt.Sprintf("for %s, %s := range %s ", key, w.value.Name, text(r.X))
		}
		return fmt.Sprintf("for %s := range %s ", key, text(r.X))
	}
	asked := w.value != nil && w.mentions(call, nil)
	later := w.value != nil && w.mentions(w.body(), call)
	for _, n := range []int{16, 64} {
		sync, edits := rewrite.Import(w.pass.Pkg, w.file, "sync", w.loop.Pos())
		start := inline.Start(w.info, w.file, group, fmt.Sprintf("%s = %s\n<-%s", answer, made, slots))
		text := fmt.Sprintf("%s := make([]%s, %s)\n%s := make(chan struct{}, %d) // as many calls at once\nvar %s %s.WaitGroup\n%s{\n%s <- struct{}{}\n%s\n}\n%s.Wait()\n%s%s",
			answers, elem, count, slots, n, group, sync, head(asked), slots, start, group, head(later), rest)
		fixes = append(fixes, shape.Fix{
			Name: "together", Value: n,
			Says:  fmt.Sprintf("make up to %d of the calls at once, and go through the answers in their order", n),
			Edits: append(edits, rewrite.Replace(w.loop, text)),
		})
	}
	return fixes, ""
}

// term is an expression as one to subtract.
func term(e ast.Expr, text func(ast.Node) string) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.BinaryExpr, *ast.UnaryExpr:
		return "(" + text(e) + ")"
	default:
		return text(e)
	}
}

// mentions reports whether code, but for a part of it, has the loop's value.
func (w *wait) mentions(code, but ast.Node) (found bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		if n == nil || n == but {
			return false
		}
		id, ok := n.(*ast.Ident)
		found = found || ok && w.info.Uses[id] != nil && w.info.Uses[id] == w.info.Defs[w.value]
		return !found
	})
	return found
}
