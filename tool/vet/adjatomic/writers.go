package adjatomic

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// word returns v with its writes and its reads in loops, or nil if nobody reads or
// writes it in a way that waits for the line: by a lock, an atomic operation, or a
// count in a loop.
func (c *check) word(v *types.Var) *word {
	w := &word{v: v}
	lock := uses.Is(v.Type(), "sync", "Mutex") || uses.Is(v.Type(), "sync", "RWMutex")
	basic, number := types.Unalias(v.Type()).Underlying().(*types.Basic)
	number = number && basic.Info()&types.IsInteger != 0
	typed := false // a type of sync/atomic
	if n, ok := types.Unalias(v.Type()).(*types.Named); ok && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic" {
		switch n.Obj().Name() {
		case "Bool", "Value":
			return nil // a flag, or what is set now and then
		}
		typed = true
		w.counts = n.Obj().Name() != "Pointer"
	}
	if !lock && !number && !typed {
		return nil
	}
	w.counts = w.counts || number
	for _, use := range c.Of(v) {
		if c.Declares(use) {
			continue
		}
		e := use
		if _, through := use.Node().(*ast.SelectorExpr); through { // s.Lock of an embedded lock
			if name := use.Node().(*ast.SelectorExpr).Sel.Name; name == "Lock" || name == "RLock" {
				w.writes = append(w.writes, use)
			}
			continue
		}
		e = uses.Whole(e)
		switch e.ParentEdgeKind() {
		case edge.SelectorExpr_X:
			if c.updates(e.Parent(), lock) {
				w.writes = append(w.writes, use)
			} else if typed && e.Parent().Node().(*ast.SelectorExpr).Sel.Name == "Load" && looped(e) {
				w.reads = append(w.reads, use)
			}
		case edge.UnaryExpr_X:
			if e.Parent().Node().(*ast.UnaryExpr).Op != token.AND {
				continue
			}
			switch by := c.function(e.Parent()); {
			case by == "":
				w.free = w.free || !number
			case strings.HasPrefix(by, "Load"):
				if looped(e) {
					w.reads = append(w.reads, use)
				}
			case strings.HasPrefix(by, "Store") && c.constant(e.Parent().Parent().Node().(*ast.CallExpr).Args[1]):
			default:
				w.writes = append(w.writes, use)
			}
		case edge.IncDecStmt_X:
			if number && looped(e) {
				w.writes = append(w.writes, use)
			}
		case edge.AssignStmt_Lhs:
			if a := e.Parent().Node().(*ast.AssignStmt); number && a.Tok != token.ASSIGN && a.Tok != token.DEFINE && looped(e) {
				w.writes = append(w.writes, use)
			}
		}
	}
	if !w.written() && len(w.reads) == 0 {
		return nil
	}
	return w
}

// updates reports whether a method that is called writes: not for the first
// time, and not always the same.
func (c *check) updates(method inspector.Cursor, lock bool) bool {
	if method.ParentEdgeKind() != edge.CallExpr_Fun {
		return false
	}
	call := method.Parent().Node().(*ast.CallExpr)
	switch name := method.Node().(*ast.SelectorExpr).Sel.Name; name {
	case "Lock", "RLock":
		return lock
	case "Add", "CompareAndSwap", "Swap", "And", "Or":
		return !lock
	case "Store":
		// A pointer that is set is a value that is exchanged now and then.
		return !lock && !c.constant(call.Args[0]) && !isPointer(c.Info.TypeOf(call.Args[0]))
	}
	return false
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

func (c *check) constant(e ast.Expr) bool { return c.Info.Types[e].Value != nil }

// function is the function of package sync/atomic that an address is handed to
// first, or "".
func (c *check) function(address inspector.Cursor) string {
	if address.ParentEdgeKind() != edge.CallExpr_Args {
		return ""
	}
	call := address.Parent().Node().(*ast.CallExpr)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok || call.Args[0] != address.Node() {
		return ""
	}
	fn, ok := c.Info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return ""
	}
	return fn.Name()
}

func looped(c inspector.Cursor) bool {
	for range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		return true
	}
	return false
}

// disjoint reports whether no function that uses one of two words uses the other
// as well, or calls one that does.
func (c *check) disjoint(a, b []inspector.Cursor) bool {
	for _, x := range a {
		for _, y := range b {
			fx, okx := uses.Func(x)
			fy, oky := uses.Func(y)
			if !okx || !oky || fx == fy && !exclusive(x, y) || fx != fy && (c.calls(fx, fy, 0) || c.calls(fy, fx, 0)) {
				return false
			}
		}
	}
	return true
}

// calls reports whether a function calls another, also through others of the
// package.
func (c *check) calls(from, to inspector.Cursor, depth int) bool {
	k := [2]inspector.Cursor{from, to}
	known, ok := c.known[k]
	if !ok {
		c.known[k] = false // while it is looked at
		known = c.reaches(from, to, depth)
		c.known[k] = known
	}
	return known
}

func (c *check) reaches(from, to inspector.Cursor, depth int) bool {
	if from.Contains(to) && from != to {
		return !started(from, to)
	}
	decl, ok := to.Node().(*ast.FuncDecl)
	if !ok || depth > 3 {
		return false
	}
	target := c.Info.Defs[decl.Name]
	for call := range from.Preorder((*ast.CallExpr)(nil)) {
		if started(from, call) {
			continue
		}
		fn, _ := typeutil.Callee(c.Info, call.Node().(*ast.CallExpr)).(*types.Func)
		if fn == nil {
			continue
		}
		if fn.Origin() == target {
			return true
		}
		if next, ok := c.Declaration(fn); ok && next != from && c.calls(next, to, depth+1) {
			return true
		}
	}
	return false
}

// started reports whether inner, within outer, is in a function literal: who
// runs that is not known, and mostly a goroutine.
func started(outer, inner inspector.Cursor) bool {
	for lit := range inner.Enclosing((*ast.FuncLit)(nil), (*ast.GoStmt)(nil)) {
		return lit != outer && outer.Contains(lit)
	}
	return false
}

// exclusive reports whether of two nodes of a function one run meets one: they
// are in different branches, or one of them ends its branch by a return.
func exclusive(x, y inspector.Cursor) bool {
	if y.Node().Pos() < x.Node().Pos() {
		x, y = y, x
	}
	for at := x; at.Node() != nil; at = at.Parent() {
		if at.Parent().Node() == nil {
			return false
		}
		k := at.ParentEdgeKind()
		outer := at.Parent()
		if !outer.Contains(y) {
			// A branch that ends by itself, before y.
			if k == edge.IfStmt_Body && returns(at.Node().(*ast.BlockStmt)) {
				return true
			}
			continue
		}
		if at.Contains(y) {
			continue
		}
		switch k {
		case edge.IfStmt_Body:
			return true // y is in the else
		case edge.BlockStmt_List:
			_, isCase := at.Node().(*ast.CaseClause)
			_, isComm := at.Node().(*ast.CommClause)
			if isCase || isComm {
				return true
			}
			if s, ok := at.Node().(*ast.IfStmt); ok && s.Body.Pos() <= x.Node().Pos() && x.Node().Pos() < s.Body.End() && returns(s.Body) {
				return true
			}
		}
		return false
	}
	return false
}

// returns reports whether a block ends by leaving the function.
func returns(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return ok
}
