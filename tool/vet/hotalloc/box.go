package hotalloc

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ast/edge"
	"golang.org/x/tools/go/ast/inspector"

	"github.com/gopayoff/payoff/tool/vet/loop"
	"github.com/gopayoff/payoff/tool/vet/rewrite"
	"github.com/gopayoff/payoff/tool/vet/shape"
)

// boxes looks at a local slice of interfaces, and reports whether it is one
// that values are put into.
func (s *search) boxes(d declaration) bool {
	info := s.pass.TypesInfo
	slice, ok := d.v.Type().Underlying().(*types.Slice)
	if !ok {
		return false
	}
	if i, ok := slice.Elem().Underlying().(*types.Interface); !ok || !i.Empty() {
		return false
	}
	var puts []inspector.Cursor // what is put in
	for _, c := range s.index.Of(d.v) {
		if call, ok := c.Parent().Node().(*ast.CallExpr); ok && c.ParentEdgeKind() == edge.CallExpr_Args && c.ParentEdgeIndex() == 0 && loop.Builtin(info, call) == "append" && !call.Ellipsis.IsValid() {
			puts = append(puts, c.Parent())
		}
	}
	if len(puts) == 0 {
		return false
	}
	put := puts[0]
	l, ok := loop.Around(info, put)
	if !ok {
		return false
	}
	b := boxed{search: s, declaration: d}
	edits, why := b.edit()
	f := s.finding(put, l.Stmt, d.v.Name()+" keeps its values in interfaces: each is allocated")
	s.add(f, shape.Fix{Name: "typed", Says: "keep the values themselves", Edits: edits}, why)
	return true
}

// boxed is a slice of interfaces that may hold values of one type only.
type boxed struct {
	*search
	declaration
	elem  types.Type
	edits []analysis.TextEdit
}

func (b *boxed) edit() ([]analysis.TextEdit, *refusal) {
	var slice *ast.ArrayType
	switch e := b.init.(type) {
	case nil:
		slice, _ = b.typ.(*ast.ArrayType)
	case *ast.CompositeLit:
		if len(e.Elts) == 0 && b.typ == nil {
			slice, _ = e.Type.(*ast.ArrayType)
		}
	case *ast.CallExpr:
		if loop.Builtin(b.pass.TypesInfo, e) == "make" && isZero(b.pass.TypesInfo, e.Args[1]) && b.typ == nil {
			slice, _ = e.Args[0].(*ast.ArrayType)
		}
	}
	if slice == nil {
		return nil, no(b.at.Node(), b.v.Name()+" is declared in a way of its own")
	}
	for _, c := range b.index.Of(b.v) {
		if b.index.Declares(c) {
			continue
		}
		if why := b.keeper().later(b.v, c); why != nil {
			return nil, why
		}
		if why := b.use(c); why != nil {
			return nil, why
		}
	}
	if b.elem == nil {
		return nil, no(b.at.Node(), "nothing is put into "+b.v.Name())
	}
	text, ok := rewrite.Type(b.pass.Pkg, b.file(b.at), slice.Pos(), b.elem)
	if !ok {
		return nil, no(b.at.Node(), "the type of its values cannot be written here")
	}
	return append(b.edits, rewrite.Replace(slice.Elt, text)), nil
}

// is notes that a value of type t is put in or taken out.
func (b *boxed) is(n ast.Node, t types.Type) *refusal {
	if t == nil || types.IsInterface(t) {
		return no(n, "values of any type are put into "+b.v.Name())
	}
	if t == types.Typ[types.UntypedNil] {
		return no(n, "nil is put into "+b.v.Name())
	}
	t = types.Default(t)
	if b.elem == nil {
		b.elem = t
	}
	if !types.Identical(b.elem, t) {
		return no(n, b.v.Name()+" holds values of several types")
	}
	return nil
}

func (b *boxed) use(c inspector.Cursor) *refusal {
	info := b.pass.TypesInfo
	parent := c.Parent()
	other := no(c.Node(), b.v.Name()+" is used as a slice of interfaces")
	switch c.ParentEdgeKind() {
	case edge.CallExpr_Args:
		call := parent.Node().(*ast.CallExpr)
		switch loop.Builtin(info, call) {
		case "len", "cap", "clear":
			if loop.Builtin(info, call) == "clear" {
				return other
			}
			return nil
		case "append":
			if c.ParentEdgeIndex() != 0 || call.Ellipsis.IsValid() || !b.keeper().back(b.v, parent) {
				return other
			}
			for _, a := range call.Args[1:] {
				if why := b.is(a, info.TypeOf(a)); why != nil {
					return why
				}
			}
			return nil
		}
	case edge.AssignStmt_Lhs:
		return nil // what is assigned is seen itself
	case edge.SliceExpr_X:
		if b.keeper().back(b.v, parent) && b.shorter(parent.Node().(*ast.SliceExpr)) {
			return nil
		}
	case edge.IndexExpr_X:
		switch parent.ParentEdgeKind() {
		case edge.TypeAssertExpr_X:
			return b.assertion(parent)
		case edge.AssignStmt_Lhs:
			a := parent.Parent().Node().(*ast.AssignStmt)
			if a.Tok == token.ASSIGN && len(a.Lhs) == len(a.Rhs) {
				return b.is(a, info.TypeOf(a.Rhs[parent.ParentEdgeIndex()]))
			}
		}
	case edge.RangeStmt_X:
		r := parent.Node().(*ast.RangeStmt)
		if r.Value == nil {
			return nil
		}
		v, ok := info.Defs[identOf(r.Value)].(*types.Var)
		if !ok {
			return other
		}
		for _, u := range b.index.Of(v) {
			if b.index.Declares(u) {
				continue
			}
			if u.ParentEdgeKind() != edge.TypeAssertExpr_X {
				return no(u.Node(), v.Name()+" is used as an interface")
			}
			if why := b.assertion(u); why != nil {
				return why
			}
		}
		return nil
	}
	return other
}

// shorter reports whether x[:high] is no longer than x: beyond it is nil, which
// is no value of the type.
func (b *boxed) shorter(e *ast.SliceExpr) bool {
	info := b.pass.TypesInfo
	if e.High == nil || isZero(info, e.High) {
		return true
	}
	sub, ok := ast.Unparen(e.High).(*ast.BinaryExpr)
	if !ok || sub.Op != token.SUB || info.Types[sub.Y].Value == nil {
		return false
	}
	call, ok := ast.Unparen(sub.X).(*ast.CallExpr)
	return ok && loop.Builtin(info, call) == "len" && loop.Var(info, call.Args[0]) == b.v
}

// assertion takes x.(T) away.
func (b *boxed) assertion(x inspector.Cursor) *refusal {
	up := x.Parent()
	e := up.Node().(*ast.TypeAssertExpr)
	if e.Type == nil {
		return no(e, "a switch asks for the type of a value")
	}
	if _, two := b.pass.TypesInfo.TypeOf(e).(*types.Tuple); two {
		return no(e, "the type of a value is asked for")
	}
	if why := b.is(e, b.pass.TypesInfo.TypeOf(e)); why != nil {
		return why
	}
	if up.ParentEdgeKind() == edge.ExprStmt_X {
		return no(e, "the type of a value is asked for")
	}
	b.edits = append(b.edits, analysis.TextEdit{Pos: e.X.End(), End: e.End()})
	return nil
}

func identOf(e ast.Expr) *ast.Ident {
	id, _ := e.(*ast.Ident)
	return id
}
