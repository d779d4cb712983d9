package sharing

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/gopayoff/payoff/tool/internal/program"
)

// escaping returns the local variables of a declaration that another goroutine
// may reach: those a function literal captures, and those whose address is
// taken. More than do escape; one too many costs a load at each access.
//
// It also returns those that are captured, but never set again nor addressed.
// The compiler may give the literals copies, as long as nobody else takes the
// address.
func (t *toucher) escaping(d ast.Decl) (vars, copied map[*types.Var]bool) {
	vars, copied = map[*types.Var]bool{}, map[*types.Var]bool{}
	set := map[*types.Var]bool{}
	sets := func(es ...ast.Expr) {
		for _, e := range es {
			if e != nil {
				t.taken(e, set)
			}
		}
	}
	var literals []*ast.FuncLit
	var visit func(n ast.Node)
	visit = func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				literals = append(literals, n)
				visit(n.Body)
				literals = literals[:len(literals)-1]
				return false
			case *ast.Ident:
				v, ok := t.TypesInfo.Uses[n].(*types.Var)
				if ok && !v.IsField() && len(literals) > 0 {
					if in := literals[len(literals)-1]; v.Pos() < in.Pos() || in.End() <= v.Pos() {
						vars[v] = true
					}
				}
			case *ast.AssignStmt:
				if n.Tok != token.DEFINE {
					sets(n.Lhs...)
					break
				}
				for _, e := range n.Lhs {
					if id, ok := e.(*ast.Ident); ok && t.TypesInfo.Defs[id] == nil {
						sets(id)
					}
				}
			case *ast.IncDecStmt:
				sets(n.X)
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					sets(n.Key, n.Value)
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					t.taken(n.X, vars)
					sets(n.X)
				}
			case *ast.SliceExpr:
				if _, ok := t.TypesInfo.TypeOf(n.X).Underlying().(*types.Array); ok {
					t.taken(n.X, vars)
					sets(n.X)
				}
			case *ast.SelectorExpr:
				if s := t.TypesInfo.Selections[n]; s != nil && s.Kind() == types.MethodVal && !isPointer(s.Recv()) {
					if recv := s.Obj().(*types.Func).Signature().Recv(); recv != nil && isPointer(recv.Type()) {
						t.taken(n.X, vars)
						sets(n.X)
					}
				}
			}
			return true
		})
	}
	visit(d)
	for v := range vars {
		copied[v] = !set[v]
	}
	return vars, copied
}

// taken enters the local variable whose address &e holds.
func (t *toucher) taken(e ast.Expr, vars map[*types.Var]bool) {
	if v := t.local(e); v != nil {
		vars[v] = true
	}
}

// reachable reports whether another goroutine may reach what e stands for, and
// e has an address.
func (t *toucher) reachable(e ast.Expr) bool {
	if ix, ok := ast.Unparen(e).(*ast.IndexExpr); ok && !t.addressable(ix.X) {
		return false
	}
	v := t.local(e)
	return v == nil || t.shared[v]
}

// addressable reports whether elements of x have an address.
func (t *toucher) addressable(x ast.Expr) bool {
	switch u := program.Deref(t.TypesInfo.TypeOf(x)).Underlying().(type) {
	case *types.Slice:
		return true
	case *types.Array:
		return u.Len() > 0
	}
	return false // maps, and type parameters, which may be maps
}

func (t *toucher) isMap(x ast.Expr) bool {
	typ := t.TypesInfo.TypeOf(x)
	if typ == nil {
		return false
	}
	_, ok := typ.Underlying().(*types.Map)
	return ok
}

// local returns the local variable that e is a part of, or nil if e leads out
// of the frame: through a pointer or slice, or to a variable of a package.
func (t *toucher) local(e ast.Expr) *types.Var {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		v, ok := t.TypesInfo.ObjectOf(e).(*types.Var)
		if ok && v.Pkg() != nil && v.Parent() != v.Pkg().Scope() {
			return v
		}
	case *ast.SelectorExpr:
		if s := t.TypesInfo.Selections[e]; s != nil && !s.Indirect() {
			return t.local(e.X)
		}
	case *ast.IndexExpr:
		if _, ok := t.TypesInfo.TypeOf(e.X).Underlying().(*types.Array); ok {
			return t.local(e.X)
		}
	}
	return nil
}

// mentionsParam reports whether the size of typ may hang on a type parameter.
func mentionsParam(typ types.Type) bool {
	switch typ := types.Unalias(typ).(type) {
	case *types.TypeParam:
		return true
	case *types.Array:
		return mentionsParam(typ.Elem())
	case *types.Struct:
		for f := range typ.Fields() {
			if mentionsParam(f.Type()) {
				return true
			}
		}
	case *types.Named:
		return mentionsParam(typ.Underlying()) // of fields by value alone, so it ends
	}
	return false
}
