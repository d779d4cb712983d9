package inline

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// Tasks also wait without an operation that waits: they look again and again, or
// take a lock that another one gives back.

// looks returns where a loop looks at what another goroutine is to set. A loop
// that counts ends by itself, and one that tries to swap what it has read is held
// up by others only.
func (f *Func) looks(loop *ast.ForStmt) (at ast.Node) {
	if loop.Cond != nil && loop.Post != nil && f.ends(loop.Cond) || f.swaps(loop) {
		return nil
	}
	if loop.Cond != nil {
		at = f.look(loop.Cond)
	}
	ast.Inspect(loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.IfStmt:
			if at != nil || !leaves(f.info, n) {
				break
			}
			if n.Init != nil {
				at = f.look(n.Init)
			}
			if at == nil {
				at = f.look(n.Cond)
			}
		case *ast.AssignStmt:
			for _, e := range n.Rhs { // v := x.Load(), and then if v
				if at == nil {
					at = f.look(e)
				}
			}
		}
		return at == nil
	})
	return at
}

// ends reports whether a condition fails some day whatever others do.
func (f *Func) ends(cond ast.Expr) bool {
	if b, ok := ast.Unparen(cond).(*ast.BinaryExpr); ok && b.Op == token.LAND {
		return f.ends(b.X) || f.ends(b.Y)
	}
	return f.look(cond) == nil
}

func leaves(info *types.Info, n ast.Node) bool {
	return len(rewrite.Leaves(info, &ast.BlockStmt{List: []ast.Stmt{n.(ast.Stmt)}}, false)) > 0
}

// look returns where code reads an atomic or tries to take a lock, itself or in a
// function of the package.
func (f *Func) look(n ast.Node) ast.Node {
	return spawn.Reaches(f.pass, n, func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		if !ok || fn.Pkg() == nil {
			return false
		}
		switch fn.Pkg().Path() {
		case "sync/atomic":
			return len(fn.Name()) >= 4 && (fn.Name()[:4] == "Load" || fn.Name()[:4] == "Swap" || fn.Name()[:4] == "Comp")
		case "sync":
			return fn.Name() == "TryLock" || fn.Name() == "TryRLock"
		}
		return false
	})
}

// swaps reports whether a loop reads a value, and swaps that for another.
func (f *Func) swaps(loop *ast.ForStmt) (found bool) {
	set := map[types.Object]bool{}
	eachSet := func(n ast.Node) {
		if a, ok := n.(*ast.AssignStmt); ok {
			for _, l := range a.Lhs {
				set[f.object(l)] = true
			}
		}
	}
	ast.Inspect(loop, func(n ast.Node) bool { eachSet(n); return true })
	ast.Inspect(loop, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok || found {
			return !found
		}
		fn := typeutil.StaticCallee(f.info, c)
		if fn != nil && fn.Pkg() != nil && fn.Pkg().Path() == "sync/atomic" && len(fn.Name()) >= 4 && fn.Name()[:4] == "Comp" {
			old := c.Args[len(c.Args)-2]
			found = f.object(old) != nil && set[f.object(old)]
		}
		return !found
	})
	return found
}

// handsOn returns a lock in the code of a function that it does not give back
// itself, or one that it gives back and has not taken: both by their text.
func (f *Func) handsOn(body ast.Node) (at ast.Node) {
	type lock struct {
		of   string
		read bool
	}
	taken, given := map[lock]ast.Node{}, map[lock]ast.Node{}
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		fn, _ := typeutil.Callee(f.info, c).(*types.Func)
		if !ok || !spawn.IsMethod(fn, "sync", "", "") {
			return true
		}
		of := rewrite.Text(f.pass.Fset, sel.X)
		switch fn.Name() {
		case "Lock", "RLock":
			taken[lock{of, fn.Name() == "RLock"}] = c
		case "Unlock", "RUnlock":
			given[lock{of, fn.Name() == "RUnlock"}] = c
		}
		return true
	})
	first := func(n ast.Node) {
		if at == nil || n.Pos() < at.Pos() {
			at = n
		}
	}
	for l, n := range taken {
		if given[l] == nil {
			first(n)
		}
	}
	for l, n := range given {
		if taken[l] == nil {
			first(n)
		}
	}
	return at
}
