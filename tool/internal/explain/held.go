package explain

import (
	"cmp"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/gopayoff/payoff/tool/internal/evidence"
	"github.com/gopayoff/payoff/tool/internal/source"
	"github.com/gopayoff/payoff/tool/internal/stack"
)

// hold enters the lines between a Lock and the Unlock of the same list of
// statements, or the end of the list where the Unlock is deferred. The lines of
// the two are the lock's own.
func (s *shapely) hold(list []ast.Stmt) {
	for i, n := range list {
		lock := called(n, "Lock")
		if lock == "" {
			continue
		}
		rest := list[i+1:]
		end := slices.IndexFunc(rest, func(n ast.Stmt) bool { return called(n, "Unlock") == lock })
		if end < 0 {
			continue // who gives it back is not known
		}
		if _, deferred := rest[end].(*ast.DeferStmt); deferred {
			rest = rest[end+1:]
		} else {
			rest = rest[:end]
		}
		for _, n := range rest {
			for l := s.fset.Position(n.Pos()).Line; l <= s.fset.Position(n.End()).Line; l++ {
				s.held[l] = true
			}
		}
	}
}

// called is what a statement calls a method on, without arguments, now or
// deferred; "" for other statements.
func called(n ast.Stmt, method string) string {
	var x ast.Expr
	switch n := n.(type) {
	case *ast.ExprStmt:
		x = n.X
	case *ast.DeferStmt:
		x = n.Call
	}
	call, ok := x.(*ast.CallExpr)
	if !ok || len(call.Args) > 0 {
		return ""
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != method {
		return ""
	}
	return types.ExprString(sel.X)
}

// preparing is work that seldom needs the lock under which it is done: it makes
// what is then stored or written.
var preparing = []struct {
	of   stack.Category
	what string
}{{stack.Reflect, "formatting and reflection"}, {stack.Sort, "sorting"}, {stack.Alloc, "allocation"}, {stack.Copy, "copying"}, {stack.Clock, "reading the clock"}}

// prepared is the processor time that such work takes with a lock held, the
// kinds that it is of, most first, and the line with most of it. It is 0 where
// it is less than half of what is done with a lock held.
func (f *facts) prepared() (total float64, what string, at source.Place) {
	if f.new.Set == nil || f.new.Set.CPU == nil {
		return 0, "", at
	}
	by, all, most := map[string]float64{}, 0.0, 0.0
	for _, l := range f.new.Set.CPU.Lines {
		if !f.new.Set.Shaped(evidence.Held, l.Place) {
			continue
		}
		here := 0.0
		for _, p := range preparing {
			by[p.what] += l.By[p.of] * f.new.CPU
			here += l.By[p.of] * f.new.CPU
		}
		if here > most {
			most, at = here, l.Place
		}
		total += here
		all += (l.Share - l.By[stack.Lock] - l.By[stack.Switch]) * f.new.CPU
	}
	if total < all/2 {
		return 0, "", source.Place{}
	}
	var names []string
	for _, p := range preparing {
		if by[p.what] >= total/10 {
			names = append(names, p.what)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(by[b], by[a]) })
	return total, strings.Join(names, ", "), at
}
