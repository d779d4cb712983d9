package owner

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ast/edge"

	"github.com/gopayoff/payoff/tool/vet/flow"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// questions says why what is asked is more than questions.
func (o *port) questions() *shape.Refusal {
	for _, a := range o.asks {
		if no := a.read(); no != nil {
			return no
		}
	}
	return nil
}

// compared returns where requests are compared, or may be, or nil.
func (o *port) compared() (at ast.Node) {
	var holds func(t types.Type) bool
	holds = func(t types.Type) bool {
		if t == nil || types.Unalias(t) == o.request.Type() {
			return t != nil
		}
		switch u := t.Underlying().(type) {
		case *types.Array:
			return holds(u.Elem())
		case *types.Struct:
			return slices.ContainsFunc(slices.Collect(u.Fields()), func(f *types.Var) bool { return holds(f.Type()) })
		}
		return false
	}
	for c := range o.uses.Root.Preorder((*ast.BinaryExpr)(nil), (*ast.SwitchStmt)(nil), (*ast.MapType)(nil), (*ast.InterfaceType)(nil), (*ast.Ident)(nil)) {
		is := false
		switch n := c.Node().(type) {
		case *ast.BinaryExpr:
			is = holds(o.info.TypeOf(n.X)) || holds(o.info.TypeOf(n.Y))
		case *ast.SwitchStmt:
			is = holds(o.info.TypeOf(n.Tag))
		case *ast.MapType:
			is = holds(o.info.TypeOf(n.Key))
		case *ast.InterfaceType: // by which others may compare them
			in, ok := o.info.TypeOf(n).(*types.Interface)
			is = ok && !in.Empty() && types.Implements(o.request.Type(), in)
		case *ast.Ident:
			is = slices.ContainsFunc(slices.Collect(o.info.Instances[n].TypeArgs.Types()), holds)
		}
		if is {
			return c.Node()
		}
	}
	return nil
}

// effects says why what is done for a request is to be done by a goroutine of its own.
func (o *port) effects() *shape.Refusal {
	all := o.does.Within(o.code, o.but...)
	const waits = flow.Lock | flow.Send | flow.Receive | flow.Close | flow.Wait | flow.Spawn | flow.Exit
	if e := all.First(waits); e != nil {
		return &shape.Refusal{Why: "for a request the goroutine " + strings.TrimPrefix(e.String(), "it "), Pos: e.Pos()}
	}
	back := map[*ast.FuncDecl]bool{}
	for _, p := range o.ports {
		for _, a := range p.asks {
			back[uses.Decl(a.send)] = true
		}
	}
	asks := func(n ast.Node) *shape.Refusal {
		if at := spawn.Reaches(o.pass, n, func(x types.Object) bool {
			f, ok := x.(*types.Func)
			return ok && slices.ContainsFunc(spawn.Callees(o.pass, f), func(d *ast.FuncDecl) bool { return back[d] })
		}); at != nil {
			return shape.No(at, "what is done for a request may ask again")
		}
		if at := spawn.Reaches(o.pass, n, inline.Binds); at != nil {
			return shape.No(at, "what is done for a request is about the goroutine itself")
		}
		return nil
	}
	if no := asks(o.code); no != nil {
		return no
	}
	foreign := all.First(flow.Call|flow.Unknown) != nil
	if foreign || o.shut != "" || all.First(flow.Panic) != nil { // o.shut: what it panics with is another
		for c := range o.uses.Root.Preorder((*ast.CallExpr)(nil)) {
			if id := c.Node().(*ast.CallExpr); loop.Builtin(o.info, id) == "recover" {
				return shape.No(id, "a panic of the goroutine, or of what asks, is recovered, and may be another")
			}
		}
	}
	if foreign {
		if no := o.literals(asks, waits); no != nil {
			return no
		}
		o.hold("what is called for a request neither waits, nor panics, nor asks again")
	} else if e := all.First(flow.Panic); e != nil {
		o.hold("no request makes the goroutine panic")
	}
	return nil
}

// literals looks at the functions that a request may have: those of a type that is called
// for it.
func (o *port) literals(asks func(ast.Node) *shape.Refusal, waits flow.Kind) *shape.Refusal {
	var called []types.Type
	for n := range ast.Preorder(o.code) {
		if c, ok := n.(*ast.CallExpr); ok {
			if t := o.info.TypeOf(c.Fun); t != nil {
				called = append(called, t.Underlying())
			}
		}
	}
	for c := range o.uses.Root.Preorder((*ast.FuncLit)(nil)) {
		lit := c.Node().(*ast.FuncLit)
		if c.ParentEdgeKind() == edge.CallExpr_Fun || !slices.ContainsFunc(called, func(t types.Type) bool { return types.Identical(t, o.info.TypeOf(lit)) }) {
			continue
		}
		if no := asks(lit.Body); no != nil {
			return no
		}
		if e := o.does.Within(lit.Body).First(waits); e != nil {
			return &shape.Refusal{Why: "what a request may have done " + strings.TrimPrefix(e.String(), "it "), Pos: e.Pos()}
		}
	}
	return nil
}
