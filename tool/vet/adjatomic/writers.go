package adjatomic

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// word returns v with its writes and its reads in loops, or nil if no code reads or
// writes it in a way that waits for the line: by a lock, an atomic operation, or a
// count in a loop.
func (c *check) word(v *types.Var) *word {
	w := &word{v: v}
	lock := uses.Is(v.Type(), "sync", "Mutex") || uses.Is(v.Type(), "sync", "RWMutex")
	basic, number := types.Unalias(v.Type()).Underlying().(*types.Basic)
	number = number && basic.Info()&types.IsInteger != 0
	n, typed := types.Unalias(v.Type()).(*types.Named)
	typed = typed && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == "sync/atomic"
	if !lock && !number && !typed || typed && (n.Obj().Name() == "Bool" || n.Obj().Name() == "Value") {
		return nil // a flag, or what is set now and then
	}
	for _, use := range c.Of(v) {
		if c.Declares(use) {
			continue
		}
		e, writes, reads := uses.Whole(use), false, false
		if s, through := use.Node().(*ast.SelectorExpr); through { // s.Lock of an embedded lock
			writes = s.Sel.Name == "Lock" || s.Sel.Name == "RLock"
		} else {
			switch p := e.Parent().Node().(type) {
			case *ast.SelectorExpr:
				writes = c.updates(e.Parent(), lock)
				reads = typed && p.Sel.Name == "Load"
			case *ast.UnaryExpr:
				by, args := c.function(e.Parent())
				reads = strings.HasPrefix(by, "Load")
				writes = by != "" && !reads && !(strings.HasPrefix(by, "Store") && c.constant(args[1]))
				w.free = w.free || by == "" && p.Op == token.AND && !number
			case *ast.IncDecStmt:
				writes = number && looped(e)
			case *ast.AssignStmt:
				writes = number && e.ParentEdgeKind() == edge.AssignStmt_Lhs && p.Tok != token.ASSIGN && p.Tok != token.DEFINE && looped(e)
			}
		}
		if writes {
			w.writes = append(w.writes, use)
		} else if reads && looped(e) {
			w.reads = append(w.reads, use)
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
		return !lock && !c.constant(call.Args[0]) && !uses.Under[*types.Pointer](c.Info.TypeOf(call.Args[0]))
	}
	return false
}

func (c *check) constant(e ast.Expr) bool { return c.Info.Types[e].Value != nil }

// function is the function of package sync/atomic that an address is handed to
// first, with the arguments, or "".
func (c *check) function(address inspector.Cursor) (name string, args []ast.Expr) {
	call, ok := address.Parent().Node().(*ast.CallExpr)
	if !ok || address.Node().(*ast.UnaryExpr).Op != token.AND || len(call.Args) == 0 || call.Args[0] != address.Node() {
		return "", nil
	}
	fn := typeutil.StaticCallee(c.Info, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return "", nil
	}
	return fn.Name(), call.Args
}

func looped(c inspector.Cursor) bool {
	for range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil)) {
		return true
	}
	return false
}

// disjoint reports whether no function that uses one of two words uses the other
// as well, or comes to one that does.
func (c *check) disjoint(a, b []inspector.Cursor) bool {
	for _, x := range a {
		for _, y := range b {
			fx, okx := uses.Func(x)
			fy, oky := uses.Func(y)
			if !okx || !oky || fx == fy && !exclusive(x, y) || fx != fy && (c.comes(fx, fy) || c.comes(fy, fx)) {
				return false
			}
		}
	}
	return true
}

// comes reports whether a function comes to another.
func (c *check) comes(from, to inspector.Cursor) bool {
	decl, ok := to.Node().(*ast.FuncDecl)
	if _, known := c.calls[from.Node()]; ok && !known {
		c.calls[from.Node()] = spawn.Called(c.Pass, from.Node())
	}
	return ok && slices.Contains(c.calls[from.Node()], decl)
}

// exclusive reports whether of two nodes of a function one run meets one: they
// are in different branches, or one of them ends its branch by a return.
func exclusive(x, y inspector.Cursor) bool {
	if y.Node().Pos() < x.Node().Pos() {
		x, y = y, x
	}
	at := x
	for ; !at.Parent().Contains(y); at = at.Parent() {
		if at.ParentEdgeKind() == edge.IfStmt_Body && returns(at.Node().(*ast.BlockStmt)) {
			return true
		}
	}
	switch at.Node().(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return at.ParentEdgeKind() == edge.IfStmt_Body // y is in the else
}

// returns reports whether a block ends by leaving the function.
func returns(b *ast.BlockStmt) bool {
	if len(b.List) == 0 {
		return false
	}
	_, ok := b.List[len(b.List)-1].(*ast.ReturnStmt)
	return ok
}
