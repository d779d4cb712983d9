package inline

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
)

// waits refuses a task that waits for what may come after it. alone says that
// those that would receive what it sends come after it as well.
func (f *function) waits(s *spawn.Site, alone bool) (no *shape.Refusal) {
	if alone && s.Body != nil {
		if at := f.held(s.Stmt); at != nil {
			return shape.No(at, "the function holds a lock when it starts the task, which may want it")
		}
	}
	if s.Body == nil || s.Decl == f.decl {
		return nil
	}
	seen := map[ast.Node]bool{f.decl.Body: true} // and no more than 20, which takes long enough
	var look func(body *ast.BlockStmt)
	look = func(body *ast.BlockStmt) {
		if seen[body] || len(seen) > 20 || no != nil {
			return
		}
		seen[body] = true
		if at := f.handsOn(body); at != nil {
			no = shape.No(at, "the task takes a lock that another may have to give back, or gives one back")
		}
		ast.Inspect(body, func(n ast.Node) bool {
			if st, ok := n.(ast.Stmt); ok && f.gone[st] || no != nil {
				return false
			}
			switch n := n.(type) {
			case *ast.ForStmt:
				if at := f.looks(n); at != nil {
					no = shape.No(at, "the task looks until another has set something")
				}
			case *ast.SelectStmt:
				no = shape.No(n, "the task waits in a select")
			case *ast.UnaryExpr:
				if n.Op == token.ARROW && (f.ok == nil || !f.ok(n.X, false)) {
					no = shape.No(n, "the task waits for a channel")
				}
			case *ast.RangeStmt:
				if _, ok := f.info.TypeOf(n.X).Underlying().(*types.Chan); ok && (f.ok == nil || !f.ok(n.X, false)) {
					no = shape.No(n, "the task waits for a channel")
				}
			case *ast.SendStmt:
				// channels has seen to those of the task itself.
				if alone && body != s.Body || f.ok != nil && !f.ok(n.Chan, true) {
					no = shape.No(n, "the task sends on another channel")
				}
			case *ast.CallExpr:
				switch fn := typeutil.Callee(f.info, n).(type) {
				case *types.Var:
					if given := f.decl.Type.Params; f.soft == nil && given.Pos() <= fn.Pos() && fn.Pos() < given.End() {
						f.soft = shape.No(n, "the task calls "+fn.Name()+", which may wait for other tasks")
						f.soft.Holds = "what the function is given to call waits for no other task"
					}
					for _, lit := range f.literals(fn) {
						look(lit.Body)
					}
				case *types.Func:
					if why := f.stops(fn, n, body); why != "" {
						no = shape.No(n, why)
					}
					for _, d := range spawn.Callees(f.pass, fn.Origin()) {
						look(d.Body)
					}
				}
			}
			return true
		})
	}
	look(s.Body)
	return no
}

// stops says how a call of another package waits for other goroutines, or "".
func (f *function) stops(fn *types.Func, call *ast.CallExpr, body ast.Node) string {
	switch {
	case spawn.IsMethod(fn, "sync", "Cond", "Wait"):
		return "the task waits for a condition"
	case spawn.IsMethod(fn, "sync", "WaitGroup", "Wait"):
		if v := spawn.Object(f.info, ast.Unparen(call.Fun).(*ast.SelectorExpr).X); v == nil || v.Pos() < body.Pos() || v.Pos() >= body.End() {
			return "the task waits for other goroutines"
		}
	case fn.FullName() == "runtime.Gosched" || Binds(fn):
		return "the task calls " + fn.FullName()
	}
	return ""
}

// Binds reports whether a function changes the goroutine that calls it.
func Binds(o types.Object) bool {
	fn, ok := o.(*types.Func)
	return ok && (fn.FullName() == "runtime.LockOSThread" || fn.FullName() == "runtime/pprof.SetGoroutineLabels")
}

// Cancels reports whether a function makes a group whose first error cancels a context.
func Cancels(o types.Object) bool {
	return o.Pkg() != nil && strings.HasSuffix(o.Pkg().Path(), "golang.org/x/sync/errgroup") && o.Name() == "WithContext"
}

// literals are what the function sets a variable to, of those that it writes down.
func (f *function) literals(v *types.Var) (out []*ast.FuncLit) {
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		var to, all []ast.Expr
		switch n := n.(type) {
		case *ast.AssignStmt:
			to, all = n.Lhs, n.Rhs
		case *ast.ValueSpec:
			for _, id := range n.Names {
				to = append(to, id)
			}
			all = n.Values
		}
		for i, e := range all {
			if lit, ok := e.(*ast.FuncLit); ok && spawn.Object(f.info, to[i]) == v {
				out = append(out, lit)
			}
		}
		return true
	})
	return out
}

// held returns a lock that the function takes before the statement and has not
// given back by then, nil if there is none.
func (f *function) held(stmt ast.Stmt) (at ast.Node) {
	var locks []ast.Node
	ast.Inspect(f.decl.Body, func(n ast.Node) bool {
		if n == nil || n.Pos() >= stmt.Pos() {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.DeferStmt, *ast.GoStmt:
			return false
		case *ast.CallExpr:
			if fn := typeutil.StaticCallee(f.info, n); spawn.IsMethod(fn, "sync", "", "") {
				switch fn.Name() {
				case "Lock", "RLock":
					locks = append(locks, n)
				case "Unlock", "RUnlock":
					locks = locks[:max(0, len(locks)-1)]
				}
			}
		}
		return true
	})
	if len(locks) > 0 {
		return locks[0]
	}
	return nil
}

// Tasks also wait without an operation that waits: they look again and again, or
// take a lock that another one gives back.

// looks returns where a loop looks at what another goroutine is to set. A loop
// that counts ends by itself.
func (f *function) looks(loop *ast.ForStmt) ast.Node {
	if loop.Cond != nil && loop.Post != nil && f.look(loop.Cond) == nil {
		return nil
	}
	return f.look(loop)
}

// look returns where code reads an atomic or tries to take a lock, itself or in a
// function of the package.
func (f *function) look(n ast.Node) ast.Node {
	return spawn.Reaches(f.pass, n, func(o types.Object) bool {
		fn, ok := o.(*types.Func)
		if !ok || fn.Pkg() == nil {
			return false
		}
		switch fn.Pkg().Path() {
		case "sync/atomic":
			return slices.ContainsFunc([]string{"Load", "Swap", "Comp"}, func(s string) bool { return strings.HasPrefix(fn.Name(), s) })
		case "sync":
			return fn.Name() == "TryLock" || fn.Name() == "TryRLock"
		}
		return false
	})
}

// handsOn returns a lock in the code of a function that it does not give back
// itself, or one that it gives back and has not taken: both by their text.
func (f *function) handsOn(body ast.Node) (at ast.Node) {
	taken, given := map[string]ast.Node{}, map[string]ast.Node{}
	ast.Inspect(body, func(n ast.Node) bool {
		c, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
		if fn, _ := typeutil.Callee(f.info, c).(*types.Func); !ok || !spawn.IsMethod(fn, "sync", "", "") {
			return true
		}
		of := rewrite.Text(f.pass.Fset, sel.X)
		switch sel.Sel.Name {
		case "Lock", "RLock":
			taken[of+strings.TrimSuffix(sel.Sel.Name, "Lock")] = c
		case "Unlock":
			given[of] = c
		case "RUnlock":
			given[of+"R"] = c
		}
		return true
	})
	for _, of := range [][2]map[string]ast.Node{{taken, given}, {given, taken}} {
		for l, n := range of[0] {
			if of[1][l] == nil && (at == nil || n.Pos() < at.Pos()) {
				at = n
			}
		}
	}
	return at
}
