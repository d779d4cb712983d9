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
	uses  *uses.Index
	decls map[*types.Func]*ast.FuncDecl
	funcs map[*ast.FuncDecl]*Code // what was read of each function
}

// New returns the reader of the package of the pass, whose analyzer requires those of
// flow and uses.
func New(pass *analysis.Pass) *Reader {
	return &Reader{info: pass.TypesInfo, pass: pass, flow: flow.Of(pass), uses: pass.ResultOf[uses.Analyzer].(*uses.Index), decls: spawn.Decls(pass), funcs: map[*ast.FuncDecl]*Code{}}
}

// Code is a stretch of code with what it does. The functions, where they are
// set, answer for what would stand against it otherwise.
type Code struct {
	Own   ast.Node                           // variables that this declares are the run's own
	Write func(x ast.Expr, at ast.Node) bool // a write to x by a statement, where x is not its own
	Send  func(*ast.SendStmt) bool
	Skip  ast.Node // is not looked at

	// Here are the variables and fields beside its own that it looks at. Behind are
	// those of the functions of the package that it calls.
	Here, Behind map[*types.Var]bool
	Bar          *Bar // nil if nothing stands against it

	r    *Reader
	body bool // of a function
	done bool // it is read
}

// Read reads a stretch of code.
func (r *Reader) Read(c *Code, nodes ...ast.Node) *Bar {
	c.r = r
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

// place reports whether an operand is part of a variable of the run's own.
func (c *Code) place(x ast.Expr) bool {
	v, leads := c.r.path(x)
	return v != nil && c.own(v) && leads == 0
}

// path returns the variable that an operand begins with, and how often the way to the
// operand follows a pointer, slice or map.
func (r *Reader) path(x ast.Expr) (v *types.Var, leads int) {
	for {
		var of ast.Expr
		switch e := ast.Unparen(x).(type) {
		case *ast.Ident:
			v, _ = r.info.ObjectOf(e).(*types.Var)
			return v, leads
		case *ast.SelectorExpr:
			if s := r.info.Selections[e]; s == nil || s.Indirect() && len(s.Index()) > 1 {
				return nil, leads // of a package, or perhaps by an embedded pointer
			}
			of = e.X
		case *ast.IndexExpr:
			of = e.X
		case *ast.SliceExpr:
			of = e.X
		case *ast.StarExpr:
			of = e.X
		default:
			return nil, leads
		}
		if refers(r.info.TypeOf(of)) {
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
// made for it, and nothing else.
func (c *Code) given(v *types.Var) (made bool) {
	if v == nil || !c.own(v) || v.Kind() != types.LocalVar {
		return false
	}
	if at, ok := c.r.uses.Root.FindByPos(v.Pos(), v.Pos()); ok {
		switch n := at.Parent().Node().(type) {
		case *ast.RangeStmt:
			return false
		case *ast.ValueSpec:
			if len(n.Values) > 0 {
				return false
			}
		}
	}
	for _, use := range c.r.uses.Of(v) {
		if whole := uses.Whole(use); uses.Written(whole) {
			a, ok := whole.Parent().Node().(*ast.AssignStmt)
			if !ok || !c.answered(a.Rhs[min(whole.ParentEdgeIndex(), len(a.Rhs)-1)]) {
				return false
			}
			made = true
		}
	}
	return made
}
