package fewworkers

import (
	"go/ast"
	"go/token"

	"golang.org/x/tools/go/types/typeutil"

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
