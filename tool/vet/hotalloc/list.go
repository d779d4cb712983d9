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

// A list is a variable that has the newest of cells, of which each has a value and
// the next one.
type list struct {
	boxed
	cell        types.Type
	value, next *types.Var // fields of a cell
	pushes      []push
	values      []inspector.Cursor // where the value of a cell is read
	walks       []walk
}

// A walk is a loop over the list. v has the cell, nil where nobody asks for it.
type walk struct {
	stmt *ast.ForStmt
	v    *types.Var
}

// A push is list = &cell{value, list}.
type push struct {
	at    inspector.Cursor
	value ast.Expr
}

// lists looks at a local variable that is declared as an empty list, and reports
// whether values are put into it in a loop.
func (s *search) lists(d declaration) bool {
	l := list{boxed: boxed{search: s, declaration: d}}
	if !l.cells() {
		return false
	}
	why := l.uses()
	if len(l.pushes) == 0 {
		return false
	}
	in, ok := loop.Around(s.pass.TypesInfo, l.pushes[0].at)
	if !ok {
		return false
	}
	var edits []analysis.TextEdit
	if why == nil {
		edits, why = l.slice()
	}
	f := s.finding(l.pushes[0].at, in.Stmt, "each value of "+d.v.Name()+" is allocated with a cell of a list")
	s.add(f, shape.Fix{Name: "slice", Says: "keep the values in a slice", Edits: edits}, why)
	return true
}

// cells reports whether the variable is declared as a pointer to a struct of a value
// and a pointer of its own type.
func (l *list) cells() bool {
	p, ok := types.Unalias(l.v.Type()).(*types.Pointer)
	if !ok || l.typ == nil || l.init != nil {
		return false
	}
	l.cell = p.Elem()
	if n, ok := types.Unalias(l.cell).(*types.Named); !ok || n.TypeArgs().Len() > 0 {
		return false
	}
	st, ok := l.cell.Underlying().(*types.Struct)
	if !ok || st.NumFields() != 2 {
		return false
	}
	for f := range st.Fields() {
		if types.Identical(f.Type(), l.v.Type()) {
			l.next = f
		} else {
			l.value = f
		}
	}
	return l.next != nil && l.value != nil
}

// uses looks at what is done with the list: cells are put before it, and loops go
// through it and read.
func (l *list) uses() (why *refusal) {
	for _, c := range l.index.Of(l.v) {
		if l.index.Declares(c) {
			continue
		}
		more := l.keeper().later(l.v, c)
		switch {
		case more != nil:
		case l.pushed(c):
		case l.walked(c, &more):
		case c.ParentEdgeKind() == edge.BinaryExpr_X && l.pass.TypesInfo.Types[c.Parent().Node().(*ast.BinaryExpr).Y].IsNil():
			cond := c.Parent().Node().(*ast.BinaryExpr)
			l.edits = append(l.edits, rewrite.Replace(cond, "len("+l.v.Name()+") "+cond.Op.String()+" 0"))
		default:
			more = no(c.Node(), l.v.Name()+" is used otherwise than to put values before it and to go through it")
		}
		if why == nil {
			why = more
		}
	}
	return why
}

// pushed notes l = &cell{value, l}, of which c is one of the two l.
func (l *list) pushed(c inspector.Cursor) bool {
	info := l.pass.TypesInfo
	if c.ParentEdgeKind() != edge.AssignStmt_Lhs {
		for up := range c.Enclosing((*ast.AssignStmt)(nil)) {
			as := up.Node().(*ast.AssignStmt)
			return len(as.Lhs) == 1 && loop.Var(info, as.Lhs[0]) == l.v && l.put(as.Rhs[0]) != nil && (c.ParentEdgeKind() == edge.CompositeLit_Elts || c.ParentEdgeKind() == edge.KeyValueExpr_Value)
		}
		return false
	}
	as := c.Parent().Node().(*ast.AssignStmt)
	if as.Tok != token.ASSIGN || len(as.Lhs) != 1 {
		return false
	}
	value := l.put(as.Rhs[0])
	if value != nil {
		l.pushes = append(l.pushes, push{c.Parent(), value})
	}
	return value != nil
}

// put is the value of &cell{value, l}, nil if e is none.
func (l *list) put(e ast.Expr) (value ast.Expr) {
	info := l.pass.TypesInfo
	lit := literal(e)
	if lit == nil || len(lit.Elts) != 2 {
		return nil
	}
	var next ast.Expr
	for i, e := range lit.Elts {
		f := l.cell.Underlying().(*types.Struct).Field(i)
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			f, _ = info.Uses[kv.Key.(*ast.Ident)].(*types.Var)
			e = kv.Value
		}
		if f == l.next {
			next = e
		} else {
			value = e
		}
	}
	if next == nil || loop.Var(info, next) != l.v {
		return nil
	}
	return value
}

// walked looks at for c := l; c != nil; c = c.next, where c is used for its values.
func (l *list) walked(c inspector.Cursor, why **refusal) bool {
	info := l.pass.TypesInfo
	init, ok := c.Parent().Node().(*ast.AssignStmt)
	if !ok || c.ParentEdgeKind() != edge.AssignStmt_Rhs || c.Parent().ParentEdgeKind() != edge.ForStmt_Init || init.Tok != token.DEFINE || len(init.Lhs) != 1 {
		return false
	}
	stmt := c.Parent().Parent().Node().(*ast.ForStmt)
	cond, ok := stmt.Cond.(*ast.BinaryExpr)
	post, ok2 := stmt.Post.(*ast.AssignStmt)
	v := loop.Var(info, init.Lhs[0])
	if !ok || !ok2 || cond.Op != token.NEQ || len(post.Lhs) != 1 || v == nil {
		return false
	}
	known := len(l.values)
	for _, u := range l.index.Of(v) {
		parent := u.Parent()
		sel, selects := parent.Node().(*ast.SelectorExpr)
		field := selects && l.index.Var(sel) == l.value
		switch {
		case l.index.Declares(u), u.Node() == cond.X && info.Types[cond.Y].IsNil(), u.Node() == post.Lhs[0]:
			continue
		case selects && sel == post.Rhs[0] && l.index.Var(sel) == l.next:
			continue
		case !field:
			*why = no(u.Node(), v.Name()+" is used otherwise than for its value")
			return true
		}
		var how manner
		if *why = l.keeper().later(v, u); *why == nil {
			*why = l.keeper().part(v, parent, &how)
		}
		if *why == nil && how.written {
			*why = no(sel, "a value of the list is changed")
		}
		if *why != nil {
			return true
		}
		l.values = append(l.values, parent)
	}
	if len(l.values) == known {
		v = nil
	}
	l.walks = append(l.walks, walk{stmt, v})
	return true
}

// slice are the edits that keep the values in a slice.
func (l *list) slice() ([]analysis.TextEdit, *refusal) {
	file := l.file(l.at)
	if !rewrite.Since(l.pass, file, "go1.23") {
		return nil, no(l.at.Node(), "there is no slices.Backward, which came with Go 1.23")
	}
	if !l.universal(l.at.Node().Pos(), "append", "len") {
		return nil, no(l.at.Node(), "a predeclared name means something else here")
	}
	elem := l.value.Type()
	if edits := l.edits; l.typed() {
		elem = l.elem
	} else {
		l.edits = edits
	}
	text, ok := rewrite.Type(l.pass.Pkg, file, l.typ.Pos(), elem)
	if !ok {
		return nil, no(l.at.Node(), "the type of its values cannot be written here")
	}
	l.edits = append(l.edits, rewrite.Replace(l.typ, "[]"+text))
	for _, v := range l.values {
		sel := v.Node().(*ast.SelectorExpr)
		l.edits = append(l.edits, analysis.TextEdit{Pos: sel.X.End(), End: sel.End()})
	}
	for _, p := range l.pushes {
		more := l.v.Name() + " = append(" + l.v.Name() + ", "
		if r, ok := p.at.Parent().Parent().Node().(*ast.RangeStmt); ok && l.alone(p.at, r, p.value, elem) {
			l.edits = append(l.edits, inPlace(r, p.at.Node(), more+l.text(r.X)+"...)")...)
			continue
		}
		l.edits = append(l.edits, rewrite.Replace(p.at.Node(), more+l.text(p.value)+")"))
	}
	pkg, imports := rewrite.Import(l.pass.Pkg, file, "slices", l.at.Node().Pos())
	for _, w := range l.walks {
		head := "range " + pkg + ".Backward(" + l.v.Name() + ") "
		if w.v != nil {
			head = "_, " + w.v.Name() + " := " + head
		}
		l.edits = append(l.edits, analysis.TextEdit{Pos: w.stmt.Init.Pos(), End: w.stmt.Body.Pos(), NewText: []byte(head)})
	}
	if len(l.walks) > 0 {
		l.edits = append(l.edits, imports...)
	}
	return l.edits, nil
}

// typed reports whether the values are interfaces that hold one type, as which
// each is asserted.
func (l *list) typed() bool {
	if i, ok := l.value.Type().Underlying().(*types.Interface); !ok || !i.Empty() {
		return false
	}
	for _, p := range l.pushes {
		if l.is(p.value, l.pass.TypesInfo.TypeOf(p.value)) != nil {
			return false
		}
	}
	for _, v := range l.values {
		if v.ParentEdgeKind() != edge.TypeAssertExpr_X || l.assertion(v) != nil {
			return false
		}
	}
	return true
}
