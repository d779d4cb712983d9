package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/shape"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// follow looks at what becomes of the value of an expression. It refuses what may change
// the value, or tell it from another one, and what cannot be followed.
func (x *sharing) follow(c inspector.Cursor) *shape.Refusal {
	info, parent, at := x.pass.TypesInfo, c.Parent(), c.ParentEdgeKind()
	no := shape.No(c.Node(), "it is kept or passed on")
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
	case edge.IndexExpr_X, edge.RangeStmt_X:
		if x.reads && !uses.Written(uses.Whole(parent)) {
			return nil
		}
	case edge.BinaryExpr_X, edge.BinaryExpr_Y:
		b := parent.Node().(*ast.BinaryExpr)
		if info.Types[b.X].IsNil() || info.Types[b.Y].IsNil() {
			return nil
		}
	case edge.CallExpr_Args:
		return x.argument(c, parent)
	}
	if _, ok := info.TypeOf(c.Node().(ast.Expr)).Underlying().(*types.Struct); ok {
		if at == edge.UnaryExpr_X && parent.Node().(*ast.UnaryExpr).Op == token.AND {
			return x.follow(parent)
		}
		return no // a copy is another
	}
	switch at {
	case edge.AssignStmt_Rhs:
		if st := parent.Node().(*ast.AssignStmt); len(st.Lhs) == len(st.Rhs) {
			return x.assigned(st.Lhs[c.ParentEdgeIndex()])
		}
	case edge.ValueSpec_Values:
		if spec := parent.Node().(*ast.ValueSpec); len(spec.Names) == len(spec.Values) {
			return x.assigned(spec.Names[c.ParentEdgeIndex()])
		}
	case edge.KeyValueExpr_Value:
		if v := x.index.Var(parent.Node().(*ast.KeyValueExpr).Key); v != nil {
			return x.variable(v)
		}
	case edge.ReturnStmt_Results:
		if fn, ok := uses.Func(c); ok && len(parent.Node().(*ast.ReturnStmt).Results) == 1 {
			if decl, ok := fn.Node().(*ast.FuncDecl); ok {
				return x.returned(info.Defs[decl.Name].(*types.Func), c)
			}
		}
	}
	return no
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

// variable looks at the uses of a variable or field that may have the value.
func (x *sharing) variable(v *types.Var) *shape.Refusal {
	if x.asking[v] {
		return nil
	}
	x.asking[v] = true
	if x.key != nil && (v.IsField() || v.Parent() == x.pass.Pkg.Scope()) {
		return &shape.Refusal{Why: "it is kept", Pos: v.Pos()}
	}
	if v.IsField() && x.holds == "" {
		x.holds = "no two objects that have it are compared"
	}
	if why := x.index.Unseen(v); why != "" || v.Embedded() || v.IsField() && x.alike(v) {
		return &shape.Refusal{Why: "other code may change it", Pos: v.Pos()}
	}
	for _, c := range x.index.Of(v) {
		if x.index.Declares(c) {
			if c.Parent().Parent().ParentEdgeKind() == edge.FuncType_Results {
				return shape.No(c.Node(), v.Name()+" is a result")
			}
			continue
		}
		whole := uses.Whole(c)
		if at := whole.ParentEdgeKind(); at == edge.AssignStmt_Lhs || at == edge.KeyValueExpr_Key && v.IsField() {
			continue
		}
		if why := x.follow(whole); why != nil {
			return why
		}
	}
	return nil
}

// alike reports whether a value of another struct may become one of the struct that has
// a field, or the other way round: what it has is then a field of the other.
func (x *sharing) alike(v *types.Var) bool {
	var all []types.Type
	of := -1
	for c := range x.index.Root.Preorder((*ast.StructType)(nil)) {
		st := c.Node().(*ast.StructType)
		if st.Pos() <= v.Pos() && v.Pos() < st.End() {
			of = len(all) // the innermost is the last
		}
		all = append(all, x.pass.TypesInfo.TypeOf(st))
	}
	for i, t := range all {
		if of < 0 || i != of && types.IdenticalIgnoreTags(t, all[of]) {
			return true
		}
	}
	return of < 0
}

// returned looks at the calls of a function that returns the value.
func (x *sharing) returned(fn *types.Func, at inspector.Cursor) *shape.Refusal {
	if x.asking[fn] {
		return nil
	}
	x.asking[fn] = true
	if fn.Exported() || fn.Signature().Recv() != nil || x.index.Left.Calls(fn) != "" {
		return shape.No(at.Node(), "other code may get what "+fn.Name()+" returns")
	}
	for c := range x.index.Root.Preorder((*ast.Ident)(nil)) {
		id := c.Node().(*ast.Ident)
		if used, ok := x.pass.TypesInfo.Uses[id].(*types.Func); !ok || used.Origin() != fn {
			continue
		}
		call := uses.Whole(c).Parent()
		if uses.Whole(c).ParentEdgeKind() != edge.CallExpr_Fun {
			return shape.No(id, "other code may get what "+fn.Name()+" returns")
		}
		if why := x.follow(call); why != nil {
			return why
		}
	}
	return nil
}

// argument looks at a call that gets the value.
func (x *sharing) argument(c, parent inspector.Cursor) *shape.Refusal {
	info, call, i := x.pass.TypesInfo, parent.Node().(*ast.CallExpr), c.ParentEdgeIndex()
	if x.reads && loop.Builtin(info, call) == "len" {
		return nil
	}
	fn := typeutil.StaticCallee(info, call)
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if fn == nil || sel != nil && info.Selections[sel] != nil && info.Selections[sel].Kind() == types.MethodExpr {
		return shape.No(call, "it is kept or passed on")
	}
	t := uses.Named(info.TypeOf(c.Node().(ast.Expr)))
	if x.reads && x.maker != table && t != nil && t.Obj().Pkg() == fn.Pkg() && fn.Pkg() != x.pass.Pkg {
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
