package onestage

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// counted finds calls that have a function start one worker, where it starts as many
// as its caller says. They take items from a channel: it is made for several.
func counted(p *stage, weigher *spawn.Weigher) (all []shape.Finding) {
	i := p.starts()
	if i < 0 {
		return nil
	}
	waits := inline.Blocks(p.pass, weigher, p.loop.Body)
	for c := range p.pass.ResultOf[uses.Analyzer].(*uses.Index).Root.Preorder((*ast.CallExpr)(nil)) {
		call := c.Node().(*ast.CallExpr)
		fn := section.Callee(p.info, call)
		if fn == nil || types.Object(fn.Origin()) != p.info.Defs[p.s.Func.Name] || len(call.Args) <= i || uses.Decl(c) == nil {
			continue
		}
		arg, ok := ast.Unparen(call.Args[i]).(*ast.BasicLit)
		if !ok || arg.Value != "1" {
			continue
		}
		f := finding(p.pass, uses.Decl(c), p.loop, "one goroutine takes the items, one after the other: while it is at one, the others wait for it")
		f.Pos, f.End = arg.Pos(), arg.End()
		p.numbers(&f, arg.Pos(), waits, p.worker, func(n string) []analysis.TextEdit {
			return []analysis.TextEdit{rewrite.Replace(arg, n)}
		})
		all = append(all, f)
	}
	return all
}

// starts returns which parameter of the function says how many workers the site
// starts, if that says nothing else and they only go through the items; else -1.
func (p *stage) starts() int {
	var bound, key ast.Expr
	switch l := p.s.Loop.(type) {
	case *ast.RangeStmt:
		bound, key = l.X, l.Key
	case *ast.ForStmt:
		if c, ok := l.Cond.(*ast.BinaryExpr); ok && c.Op == token.LSS {
			bound, key = c.Y, c.X
		}
	}
	number, worker := loop.Var(p.info, bound), loop.Var(p.info, key)
	if number == nil || p.s.In != p.s.Func || p.s.Body == nil || !types.Identical(number.Type(), types.Typ[types.Int]) {
		return -1
	}
	fn := p.info.Defs[p.s.Func.Name].(*types.Func)
	param := slices.Index(slices.Collect(fn.Signature().Params().Variables()), number)
	again := false
	ast.Inspect(p.s.Func.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			v, _ := p.info.Uses[n].(*types.Var)
			again = again || v == number && n != bound || v != nil && v == worker && spawn.Within(spawn.LoopBody(p.s.Loop), n)
		case *ast.CallExpr: // room for each, or the count of them
			if loop.Builtin(p.info, n) == "make" {
				return !uses.Under[*types.Chan](p.info.TypeOf(n))
			}
			return !spawn.IsMethod(section.Callee(p.info, n), "sync", "WaitGroup", "Add")
		}
		return !again
	})
	if again {
		return -1
	}
	for _, st := range p.s.Body.List {
		var call *ast.CallExpr
		switch st := st.(type) {
		case *ast.RangeStmt:
			if p.loop != nil {
				return -1
			}
			p.loop = st
			continue
		case *ast.ExprStmt:
			call, _ = st.X.(*ast.CallExpr)
		case *ast.DeferStmt:
			call = st.Call
		}
		if call == nil || !spawn.IsMethod(section.Callee(p.info, call), "sync", "WaitGroup", "Done") {
			return -1 // it does something by itself
		}
	}
	if p.loop == nil || !p.takes() {
		return -1
	}
	return param
}

// worker says what relies on there being one worker: the order of what it does.
// That several may do it at once is what the function is for.
func (p *stage) worker() (at ast.Node, why string) {
	no := func(n ast.Node, s string) { at, why = n, s }
	var counts *ast.CallExpr
	ast.Inspect(p.loop.Body, func(n ast.Node) bool {
		if at != nil {
			return false
		}
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.SelectStmt, *ast.DeferStmt:
			no(n, "the worker does more than to go through the items")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				no(n, "the worker waits for another channel")
			}
		case *ast.SendStmt:
			if x, s := sent(p.pass, p.r, n); s != "" {
				no(x, s)
			}
		case *ast.ExprStmt:
			if c, ok := n.X.(*ast.CallExpr); ok && spawn.IsMethod(section.Callee(p.info, c), "sync/atomic", "", "Add") {
				counts = c
			}
		case *ast.CallExpr:
			if b := p.r.Read(&atonce.Code{Own: p.loop}, n); b != nil && n != counts && !p.info.Types[n.Fun].IsType() && !p.changes(n) {
				no(b.At, "the worker "+b.Why)
			}
		}
		for _, x := range rewrite.Assigned(n) {
			if !p.items(x) {
				no(x, "the worker changes "+rewrite.Text(p.pass.Fset, x))
			}
		}
		return at == nil
	})
	return at, why
}

// items reports whether an operand is of the item, or of what the loop declares.
func (p *stage) items(x ast.Expr) bool {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok && id.Name == "_" {
		return true
	}
	v := inline.Root(p.info, x)
	return v != nil && p.loop.Pos() <= v.Pos() && v.Pos() < p.loop.End()
}

// changes reports whether a call of a function of the package changes nothing but
// the memory of items that it is handed, and looks at no other.
func (p *stage) changes(c *ast.CallExpr) bool {
	fn := section.Callee(p.info, c)
	if fn == nil || spawn.Decls(p.pass)[fn.Origin()] == nil {
		return false
	}
	does := flow.Of(p.pass).Func(fn.Origin())
	handed := slices.Clone(c.Args)
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && p.info.Selections[sel] != nil {
		handed = append(handed, sel.X)
	}
	own := flow.Set(flow.Fresh)
	for i, a := range handed {
		if uses.Refers(p.info.TypeOf(a)) && !p.items(a) {
			return false
		}
		own = own.Or(flow.Set(flow.Param(i)))
	}
	return does != nil && !slices.ContainsFunc(does.Effects, func(e flow.Effect) bool {
		return e.Kind&(flow.Changes|flow.Look)&^flow.Write != 0 || e.Kind&(flow.Read|flow.Write) != 0 && !e.On.Without(own).Empty()
	})
}
