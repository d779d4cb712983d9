package fewworkers

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// counted returns what counts the workers beside the number: the same number in
// another place, or what each of them tells of its end.
func (r *reader) counted(n *number) (at ast.Node, why string) {
	ast.Inspect(r.s.Func.Body, func(x ast.Node) bool {
		e, ok := x.(ast.Expr)
		if !ok || at != nil || x == ast.Node(n.at) {
			return at == nil && x != ast.Node(n.at)
		}
		same := n.call != nil && r.runtime(e) != "" && r.runtime(e) == r.runtime(n.call)
		if n.call == nil {
			v, k := r.info.Types[e].Value, r.info.Types[n.at].Value
			same = v != nil && k != nil && v.ExactString() == k.ExactString()
		}
		if same {
			at, why = x, "the number stands in another place as well"
		}
		return true
	})
	if at == nil {
		if at = r.handedOn(n); at != nil {
			return at, "it is as long as there are workers, and is used as a whole"
		}
	}
	inHead := r.s.Loop.Pos() <= n.at.Pos() && n.at.End() <= r.s.Loop.End()
	if at != nil || !inHead || r.s.Kind != spawn.Go {
		return at, why
	}
	// Started by a go statement, and the number has no name that others could use.
	if done := r.call(r.s.Body, "Done"); done != nil && r.call(r.s.Loop, "Add") == nil {
		return done, "the workers are counted outside of the loop that starts them"
	}
	for _, st := range r.s.Body.List {
		if d, ok := st.(*ast.DeferStmt); ok {
			if sends(d) {
				return d, "each worker tells its end over a channel"
			}
			continue
		}
		if _, ok := st.(*ast.SendStmt); ok {
			return st, "each worker tells its end over a channel"
		}
	}
	return nil, ""
}

// call returns a call of a method of sync.WaitGroup.
func (r *reader) call(code ast.Node, method string) (at ast.Node) {
	ast.Inspect(code, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok && at == nil && spawn.IsMethod(typeutil.StaticCallee(r.info, c), "sync", "WaitGroup", method) {
			at = c
		}
		return at == nil
	})
	return at
}

// sends reports whether code sends on a channel or receives from one.
func sends(code ast.Node) (found bool) {
	ast.Inspect(code, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SendStmt:
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// handedOn returns where a slice with a place for each worker is used for more
// than its elements: who gets it sees how many there are.
func (r *reader) handedOn(n *number) (at ast.Node) {
	named := map[types.Object]bool{} // the number, and slices of that length
	ast.Inspect(r.s.Func.Body, func(x ast.Node) bool {
		a, ok := x.(*ast.AssignStmt)
		if !ok || len(a.Lhs) != len(a.Rhs) {
			return true
		}
		for i, e := range a.Rhs {
			c, ok := ast.Unparen(e).(*ast.CallExpr)
			made := ok && r.builtin(c) == "make" && len(c.Args) > 1 && named[inline.Object(r.info, c.Args[1])]
			if o := inline.Object(r.info, a.Lhs[i]); o != nil && (ast.Unparen(e) == n.at || made) {
				named[o] = true
			}
		}
		return true
	})
	parts := map[ast.Expr]bool{}
	ast.Inspect(r.s.Func, func(x ast.Node) bool {
		switch x := x.(type) {
		case *ast.IndexExpr:
			parts[x.X] = true
		case *ast.RangeStmt:
			parts[x.X] = true
		case *ast.CallExpr:
			if r.builtin(x) == "len" {
				parts[x.Args[0]] = true
			}
		case *ast.AssignStmt:
			for _, l := range x.Lhs {
				parts[l] = true
			}
		case *ast.Ident:
			o := r.info.ObjectOf(x)
			if at != nil || !named[o] || parts[x] {
				break
			}
			if _, ok := o.Type().Underlying().(*types.Slice); ok {
				at = x // a result that has this name is one, too
			}
		}
		return at == nil
	})
	return at
}

func (r *reader) builtin(c *ast.CallExpr) string {
	if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok {
		if b, ok := r.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}
