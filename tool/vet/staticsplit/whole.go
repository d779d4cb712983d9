package staticsplit

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"

	"github.com/gopayoff/payoff/tool/vet/uses"
)

// looks says what the loop looks at that depends on the worker, or on what other
// iterations have done.
func (p *split) looks(kept map[string]merge, elements map[string]bool, targets map[ast.Node]bool) (at ast.Node, why string) {
	roots := map[types.Object]bool{} // of what is kept
	locks := p.locks()
	for _, m := range sorted(kept) {
		v, _ := inline.Root(p.info, m.x).(*types.Var)
		if v == nil {
			return m.x, "the loop changes what " + p.text(m.x) + " leads to"
		}
		roots[v] = true
		if !p.ofWorker(v) && !p.slot(m.x) && !locks {
			return m.x, "two workers could change " + p.text(m.x) + " at once"
		}
	}
	no := func(n ast.Node, s string) {
		if at == nil {
			at, why = n, s
		}
	}
	var look func(n ast.Node) bool
	look = func(n ast.Node) bool {
		if n == nil || at != nil {
			return false
		}
		if targets[n] {
			if x, ok := n.(*ast.IndexExpr); ok && !p.slot(x) {
				ast.Inspect(x.Index, look)
			}
			return false
		}
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if c, ok := e.(*ast.CallExpr); ok {
			if b, ok := inline.Object(p.info, c.Fun).(*types.Builtin); ok && (b.Name() == "len" || b.Name() == "cap") && elements[p.text(c.Args[0])] {
				return false
			}
		}
		if x, ok := e.(*ast.IndexExpr); ok && elements[p.text(x.X)] && p.ofElement(x.Index) {
			return false
		}
		if elements[p.text(e)] {
			no(e, "the loop looks at "+p.text(e)+" elsewhere than where it writes")
		}
		id, ok := e.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := p.info.Uses[id].(*types.Var)
		switch {
		case !ok || v.IsField() || p.inLoop(v):
		case roots[v]:
			no(id, "the loop looks at "+v.Name()+", which it changes")
		case p.ofWorker(v) && (p.s.Differs(v) || v == p.w || !uses.Basic(v.Type())):
			no(id, "the loop uses "+v.Name()+", which is the worker's")
		}
		return true
	}
	ast.Inspect(p.body(), look)
	return at, why
}

// sorted are the merges in the order of their operands.
func sorted(kept map[string]merge) []merge {
	return slices.SortedFunc(maps.Values(kept), func(a, b merge) int { return int(a.x.Pos() - b.x.Pos()) })
}

// ofWorker reports whether a variable is declared for each worker.
func (p *split) ofWorker(v *types.Var) bool {
	return p.s.Loop.Pos() <= v.Pos() && v.Pos() < p.s.Loop.End() && !p.inLoop(v)
}

// slot reports whether an operand is sums[w] with the worker's number.
func (p *split) slot(e ast.Expr) bool {
	x, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return false
	}
	id, ok := ast.Unparen(x.Index).(*ast.Ident)
	if !ok {
		return false
	}
	v, _ := p.info.Uses[id].(*types.Var)
	arg, _ := p.resolve(id).(*ast.Ident)
	return v != nil && v == p.w || arg != nil && p.info.Uses[arg] == types.Object(p.w)
}

// locks reports whether the loop takes a lock.
func (p *split) locks() (found bool) {
	ast.Inspect(p.body(), func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			fn := typeutil.StaticCallee(p.info, c)
			found = found || fn != nil && fn.Name() == "Lock" && fn.Pkg() != nil && fn.Pkg().Path() == "sync"
		}
		return !found
	})
	return found
}

// whole says where more is looked at of what the loop keeps than what all
// workers have kept together.
func (p *split) whole(kept map[string]merge) (at ast.Node, why string) {
	for _, m := range sorted(kept) {
		v := inline.Root(p.info, m.x).(*types.Var)
		_, name := ast.Unparen(m.x).(*ast.Ident)
		switch {
		case p.ofWorker(v) && !name:
			return m.x, "what a worker keeps in " + p.text(m.x) + " depends on the elements it gets"
		case p.ofWorker(v):
			at = p.merged(v, m.op)
		case p.slot(m.x):
			at = p.joined(v, m.op)
		case p.s.DiffersExpr(m.x):
			at = m.x
		}
		if at != nil {
			return at, "what a worker keeps in " + p.text(m.x) + " depends on the elements it gets, and is looked at by itself"
		}
	}
	return nil, ""
}

// merged returns a use of a worker's own variable that does not add it to the
// same of all.
func (p *split) merged(v *types.Var, op string) (at ast.Node) {
	p.uses(v, func(id *ast.Ident, around []ast.Node) {
		if at != nil || p.loop.Pos() <= id.Pos() && id.Pos() < p.loop.End() {
			return
		}
		x, ok := p.adds(id, around, op)
		switch {
		case !ok:
			at = id
		case x != nil && p.slot(x):
			slots, _ := inline.Root(p.info, x).(*types.Var)
			if slots == nil || p.joined(slots, op) != nil {
				at = id
			}
		case x != nil:
			if w, _ := inline.Root(p.info, x).(*types.Var); w == nil || p.ofWorker(w) || p.s.DiffersExpr(x) {
				at = id
			}
		}
	})
	return at
}

// adds reports whether a use of a variable adds it to something, which it
// returns, in the way of op; or is where it is declared. So does sums[w] = v.
func (p *split) adds(id *ast.Ident, around []ast.Node, op string) (to ast.Expr, ok bool) {
	parent := around[len(around)-1]
	switch n := parent.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || n.Rhs[0] != ast.Expr(id) {
			return nil, false
		}
		if n.Tok == token.ASSIGN && p.slot(n.Lhs[0]) {
			return n.Lhs[0], true
		}
		return n.Lhs[0], merges[n.Tok] == op
	case *ast.SendStmt:
		c, ok := inline.Object(p.info, n.Chan).(*types.Var)
		return nil, ok && n.Value == ast.Expr(id) && p.summed(c, n, op)
	case *ast.CallExpr:
		fn := typeutil.StaticCallee(p.info, n)
		if op == "+" && fn != nil && fn.Name() == "Add" && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && len(n.Args) == 1 {
			_, alone := around[len(around)-2].(*ast.ExprStmt)
			return nil, alone
		}
		a, ok := around[len(around)-2].(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || a.Rhs[0] != ast.Expr(n) || len(n.Args) != 2 {
			return nil, false
		}
		how, _ := inline.Extreme(p.info, a.Lhs[0], n)
		return a.Lhs[0], how == op
	}
	return nil, false
}

// summed reports whether all that a channel brings is added up, as whole numbers,
// by the receiver, and nothing but one statement sends on it.
func (p *split) summed(c *types.Var, send *ast.SendStmt, op string) (ok bool) {
	body := p.s.Func.Body
	ok = body.Pos() <= c.Pos() && c.Pos() < body.End() && op == "+"
	adds := func(n ast.Node, value func(ast.Expr) bool) bool {
		a, is := n.(*ast.AssignStmt)
		if !is || len(a.Lhs) != 1 || a.Tok != token.ADD_ASSIGN || !value(a.Rhs[0]) {
			return false
		}
		t, is := p.info.TypeOf(a.Lhs[0]).Underlying().(*types.Basic)
		return is && t.Info()&types.IsInteger != 0
	}
	p.uses(c, func(id *ast.Ident, around []ast.Node) {
		above := func(i int) ast.Node { return around[len(around)-i] }
		switch n := above(1).(type) {
		case *ast.SendStmt:
			ok = ok && n == send
		case *ast.UnaryExpr:
			ok = ok && n.Op == token.ARROW && adds(above(2), func(e ast.Expr) bool { return e == ast.Expr(n) })
		case *ast.RangeStmt:
			v, name := n.Key.(*ast.Ident)
			ok = ok && n.X == ast.Expr(id) && name && n.Tok == token.DEFINE && len(n.Body.List) == 1 &&
				adds(n.Body.List[0], func(e ast.Expr) bool { return inline.Object(p.info, e) == p.info.Defs[v] })
		case *ast.CallExpr:
			b, is := inline.Object(p.info, n.Fun).(*types.Builtin)
			ok = ok && is && b.Name() == "close"
		default:
			ok = false
		}
	})
	return ok
}

// joined returns a use of a slice or array with a slot for each worker that does
// not add up all of them in the way of op.
func (p *split) joined(v *types.Var, op string) (at ast.Node) {
	body := p.s.Func.Body
	if v.Pos() < body.Pos() || body.End() <= v.Pos() {
		return p.s.Func.Name // others see it
	}
	var all ast.Node // the expression that has each slot
	have := map[string]bool{}
	count := 0
	p.uses(v, func(id *ast.Ident, around []ast.Node) {
		if at != nil {
			return
		}
		at = id
		parent := around[len(around)-1]
		switch n := parent.(type) {
		case *ast.CallExpr:
			b, ok := inline.Object(p.info, n.Fun).(*types.Builtin)
			if ok && (b.Name() == "len" || b.Name() == "cap") {
				at = nil
			}
		case *ast.RangeStmt:
			if n.X != ast.Expr(id) {
				return
			}
			if n == p.s.Loop && n.Value == nil {
				at = nil
				return
			}
			val, ok := n.Value.(*ast.Ident)
			if key, named := n.Key.(*ast.Ident); !ok || n.Tok != token.DEFINE || !named || key.Name != "_" {
				return
			}
			good := true
			if o, ok := p.info.Defs[val].(*types.Var); ok {
				p.uses(o, func(id *ast.Ident, around []ast.Node) {
					x, ok := p.adds(id, around, op)
					good = good && ok && x != nil && !p.slot(x) && !p.within(n, inline.Root(p.info, x))
				})
			}
			if good {
				at = nil
			}
		case *ast.IndexExpr:
			if n.X != ast.Expr(id) {
				return
			}
			if p.sets(n) {
				at = nil
				return
			}
			if p.s.Loop.Pos() <= n.Pos() && n.Pos() < p.s.Loop.End() {
				if p.slot(n) && p.written(n, around[:len(around)-1], op) {
					at = nil
				}
				return
			}
			k := p.info.Types[n.Index].Value
			top := p.chain(around[:len(around)-1], op)
			if k == nil || top == nil || all != nil && all != top || have[k.ExactString()] {
				return
			}
			all, at = top, nil
			have[k.ExactString()] = true
			count++
		}
	})
	if at == nil && all != nil && strconv.Itoa(count) != p.length(v) {
		return all
	}
	return at
}

// sets reports whether an operand is what a worker keeps as a whole, where it is
// set.
func (p *split) sets(x ast.Expr) bool {
	return p.set != nil && p.set.Lhs[0] == x
}

// written reports whether sums[w] stands where the worker adds to it.
func (p *split) written(x *ast.IndexExpr, around []ast.Node, op string) bool {
	switch n := around[len(around)-1].(type) {
	case *ast.IncDecStmt:
		return op == "+"
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || n.Lhs[0] != ast.Expr(x) {
			return false
		}
		if n.Tok != token.ASSIGN {
			return merges[n.Tok] == op
		}
		if how, _ := inline.Extreme(p.info, x, n.Rhs[0]); how == op {
			return true
		}
		_, name := ast.Unparen(n.Rhs[0]).(*ast.Ident)
		return name // a worker's own variable, which merged looks at
	case *ast.CallExpr:
		b, ok := inline.Object(p.info, n.Fun).(*types.Builtin)
		return ok && b.Name() == op
	}
	return false
}

// chain returns the outermost expression around an operand that does nothing
// but add up operands in the way of op.
func (p *split) chain(around []ast.Node, op string) (top ast.Node) {
	for i := len(around) - 1; i >= 0; i-- {
		switch n := around[i].(type) {
		case *ast.ParenExpr:
			continue
		case *ast.BinaryExpr:
			if op == "+" && n.Op == token.ADD || op == n.Op.String() {
				top = n
				continue
			}
		case *ast.CallExpr:
			if b, ok := inline.Object(p.info, n.Fun).(*types.Builtin); ok && b.Name() == op {
				top = n
				continue
			}
		}
		return top
	}
	return top
}

// length is how many slots there are, as a number.
func (p *split) length(v *types.Var) string {
	if a, ok := v.Type().Underlying().(*types.Array); ok {
		return strconv.FormatInt(a.Len(), 10)
	}
	length := ""
	ast.Inspect(p.s.Func.Body, func(n ast.Node) bool {
		a, ok := n.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE || len(a.Lhs) != 1 || inline.Object(p.info, a.Lhs[0]) != types.Object(v) {
			return true
		}
		if c, ok := a.Rhs[0].(*ast.CallExpr); ok && len(c.Args) == 2 {
			if k := p.info.Types[c.Args[1]].Value; k != nil {
				length = k.ExactString()
			}
		}
		return true
	})
	return length
}

// within reports whether a node declares an object.
func (p *split) within(n ast.Node, o types.Object) bool {
	return o != nil && n.Pos() <= o.Pos() && o.Pos() < n.End()
}

// uses calls f with each use of a variable in the function and what is around it.
func (p *split) uses(v *types.Var, f func(id *ast.Ident, around []ast.Node)) {
	var stack []ast.Node
	ast.Inspect(p.s.Func, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		if id, ok := n.(*ast.Ident); ok && p.info.Uses[id] == types.Object(v) {
			f(id, stack)
		}
		stack = append(stack, n)
		return true
	})
}
