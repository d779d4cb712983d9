package onestage

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/atonce"
	"github.com/gopayoff/payoff/tool/vet/inline"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/section"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// An order looks for what depends on the order in which a channel brings its
// items: it follows the channel wherever the package shows it to go.
type order struct {
	pass *analysis.Pass
	info *types.Info
	uses *uses.Index
	r    *atonce.Reader
	seen map[types.Object]bool
	at   ast.Node
	why  string
}

func newOrder(pass *analysis.Pass, r *atonce.Reader) *order {
	return &order{pass: pass, info: pass.TypesInfo, uses: pass.ResultOf[uses.Analyzer].(*uses.Index), r: r, seen: map[types.Object]bool{}}
}

// sent says what depends on the order of what a statement sends.
func (o *order) sent(s *ast.SendStmt) (at ast.Node, why string) {
	o.channel(s.Chan)
	return o.at, o.why
}

func (o *order) refuse(at ast.Node, why string) {
	if o.why == "" {
		o.at, o.why = at, why
	}
}

// channel looks at the channel that is sent on.
func (o *order) channel(e ast.Expr) {
	id, _ := ast.Unparen(e).(*ast.Ident)
	v, _ := o.info.Uses[id].(*types.Var)
	if v == nil || v.IsField() || v.Parent() == o.pass.Pkg.Scope() {
		o.refuse(e, "others than one function have it")
		return
	}
	o.variable(v)
}

// variable looks at all uses of a local variable.
func (o *order) variable(v *types.Var) {
	if o.seen[v] || o.why != "" {
		return
	}
	o.seen[v] = true
	for _, use := range o.uses.Of(v) {
		if o.uses.Declares(use) {
			o.declared(v, use)
		} else {
			o.use(uses.Whole(use))
		}
	}
}

// declared looks at where a variable gets the channel from: others may have it.
func (o *order) declared(v *types.Var, at inspector.Cursor) {
	switch d := at.Parent().Node().(type) {
	case *ast.AssignStmt:
		if i := at.ParentEdgeIndex(); len(d.Lhs) == len(d.Rhs) && o.source(d.Rhs[i]) {
			return
		}
	case *ast.ValueSpec:
		if i := at.ParentEdgeIndex(); len(d.Names) == len(d.Values) && o.source(d.Values[i]) {
			return
		}
	case *ast.Field:
		o.arguments(v, at)
		return
	}
	o.refuse(at.Node(), "others may have it")
}

// source looks at where a channel is from: made here, or known under another
// name.
func (o *order) source(e ast.Expr) bool {
	switch x := ast.Unparen(e).(type) {
	case *ast.Ident:
		if v, ok := o.info.Uses[x].(*types.Var); ok && !v.IsField() && v.Parent() != o.pass.Pkg.Scope() {
			o.variable(v)
			return true
		}
	case *ast.CallExpr:
		if b, ok := inline.Object(o.info, x.Fun).(*types.Builtin); ok {
			return b.Name() == "make"
		}
		// What a function returns is followed from there.
		fn := section.Callee(o.info, x)
		if fn == nil {
			return false
		}
		_, ok := o.uses.Declaration(fn)
		return ok && o.seen[fn]
	}
	return false
}

// arguments looks at what a parameter is bound to.
func (o *order) arguments(v *types.Var, at inspector.Cursor) {
	fn, ok := uses.Func(at)
	if !ok {
		o.refuse(at.Node(), "others may have it")
		return
	}
	var typ *ast.FuncType
	var calls []*ast.CallExpr
	switch n := fn.Node().(type) {
	case *ast.FuncLit:
		typ = n.Type
		call, ok := fn.Parent().Node().(*ast.CallExpr)
		if !ok || fn.ParentEdgeKind() != edge.CallExpr_Fun {
			o.refuse(at.Node(), "others may have it")
			return
		}
		calls = append(calls, call)
	case *ast.FuncDecl:
		typ = n.Type
		for _, c := range o.calls(n) {
			calls = append(calls, c.Node().(*ast.CallExpr))
		}
	}
	i := 0
	for _, f := range typ.Params.List {
		for _, name := range f.Names {
			if o.info.Defs[name] == types.Object(v) {
				for _, c := range calls {
					if i >= len(c.Args) || !o.source(c.Args[i]) {
						o.refuse(c, "others may have it")
					}
				}
				return
			}
			i++
		}
		if f.Names == nil {
			i++
		}
	}
	o.refuse(at.Node(), "others may have it") // a result, a receiver
}

// calls returns the calls of a function that others cannot call.
func (o *order) calls(d *ast.FuncDecl) (out []inspector.Cursor) {
	fn := o.info.Defs[d.Name].(*types.Func)
	if fn.Exported() && o.pass.Pkg.Name() != "main" || d.Recv != nil {
		o.refuse(d.Name, d.Name.Name+" may be called from elsewhere")
		return nil
	}
	for c := range o.uses.Root.Preorder((*ast.Ident)(nil)) {
		if o.info.Uses[c.Node().(*ast.Ident)] != types.Object(fn) {
			continue
		}
		if c.ParentEdgeKind() != edge.CallExpr_Fun {
			o.refuse(c.Node(), d.Name.Name+" may be called from elsewhere")
			return nil
		}
		out = append(out, c.Parent())
	}
	return out
}

// use looks at what is done with a channel.
func (o *order) use(c inspector.Cursor) {
	switch parent := c.Parent(); c.ParentEdgeKind() {
	case edge.SendStmt_Chan:
	case edge.RangeStmt_X:
		loop := parent.Node().(*ast.RangeStmt)
		if loop.Tok == token.ASSIGN {
			o.refuse(loop, "the last item is kept")
			return
		}
		o.body(loop, loop.Body)
	case edge.UnaryExpr_X:
		o.received(parent)
	case edge.CallExpr_Args:
		o.handed(parent.Node().(*ast.CallExpr), c.ParentEdgeIndex())
	case edge.AssignStmt_Rhs, edge.ValueSpec_Values:
		o.named(parent.Node(), c.ParentEdgeIndex())
	case edge.ReturnStmt_Results:
		o.returned(parent, c.ParentEdgeIndex())
	default:
		o.refuse(c.Node(), "others may have it")
	}
}

// named goes on with the variable that a channel is assigned to.
func (o *order) named(n ast.Node, i int) {
	var name ast.Expr
	switch n := n.(type) {
	case *ast.AssignStmt:
		if len(n.Lhs) == len(n.Rhs) && n.Tok == token.DEFINE {
			name = n.Lhs[i]
		}
	case *ast.ValueSpec:
		if len(n.Names) == len(n.Values) {
			name = n.Names[i]
		}
	}
	id, _ := name.(*ast.Ident)
	if id == nil {
		o.refuse(n, "others may have it")
		return
	}
	if v, ok := o.info.Defs[id].(*types.Var); ok {
		o.variable(v)
	}
}

// handed goes on with the parameter that a channel is bound to.
func (o *order) handed(call *ast.CallExpr, i int) {
	if b, ok := inline.Object(o.info, call.Fun).(*types.Builtin); ok {
		if b.Name() != "close" {
			o.refuse(call, "it is asked for how many wait")
		}
		return
	}
	var typ *ast.FuncType
	if lit, ok := ast.Unparen(call.Fun).(*ast.FuncLit); ok {
		typ = lit.Type
	} else if fn := section.Callee(o.info, call); fn != nil {
		if d, ok := o.uses.Declaration(fn); ok {
			typ = d.Node().(*ast.FuncDecl).Type
		}
	}
	if typ == nil {
		o.refuse(call, "others may have it")
		return
	}
	at := 0
	for _, f := range typ.Params.List {
		for _, name := range f.Names {
			if at == i {
				if v, ok := o.info.Defs[name].(*types.Var); ok && !variadic(f) {
					o.follow(v)
					return
				}
			}
			at++
		}
	}
	o.refuse(call, "others may have it")
}

// follow looks at the uses of a parameter, but not at what it is bound to in
// other calls.
func (o *order) follow(v *types.Var) {
	if o.seen[v] {
		return
	}
	o.seen[v] = true
	for _, use := range o.uses.Of(v) {
		if !o.uses.Declares(use) {
			o.use(uses.Whole(use))
		}
	}
}

func variadic(f *ast.Field) bool {
	_, ok := f.Type.(*ast.Ellipsis)
	return ok
}

// returned goes on with the calls of the function that returns a channel.
func (o *order) returned(ret inspector.Cursor, i int) {
	fn, ok := uses.Func(ret)
	if !ok {
		return
	}
	d, ok := fn.Node().(*ast.FuncDecl)
	if !ok || len(ret.Node().(*ast.ReturnStmt).Results) != 1 || i != 0 {
		o.refuse(ret.Node(), "others may have it")
		return
	}
	if f := o.info.Defs[d.Name]; !o.seen[f] {
		o.seen[f] = true
		for _, c := range o.calls(d) {
			o.use(c)
		}
	}
}

// received looks at the loop in which a single item is taken.
func (o *order) received(c inspector.Cursor) {
	for up := range c.Enclosing((*ast.ForStmt)(nil), (*ast.RangeStmt)(nil), (*ast.FuncLit)(nil), (*ast.FuncDecl)(nil)) {
		switch loop := up.Node().(type) {
		case *ast.ForStmt:
			o.body(loop, loop.Body)
			return
		case *ast.RangeStmt:
			o.body(loop, loop.Body)
			return
		}
		break
	}
	o.refuse(c.Node(), "the first item is taken for itself")
}

// body looks at what a loop does with the items: what it keeps must be the same
// in any order.
func (o *order) body(loop ast.Stmt, body *ast.BlockStmt) {
	for _, l := range rewrite.Leaves(o.info, body, false) {
		if l.How != "continue" && l.How != "panic" {
			o.refuse(body, "who takes them may stop")
			return
		}
	}
	k := &keeper{info: o.info, r: o.r, uses: o.uses, loop: loop, how: map[types.Object]string{}}
	var sends []*ast.SendStmt
	code := &atonce.Code{
		Own:   loop,
		Write: k.write,
		Send: func(s *ast.SendStmt) bool {
			sends = append(sends, s)
			return true
		},
		Take: func(*ast.UnaryExpr) bool { return true },
	}
	if b := o.r.Read(code, body); b != nil {
		o.refuse(b.At, "who takes them "+b.Why)
		return
	}
	if at, what := k.looks(code); at != nil {
		o.refuse(at, "who takes them looks at "+what+", which it changes")
		return
	}
	for _, s := range sends {
		o.channel(s.Chan)
	}
}
