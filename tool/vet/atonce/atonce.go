// Package atonce tells whether code may be run by several goroutines at once,
// where so far it ran for one item after the other. It may if a run of it sees
// nothing of another.
//
// It looks at syntax and types. A write to what the code did not make itself, a
// lock, a channel or an unknown call stands against it. Functions of the
// package are followed.
package atonce

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A Bar is what stands against it, and where. Why goes on after "it ": changes
// total.
type Bar struct {
	At  ast.Node
	Why string
}

// A Reader reads the code of one package.
type Reader struct {
	info  *types.Info
	pass  *analysis.Pass
	flow  *flow.Index
	decls map[*types.Func]*ast.FuncDecl
	funcs map[*ast.FuncDecl]*Code   // what was read of each function
	sets  map[*types.Var][]ast.Expr // what each variable is set to, nil for what is no expression
}

// New returns the reader of the package of the pass.
func New(pass *analysis.Pass) *Reader {
	return &Reader{info: pass.TypesInfo, pass: pass, flow: flow.Of(pass), decls: spawn.Decls(pass), funcs: map[*ast.FuncDecl]*Code{}}
}

// Code is a stretch of code with what it does. The functions, where they are
// set, answer for what would stand against it otherwise.
type Code struct {
	Own   ast.Node                           // variables that this declares are the run's own
	Write func(x ast.Expr, at ast.Node) bool // a write to x by a statement, where x is not its own
	Send  func(*ast.SendStmt) bool
	Skip  ast.Node // is not looked at

	// Here and Behind are the variables and fields beside its own that it looks at:
	// in the code, and in the functions of the package that it calls.
	Here, Behind map[*types.Var]bool
	Bar          *Bar // nil if nothing stands against it

	r    *Reader
	body bool // of a function
	done bool // it is read

	asked map[*types.Var]bool // what setTo is asked at present
}

// Read reads a stretch of code.
func (r *Reader) Read(c *Code, nodes ...ast.Node) *Bar {
	c.r, c.asked = r, map[*types.Var]bool{}
	c.Here, c.Behind = map[*types.Var]bool{}, map[*types.Var]bool{}
	for _, n := range nodes {
		c.read(n)
	}
	c.done = true
	return c.Bar
}

func (c *Code) bar(at ast.Node, why string) {
	if c.Bar == nil {
		c.Bar = &Bar{at, why}
	}
}

func (c *Code) read(root ast.Node) {
	info := c.r.info
	ast.Inspect(root, func(n ast.Node) bool {
		if n == nil || n == c.Skip || c.Bar != nil {
			return false
		}
		for _, x := range rewrite.Assigned(n) {
			c.write(x, n)
		}
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := info.Uses[n].(*types.Var); ok && (v.IsField() || !c.own(v)) {
				c.Here[v.Origin()] = true
			}
		case *ast.RangeStmt:
			switch info.TypeOf(n.X).Underlying().(type) {
			case *types.Chan:
				c.bar(n, "waits for other goroutines")
			case *types.Signature:
				c.bar(n, "is called by an iterator")
			}
		case *ast.UnaryExpr:
			switch n.Op {
			case token.AND:
				if _, lit := ast.Unparen(n.X).(*ast.CompositeLit); !lit && !c.place(n.X) {
					c.bar(n, "takes the address of "+types.ExprString(n.X))
				}
			case token.ARROW:
				c.bar(n, "waits for other goroutines")
			}
		case *ast.SendStmt:
			if c.Send == nil || !c.Send(n) {
				c.bar(n, "waits for other goroutines")
			}
		case *ast.SelectStmt:
			c.bar(n, "waits for other goroutines")
		case *ast.GoStmt:
			c.bar(n, "starts goroutines")
		case *ast.DeferStmt:
			if !c.body {
				c.bar(n, "defers a call")
			}
		case *ast.CallExpr:
			c.call(n)
		}
		return true
	})
}

// own reports whether each run has the variable for itself.
func (c *Code) own(v *types.Var) bool { return c.Own.Pos() <= v.Pos() && v.Pos() < c.Own.End() }

// write looks at what a statement changes.
func (c *Code) write(x ast.Expr, at ast.Node) {
	if id, ok := x.(*ast.Ident); ok && id.Name == "_" {
		return
	}
	if !c.place(x) && (c.Write == nil || !c.Write(x, at)) {
		c.bar(at, "changes "+types.ExprString(x))
	}
}

// place reports whether an operand is in memory of the run's own: part of a
// variable, or what the run made for one.
func (c *Code) place(x ast.Expr) bool {
	v, leads, first := c.r.path(x)
	return v != nil && c.own(v) && (leads == 0 || leads == 1 && first && c.made(v))
}

// path returns the variable that an operand begins with, how often the way to
// the operand follows a pointer, slice or map, and whether that of the variable
// itself is the first.
func (r *Reader) path(x ast.Expr) (v *types.Var, leads int, first bool) {
	for {
		var of ast.Expr
		switch e := ast.Unparen(x).(type) {
		case *ast.Ident:
			v, _ = r.info.ObjectOf(e).(*types.Var)
			return v, leads, first
		case *ast.SelectorExpr:
			if s := r.info.Selections[e]; s == nil || s.Indirect() && len(s.Index()) > 1 {
				return nil, leads + 2, false // of a package, or perhaps by an embedded pointer
			}
			of = e.X
		case *ast.IndexExpr:
			of = e.X
		case *ast.SliceExpr:
			of = e.X
		case *ast.StarExpr:
			of = e.X
		default:
			return nil, leads, false
		}
		if first = refers(r.info.TypeOf(of)); first {
			leads++
		}
		x = of
	}
}

// refers reports whether a value of the type leads to its memory.
func refers(t types.Type) bool {
	if _, param := types.Unalias(t).(*types.TypeParam); param {
		return true
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Slice, *types.Map:
		return true
	}
	return false
}

// given reports whether a variable of the run's own has what the standard library
// made for it.
func (c *Code) given(v *types.Var) bool {
	return v != nil && c.own(v) && len(c.r.assigned()[v]) > 0 && c.setTo(v, c.answered)
}

// made reports whether the run made what a variable leads to.
func (c *Code) made(v *types.Var) bool {
	return c.setTo(v, func(e ast.Expr) bool { return c.fresh(e, v) })
}

// setTo reports whether all that a variable is set to is as ok says.
func (c *Code) setTo(v *types.Var, ok func(ast.Expr) bool) bool {
	all, known := c.r.assigned()[v]
	known = known && v.Kind() == types.LocalVar || v.Kind() == types.ResultVar
	if c.asked[v] {
		return known // v is made of itself
	}
	c.asked[v] = true
	for _, e := range all {
		known = known && e != nil && ok(e)
	}
	delete(c.asked, v)
	return known
}

// fresh reports whether an expression is new memory that leads to no other, or what v had
// already.
func (c *Code) fresh(e ast.Expr, v *types.Var) bool {
	info := c.r.info
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		return len(x.Elts) == 0
	case *ast.Ident:
		return info.Types[x].IsNil()
	case *ast.UnaryExpr:
		lit, ok := ast.Unparen(x.X).(*ast.CompositeLit)
		return ok && x.Op == token.AND && len(lit.Elts) == 0
	case *ast.CallExpr:
		if info.Types[x.Fun].IsType() {
			return uses.Basic(info.TypeOf(x.Args[0])) // []byte(s)
		}
		switch loop.Builtin(info, x) {
		case "make", "new":
			return true
		case "append":
			id, ok := ast.Unparen(x.Args[0]).(*ast.Ident)
			return ok && info.Uses[id] == types.Object(v) || c.fresh(x.Args[0], v)
		case "":
			return c.r.flow.Made(x) || c.answered(x)
		}
	}
	return false
}

// assigned returns what each local variable is set to. Parameters are not in it.
func (r *Reader) assigned() map[*types.Var][]ast.Expr {
	if r.sets != nil {
		return r.sets
	}
	r.sets = map[*types.Var][]ast.Expr{}
	set := func(x, to ast.Expr) {
		if v := loop.Var(r.info, x); v != nil {
			r.sets[v] = append(r.sets[v], to)
		}
	}
	for _, f := range r.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, x := range n.Lhs {
					set(x, n.Rhs[min(i, len(n.Rhs)-1)])
				}
			case *ast.RangeStmt:
				set(n.Key, nil)
				set(n.Value, nil)
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if len(n.Values) > 0 {
						set(id, n.Values[min(i, len(n.Values)-1)])
					} else if v := loop.Var(r.info, id); v != nil && r.sets[v] == nil {
						r.sets[v] = []ast.Expr{} // nil, or a struct of its own
					}
				}
			}
			return true
		})
	}
	return r.sets
}
