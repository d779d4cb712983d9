package spinwait

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

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that ask an atomic variable again and again.
var Analyzer = shape.Analyzer("spinwait", `find loops that ask an atomic variable again and again

Who yields or sleeps until a word changes takes a processor, or comes late.`, find, uses.Analyzer, spawn.Analyzer)

// A check looks at one package.
type check struct {
	pass  *analysis.Pass
	info  *types.Info
	uses  *uses.Index
	sites []*spawn.Site
}

// A wait is what a loop waits for.
type wait int

const (
	event wait = iota // a flag is set
	turn              // a word was free, and is taken
	other
)

// A spin is a loop that does nothing until a word has changed.
type spin struct {
	inspector.Cursor
	wait wait
	word ast.Expr // as the loop names it
	// leaves is the return by which the loop ends, where its condition does not.
	leaves *ast.ReturnStmt
}

// A word is a variable that loops ask, with all of them.
type word struct {
	v     *types.Var
	spins []spin
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	c := &check{pass, pass.TypesInfo, pass.ResultOf[uses.Analyzer].(*uses.Index), pass.ResultOf[spawn.Analyzer].([]*spawn.Site)}
	var words []*word
	by := map[*types.Var]*word{}
	for at := range c.uses.Root.Preorder((*ast.ForStmt)(nil)) {
		v, s, ok := c.spins(at)
		if !ok || v.Pkg() != pass.Pkg || c.within(at) {
			continue
		}
		w := by[v]
		if w == nil {
			w = &word{v: v}
			by[v] = w
			words = append(words, w)
		}
		w.spins = append(w.spins, s)
	}
	for _, w := range words {
		all = append(all, c.finding(w))
	}
	return all, nil
}

// within reports whether a loop is part of one that waits as well.
func (c *check) within(at inspector.Cursor) bool {
	for up := range at.Enclosing((*ast.ForStmt)(nil)) {
		if up != at {
			if _, _, ok := c.spins(up); ok {
				return true
			}
		}
	}
	return false
}

func (c *check) finding(w *word) shape.Finding {
	first := w.spins[0].Node().(*ast.ForStmt)
	f := shape.Finding{
		Pos: first.Pos(), End: first.Body.Lbrace, Func: uses.Decl(w.spins[0].Cursor),
		Message: "the loop asks " + w.v.Name() + " again and again: who waits so takes a processor from others, or comes late",
		Causes:  []string{"waiting", "oversubscription", "lock", "work"},
	}
	kind := w.spins[0].wait
	for _, s := range w.spins {
		f.Hot = append(f.Hot, shape.Of(s.Node()))
		if s.wait != kind {
			kind = other
		}
	}
	fix := shape.Fix{Name: "signal", Says: "wait for a channel that is closed where the flag is set"}
	var why string
	var at token.Pos
	switch kind {
	case event:
		fix.Edits, why, at = c.signal(w)
	case turn:
		why, at = "the loop takes the word as a lock, which a sync.Mutex would be", first.Pos()
	default:
		if n := c.ends(w); n != nil {
			fix.Name, fix.Says = "group", "wait for a sync.WaitGroup that counts the goroutines"
			fix.Edits, why, at = c.group(w, n)
			break
		}
		why, at = "the loop waits for more than one event", first.Pos()
	}
	if why != "" {
		f.Refused = []shape.Refusal{{Name: fix.Name, Why: why, Pos: at}}
	} else {
		f.Fixes = []shape.Fix{fix}
	}
	if edits := c.yield(w); edits != nil {
		f.Fixes = append(f.Fixes, shape.Fix{Name: "yield", Says: "let other goroutines run each time the word has not changed", Edits: edits})
	}
	return f
}

func (c *check) text(n ast.Node) string { return rewrite.Text(c.pass.Fset, n) }

// An op is a call of an atomic function or method.
type op struct {
	v    *types.Var
	word ast.Expr
	name string // Load, Store, CompareAndSwap, Swap, …
	args []ast.Expr
}

// op returns the operation on a variable or field that an expression is.
func (c *check) op(e ast.Expr) (o op, ok bool) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return o, false
	}
	fn := typeutil.StaticCallee(c.info, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return o, false
	}
	o.name, o.args = fn.Name(), call.Args
	if fn.Signature().Recv() != nil {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return o, false
		}
		o.word = sel.X
	} else {
		addr, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
		if !ok || addr.Op != token.AND {
			return o, false
		}
		o.word, o.args = addr.X, call.Args[1:]
		o.name = strings.TrimRight(o.name, "0123456789")
		o.name = strings.TrimSuffix(strings.TrimSuffix(o.name, "Int"), "Uint")
	}
	o.v = c.uses.Var(o.word)
	return o, o.v != nil
}

// value returns what a constant of a word says: taken or set, free, or neither.
func (c *check) value(e ast.Expr) (set, known bool) {
	v := c.info.Types[e].Value
	if v == nil {
		return false, false
	}
	switch v.Kind() {
	case constant.Bool:
		return constant.BoolVal(v), true
	case constant.Int:
		n, exact := constant.Int64Val(v)
		return n == 1, exact && (n == 0 || n == 1)
	}
	return false, false
}

// is reports whether an expression is a constant of a word that says so.
func (c *check) is(set bool, e ast.Expr) bool {
	s, known := c.value(e)
	return known && s == set
}

// takes reports whether an expression is true where it has taken a free word, or
// with Swap false where it has.
func (c *check) takes(e ast.Expr, swap bool) (o op, ok bool) {
	o, ok = c.op(e)
	switch {
	case !ok:
	case swap:
		ok = o.name == "Swap" && c.is(true, o.args[0])
	default:
		ok = o.name == "CompareAndSwap" && c.is(false, o.args[0]) && c.is(true, o.args[1])
	}
	return o, ok
}

// asks returns what a loop with a condition waits for.
func (c *check) asks(cond ast.Expr) (o op, w wait, ok bool) {
	cond = ast.Unparen(cond)
	switch x := cond.(type) {
	case *ast.UnaryExpr:
		if x.Op == token.NOT {
			if o, ok = c.takes(x.X, false); ok {
				return o, turn, true
			}
			if o, ok = c.op(x.X); ok && o.name == "Load" {
				return o, event, true
			}
		}
	case *ast.CallExpr:
		if o, ok = c.takes(x, true); ok {
			return o, turn, true
		}
	case *ast.BinaryExpr:
		if x.Op == token.LOR {
			if o, w, ok = c.asks(x.Y); ok && w == turn {
				if l, is := c.loaded(x.X); is && l.v == o.v {
					return o, turn, true
				}
			}
			break
		}
		set, known := c.value(x.Y)
		if equal := x.Op == token.EQL; known && (equal || x.Op == token.NEQ) {
			if o, ok = c.takes(x.X, true); ok && set == equal {
				return o, turn, true
			}
			if o, ok = c.op(x.X); ok && o.name == "Load" && set != equal {
				return o, event, true
			}
		}
	}
	o, ok = c.loaded(cond)
	return o, other, ok
}

// loaded returns the one word that an expression loads, if it does nothing else.
func (c *check) loaded(e ast.Expr) (o op, ok bool) {
	alone := true
	ast.Inspect(e, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || c.info.Types[call.Fun].IsType() || c.info.Types[call.Fun].IsBuiltin() && rewrite.Text(c.pass.Fset, call.Fun) == "len" {
			return true
		}
		l, is := c.op(call)
		alone = alone && is && l.name == "Load" && (o.v == nil || o.v == l.v)
		o = l
		return false
	})
	return o, alone && o.v != nil
}

// spins reports whether a loop does nothing until a word has changed.
func (c *check) spins(at inspector.Cursor) (v *types.Var, s spin, ok bool) {
	loop := at.Node().(*ast.ForStmt)
	s.Cursor = at
	body := loop.Body.List
	var o op
	if loop.Cond != nil {
		o, s.wait, ok = c.asks(loop.Cond)
	} else {
		for i, st := range body { // for { if taken { return }; … }
			x, is := st.(*ast.IfStmt)
			if !is || x.Init != nil || x.Else != nil || len(x.Body.List) != 1 {
				continue
			}
			if o, ok = c.takes(x.Cond, false); !ok {
				continue
			}
			s.wait = turn
			switch l := x.Body.List[0].(type) {
			case *ast.ReturnStmt:
				s.leaves, ok = l, len(l.Results) == 0
			case *ast.BranchStmt:
				ok = l.Tok == token.BREAK && l.Label == nil
			default:
				ok = false
			}
			body = append(body[:i:i], body[i+1:]...)
			break
		}
	}
	if !ok || !c.own(loop, loop.Init) || !c.own(loop, loop.Post) {
		return nil, s, false
	}
	s.word = o.word
	for _, st := range body {
		if !c.idle(loop, o.v, st) {
			return nil, s, false
		}
	}
	return o.v, s, true
}

// own reports whether a statement sets nothing but variables of the loop.
func (c *check) own(loop *ast.ForStmt, st ast.Stmt) bool {
	mine := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		if !ok {
			return false
		}
		o := c.info.ObjectOf(id)
		return o != nil && loop.Pos() <= o.Pos() && o.Pos() < loop.End()
	}
	switch st := st.(type) {
	case nil:
		return true
	case *ast.IncDecStmt:
		return mine(st.X)
	case *ast.AssignStmt:
		for _, e := range st.Rhs {
			if !c.plain(nil, e) {
				return false
			}
		}
		for _, e := range st.Lhs {
			if !mine(e) {
				return false
			}
		}
		return true
	}
	return false
}

// plain reports whether an expression computes with numbers, and loads v at most.
func (c *check) plain(v *types.Var, e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			o, is := c.op(n)
			ok = ok && (c.info.Types[n.Fun].IsType() || is && o.name == "Load" && o.v == v)
			return !is
		case *ast.FuncLit, *ast.IndexExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			ok = false
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW && n.Op != token.AND
		case *ast.BinaryExpr:
			ok = ok && n.Op != token.QUO && n.Op != token.REM
		}
		return ok
	})
	return ok
}

// idle reports whether a statement of a loop passes time and does nothing else.
func (c *check) idle(loop *ast.ForStmt, v *types.Var, st ast.Stmt) bool {
	block := func(b *ast.BlockStmt) bool {
		for _, st := range b.List {
			if !c.idle(loop, v, st) {
				return false
			}
		}
		return true
	}
	switch st := st.(type) {
	case *ast.ExprStmt:
		call, ok := st.X.(*ast.CallExpr)
		if !ok {
			return false
		}
		fn := typeutil.StaticCallee(c.info, call)
		return fn != nil && (fn.FullName() == "runtime.Gosched" || fn.FullName() == "time.Sleep" && c.plain(nil, call.Args[0]))
	case *ast.BranchStmt:
		return st.Tok == token.CONTINUE && st.Label == nil
	case *ast.BlockStmt:
		return block(st)
	case *ast.IfStmt:
		return c.own(loop, st.Init) && c.plain(v, st.Cond) && block(st.Body) && (st.Else == nil || c.idle(loop, v, st.Else))
	case *ast.ForStmt:
		return c.own(loop, st.Init) && c.own(loop, st.Post) && st.Cond != nil && c.plain(v, st.Cond) && block(st.Body)
	case *ast.RangeStmt:
		b, ok := c.info.TypeOf(st.X).Underlying().(*types.Basic)
		return ok && b.Info()&types.IsInteger != 0 && st.Tok != token.ASSIGN && c.plain(nil, st.X) && block(st.Body)
	case *ast.EmptyStmt:
		return true
	}
	return c.own(loop, st)
}

// A use is a use of a word outside of the loops that wait for it.
type use struct {
	inspector.Cursor // the identifier
	op
	stmt inspector.Cursor // that is the call and nothing else, if op.v is set
}

// elsewhere returns the uses of a word but its declaration and those of its loops.
func (c *check) elsewhere(w *word) (out []use) {
next:
	for _, at := range c.uses.Of(w.v) {
		if c.uses.Declares(at) {
			continue
		}
		for _, s := range w.spins {
			if s.Node().Pos() <= at.Node().Pos() && at.Node().End() <= s.Node().End() {
				continue next
			}
		}
		u := use{Cursor: at}
		for call := range at.Enclosing((*ast.CallExpr)(nil)) {
			o, ok := c.op(call.Node().(*ast.CallExpr))
			if ok && o.v == w.v {
				switch call.ParentEdgeKind() {
				case edge.ExprStmt_X, edge.DeferStmt_Call:
					u.op, u.stmt = o, call.Parent()
				}
			}
			break
		}
		out = append(out, u)
	}
	return out
}

// put replaces a loop by what waits, after its comments.
func (c *check) put(s spin, waits string) analysis.TextEdit {
	loop := s.Node().(*ast.ForStmt)
	text := ""
	for f := range s.Enclosing((*ast.File)(nil)) {
		text = comments(f.Node().(*ast.File), loop.Pos(), loop.End())
	}
	text += waits
	if fn, ok := uses.Func(s.Cursor); s.leaves != nil && !(ok && s.Parent().Parent() == fn && last(s)) {
		text += "\nreturn"
	}
	return rewrite.Replace(loop, text)
}

// comments are those of a stretch of a file, a line each.
func comments(f *ast.File, from, to token.Pos) (text string) {
	for _, g := range f.Comments {
		for _, x := range g.List {
			if from <= x.Pos() && x.End() <= to {
				text += x.Text + "\n"
			}
		}
	}
	return text
}

// last reports whether nothing comes after a loop in its list.
func last(s spin) bool {
	_, more := s.NextSibling()
	return !more
}
