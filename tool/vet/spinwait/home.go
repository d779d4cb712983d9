package spinwait

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A home is where the signal of some variables belongs: a struct that has them, or the
// place where they are declared.
type home struct {
	*check
	key   types.Object
	vars  map[*types.Var]bool // what the loops look at and code changes
	waits []*wait
	no    *shape.Refusal

	lock *section.Lock    // that the loops take; nil if they look at atomic variables alone
	typ  *ast.TypeSpec    // nil: variables that are no fields
	decl inspector.Cursor // of typ, or of the first variable
}

func (h *home) names() string {
	var all []string
	for v := range h.vars {
		all = append(all, v.Name())
	}
	slices.Sort(all)
	if n := len(all) - 1; n > 0 {
		return strings.Join(all[:n], ", ") + " and " + all[n]
	}
	return all[0]
}

// looksAt returns the variables that a loop looks at and that code changes, by their
// place. It says why others may change, or stand for, what it looks at.
func (c *check) looksAt(w *wait) (vars []*types.Var, no *shape.Refusal) {
	refuse := func(n ast.Node, why string) {
		if no == nil {
			no = shape.No(n, why)
		}
	}
	for v := range w.does.Reads {
		if v.IsField() && v.Pkg() != c.pass.Pkg {
			refuse(w.loop, "the loop looks at "+v.Name()+" of another package")
		}
		shared := v.IsField() || v.Parent() == c.pass.Pkg.Scope() || c.captured(w, v)
		if shared && len(c.sites(v)) > 0 {
			vars = append(vars, v)
		}
	}
	slices.SortFunc(vars, func(a, b *types.Var) int { return cmp.Compare(a.Pos(), b.Pos()) })
	for _, n := range w.does.Unknown {
		refuse(n, "the loop also waits for what a call returns of which nothing is known")
	}
	for _, n := range w.does.Waits {
		refuse(n, "the loop also uses channels or goroutines")
	}
	for _, n := range w.does.Calls {
		if call, ok := n.(*ast.CallExpr); ok {
			if e := c.Flow.Call(call).First(flow.Ask | flow.Tell | flow.Wait | flow.Lock | flow.Exit | flow.Unknown); e != nil {
				refuse(n, "the loop also depends on the world: it "+e.String())
			}
		}
	}
	for _, look := range w.looks {
		for at := range look.Preorder((*ast.Ident)(nil)) {
			if v := c.Uses.Var(at.Node().(*ast.Ident)); v != nil && !c.Uses.Declares(at) {
				if why := c.leads(w, v); why != "" {
					refuse(at.Node(), why)
				}
			}
		}
	}
	for _, v := range vars {
		if why := c.Uses.Unseen(v); why != "" {
			refuse(c.Uses.Of(v)[0].Node(), why)
		}
	}
	return vars, no
}

// leads says of a variable that a loop mentions why its value does not tell all that
// the loop may wait for.
func (c *check) leads(w *wait, v *types.Var) string {
	if w.declares(v) {
		return ""
	}
	switch t := v.Type().Underlying().(type) {
	case *types.Chan:
		return "the loop also looks at the channel " + v.Name()
	case *types.Pointer:
		if n := uses.Named(t); n == nil || n.Obj().Pkg() != c.pass.Pkg {
			return "what " + v.Name() + " leads to may have other names"
		}
	}
	for _, x := range loop.Writes(c.info, w.loop, v) {
		as, ok := x.Node.(*ast.AssignStmt)
		if !x.Address && (!ok || as.Tok != token.ASSIGN || slices.ContainsFunc(as.Rhs, func(e ast.Expr) bool { return uses.Mentions(c.info, e, v) })) {
			return "the loop counts " + v.Name()
		}
	}
	return ""
}

// captured reports whether a local variable is used in another function than the loop.
func (c *check) captured(w *wait, v *types.Var) bool {
	in, _ := uses.Func(w.at)
	return loop.Local(v, uses.Decl(w.at)) && slices.ContainsFunc(c.Uses.Of(v), func(use inspector.Cursor) bool {
		fn, ok := uses.Func(use)
		return ok && fn != in
	})
}

// find looks for the place of the signal of a loop's variables.
func (h *home) find(w *wait) *shape.Refusal {
	for v := range w.does.Takes {
		for _, l := range h.Locks {
			if l.Var == v {
				if h.lock != nil {
					return shape.No(w.loop, "the loop takes several locks")
				}
				h.lock = l
			}
		}
	}
	of := h.key.(*types.Var)
	if h.lock != nil {
		of = h.lock.Var
		h.key = of
	}
	h.decl = h.Uses.Of(of)[0]
	if !of.IsField() {
		return h.turns(w)
	}
	for spec := range h.Uses.Root.Preorder((*ast.TypeSpec)(nil)) {
		t := spec.Node().(*ast.TypeSpec)
		_, ok := t.Type.(*ast.StructType)
		if o := h.info.Defs[t.Name]; ok && o.Parent() == h.pass.Pkg.Scope() && slices.Contains(slices.Collect(o.Type().Underlying().(*types.Struct).Fields()), of) {
			h.typ, h.key = t, o
		}
	}
	if h.typ == nil {
		return shape.No(h.decl.Node(), "the struct of "+of.Name()+" has no name in the package")
	}
	for _, lit := range h.Uses.Literals(h.info.Defs[h.typ.Name].(*types.TypeName)) {
		for _, elt := range lit.Node().(*ast.CompositeLit).Elts {
			if _, keyed := elt.(*ast.KeyValueExpr); !keyed {
				return shape.No(lit.Node(), "a literal of "+h.typ.Name.Name+" has no keys")
			}
		}
	}
	if no := h.base(w); no != nil {
		return no
	}
	return h.turns(w)
}

// is reports whether an expression is of the home's struct, or points to one.
func (h *home) is(e ast.Expr) bool {
	n := uses.Named(h.info.TypeOf(e))
	return n != nil && n.Obj() == h.info.Defs[h.typ.Name] && loop.Chain(e)
}

// base finds the expression for the struct that a loop looks at.
func (h *home) base(w *wait) *shape.Refusal {
	for _, look := range w.looks {
		for at := range look.Preorder((*ast.SelectorExpr)(nil)) {
			x := at.Node().(*ast.SelectorExpr).X
			if !h.is(x) || h.inside(w, x) {
				continue
			}
			if text := types.ExprString(x); w.base != "" && w.base != text {
				return shape.No(x, "the loop looks at several values of "+h.typ.Name.Name)
			} else {
				w.base = text
			}
		}
	}
	if w.base == "" {
		return shape.No(w.loop, "the loop does not name the "+h.typ.Name.Name+" that it looks at")
	}
	return nil
}

// turns says why a loop does more than to look and wait in turn.
func (c *check) turns(w *wait) *shape.Refusal {
	for _, part := range []ast.Stmt{w.loop.Init, w.loop.Post} {
		if part != nil && !w.rest(part) {
			return shape.No(part, "the loop counts")
		}
	}
	for _, st := range w.rests {
		if !uses.Listed(st) || !c.pauses(st) || c.last(w, st) {
			continue
		}
		again := slices.ContainsFunc(rewrite.Leaves(c.info, w.loop.Body, false), func(l rewrite.Leave) bool { return l.How == "continue" })
		if w.loop.Cond != nil || w.loop.Body.List[0] != st.Node() || again {
			return shape.No(st.Node(), "the loop also looks after it has waited")
		}
		w.first = true
	}
	return nil
}

// last reports whether nothing looks between a pause and the next turn of its loop.
func (c *check) last(w *wait, at inspector.Cursor) bool {
	for ; at.Node() != ast.Node(w.loop.Body); at = at.Parent() {
		for next, ok := at.NextSibling(); uses.Listed(at) && ok && uses.Listed(next); next, ok = next.NextSibling() {
			switch st := next.Node().(type) {
			case *ast.BranchStmt:
				return st.Tok == token.CONTINUE && st.Label == nil
			case *ast.ExprStmt:
				if call, ok := st.X.(*ast.CallExpr); ok {
					if fn := section.Callee(c.info, call); fn != nil && section.Locks(fn) {
						continue
					}
				}
			}
			if !w.rest(next.Node()) {
				return false
			}
		}
	}
	return true
}

// inside reports whether the loop declares or assigns to a variable of an expression.
func (h *home) inside(w *wait, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			v := h.Uses.Var(id)
			found = found || v == nil || w.declares(v) || slices.ContainsFunc(loop.Writes(h.info, w.loop, v), func(x loop.Write) bool { return !x.Address })
		}
		return true
	})
	return found
}

// sites returns the pieces of statements that may change a variable: a statement of a
// list, or a part of the head of one.
func (c *check) sites(v *types.Var) (all []inspector.Cursor) {
	for _, use := range c.Uses.Of(v) {
		if at, ok := piece(use); ok && !c.loads(use) && c.Effects(at).Writes[v] {
			all = append(all, at)
		}
	}
	return all
}

// loads reports whether an address is taken to load what is there, as by atomic.LoadInt32.
func (c *check) loads(use inspector.Cursor) bool {
	return c.atomic(uses.Whole(use).Parent().Parent().Node(), "Load")
}

// atomic reports whether a node calls a function of sync/atomic whose name begins so, or
// a method.
func (c *check) atomic(n ast.Node, name string) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	fn := section.Callee(c.info, call)
	return fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && strings.HasPrefix(fn.Name(), name)
}

// piece returns the smallest statement, or part of the head of one, that a node is in.
func piece(c inspector.Cursor) (inspector.Cursor, bool) {
	for ; c.Node() != nil; c = c.Parent() {
		switch c.ParentEdgeKind() {
		case edge.BlockStmt_List, edge.CaseClause_Body, edge.CommClause_Body,
			edge.IfStmt_Init, edge.IfStmt_Cond, edge.ForStmt_Init, edge.ForStmt_Cond, edge.ForStmt_Post, edge.RangeStmt_X,
			edge.SwitchStmt_Init, edge.SwitchStmt_Tag, edge.CaseClause_List:
			return c, true
		}
	}
	return c, false
}
