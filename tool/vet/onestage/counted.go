package onestage

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/analysis"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// A pool is a function that starts as many workers as its caller says, which take
// items from a channel: it is made for several.
type pool struct {
	pass   *analysis.Pass
	info   *types.Info
	s      *spawn.Site
	number *types.Var // parameter that says how many
	loop   *ast.RangeStmt
}

// counted finds calls that have such a function start one worker.
func counted(pass *analysis.Pass, s *spawn.Site, weigher *spawn.Weigher, r *atonce.Reader) (all []shape.Finding) {
	p := &pool{pass: pass, info: pass.TypesInfo, s: s}
	if !p.starts() {
		return nil
	}
	waits := inline.Blocks(pass, weigher, p.loop.Body)
	for _, c := range p.calls() {
		arg := c.call.Args[c.index]
		f := shape.Finding{
			Pos: arg.Pos(), End: arg.End(),
			Message: "one goroutine takes the items, one after the other: while it is at one, the others wait for it",
			Func:    c.decl,
			Causes:  []string{"imbalance", "serial", "waiting", "network", "syscalls"},
			Hot:     []shape.Range{shape.Of(p.loop)},
			Shared:  shape.All(spawn.Called(pass, p.loop.Body)),
		}
		if at, why := p.single(r); why != "" {
			f.Refused = []shape.Refusal{{Name: "workers", Why: why, Pos: at.Pos()}}
			all = append(all, f)
			continue
		}
		file := rewrite.File(pass, arg.Pos())
		if !waits {
			runtime, edits := rewrite.Import(pass.Pkg, file, "runtime", arg.Pos())
			f.Fixes = []shape.Fix{{
				Name: "workers", Says: "start as many workers as there are processors",
				Edits: append(edits, rewrite.Replace(arg, runtime+".GOMAXPROCS(0)")),
			}}
		} else {
			for _, k := range []int{4, 16, 64} {
				f.Fixes = append(f.Fixes, shape.Fix{
					Name: "workers", Value: k, Says: fmt.Sprintf("start %d workers", k),
					Edits: []analysis.TextEdit{rewrite.Replace(arg, fmt.Sprint(k))},
				})
			}
		}
		all = append(all, f)
	}
	return all
}

// starts reports whether the site starts a worker for each of a number that the
// function is given, and which says nothing else.
func (p *pool) starts() bool {
	var bound, key ast.Expr
	switch l := p.s.Loop.(type) {
	case *ast.RangeStmt:
		bound, key = l.X, l.Key
	case *ast.ForStmt:
		if c, ok := l.Cond.(*ast.BinaryExpr); ok && c.Op == token.LSS {
			bound, key = c.Y, c.X
		}
	}
	p.number, _ = inline.Object(p.info, bound).(*types.Var)
	if p.number == nil || p.s.In != p.s.Func || p.s.Body == nil || !types.Identical(p.number.Type(), types.Typ[types.Int]) || p.param() < 0 {
		return false
	}
	worker, _ := inline.Object(p.info, key).(*types.Var)
	again := false
	ast.Inspect(p.s.Func.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			o := p.info.Uses[n]
			again = again || o == types.Object(p.number) && n != bound
			if worker != nil && o == types.Object(worker) {
				again = again || spawn.Within(spawn.LoopBody(p.s.Loop), n)
			}
		case *ast.CallExpr: // room for each, or the count of them
			if b, ok := inline.Object(p.info, n.Fun).(*types.Builtin); ok && b.Name() == "make" {
				_, channel := p.info.TypeOf(n).Underlying().(*types.Chan)
				return !channel
			}
			return !spawn.IsMethod(section.Callee(p.info, n), "sync", "WaitGroup", "Add")
		}
		return !again
	})
	if again {
		return false
	}
	for _, st := range p.s.Body.List {
		var call ast.Expr
		switch st := st.(type) {
		case *ast.RangeStmt:
			if _, ok := p.info.TypeOf(st.X).Underlying().(*types.Chan); !ok || p.loop != nil {
				return false
			}
			p.loop = st
			continue
		case *ast.ExprStmt:
			call = st.X
		case *ast.DeferStmt:
			call = st.Call
		}
		if c, ok := call.(*ast.CallExpr); !ok || !spawn.IsMethod(section.Callee(p.info, c), "sync", "WaitGroup", "Done") {
			return false // it does something by itself
		}
	}
	return p.loop != nil && p.loop.Tok != token.ASSIGN
}

// param is which parameter says how many workers there are, -1 for none.
func (p *pool) param() int {
	fn := p.info.Defs[p.s.Func.Name].(*types.Func)
	return slices.Index(slices.Collect(fn.Signature().Params().Variables()), p.number)
}

// A one is a call that has one worker start.
type one struct {
	decl  *ast.FuncDecl
	call  *ast.CallExpr
	index int
}

func (p *pool) calls() (out []one) {
	fn, i := p.info.Defs[p.s.Func.Name], p.param()
	for _, file := range p.pass.Files {
		for _, d := range file.Decls {
			decl, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok {
					return true
				}
				if f := section.Callee(p.info, c); f == nil || types.Object(f.Origin()) != fn || len(c.Args) <= i {
					return true
				}
				lit, ok := ast.Unparen(c.Args[i]).(*ast.BasicLit)
				if ok && constant.Compare(p.info.Types[lit].Value, token.EQL, constant.MakeInt64(1)) {
					out = append(out, one{decl, c, i})
				}
				return true
			})
		}
	}
	return out
}

// single says what relies on there being one worker: the order of what it does.
// That several may do it at once is what the function is for.
func (p *pool) single(r *atonce.Reader) (at ast.Node, why string) {
	no := func(n ast.Node, s string) {
		if at == nil {
			at, why = n, s
		}
	}
	for _, l := range rewrite.Leaves(p.info, p.loop.Body, false) {
		if l.How != "continue" && l.How != "panic" {
			no(&ast.BadStmt{From: l.Pos, To: l.Pos}, "the worker ends early, by "+l.How)
		}
	}
	order := newOrder(p.pass, r)
	ast.Inspect(p.loop.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit, *ast.GoStmt, *ast.SelectStmt, *ast.DeferStmt:
			no(n, "the worker does more than to go through the items")
		case *ast.UnaryExpr:
			if n.Op == token.ARROW {
				no(n, "the worker waits for another channel")
			}
		case *ast.SendStmt:
			if x, s := order.sent(n); s != "" {
				no(x, "the order of what "+rewrite.Text(p.pass.Fset, n.Chan)+" brings may matter: "+s)
			}
		case *ast.ExprStmt:
			c, ok := n.X.(*ast.CallExpr)
			if fn := callee(p.info, c); ok && spawn.IsMethod(fn, "sync/atomic", "", "Add") {
				for _, a := range c.Args {
					ast.Inspect(a, func(n ast.Node) bool {
						if c, ok := n.(*ast.CallExpr); ok {
							p.called(r, c, no)
						}
						return true
					})
				}
				return false
			}
			if ok && sleeps(p.info, c) {
				no(n, "the worker sets the pace")
			}
		case *ast.CallExpr:
			p.called(r, n, no)
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

func callee(info *types.Info, c *ast.CallExpr) *types.Func {
	if c == nil {
		return nil
	}
	return section.Callee(info, c)
}

// items reports whether an operand is of the item, or of what the loop declares.
func (p *pool) items(x ast.Expr) bool {
	if id, ok := ast.Unparen(x).(*ast.Ident); ok && id.Name == "_" {
		return true
	}
	v := inline.Root(p.info, x)
	return v != nil && p.loop.Pos() <= v.Pos() && v.Pos() < p.loop.End()
}

// called looks at what a call changes: nothing that others see, or the item that it
// is handed.
func (p *pool) called(r *atonce.Reader, c *ast.CallExpr, no func(ast.Node, string)) {
	if p.info.Types[c.Fun].IsType() {
		return
	}
	b := r.Read(&atonce.Code{Own: p.loop}, c)
	if b == nil {
		return
	}
	fn := section.Callee(p.info, c)
	if fn == nil || spawn.Decls(p.pass)[fn.Origin()] == nil {
		no(b.At, "the worker "+b.Why)
		return
	}
	handed := slices.Clone(c.Args)
	if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && p.info.Selections[sel] != nil {
		handed = append(handed, sel.X)
	}
	for _, a := range handed {
		if uses.Refers(p.info.TypeOf(a)) && !p.items(a) {
			no(b.At, "the worker "+b.Why)
			return
		}
	}
	for _, d := range spawn.Called(p.pass, c) {
		own := func(x ast.Expr) bool {
			v := inline.Root(p.info, x)
			return v != nil && d.Pos() <= v.Pos() && v.Pos() < d.End()
		}
		ast.Inspect(d.Body, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit, *ast.GoStmt, *ast.SendStmt, *ast.SelectStmt:
				no(b.At, "the worker "+b.Why)
			case *ast.Ident:
				if v, ok := p.info.Uses[n].(*types.Var); ok && v.Parent() == p.pass.Pkg.Scope() && uses.Refers(v.Type()) {
					no(b.At, "the worker "+b.Why)
				}
			case *ast.UnaryExpr:
				if n.Op == token.ARROW || n.Op == token.AND && !own(n.X) {
					no(b.At, "the worker "+b.Why)
				}
			case *ast.CallExpr:
				f := section.Callee(p.info, n)
				if f == nil && !p.info.Types[n.Fun].IsType() && !p.info.Types[n.Fun].IsBuiltin() ||
					f != nil && spawn.Decls(p.pass)[f.Origin()] == nil && flow.Of(p.pass).Pure(n) != "" {
					no(b.At, "the worker "+b.Why)
				}
			}
			for _, x := range rewrite.Assigned(n) {
				if id, ok := x.(*ast.Ident); !(ok && id.Name == "_") && !own(x) {
					no(b.At, "the worker "+b.Why)
				}
			}
			return true
		})
	}
}
