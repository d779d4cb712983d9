package spinwait

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// Analyzer finds loops that ask an atomic variable again and again.
var Analyzer = shape.Analyzer("spinwait", `find loops that ask an atomic variable again and again

What yields or sleeps until a word changes takes a processor, or comes late.`, find, uses.Analyzer, spawn.Analyzer)

// A check looks at one package.
type check struct {
	pass  *analysis.Pass
	info  *types.Info
	uses  *uses.Index
	sites []*spawn.Site
}

// A word is a variable that loops ask, with all of them.
type word struct {
	v     *types.Var
	loops []*ast.ForStmt
}

func find(pass *analysis.Pass) (all []shape.Finding, err error) {
	c := &check{pass, pass.TypesInfo, pass.ResultOf[uses.Analyzer].(*uses.Index), pass.ResultOf[spawn.Analyzer].([]*spawn.Site)}
	var words []*word
	by := map[*types.Var]*word{}
	var first []inspector.Cursor // loop of each word
	c.uses.Root.Inspect([]ast.Node{(*ast.ForStmt)(nil)}, func(at inspector.Cursor) bool {
		loop := at.Node().(*ast.ForStmt)
		v := c.asked(loop)
		if v == nil || v.Pkg() != pass.Pkg || !c.idle(loop, v) {
			return true
		}
		if by[v] == nil {
			by[v] = &word{v: v}
			words, first = append(words, by[v]), append(first, at)
		}
		by[v].loops = append(by[v].loops, loop)
		return false // the loops in it are part of the wait
	})
	for i, w := range words {
		all = append(all, c.finding(w, uses.Decl(first[i])))
	}
	return all, nil
}

func (c *check) finding(w *word, in *ast.FuncDecl) shape.Finding {
	first := w.loops[0]
	f := shape.Finding{
		Pos: first.Pos(), End: first.Body.Lbrace, Func: in,
		Message: "the loop asks " + w.v.Name() + " again and again: what waits so takes a processor from others, or comes late",
		Causes:  []string{"waiting", "oversubscription", "lock", "work"},
		Hot:     shape.All(w.loops),
	}
	edits, no := c.signal(w)
	if no != nil {
		no.Name = "signal"
		f.Refused = []shape.Refusal{*no}
	} else {
		f.Fixes = []shape.Fix{{Name: "signal", Says: "wait for a channel that is closed where the flag is set", Edits: edits}}
	}
	return f
}

// An op is a call of an atomic function or method.
type op struct {
	v    *types.Var
	name string // Load, Store, CompareAndSwap, Swap, …
	args []ast.Expr
}

// op returns the operation on a variable or field that an expression is; the zero op
// if it is none.
func (c *check) op(e ast.Expr) (o op) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return o
	}
	fn := typeutil.StaticCallee(c.info, call)
	if fn == nil || fn.Pkg() == nil || fn.Pkg().Path() != "sync/atomic" {
		return o
	}
	if fn.Signature().Recv() != nil {
		sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
		if !ok {
			return o
		}
		return op{c.uses.Var(sel.X), fn.Name(), call.Args}
	}
	addr, ok := ast.Unparen(call.Args[0]).(*ast.UnaryExpr)
	if !ok || addr.Op != token.AND {
		return o
	}
	name := strings.TrimRight(fn.Name(), "0123456789")
	name = strings.TrimSuffix(strings.TrimSuffix(name, "Int"), "Uint")
	return op{c.uses.Var(addr.X), name, call.Args[1:]}
}

// constant reports whether an expression is the constant false or 0, or true or 1.
func (c *check) constant(e ast.Expr, set bool) bool {
	v := c.info.Types[e].Value
	if v == nil {
		return false
	}
	n, exact := constant.Int64Val(constant.ToInt(v))
	return v.Kind() == constant.Bool && constant.BoolVal(v) == set || exact && (n == 1 && set || n == 0 && !set)
}

// asks reports whether an operation learns of a word, or takes one that is free.
func (c *check) asks(o op) bool {
	switch o.name {
	case "Load":
		return true
	case "CompareAndSwap":
		return c.constant(o.args[0], false) && c.constant(o.args[1], true)
	case "Swap":
		return c.constant(o.args[0], true)
	}
	return false
}

// asked returns a word that the condition of a loop asks, or nil.
func (c *check) asked(loop *ast.ForStmt) (v *types.Var) {
	if loop.Cond == nil {
		return nil
	}
	ast.Inspect(loop.Cond, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && v == nil {
			v = c.op(call).v
		}
		return v == nil
	})
	return v
}

// idle reports whether a loop does nothing but ask a word and pass time. It computes
// with variables of its own at most.
func (c *check) idle(loop *ast.ForStmt, v *types.Var) bool {
	ok := true
	ast.Inspect(loop, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if o := c.op(n); o.v != nil {
				ok = ok && o.v == v && c.asks(o)
				return false
			}
			fn := typeutil.StaticCallee(c.info, n)
			ok = ok && (c.info.Types[n.Fun].IsType() || rewrite.Text(c.pass.Fset, n.Fun) == "len" && c.info.Types[n.Fun].IsBuiltin() ||
				fn != nil && (fn.FullName() == "runtime.Gosched" || fn.FullName() == "time.Sleep"))
		case *ast.UnaryExpr:
			ok = ok && n.Op != token.ARROW && n.Op != token.AND
		case *ast.BinaryExpr:
			ok = ok && n.Op != token.QUO && n.Op != token.REM // which may panic
		case *ast.FuncLit, *ast.IndexExpr, *ast.SliceExpr, *ast.StarExpr, *ast.TypeAssertExpr:
			ok = false
		case *ast.IncDecStmt, *ast.AssignStmt:
			for _, e := range rewrite.Assigned(n) {
				v := c.uses.Var(e)
				ok = ok && v != nil && loop.Pos() <= v.Pos() && v.Pos() < loop.End()
			}
		case *ast.ForStmt:
			ok = ok && n.Cond != nil
		case *ast.RangeStmt:
			b, is := c.info.TypeOf(n.X).Underlying().(*types.Basic)
			ok = ok && is && b.Info()&types.IsInteger != 0 && n.Tok != token.ASSIGN
		case *ast.BranchStmt:
			ok = ok && n.Tok == token.CONTINUE && n.Label == nil
		case *ast.BlockStmt, *ast.IfStmt, *ast.ExprStmt, *ast.EmptyStmt:
		case ast.Stmt:
			ok = false
		}
		return ok
	})
	return ok
}
