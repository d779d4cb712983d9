package hotalloc

import (
	"go/ast"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// becomes looks at what becomes of the value of a call, which may have an error beside it.
func (x *sharing) becomes(c inspector.Cursor) *shape.Refusal {
	info, parent := x.pass.TypesInfo, c.Parent()
	if c == x.at {
		x.asking = map[types.Object]bool{}
	}
	if _, two := info.TypeOf(c.Node().(ast.Expr)).(*types.Tuple); !two {
		return x.follow(c)
	}
	switch n := parent.Node().(type) {
	case *ast.ReturnStmt:
		return x.returned(c)
	case *ast.CallExpr:
		if fn := typeutil.StaticCallee(info, n); fn != nil && (fn.FullName() == "text/template.Must" || fn.FullName() == "html/template.Must") {
			return x.follow(parent)
		}
	case *ast.AssignStmt:
		if id, ok := n.Lhs[0].(*ast.Ident); ok && id.Name == "_" && c != x.at {
			return nil // a call that asks for the error
		}
		return x.assigned(n.Lhs[0])
	}
	return shape.No(c.Node(), "its error is not assigned to a variable")
}

// returned looks at what becomes of the first result of a function.
func (x *sharing) returned(c inspector.Cursor) *shape.Refusal {
	at, _ := uses.Func(c)
	decl, ok := at.Node().(*ast.FuncDecl)
	if !ok || decl.Name.IsExported() || c.ParentEdgeIndex() > 0 || decl.Type.Results.List[0].Names != nil {
		return shape.No(c.Node(), "it is kept or passed on")
	}
	fn, name := x.pass.TypesInfo.Defs[decl.Name], decl.Name.Name
	if x.asking[fn] {
		return nil
	}
	x.asking[fn] = true
	if x.index.Left.Uses(name) != "" || x.index.Left.Selects(name) != "" {
		return shape.No(c.Node(), "files of other builds may get it")
	}
	for use := range x.index.Root.Preorder((*ast.Ident)(nil)) {
		f, ok := x.pass.TypesInfo.Uses[use.Node().(*ast.Ident)].(*types.Func)
		if !ok || f.Name() != name {
			continue
		}
		whole, recv := uses.Whole(use), f.Signature().Recv()
		switch is := types.Object(f.Origin()) == fn; {
		case !is && (recv == nil || !types.IsInterface(recv.Type())):
			continue
		case !is || whole.ParentEdgeKind() != edge.CallExpr_Fun:
			return shape.No(use.Node(), name+" is not only called")
		}
		if why := x.becomes(whole.Parent()); why != nil {
			return why
		}
	}
	return nil
}

// follow looks at what becomes of the value of an expression. It refuses what may change
// the value, or tell it from another one, and what cannot be followed.
func (x *sharing) follow(c inspector.Cursor) *shape.Refusal {
	info, parent, at := x.pass.TypesInfo, c.Parent(), c.ParentEdgeKind()
	switch at {
	case edge.ParenExpr_X:
		return x.follow(parent)
	case edge.ExprStmt_X:
		if c == x.at {
			return shape.No(c.Node(), "it is not used")
		}
		return nil
	case edge.SelectorExpr_X:
		fn, ok := info.Uses[parent.Node().(*ast.SelectorExpr).Sel].(*types.Func)
		if ok && !x.allows(fn.Name()) {
			return shape.No(parent.Node(), fn.Name()+" may change it")
		} else if ok {
			return nil
		}
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		b := parent.Node().(*ast.BinaryExpr)
		if info.Types[b.X].IsNil() || info.Types[b.Y].IsNil() {
			return nil
		}
	case edge.CallExpr_Args:
		return x.argument(c, parent)
	case edge.ReturnStmt_Results:
		return x.returned(c)
	case edge.AssignStmt_Rhs:
		if st := parent.Node().(*ast.AssignStmt); len(st.Lhs) == len(st.Rhs) {
			return x.assigned(st.Lhs[c.ParentEdgeIndex()])
		}
	case edge.ValueSpec_Values:
		if spec := parent.Node().(*ast.ValueSpec); len(spec.Names) == len(spec.Values) {
			return x.assigned(spec.Names[c.ParentEdgeIndex()])
		}
	}
	return shape.No(c.Node(), "it is kept or passed on")
}

// assigned looks at what the value is assigned to.
func (x *sharing) assigned(e ast.Expr) *shape.Refusal {
	if id, ok := e.(*ast.Ident); ok && id.Name == "_" {
		return shape.No(e, "it is not used")
	}
	if v := x.index.Var(e); v != nil {
		return x.variable(v)
	}
	return shape.No(e, "it is kept or passed on")
}

// variable looks at the uses of a local variable that may have the value.
func (x *sharing) variable(v *types.Var) *shape.Refusal {
	if v.IsField() || v.Parent() == x.pass.Pkg.Scope() {
		return &shape.Refusal{Why: "it is kept", Pos: v.Pos()}
	}
	if x.asking[v] {
		return nil
	}
	x.asking[v] = true
	for _, c := range x.index.Of(v) {
		if x.index.Declares(c) {
			if c.Parent().Parent().ParentEdgeKind() == edge.FuncType_Results {
				return shape.No(c.Node(), v.Name()+" is a result")
			}
			continue
		}
		whole := uses.Whole(c)
		if whole.ParentEdgeKind() == edge.AssignStmt_Lhs {
			continue
		}
		if why := x.follow(whole); why != nil {
			return why
		}
	}
	return nil
}

// argument looks at a call that gets the value.
func (x *sharing) argument(c, parent inspector.Cursor) *shape.Refusal {
	info, call, i := x.pass.TypesInfo, parent.Node().(*ast.CallExpr), c.ParentEdgeIndex()
	fn := typeutil.StaticCallee(info, call)
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || sel != nil && info.Selections[sel] != nil && info.Selections[sel].Kind() == types.MethodExpr {
		return shape.No(call, "it is kept or passed on")
	}
	t := uses.Named(info.TypeOf(c.Node().(ast.Expr)))
	if x.reads && t != nil && t.Obj().Pkg() == fn.Pkg() && fn.Pkg() != x.pass.Pkg {
		return nil
	}
	_, here := x.index.Declaration(fn)
	if params := fn.Origin().Signature().Params(); here && i < params.Len() && !(fn.Signature().Variadic() && i == params.Len()-1) {
		if p := params.At(i); p.Name() != "" {
			return x.variable(p)
		}
		return nil
	}
	return shape.No(call, fn.Name()+" may change it")
}
