package fewworkers

import (
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"slices"

	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/spawn"
	"github.com/gopayoff/payoff/tool/vet/uses"
)

// told are the functions, other than that of the loop, that say the number, and the
// fields that hold it.
func (r *reader) told(n *number) (all []string) {
	fns := n.through
	if c, ok := uses.Find(r.uses.Root, n.at); ok && uses.Decl(c) != nil {
		fn, _ := r.info.Defs[uses.Decl(c).Name].(*types.Func)
		fns = append(slices.Clip(fns), fn)
	}
	for i, fn := range fns {
		if r.info.Defs[r.s.Func.Name] == fn || slices.Contains(fns[:i], fn) {
			continue
		}
		name := fn.Name()
		if recv := fn.Signature().Recv(); recv != nil {
			name = uses.Named(recv.Type()).Obj().Name() + "." + name
		}
		all = append(all, name)
	}
	for _, o := range n.via {
		if v, ok := o.(*types.Var); ok && v.IsField() {
			all = append(all, r.holder(v)+"."+v.Name())
		}
	}
	return all
}

// holder is the type that has a field.
func (r *reader) holder(v *types.Var) string {
	scope := v.Pkg().Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		if s, ok := t.Type().Underlying().(*types.Struct); ok && slices.Contains(slices.Collect(s.Fields()), v) {
			return name
		}
	}
	return ""
}

// again returns where the same number stands in another place of its function.
func (r *reader) again(n *number) (at ast.Node) {
	c, ok := uses.Find(r.uses.Root, n.at)
	if !ok || uses.Decl(c) == nil {
		return nil
	}
	ast.Inspect(uses.Decl(c).Body, func(x ast.Node) bool {
		e, ok := x.(ast.Expr)
		if !ok || at != nil || e == n.at {
			return at == nil && (!ok || e != n.at)
		}
		v, k := r.info.Types[e].Value, r.info.Types[n.at].Value
		if f := r.runtime(e); f != "" && f == r.runtime(n.call) || v != nil && k != nil && v.ExactString() == k.ExactString() {
			at = e
		}
		return true
	})
	return at
}

// says returns where a variable or constant that the number goes through says more than
// how many goroutines there are, which part each has, and how much room for what they
// have.
func (r *reader) says(n *number) ast.Node {
	for _, o := range n.via {
		for use := range r.named(o) {
			if !r.counts(use) {
				return use.Node()
			}
		}
	}
	for _, fn := range n.through {
		for use := range r.named(fn) {
			if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
				use = use.Parent()
			}
			if call := use.Parent(); use.ParentEdgeKind() != edge.FuncDecl_Name && (use.ParentEdgeKind() != edge.CallExpr_Fun || !r.counts(call)) {
				return use.Node()
			}
		}
	}
	return nil
}

// named are the identifiers of an object.
func (r *reader) named(o types.Object) iter.Seq[inspector.Cursor] {
	if v, ok := o.(*types.Var); ok {
		return slices.Values(r.uses.Of(v))
	}
	return func(yield func(inspector.Cursor) bool) {
		for c := range r.uses.Root.Preorder((*ast.Ident)(nil)) {
			if r.info.ObjectOf(c.Node().(*ast.Ident)) == o && !yield(c) {
				return
			}
		}
	}
}

// counts reports whether a use of the number counts workers, or sets it.
func (r *reader) counts(use inspector.Cursor) bool {
	if use.ParentEdgeKind() == edge.SelectorExpr_Sel {
		use = use.Parent()
	}
	switch up := use.Parent(); p := up.Node().(type) {
	case *ast.AssignStmt: // of the number, or to what it goes through
		i := slices.Index(p.Rhs, use.Node().(ast.Expr))
		return i < 0 || r.seen[spawn.Object(r.info, p.Lhs[i])]
	case *ast.KeyValueExpr:
		key, ok := p.Key.(*ast.Ident)
		return p.Key == use.Node() || ok && r.seen[r.info.Uses[key]]
	case *ast.RangeStmt, *ast.ValueSpec, *ast.Field:
		return true
	case *ast.ReturnStmt:
		return r.seen[r.info.Defs[uses.Decl(up).Name]]
	case *ast.BinaryExpr:
		switch p.Op {
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			return true
		}
		return r.s.Loop.Pos() <= p.Pos() && p.Pos() < r.s.Loop.End()
	case *ast.CallExpr:
		fn, _ := spawn.Object(r.info, p.Fun).(*types.Func)
		switch loop.Builtin(r.info, p) {
		case "make", "min", "max":
			return true
		}
		if i := slices.Index(p.Args, use.Node().(ast.Expr)); fn != nil && i >= 0 && i < fn.Signature().Params().Len() && r.seen[fn.Signature().Params().At(i)] {
			return true
		}
		return r.info.Types[p.Fun].IsType() || spawn.IsMethod(fn, "sync", "WaitGroup", "Add")
	}
	return false
}
